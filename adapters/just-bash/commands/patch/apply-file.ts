import type { Pace } from '../shared/pace.js'
import { contextOf, type Placing, placeOf } from './locate-hunk.js'
import { type FilePatch, type Hunk, reversedHunk } from './read-patch.js'

export interface ApplyOptions {
  readonly fuzz: number
  readonly ignoreSpace: boolean
  /** What to do with a patch that seems to be applied already. */
  readonly whenReversed: 'ask' | 'skip' | 'reverse' | 'force'
  readonly isReverse: boolean
}

export interface Applied {
  readonly text: string
  /** What is said of the hunks. */
  readonly messages: readonly string[]
  readonly failed: readonly Hunk[]
  /** The whole file was passed over. */
  readonly skipped: boolean
  /** Not all hunks were exactly where they say. */
  readonly mismatched: boolean
}

/** Applies the hunks of one file, each behind the one before. `text` is bytes, one character each. */
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
      // What did not count stays as the file has it.
      if (mark === ' ') out.push(lines[used] ?? line)
      else growth--
      used++
    }
  }
  for (const line of lines.slice(used)) out.push(line)
  return { text: joined(out), messages, failed, skipped: false, mismatched }
}

/** A line that ended the file without a line break gets one where it does not end it any more. */
const joined = (lines: readonly string[]): string =>
  lines.map((line, at) => (at < lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line)).join('')

interface Found {
  /** 0: nowhere. */
  readonly at: number
  readonly fuzz: number
  /** It is there the other way round. */
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
