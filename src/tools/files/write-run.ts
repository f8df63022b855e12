import { hasCode, InputError } from '../../errors/index.js'
import { fromBase64 } from '../../ops/base64.js'
import { unifiedDiff } from '../../ops/diff.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { ToolContext } from '../../types/tool.js'
import type { Workspace, WriteFileOptions, Written } from '../../types/workspace.js'
import { type ContentDigest, contentDigest, noteDigest } from '../../workspace/known-contents.js'
import { Slicer } from '../../workspace/slicer.js'
import { type ChangeOutput, MAX_DIFF_BYTES } from './change.js'
import { secondRoot } from './second-root.js'
import { checkAppend, checkText, type StyledText, styled, textStyle, type WriteInput } from './text-style.js'

/** Larger contents are written without a diff. */
const MAX_DIFF_INPUT = 4 * 1024 * 1024
/** From here on writing and comparing are two steps, with a turn of the event loop between them. */
const LONG_CONTENT = 256 * 1024

/** The body of `write_file`. */
export async function runWrite(input: WriteInput, context: ToolContext): Promise<ChangeOutput> {
  const { workspace, versions, host } = context
  const given = input.encoding === 'base64' ? toBytes(input) : undefined
  return workspace.locked([input.path], async (locked) => {
    const before = await readBefore(locked, input.path, input.mode === 'append' ? 'append to' : 'write')
    const styledText = given ? undefined : await toText(locked, input, before, new Slicer(host, context))
    const bytes = given ?? (styledText as StyledText).bytes
    const expect = versions.get(before.path)
    const options: WriteFileOptions = { mode: input.mode, distinct: true, ...(expect !== undefined && { expect }) }
    const hint = await secondRoot(locked, [before.path])
    const written = await locked.writeBytes(input.path, bytes, options)
    versions.set(written.path, written.version)
    if (input.mode === 'append') noteAppended(locked, before, bytes, written)
    // The write cannot be undone any more, so this gives way without asking whether the call was aborted.
    if (bytes.length > LONG_CONTENT) await host.yield()
    const diff = diffOf(locked, before, bytes, input.mode)
    return {
      path: written.path,
      created: written.created,
      bytes_before: written.bytesBefore,
      bytes_after: written.bytesAfter,
      ...(styledText && styledText.kept.length > 0 && { kept: styledText.kept }),
      ...(styledText?.converted && { converted: true }),
      ...(styledText?.mixed && { mixed: true }),
      ...hint,
      ...(diff !== undefined && { diff }),
    }
  })
}

async function toText(workspace: Workspace, input: WriteInput, before: Before, slicer: Slicer): Promise<StyledText> {
  checkText(input)
  if (before.size === undefined) return styled(input, undefined, slicer)
  const append = input.mode === 'append'
  const read = async (offset: number, length: number): Promise<Uint8Array> =>
    before.bytes?.subarray(offset, offset + length) ??
    seen(before.digest, (await workspace.readBytes(input.path, { offset, length })).bytes)
  const style = await textStyle(before.size, read, slicer)
  if (!append) {
    const isMixed = style?.eol === 'mixed' && input.eol === 'keep'
    return {
      ...(await styled(input, style, slicer)),
      ...(style === undefined && { converted: true as const }),
      ...(isMixed && { mixed: true as const }),
    }
  }
  checkAppend(before.path, before.size, style)
  // A byte order mark is one at the beginning only.
  const content = before.size > 0 && input.eol !== 'as_is' ? input.content.replace(/^\ufeff/, '') : input.content
  return styled({ ...input, content }, style, slicer)
}

function toBytes({ path, content }: WriteInput): Uint8Array {
  const bytes = fromBase64(content)
  if (bytes) return bytes
  throw new InputError('invalid_input', `Cannot write "${path}": content is not valid base64`, {
    issues: [{ path: 'content', message: 'must be base64, or set encoding to "utf8"' }],
  })
}

interface Before {
  readonly path: string
  /** Absent: there is no file. */
  readonly bytes?: Uint8Array
  /** Of a file. */
  readonly size?: number
  readonly tooLarge: boolean
  /** Of a content that is looked at in pieces. */
  readonly digest: ContentDigest
}

function seen(digest: ContentDigest, bytes: Uint8Array): Uint8Array {
  digest.add(bytes)
  return bytes
}

/** What the new version stands for is known where all that was there before has been looked at. */
function noteAppended(workspace: Workspace, { bytes, size, digest }: Before, added: Uint8Array, { path, version }: Written): void {
  if (bytes) digest.add(bytes)
  if (digest.size() !== size) return
  digest.add(added)
  noteDigest(workspace.fs, path, version, digest)
}

async function readBefore(workspace: Workspace, path: string, op: string): Promise<Before> {
  const digest = contentDigest()
  try {
    const { size, kind } = await workspace.stat(path, op)
    if (kind !== 'file') return { path: await workspace.realpath(path), tooLarge: true, digest }
    if (size > MAX_DIFF_INPUT) return { path: await workspace.realpath(path), size, tooLarge: true, digest }
    const { path: resolved, bytes } = await workspace.readBytes(path)
    return { path: resolved, bytes, size: bytes.length, tooLarge: false, digest }
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    return { path: workspace.resolve(path), tooLarge: false, digest }
  }
}

/** Undefined where either side is no text. */
function diffOf(workspace: Workspace, before: Before, written: Uint8Array, mode: 'overwrite' | 'create' | 'append'): string | undefined {
  if (before.tooLarge || written.length > MAX_DIFF_INPUT) return undefined
  const old = before.bytes && decodeUtf8(before.bytes)
  const fresh = decodeUtf8(written)
  if (fresh === undefined || (before.bytes && old === undefined) || fresh.includes('\0')) return undefined
  const after = mode === 'append' ? (old ?? '') + fresh : fresh
  return unifiedDiff({ path: workspace.relative(before.path), before: old, after, maxBytes: MAX_DIFF_BYTES })
}
