// biome-ignore-all lint/suspicious/noControlCharactersInRegex: those are what has to be quoted.
import { quotedForShell } from '../commands/shared/shell-quoting.js'
import { isWellFormed } from '../escaped-bytes.js'

/** Matches words that must be quoted. */
const SPECIAL = /[ \t\n'"\\|&;()<>!{}*[\]?^$`]|(?:^|[=:])~|^#|\s#/
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f]/

/** Formats a word for `set -x`. */
export function tracedWord(word: string): string {
  if (word === '') return "''"
  if (UNPRINTABLE.test(word) || !isWellFormed(word)) return quotedForShell(word)
  return SPECIAL.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word
}

const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly'])
const ASSIGNING = new Set(['export', 'readonly'])

/** Formats a simple command for `set -x`, with separate lines for the assignments of some builtins. */
export function tracedCommand(prefix: string, name: string, args: readonly string[]): string {
  const before: string[] = []
  const after: string[] = []
  const shown: string[] = [tracedWord(name)]
  for (const arg of args) {
    const [, variable = '', value] = (DECLARING.has(name) && /^(\w+)\+?=(.*)$/s.exec(arg)) || []
    if (value === undefined) shown.push(tracedWord(arg))
    else if (/^\(.*\)$/s.test(value)) {
      before.push(arg)
      shown.push(variable)
    } else {
      shown.push(tracedWord(arg))
      if (ASSIGNING.has(name)) after.push(`${variable}=${value === '' ? '' : tracedWord(value)}`)
    }
  }
  const lines = [...before, shown.join(' '), ...after]
  return lines.map((line) => `${prefix}${line}\n`).join('')
}

/** Returns PS4 with its first character repeated once more for each level of substitutions, `eval`s and files. */
export function tracePrefix(prefix: string, depth = 0): string {
  const [first = ''] = prefix
  return first.repeat(Math.max(0, depth)) + prefix
}

/** Formats a pattern of `[[` for `set -x`. Each quoted character gets a backslash. */
export const tracedPattern = (pattern: string, isQuoted: boolean): string => (isQuoted ? pattern.replace(/./gs, '\\$&') : pattern)
