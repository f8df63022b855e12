import { lexers } from '../../../../src/packages/modules/lexers.js'
import { scan } from '../../../../src/packages/modules/scan.js'
import { readSource } from '../../../../src/packages/modules/source.js'

export type Format = 'module' | 'commonjs'

/** Modules that Node exposes as globals in `-e` and `-p`. */
const GLOBALS =
  'assert async_hooks buffer child_process cluster crypto dgram dns events fs http http2 https net os path perf_hooks querystring readline stream string_decoder tls tty url util v8 vm worker_threads zlib'.split(
    ' ',
  )
const STRICT = /^\s*(['"])use strict\1/

/** Detects the format of code without a file name or package: an ES module if it uses module syntax. */
export async function formatOfText(text: string): Promise<Format> {
  return readSource({ path: '[eval].js', text, declared: undefined }, await lexers()).kind === 'module' ? 'module' : 'commonjs'
}

/** Returns the program for `-e`. The preamble is on the first line of the code, so that line numbers stay correct. */
export function evalCode(code: string, format: Format): string {
  if (format === 'module') return `process.argv.splice(1, 1);${code}`
  return `${STRICT.test(code) ? "'use strict';" : ''}${preamble(code)}${code}`
}

/**
 * Returns the program for `-p`, which prints the value of the last expression. Repeats the `require` calls of the code, because adapters
 * scan the program for them.
 */
export function printCode(code: string): string {
  const value = `(function () { return eval(${JSON.stringify(code)}) }).call(globalThis)`
  const wanted = scan(code).requires.map((specifier) => `require(${JSON.stringify(specifier)})`)
  return `${preamble(code)}console.log(${value});() => [${wanted.join(', ')}]`
}

/**
 * Returns code that removes the script from `process.argv` and defines the modules that the code names as globals. Defining all modules
 * would slow down the start.
 */
function preamble(code: string): string {
  const named = GLOBALS.filter((name) => new RegExp(`(?<![\\w$.'"\`/-])${name}(?![\\w$'"\`])`).test(code))
  const globals = named.map(
    (name) =>
      `Object.defineProperty(globalThis, '${name}', { configurable: true, get: () => require('${name}'), set(value) { Object.defineProperty(globalThis, '${name}', { value, writable: true }) } });`,
  )
  return `process.argv.splice(1, 1);${globals.join('')}`
}
