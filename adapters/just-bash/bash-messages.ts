import type { StreamName } from './output.js'
import type { Refusals } from './refusals.js'
import type { Stop } from './stop.js'

const NOT_IN_THIS_BUILD = /command not available in browser environments\. Exclude .* from your commands or use the Node\.js bundle\./g
const NO_SYNTAX = /near unexpected token `(select|coproc)'/g
const INSTEAD: Readonly<Record<string, string>> = {
  select: 'select is not supported here: print the choices, and use read and case',
  coproc: 'coproc is not supported here: use a pipe, or & with files',
}
const MISSING = /^bash: (.+): command not found$/m
/** Limits of nothing, the library's abort, and its deadline. */
const OUR_STOP = /^bash: .*(?:\(>?0\)| aborted$|exceeded (?:its )?execution deadline).*\n/gm

/** Rewrites the library's messages in the words of bash. */
export class BashMessages {
  /** The first command that was called and is not there. */
  missing: string | undefined
  readonly #refusals: Refusals
  readonly #stop: Stop
  /** Errors may stand on standard output. */
  readonly #merged: boolean

  constructor(script: string, refusals: Refusals, stop: Stop) {
    this.#refusals = refusals
    this.#stop = stop
    this.#merged = /2>&1|&>|\|&/.test(script)
  }

  reword(text: string, stream: StreamName): string {
    if (stream === 'stdout' && !this.#merged) return text
    let reworded = this.#refusals.explain(text).replace(NOT_IN_THIS_BUILD, 'command not found')
    reworded = reworded.replace(NO_SYNTAX, (line, word: string) => `${line} (${INSTEAD[word]})`)
    if (this.#stop.reason !== undefined) reworded = reworded.replace(OUR_STOP, '')
    this.missing ??= MISSING.exec(reworded)?.[1]
    return reworded
  }
}
