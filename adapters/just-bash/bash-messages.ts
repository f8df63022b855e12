import type { StreamName } from './output.js'
import type { Refusals } from './refusals.js'
import type { Stop } from './stop.js'

const NOT_IN_THIS_BUILD = /command not available in browser environments\. Exclude .* from your commands or use the Node\.js bundle\./g
const NO_SYNTAX = /near unexpected token `(select|coproc)'/g
const UNSUPPORTED_SYNTAX: Readonly<Record<string, string>> = {
  select: 'select is not supported here: print the choices, and use read and case',
  coproc: 'coproc is not supported here: use a pipe, or & with files',
}
const MISSING = /^bash: (.+): command not found$/m
/** Advice for programmers, not for the author of a script: a script cannot change the limits. */
const RAISE_LIMIT = /, increase executionLimits\.\w+/g
/** Messages that a stop causes: limits of 0, the library's abort, or the library's timeout. They are removed from the output. */
const OUR_STOP = /^bash: .*(?:\(>?0\)| aborted$|exceeded (?:its )?execution deadline).*\n/gm

/** Rewrites the library's messages in bash's wording. */
export class BashMessages {
  /** Name of the first called command that does not exist. */
  missing: string | undefined
  readonly #refusals: Refusals
  readonly #stop: Stop
  /** Whether the script may merge error messages into standard output, for example with `2>&1`. */
  readonly #merged: boolean

  constructor(script: string, refusals: Refusals, stop: Stop) {
    this.#refusals = refusals
    this.#stop = stop
    this.#merged = /2>&1|&>|\|&/.test(script)
  }

  reword(text: string, stream: StreamName): string {
    if (stream === 'stdout' && !this.#merged) return text
    let reworded = this.#refusals.explain(text).replace(NOT_IN_THIS_BUILD, 'command not found')
    reworded = reworded.replace(RAISE_LIMIT, '')
    reworded = reworded.replace(NO_SYNTAX, (line, word: string) => `${line} (${UNSUPPORTED_SYNTAX[word]})`)
    if (this.#stop.reason !== undefined) reworded = reworded.replace(OUR_STOP, '')
    this.missing ??= MISSING.exec(reworded)?.[1]
    return reworded
  }
}

/** Hints for commands that models often try. Each text ends the first sentence of `missingCommandHint`. */
const INSTEAD: Readonly<Record<string, string>> = {
  git: 'this shell has no version control',
  bzip2: 'use gzip',
  xz: 'use gzip',
  node: 'this shell runs no JavaScript',
  npm: 'nothing can be installed here',
  npx: 'nothing can be installed here',
  python: 'use awk, sed or jq',
  python3: 'use awk, sed or jq',
  perl: 'use awk, sed or jq',
  pip: 'nothing can be installed here',
  apt: 'nothing can be installed here',
  'apt-get': 'nothing can be installed here',
  curl: 'there is no network',
  wget: 'there is no network',
  make: 'run its commands one by one',
  sudo: 'leave it out, nothing needs it',
  namei: 'use readlink -f',
  ulimit: 'nothing can be limited',
  times: 'use SECONDS',
  caller: 'use FUNCNAME',
  vi: 'use sed, or a here-document',
  vim: 'use sed, or a here-document',
  nano: 'use sed, or a here-document',
}

/** Returns the line that follows `command not found`. The line describes this shell and lists its commands. */
export function missingCommandHint(name: string, commands: readonly string[]): string {
  const instead = Object.hasOwn(INSTEAD, name) ? `: ${INSTEAD[name]}` : ''
  return `(This is a virtual bash without a machine behind it. There is no "${name}"${instead}. Commands: ${commands.join(' ')}, and bash's builtins.)\n`
}
