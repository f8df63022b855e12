// biome-ignore-all lint/suspicious/noControlCharactersInRegex: those are what has to be quoted.
import { quotedForShell } from '../commands/shared/shell-quoting.js'
import { isWellFormed } from '../escaped-bytes.js'

/** What the shell would read as more than a word. */
const SPECIAL = /[ \t\n'"\\|&;()<>!{}*[\]?^$`]|(?:^|[=:])~|^#|\s#/
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f]/

/** A word as `set -x` shows it. */
export function tracedWord(word: string): string {
  if (word === '') return "''"
  if (UNPRINTABLE.test(word) || !isWellFormed(word)) return quotedForShell(word)
  return SPECIAL.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word
}

const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly'])
const ASSIGNING = new Set(['export', 'readonly'])

/** A simple command as `set -x` shows it, with a line of its own for what some builtins assign. */
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

/** PS4 within so many substitutions, `eval`s and files: its first character is repeated. */
export function tracePrefix(prefix: string, depth = 0): string {
  const [first = ''] = prefix
  return first.repeat(Math.max(0, depth)) + prefix
}

/** A pattern of `[[`: what was quoted has a backslash before each character. */
export const tracedPattern = (pattern: string, isQuoted: boolean): string => (isQuoted ? pattern.replace(/./gs, '\\$&') : pattern)
