import type { Line } from '../line.js'
import { type Candidate, candidatesOf, type Found } from './candidates.js'
import { commonPrefix } from './common-prefix.js'
import { closerOf, escapeIn, type Quote } from './quoting.js'
import { scan } from './scan.js'
import type { Sources } from './sources.js'

export interface Completion {
  /** The completed line, or the same line if no part is certain. */
  readonly line: Line
  /** The possible completions to list. Empty: nothing matches. */
  readonly candidates: readonly string[]
}

/** Completes the word before the cursor. */
export async function complete(line: Line, sources: Sources): Promise<Completion> {
  const before = line.text.slice(0, line.cursor)
  const ending = scan(before)
  if (ending?.kind === 'variable') {
    const typed = before.slice(ending.start)
    const names = (await sources.names()).variables.filter((name) => name.startsWith(typed))
    const closer = names.length === 1 && ending.isBraced ? '}' : ''
    return { line: replaced(line, ending.start, commonPrefix(names) || typed, closer), candidates: names }
  }
  const found = ending && (await candidatesOf(ending, sources))
  if (!found) return { line, candidates: [] }
  return { line: withFound(line, found, ending.quote), candidates: found.candidates.map(listed) }
}

/** `open`: the quote that is open at the cursor. */
function withFound(line: Line, { start, typed, quote, candidates }: Found, open: Quote): Line {
  const [only, ...others] = candidates
  const isUnique = only !== undefined && others.length === 0
  const name = commonPrefix(candidates.map((one) => one.name))
  if (!isUnique && name === typed) return line
  const inner = quote || open
  const opener = quote === '' ? open : ''
  const written = `${opener}${only?.name === '~' && typed === '~' ? '~' : escapeIn(inner, name)}`
  // Adds the closing quote if the user had already closed the quote. An open quote is closed only when the word is complete.
  const closer = open === '' || (isUnique && !only.isDir) ? closerOf(inner) : ''
  return replaced(line, start, written, `${closer}${isUnique ? (only.isDir ? '/' : ' ') : ''}`)
}

/** Replaces the text from `start` to the cursor. Skips the part of `suffix` that already follows the cursor. */
function replaced({ text, cursor }: Line, start: number, written: string, suffix: string): Line {
  let there = 0
  while (there < suffix.length && text[cursor + there] === suffix[there]) there += 1
  const before = text.slice(0, start) + written + suffix
  return { text: before + text.slice(cursor + there), cursor: before.length }
}

const listed = ({ name, isDir }: Candidate): string => (isDir ? `${name}/` : name)
