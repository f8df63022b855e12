import { findLevelSteps } from './edit-lookup.js'
import type { Steps } from './steps.js'
import { searchSteps } from './text-search.js'

/** Larger files get no hints: each is another search or more. */
const MAX_TEXT = 1024 * 1024
/** Shorter new text may stand in the file by chance. */
const MIN_TELLING_UNITS = 8

export const WITHOUT_MARK = 'Leave out the byte order mark (U+FEFF): it is there without one'

/** What usually went wrong when a text was copied, each checked against the file, in steps. */
export function* editHints(text: string, old: string, fresh: string): Steps<string[]> {
  if (text.length > MAX_TEXT) return []
  const found: string[] = []
  function* isIn(variant: string): Steps<boolean> {
    return variant !== old && variant.trim() !== '' && (yield* findLevelSteps([{ text }], variant)).length > 0
  }
  if (yield* isIn(withoutLineNumbers(old))) found.push('Leave out the line numbers that a numbered read puts before each line')
  else if (yield* isIn(unescaped(old))) found.push('Write it without the extra escapes: it is there with real line breaks, tabs and quotes')
  else if (yield* isIn(withoutEntities(old))) found.push('Write it without HTML entities: it is there with plain characters')
  else if (yield* isIn(old.replaceAll('\ufeff', ''))) found.push(WITHOUT_MARK)
  else if (yield* isIn(old.replace(/\r?\n/g, '\r'))) found.push('Its lines end with CR alone: write "\\r" for each line break')
  else if (yield* isIn(old.trim())) found.push('It is there without the white space around it')
  if (fresh.trim().length >= MIN_TELLING_UNITS && (yield* searchSteps(text, fresh))(0) >= 0) {
    found.push('New text is in the file already: this edit may have been made before')
  }
  return found
}

const withoutLineNumbers = (text: string): string => {
  const lines = text.split('\n')
  const numbered = /^ *L?\d+(?:\t|: ?|\| ?|→)/
  const isNumbered = lines.every((line, i) => numbered.test(line) || (line.trim() === '' && i > 0))
  return isNumbered ? lines.map((line) => line.replace(numbered, '')).join('\n') : text
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' }
const unescaped = (text: string): string => text.replace(/\\([ntr"'\\])/g, (_, letter: string) => ESCAPES[letter] ?? letter)

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", amp: '&' }
const withoutEntities = (text: string): string => text.replace(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? name)
