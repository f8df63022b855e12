import { patternOf, type Query, quoted, WORD } from './query.js'

export interface Range {
  readonly from: number
  readonly to: number
}

/** What of a line was found. */
export type Marker = (line: string) => readonly Range[]

/** In one line. */
const MOST = 100

/**
 * The tool tells lines; where in them the text is has to be found again. Text by an expression that is linear whatever the line, patterns
 * by the engine that the tool itself falls back on: one of JavaScript could take for ever, and reads some patterns another way.
 */
export async function createMarker(query: Query): Promise<Marker> {
  if (!query.isPattern) return textMarker(query)
  try {
    return await patternMarker(query)
  } catch {
    // Without the engine (a page that is offline) the lines are shown without marks.
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
