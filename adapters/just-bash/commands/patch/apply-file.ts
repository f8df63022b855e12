import type { Pace } from '../shared/pace.js'
import { type FilePatch, type Hunk, reversedHunk } from './read-patch.js'

export interface ApplyOptions {
  readonly fuzz: number
  readonly ignoreSpace: boolean
  /** What to do if the patch seems to be applied already. */
  readonly whenReversed: 'ask' | 'skip' | 'reverse' | 'force'
  readonly isReverse: boolean
}

export interface Applied {
  readonly text: string
  /** Messages about the hunks. */
  readonly messages: readonly string[]
  readonly failed: readonly Hunk[]
  /** Whether the whole file was skipped. */
  readonly skipped: boolean
  /** Whether a hunk failed or was not at its exact position. */
  readonly mismatched: boolean
}

/** Applies the hunks of one file in order. `text` is bytes, one character per byte. */
export async function applyFile(text: string, { hunks, creates }: FilePatch, options: ApplyOptions, pace: Pace): Promise<Applied> {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const out: string[] = []
  const messages: string[] = []
  const failed: Hunk[] = []
  let [used, drift, growth] = [0, 0, 0]
  let mismatched = false
  let turned = false
  for (const [index, given] of hunks.entries()) {
    await pace.turn(2000)
    let hunk = turned ? reversedHunk(given) : given
    const placing: Placing = { lines, used, drift, ignoreSpace: options.ignoreSpace }
    const found = creates && text !== '' ? NOWHERE : find(hunk, placing, index === 0 && options.whenReversed !== 'force', options.fuzz)
    if (found.reversed) {
      const what = `${options.isReverse ? 'Unreversed' : 'Reversed (or previously applied)'} patch detected!`
      if (options.whenReversed !== 'reverse') {
        if (options.whenReversed === 'skip') messages.push(`${what}  Skipping patch.`)
        else messages.push(`${what}  Assume -R? [n] `, 'Apply anyway? [n] ', 'Skipping patch.')
        return { text, messages, failed: hunks, skipped: true, mismatched }
      }
      messages.push(`${what}  ${options.isReverse ? 'Ignoring' : 'Assuming'} -R.`)
      turned = true
      hunk = reversedHunk(given)
    }
    const first = hunk.oldStart + (hunk.lines.some(({ mark }) => mark !== '+') ? 0 : 1)
    if (found.at === 0) {
      messages.push(`Hunk #${index + 1} FAILED at ${first + drift + growth}.`)
      failed.push({ ...hunk, oldStart: hunk.oldStart + drift + growth, newStart: hunk.newStart + drift + growth })
      mismatched = true
      continue
    }
    drift = found.at - first
    if (drift !== 0 || found.fuzz > 0) {
      mismatched = true
      messages.push(succeeded(index + 1, found.at + growth, found.fuzz, drift))
    }
    for (const line of lines.slice(used, found.at - 1)) out.push(line)
    used = found.at - 1
    for (const { mark, text: line } of hunk.lines) {
      if (mark === '+') {
        out.push(line)
        growth++
        continue
      }
      // Write the context line of the file, because fuzz or `-l` may have ignored a difference.
      if (mark === ' ') out.push(lines[used] ?? line)
      else growth--
      used++
    }
  }
  for (const line of lines.slice(used)) out.push(line)
  return { text: joined(out), messages, failed, skipped: false, mismatched }
}

/** Joins lines. A last line without a line break gets one if other lines follow. */
const joined = (lines: readonly string[]): string =>
  lines.map((line, at) => (at < lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line)).join('')

interface Found {
  /** Line number, counted from 1, or 0 if the hunk does not fit anywhere. */
  readonly at: number
  readonly fuzz: number
  /** Whether the reversed hunk matches. */
  readonly reversed: boolean
}

const NOWHERE: Found = { at: 0, fuzz: 0, reversed: false }

function find(hunk: Hunk, placing: Placing, mayBeReversed: boolean, maxFuzz: number): Found {
  const most = Math.min(maxFuzz, Math.max(...contextOf(hunk)))
  for (let fuzz = 0; fuzz <= most; fuzz++) {
    const at = placeOf(hunk, fuzz, placing)
    if (at > 0) return { at, fuzz, reversed: false }
    const back = mayBeReversed ? placeOf(reversedHunk(hunk), fuzz, placing) : 0
    if (back > 0) return { at: back, fuzz, reversed: true }
  }
  return NOWHERE
}

function succeeded(number: number, at: number, fuzz: number, drift: number): string {
  const withFuzz = fuzz > 0 ? ` with fuzz ${fuzz}` : ''
  const offset = drift !== 0 ? ` (offset ${drift} line${drift === 1 ? '' : 's'})` : ''
  return `Hunk #${number} succeeded at ${at}${withFuzz}${offset}.`
}

interface Placing {
  /** The lines of the file, with line breaks. */
  readonly lines: readonly string[]
  /** Number of lines that earlier hunks have processed. */
  readonly used: number
  /** How many lines earlier hunks were found after their stated positions. */
  readonly drift: number
  readonly ignoreSpace: boolean
}

const isOld = ({ mark }: Hunk['lines'][number]): boolean => mark !== '+'
const folded = (text: string): string => text.replaceAll(/[ \t]+/g, ' ').replace(/ ?\n?$/, '')

/**
 * Returns the line where a hunk applies, counted from 1, or 0 if there is no such line. Prefers the stated line, then the nearest one.
 * `fuzz`: number of context lines at each end to ignore. A hunk with less context at one end applies only at that end of the file.
 */
function placeOf(hunk: Hunk, fuzz: number, { lines, used, drift, ignoreSpace }: Placing): number {
  const old = hunk.lines.filter(isOld).map(({ text }) => text)
  const first = hunk.oldStart + (old.length === 0 ? 1 : 0)
  const guess = first + drift
  if (old.length === 0) return Math.min(Math.max(guess, used + 1), lines.length + 1)
  const [before, after] = contextOf(hunk)
  const context = Math.max(before, after)
  let head = fuzz + before - context
  const tail = fuzz + after - context
  const same = (a: string | undefined, b: string): boolean => a === b || (ignoreSpace && a !== undefined && folded(a) === folded(b))
  const fits = (at: number, skipHead: number, skipTail: number): boolean => {
    if (at < 1 || at <= used - skipHead) return false
    for (let i = skipHead; i < old.length - skipTail; i++) if (!same(lines[at - 1 + i], old[i] as string)) return false
    return true
  }
  if (head < 0 && first <= 1) {
    if (tail < 0 && old.length !== lines.length) return 0
    return fits(1, 0, Math.max(0, tail)) ? 1 : 0
  }
  head = Math.max(0, head)
  if (tail < 0) {
    const at = lines.length - old.length + 1
    return fits(at, head, 0) ? at : 0
  }
  const last = lines.length - (old.length - tail) + 1
  const reach = Math.max(last - guess, guess - used - 1)
  for (let offset = 0; offset <= reach; offset++) {
    if (guess + offset <= last && fits(guess + offset, head, tail)) return guess + offset
    if (offset > 0 && guess - offset <= last && fits(guess - offset, head, tail)) return guess - offset
  }
  return 0
}

/** Returns the number of context lines at the start and at the end of a hunk. */
function contextOf({ lines }: Hunk): readonly [before: number, after: number] {
  const before = lines.findIndex(({ mark }) => mark !== ' ')
  if (before < 0) return [lines.length, lines.length]
  return [before, lines.length - 1 - lines.findLastIndex(({ mark }) => mark !== ' ')]
}
