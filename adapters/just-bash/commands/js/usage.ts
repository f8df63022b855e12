import type { JsCommandName } from './types.js'

const SHARED = `  -e, --eval CODE      run CODE
  -p, --print CODE     run CODE and print the value of its last expression
  -c, --check          say whether it parses, and run nothing
      --input-type T   what CODE and standard input are: module or commonjs
  -v, --version        print the version of Node that programs see
  -h, --help           print this
      --               the end of the options
`

const HEAD: Readonly<Record<JsCommandName, string>> = {
  node: `Usage: node [options] [script.js | -] [arguments]

Runs a script of the workspace, or the program on standard input. CODE and standard input are CommonJS, unless they have import, export or a
top-level await. There is no interactive mode.

`,
  js: `Usage: js [options] [script.js | -] [arguments]

As node, but CODE and standard input are ES modules, and the default export of the program is printed as JSON when it ends.

`,
}

export const usageOf = (name: JsCommandName): string => HEAD[name] + SHARED
