import { lexers } from '../../../../src/packages/modules/lexers.js'
import { scan } from '../../../../src/packages/modules/scan.js'
import { readSource } from '../../../../src/packages/modules/source.js'

export type Format = 'module' | 'commonjs'

/** Modules that Node has as globals of `-e` and `-p`. */
const GLOBALS =
  'assert async_hooks buffer child_process cluster crypto dgram dns events fs http http2 https net os path perf_hooks querystring readline stream string_decoder tls tty url util v8 vm worker_threads zlib'.split(
    ' ',
  )
const STRICT = /^\s*(['"])use strict\1/

/** What a text is that no file name and no package speaks for: an ES module where it has the syntax of one. */
export async function formatOfText(text: string): Promise<Format> {
  return readSource({ path: '[eval].js', text, declared: undefined }, await lexers()).kind === 'module' ? 'module' : 'commonjs'
}

/** The program of `-e`: what stands before the code stands on its first line. */
export function evalCode(code: string, format: Format): string {
  if (format === 'module') return `process.argv.splice(1, 1);${code}`
  return `${STRICT.test(code) ? "'use strict';" : ''}${preamble(code)}${code}`
}

/** The program of `-p`, which prints the value of the last expression. What it requires stands there for those who read before they run. */
export function printCode(code: string): string {
  const value = `(function () { return eval(${JSON.stringify(code)}) }).call(globalThis)`
  const wanted = scan(code).requires.map((specifier) => `require(${JSON.stringify(specifier)})`)
  return `${preamble(code)}console.log(${value});() => [${wanted.join(', ')}]`
}

/** `process.argv` has no script there. A module is a global only where the code says its name: who reads files costs more to start. */
function preamble(code: string): string {
  const named = GLOBALS.filter((name) => new RegExp(`(?<![\\w$.'"\`/-])${name}(?![\\w$'"\`])`).test(code))
  const globals = named.map(
    (name) =>
      `Object.defineProperty(globalThis, '${name}', { configurable: true, get: () => require('${name}'), set(value) { Object.defineProperty(globalThis, '${name}', { value, writable: true }) } });`,
  )
  return `process.argv.splice(1, 1);${globals.join('')}`
}
