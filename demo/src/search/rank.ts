/** A file that can be opened by name. */
export interface Candidate {
  /** Relative to the root. */
  readonly path: string
  readonly lower: string
  /** Offset of the file name in the path. */
  readonly nameAt: number
}

export interface Ranked {
  readonly path: string
  /** Offsets of the typed characters, in order. */
  readonly places: readonly number[]
}

export function candidateOf(path: string): Candidate {
  return { path, lower: inSmall(path), nameAt: path.lastIndexOf('/') + 1 }
}

/** The text in lower case, unless that would change its length and so all offsets. */
function inSmall(text: string): string {
  const small = text.toLowerCase()
  return small.length === text.length ? small : text
}

/** Scores by kind of match. Within a kind, shorter paths come first. */
const SCORES = {
  exact: 900,
  beginning: 800,
  initials: 700,
  word: 600,
  name: 500,
  pathWord: 400,
  path: 300,
  letters: 200,
  spread: 100,
} as const
const RECENT = 50
const LONGEST_PATH = 40

/**
 * The best matches for the typed words. A path has to contain each word, in one piece or letter by letter. If nothing is typed, recently
 * opened files come first.
 */
export function rank(candidates: readonly Candidate[], typed: string, recent: readonly string[], most: number): readonly Ranked[] {
  const words = inSmall(typed).split(/\s+/).filter(Boolean)
  const best: { readonly candidate: Candidate; readonly score: number }[] = []
  for (const candidate of candidates) {
    const score = scoreOf(candidate, words, recent)
    if (score === undefined || (best.length === most && score <= (best.at(-1)?.score ?? 0))) continue
    // Equal scores keep their order.
    const at = best.findIndex((other) => other.score < score)
    best.splice(at < 0 ? best.length : at, 0, { candidate, score })
    if (best.length > most) best.pop()
  }
  return best.map(({ candidate }) => ({
    path: candidate.path,
    places: [...new Set(words.flatMap((word) => matchOf(candidate, word)?.places ?? []))].sort((a, b) => a - b),
  }))
}

function scoreOf(candidate: Candidate, words: readonly string[], recent: readonly string[]): number | undefined {
  const last = recent.indexOf(candidate.path)
  let score = last < 0 ? 0 : RECENT - last
  for (const word of words) {
    const match = matchOf(candidate, word)
    if (!match) return undefined
    score += match.score
  }
  return words.length === 0 ? score : score + Math.max(0, LONGEST_PATH - candidate.path.length / 5)
}

interface Match {
  readonly score: number
  readonly places: readonly number[]
}

function matchOf(candidate: Candidate, word: string): Match | undefined {
  const { path, lower, nameAt } = candidate
  const inName = lower.indexOf(word, nameAt)
  if (inName === nameAt) return run(isWhole(lower, inName + word.length) ? SCORES.exact : SCORES.beginning, inName, word)
  const initials = lettersIn(candidate, word, nameAt, isInitial)
  if (initials) return { score: SCORES.initials, places: initials }
  if (inName >= 0) return run(isInitial(path, inName) ? SCORES.word : SCORES.name, inName, word)
  const inPath = lower.lastIndexOf(word)
  if (inPath >= 0) return run(isInitial(path, inPath) ? SCORES.pathWord : SCORES.path, inPath, word)
  const letters = lettersIn(candidate, word, nameAt)
  if (letters) return { score: SCORES.letters, places: letters }
  const spread = lettersIn(candidate, word, 0)
  return spread && { score: SCORES.spread, places: spread }
}

function run(score: number, at: number, { length }: string): Match {
  return { score, places: Array.from({ length }, (_, index) => at + index) }
}

/** The offsets of the letters in order, or undefined. */
function lettersIn({ path, lower }: Candidate, word: string, from: number, fits?: typeof isInitial): number[] | undefined {
  const places: number[] = []
  let at = from
  for (const letter of word) {
    at = lower.indexOf(letter, at)
    while (at >= 0 && fits && !fits(path, at)) at = lower.indexOf(letter, at + 1)
    if (at < 0) return undefined
    places.push(at)
    at += letter.length
  }
  return places
}

/** Whether the file name ends here, not counting its extension. */
const isWhole = (path: string, at: number): boolean => at === path.length || path[at] === '.'

/** Whether a word starts here: after a punctuation character, or at a capital after a lowercase letter. */
function isInitial(path: string, at: number): boolean {
  const before = path[at - 1]
  if (before === undefined || /[^\p{L}\p{N}]/u.test(before)) return true
  return /\p{Lu}/u.test(path[at] ?? '') && !/\p{Lu}/u.test(before)
}
