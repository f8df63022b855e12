import { RECORDED } from './js/recorded.js'
import type { JsSource } from './js/source.js'
import { JS_SOURCES } from './js/sources.js'

/** A program and the output of Node. */
export interface JsContractProgram extends JsSource {
  readonly entry: string
  readonly exitCode: number
  readonly stdout: string
}

export const JS_PROGRAMS: readonly JsContractProgram[] = JS_SOURCES.map((source) => {
  const expected = RECORDED[source.name]
  if (!expected) throw new Error(`"${source.name}" is not recorded: run scripts/record-js-programs.mjs`)
  return { ...source, ...expected, entry: Object.keys(source.files).find((path) => path.startsWith('main.')) ?? 'main.mjs' }
})
