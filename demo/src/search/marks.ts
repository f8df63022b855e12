import { patternOf, type Query, quoted, WORD } from './query.js'

export interface Range {
  readonly from: number
  readonly to: number
}

/** Finds the matches in a line. */
export type Marker = (line: string) => readonly Range[]

/** Maximum number of matches per line. */
const MOST = 100

/**
 * Creates a function that finds the matches in a line, because the tool reports only lines. Plain text uses a regular expression that runs
 * in linear time. Patterns use the tool's own fallback engine: a JavaScript RegExp could run forever and reads some patterns differently.
 */
export async function createMarker(query: Query): Promise<Marker> {
  if (!query.isPattern) return textMarker(query)
  try {
    return await patternMarker(query)
  } catch {
    // Offline, the engine may not load. Then lines are shown without marks.
    return () => []
  }
}

function textMarker({ text, matchCase, wholeWord }: Query): Marker {
  const isWord = new RegExp(WORD, 'u')
  const [first = ''] = text
  const last = [...text].at(-1) ?? ''
  const before = wholeWord && isWord.test(first) ? `(?<!${WORD})` : ''
  const after = wholeWord && isWord.test(last) ? `(?!${WORD})` : ''
  const wanted = new RegExp(before + quoted(text) + after, matchCase ? 'gu' : 'giu')
  return (line) => {
    const ranges: Range[] = []
    for (const { index, 0: found } of line.matchAll(wanted)) {
      ranges.push({ from: index, to: index + found.length })
      if (ranges.length === MOST) break
    }
    return ranges
  }
}

async function patternMarker(query: Query): Promise<Marker> {
  const { RE2JS } = await import('re2js')
  const { pattern, ignore_case } = patternOf(query)
  const wanted = RE2JS.compile(pattern, RE2JS.MULTILINE | (ignore_case ? RE2JS.CASE_INSENSITIVE : 0))
  return (line) => {
    const ranges: Range[] = []
    const matcher = wanted.matcher(line)
    while (ranges.length < MOST && matcher.find()) {
      if (matcher.end() > matcher.start()) ranges.push({ from: matcher.start(), to: matcher.end() })
    }
    return ranges
  }
}
