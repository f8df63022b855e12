import type { ToolContext } from '../../types/tool.js'
import { contentDigest, noteDigest } from '../../workspace/known-contents.js'
import { Slicer } from '../../workspace/slicer.js'
import { versionOf } from '../../workspace/state.js'

const CHUNK = 1024 * 1024
/** Number of bytes to read first. Most requested lines are in these bytes. */
const FIRST_CHUNK = 64 * 1024
/** Maximum bytes of the requested lines to keep, far more than a result shows. */
const MAX_WINDOW = 16 * 1024 * 1024
const LF = 10
const CR = 13

export interface LineWindow {
  /** The requested lines, with their separators. */
  readonly bytes: Uint8Array
  /** Number of lines in the file. Infinity if the search stopped after the requested lines. */
  readonly totalLines: number
  readonly bom: boolean
  /** Number of characters that were cut from the last line. */
  readonly more: number
}

export interface WindowSearch {
  /** Byte offset at which line 1 starts. Default 0. */
  readonly from?: number
  /** Stop after the requested lines instead of counting all lines. Default false. */
  readonly stops?: boolean
}

/**
 * Finds lines in a file that is too large to read at once. Makes one pass in pieces, counts line separators, and yields to the event loop
 * between pieces.
 */
export async function findLineWindow(
  context: ToolContext,
  path: string,
  offset: number,
  limit: number,
  { from = 0, stops = false }: WindowSearch = {},
): Promise<LineWindow> {
  const { workspace } = context
  const digest = contentDigest()
  const before = versionOf(await workspace.stat(path))
  const slicer = new Slicer(context.host, context)
  let breaks = 0
  let start = offset === 1 ? from : -1
  let end = -1
  let last = LF
  let at = from
  let isEnd = false
  while (!stops || start < 0 || at <= (end < 0 ? start + MAX_WINDOW : end)) {
    const { bytes } = await context.workspace.readBytes(path, { offset: at, length: at === from ? FIRST_CHUNK : CHUNK })
    isEnd = bytes.length === 0
    if (isEnd) break
    if (!stops) digest.add(bytes)
    for (let i = bytes.indexOf(LF); i >= 0; i = bytes.indexOf(LF, i + 1)) {
      breaks++
      if (breaks === offset - 1) start = at + i + 1
      if (breaks === offset - 1 + limit) end = at + i + 1
    }
    last = bytes[bytes.length - 1] as number
    at += bytes.length
    if (slicer.due(1000)) await slicer.pause()
  }
  if (!stops && versionOf(await workspace.stat(path)) === before) noteDigest(workspace.fs, path, before, digest)
  // The file may have grown since the lookup, and some systems report no size.
  const size = at
  const totalLines = !isEnd ? Number.POSITIVE_INFINITY : last === LF ? breaks : breaks + 1
  if (start < 0 || start >= size) return { bytes: new Uint8Array(), totalLines, bom: false, more: 0 }
  const length = Math.min((end < 0 ? size : end) - start, MAX_WINDOW)
  const { bytes } = await context.workspace.readBytes(path, { offset: start, length })
  const bom = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const kept = wholeLines(bytes, length === MAX_WINDOW)
  const isCut = length === MAX_WINDOW && kept[kept.length - 1] !== LF
  const { more, isLast } = isCut ? await restOfLine(context, path, start + kept.length) : { more: 0, isLast: false }
  return { bytes: kept, totalLines: isLast ? offset : totalLines, bom, more }
}

/** Returns the byte offset of the last `count` lines. Reads the file from its end; `size` is its size in bytes. */
export async function startOfLast(context: ToolContext, path: string, count: number, size: number): Promise<number> {
  const slicer = new Slicer(context.host, context)
  let breaks = 0
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - CHUNK)
    const { bytes } = await context.workspace.readBytes(path, { offset: from, length: end - from })
    // Skip a separator at the very end, because it ends the last line.
    for (let i = end === size ? bytes.length - 2 : bytes.length - 1; i >= 0; i--) {
      i = bytes.lastIndexOf(LF, i)
      if (i >= 0 && ++breaks === count) return from + i + 1
    }
    end = from
    if (slicer.due(1000)) await slicer.pause()
  }
  return 0
}

/** Counts the characters (UTF-16 units) from `from` to the end of the line, and tells whether the file ends there. */
async function restOfLine(context: ToolContext, path: string, from: number): Promise<{ readonly more: number; readonly isLast: boolean }> {
  const slicer = new Slicer(context.host, context)
  let units = 0
  for (let at = from; ; ) {
    const { bytes } = await context.workspace.readBytes(path, { offset: at, length: CHUNK })
    const end = bytes.indexOf(LF)
    const rest = end < 0 ? bytes : bytes.subarray(0, end)
    for (const byte of rest) units += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1
    if (end >= 0 || bytes.length === 0) {
      const behind = end < 0 ? bytes : (await context.workspace.readBytes(path, { offset: at + end + 1, length: 1 })).bytes
      return { more: rest[rest.length - 1] === CR ? units - 1 : units, isLast: behind.length === 0 }
    }
    at += bytes.length
    if (slicer.due(1000)) await slicer.pause()
  }
}

/** If the window was cut, drops the incomplete line at its end, or only the incomplete character if there is no other line. */
function wholeLines(bytes: Uint8Array, cut: boolean): Uint8Array {
  if (!cut) return bytes
  const lastBreak = bytes.lastIndexOf(LF)
  if (lastBreak >= 0) return bytes.subarray(0, lastBreak + 1)
  let end = bytes.length
  while (end > 0 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end--
  return bytes.subarray(0, Math.max(0, end - 1))
}
