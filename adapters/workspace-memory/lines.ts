import { joinBytes } from '../../src/ops/bytes.js'
import { decodeUtf8, encodeUtf8 } from '../../src/ops/utf8.js'
import type { Slicer } from '../../src/workspace/slicer.js'

/** The note that one line of the file contains. */
export interface Note {
  readonly key?: string
  readonly text: string
  readonly category?: string
  readonly createdMs: number
}

/** The byte range of a line, including its line break. `note` is missing for an unreadable line. */
export interface MemoryLine {
  readonly from: number
  readonly to: number
  readonly note?: Note
}

const LF = 10
/** The cost of reading a line, in the slicer's unit, which is about a microsecond. */
const STEPS_PER_LINE = 3

/** Returns every line of the file. A damaged line has no note, but keeps its bytes. */
export async function readLines(bytes: Uint8Array, slicer: Slicer): Promise<MemoryLine[]> {
  const lines: MemoryLine[] = []
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(LF, from)
    const to = at < 0 ? bytes.length : at + 1
    const note = readNote(bytes.subarray(from, to))
    lines.push(note ? { from, to, note } : { from, to })
    if (slicer.due(STEPS_PER_LINE + ((to - from) >> 8))) await slicer.pause()
    from = to
  }
  return lines
}

/** Returns the current notes, in the order of the file. Of several notes with the same key, only the last is current. */
export function liveNotes(lines: readonly MemoryLine[]): Note[] {
  const last = new Map<string, Note>()
  for (const { note } of lines) if (note?.key !== undefined) last.set(note.key, note)
  return lines.flatMap(({ note }) => (note && (note.key === undefined || last.get(note.key) === note) ? [note] : []))
}

export function toLine({ key, category, text, createdMs }: Note): string {
  return `${JSON.stringify({ time: createdMs, key, category, text })}\n`
}

/** Returns whether the bytes are empty or end with a line break. */
export const endsLine = (bytes: Uint8Array): boolean => bytes.length === 0 || bytes[bytes.length - 1] === LF

/** Removes the notes with `key` and appends `note`. Keeps the bytes of all other lines. */
export function replaceKey(bytes: Uint8Array, lines: readonly MemoryLine[], key: string, note?: Note): Uint8Array {
  const kept = lines.filter((line) => line.note?.key !== key).map(({ from, to }) => bytes.subarray(from, to))
  const ended = endsLine(kept.at(-1) ?? new Uint8Array())
  if (note) kept.push(encodeUtf8(ended ? toLine(note) : `\n${toLine(note)}`))
  return joinBytes(kept)
}

function readNote(bytes: Uint8Array): Note | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  try {
    return toNote(JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text))
  } catch {
    // The line is not valid JSON: a partial line after a crash, or a manual edit.
    return undefined
  }
}

function toNote(value: unknown): Note | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { time, key, category, text } = value as { readonly [field: string]: unknown }
  if (typeof text !== 'string' || typeof time !== 'number' || !Number.isFinite(time)) return undefined
  return { ...(typeof key === 'string' && { key }), text, ...(typeof category === 'string' && { category }), createdMs: time }
}
