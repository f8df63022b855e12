import type { Arg } from '../args.js'
import { type Inspection, MEDIUM } from './inspection.js'

const FLAGS = /^(?:-[nErsuz]+|--(?:quiet|silent|regexp-extended|null-data|separate|unbuffered|posix|sandbox))$/
const IN_PLACE = /^(?:-[nErsuz]*i[\w.~]*|--in-place(?:=[\w.~]*)?)$/
const EXPRESSION = /^(?:-[nErsuz]*e|--expression=)/

/**
 * Inspects `sed`. Allows scripts of harmless commands such as `s`, `d` and `p`. Rejects scripts that read or write files or run commands,
 * and scripts that it cannot parse.
 */
export function inspectSed(args: readonly Arg[]): Inspection {
  const texts = new Set<Arg>()
  const files: Arg[] = []
  let look: Inspection = {}
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Arg
    if (FLAGS.test(arg.text)) continue
    if (EXPRESSION.test(arg.text)) {
      const joined = arg.text.replace(EXPRESSION, '')
      const script = joined === '' ? args[++i] : arg
      const problem = scriptProblem(joined === '' ? (script?.text ?? '') : joined)
      if (problem !== undefined) return { problem }
      if (script) texts.add(script)
    } else if (IN_PLACE.test(arg.text)) look = MEDIUM
    else if (arg.text.startsWith('-') && arg.text !== '-') return { problem: `with the option "${arg.text}" cannot be checked` }
    else files.push(arg)
  }
  const [script] = files
  if (texts.size > 0 || !script) return { ...look, texts }
  const problem = scriptProblem(script.text)
  return problem === undefined ? { ...look, texts: new Set([script]) } : { problem }
}

function scriptProblem(script: string): string | undefined {
  let i = 0
  while (i < script.length) {
    const next = commandEnd(script, i)
    if (next === undefined) return `with "${script.slice(i, i + 20)}" in its script may read, write or run something else`
    i = next
  }
  return undefined
}

const SIMPLE = /[pPdDgGhHxnN=qQlz{}]/

/** Returns the index after the command or address at `i`. Undefined if the command is not known to be harmless. */
function commandEnd(script: string, i: number): number | undefined {
  const char = script[i] as string
  if (/[\s;,!$+~\d]/.test(char)) return i + 1
  if (char === '/') return delimited(script, i, 1, /[IM]*/y)
  if (char === '\\') return delimited(script, i + 1, 1, /[IM]*/y)
  if (char === '#' || char === 'a' || char === 'i' || char === 'c') return lineEnd(script, i)
  if (char === 's') return delimited(script, i + 1, 2, /[gpiImM0-9]*/y, true)
  if (char === 'y') return delimited(script, i + 1, 2, /(?:)/y, true)
  if (/[btT:]/.test(char)) return i + (/^.[ \t]*[\w.-]*/.exec(script.slice(i, i + 200))?.[0].length ?? 1)
  return SIMPLE.test(char) ? i + 1 : undefined
}

/**
 * Returns the index after `parts` texts that the character at `i` delimits, and after their flags. The first text may be a regular
 * expression.
 */
function delimited(script: string, i: number, parts: number, flags: RegExp, isWhole = false): number | undefined {
  const delimiter = script[i]
  if (delimiter === undefined || delimiter === '\n' || delimiter === '\\') return undefined
  const isRegex = script[i - 1] !== 'y'
  let at = i + 1
  for (let part = 0; part < parts; at++) {
    const char = script[at]
    if (char === undefined) return undefined
    if (char === '\\') at++
    else if (char === delimiter) part++
    else if (char === '[' && isRegex && part === 0) {
      const end = classEnd(script, at)
      if (end === undefined) return undefined
      at = end
    }
  }
  flags.lastIndex = at
  const end = at + (flags.exec(script)?.[0].length ?? 0)
  return !isWhole || /^(?:$|[\s;}#])/.test(script.slice(end, end + 1)) ? end : undefined
}

/**
 * Returns the index of the `]` that closes the class at `at`. Undefined for a class that sed implementations parse differently: with a
 * backslash or a nested class.
 */
function classEnd(script: string, at: number): number | undefined {
  const from = at + (script[at + 1] === '^' ? 2 : 1)
  const end = script.indexOf(']', script[from] === ']' ? from + 1 : from)
  const inside = end < 0 ? '\\' : script.slice(from, end)
  if (/^\[:[a-z]+:$/.test(inside) && script[end + 1] === ']') return end + 1
  return /[[\\\n]/.test(inside) ? undefined : end
}

function lineEnd(script: string, i: number): number {
  const newline = script.indexOf('\n', i)
  return newline < 0 ? script.length : newline + 1
}
