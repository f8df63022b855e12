// The bodies of these tools are in one file, so that a bundle has one chunk for them. More chunks would split shared code, which then
// compresses worse.
import { FsError, hasCode, InputError } from '../../errors/index.js'
import { fromBase64 } from '../../ops/base64.js'
import { unifiedDiff } from '../../ops/diff.js'
import { applyEdits, type EditOutcome, editSteps, type TextEdit } from '../../ops/edit.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { ToolContext } from '../../types/tool.js'
import type { Moved, ReadTextOptions, TextFile, Workspace, WriteFileOptions, Written } from '../../types/workspace.js'
import { encodeEdited } from '../../workspace/content-steps.js'
import { type ContentDigest, contentDigest, noteDigest } from '../../workspace/known-contents.js'
import { withLocated } from '../../workspace/locking.js'
import { readLocated } from '../../workspace/reading.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { allow, type Existing, missing, type View, versionOf, viewOf } from '../../workspace/state.js'
import { writeLocated } from '../../workspace/writing.js'
import { type ChangeOutput, MAX_DIFF_BYTES } from './change.js'
import { secondRoot } from './second-root.js'
import { checkAppend, checkText, type StyledText, styled, textStyle, type WriteInput } from './text-style.js'
import { checkUnchanged, followMove, forgetVersions, refuseStale } from './versions.js'

/** Maximum size of a file to edit. Nobody edits larger files by quoting old text. */
const MAX_EDIT_BYTES = 16 * 1024 * 1024

/** Maximum code units of a text that is edited in one step. */
const LONG_TEXT = 64 * 1024
/** Maximum number of edits that are applied in one step. With more edits, even a short text is edited in steps. */
const MANY_EDITS = 16

const MARK = '\ufeff'

/** Input of `edit_file`, with defaults. */
interface EditInput {
  readonly path: string
  readonly edits: readonly { readonly old_string: string; readonly new_string: string; readonly replace_all: boolean }[]
  readonly dry_run: boolean
}

/** The body of `edit_file`. */
export async function runEdit(input: EditInput, context: ToolContext): Promise<ChangeOutput> {
  const { workspace } = context
  if (input.edits.some(({ old_string }) => old_string === '')) {
    return workspace.locked([input.path], (locked) => create(input, context, locked))
  }
  return changeText(workspace, input.path, { maxBytes: MAX_EDIT_BYTES, op: 'edit' }, (file, write) => change(input, context, file, write))
}

/** Edits a file whose lock the caller holds. */
async function change(
  input: EditInput,
  context: ToolContext,
  file: TextFile,
  write: (bytes: Uint8Array) => Promise<Written>,
): Promise<ChangeOutput> {
  const { workspace } = context
  const slicer = new Slicer(context.host, context)
  // Yields to the event loop, because each of the passes below goes over the whole text at once.
  const pause = async (): Promise<void> => (isLong(file.text) ? slicer.pause() : undefined)
  await pause()
  await refuseStale(workspace, context.versions, file, 'edit')
  await pause()
  const edits = input.edits.map(({ old_string, new_string, replace_all }) => ({
    oldString: old_string,
    newString: new_string,
    replaceAll: replace_all,
  }))
  const outcome = onceMarked(await apply(file.text, edits, file.path, context), file)
  await pause()
  const after = await inSlices(encodeEdited(file.path, file.text, outcome.text, file.bom), slicer)
  await pause()
  const diff = unifiedDiff({ path: workspace.relative(file.path), before: file.text, after: outcome.text, maxBytes: MAX_DIFF_BYTES })
  if (isLong(file.text) || isLong(outcome.text)) await slicer.pause()
  if (!input.dry_run) {
    const written = await write(after)
    context.versions.set(written.path, written.version)
  }
  return {
    path: file.path,
    created: false,
    replacements: outcome.replacements,
    levels: outcome.levels,
    bytes_before: file.size,
    bytes_after: after.length,
    ...(input.dry_run && { dry_run: true }),
    diff,
  }
}

/** Removes a byte order mark that the edits put at the start of the text, if the file already begins with one. */
function onceMarked(outcome: EditOutcome, { text, bom }: TextFile): EditOutcome {
  const isTwice = bom && outcome.text.startsWith(MARK) && !text.startsWith(MARK)
  return isTwice ? { ...outcome, text: outcome.text.slice(MARK.length) } : outcome
}

const isLong = (text: string): boolean => text.length > LONG_TEXT

/** Applies the edits, in slices if they may take long. Rejects with the signal's reason if the call is aborted in between. */
async function apply(text: string, edits: readonly TextEdit[], subject: string, context: ToolContext): Promise<EditOutcome> {
  const size = edits.reduce((sum, { newString }) => sum + newString.length, text.length)
  if (size <= LONG_TEXT && edits.length <= MANY_EDITS) return applyEdits(text, edits, subject)
  return inSlices(editSteps(text, edits, subject), new Slicer(context.host, context))
}

/** Creates a file. An empty `old_string` means a new file, because it would match everywhere in an existing file. */
async function create(input: EditInput, context: ToolContext, workspace: Workspace): Promise<ChangeOutput> {
  const { versions, host } = context
  const [only] = input.edits
  const index = input.edits.findIndex(({ old_string }) => old_string === '')
  const exists = await workspace.exists(input.path, 'edit')
  if (!only || input.edits.length > 1 || exists) {
    const why = exists ? 'the file exists' : 'it must be the only edit'
    throw new InputError('invalid_input', `Cannot edit "${workspace.resolve(input.path)}" with an empty old_string: ${why}`, {
      issues: [
        {
          path: `edits[${index}].old_string`,
          message: exists ? 'quote the text to replace, or write the whole file' : 'give the content in one edit',
        },
      ],
    })
  }
  const content = only.new_string
  const path = workspace.resolve(input.path)
  const bytes = await inSlices(encodeEdited(path, '', content, false), new Slicer(host, context))
  const hint = await secondRoot(workspace, [path])
  const output = { created: true, replacements: 1, levels: ['exact'], bytes_before: 0, bytes_after: bytes.length, ...hint }
  const diff = unifiedDiff({ path: workspace.relative(path), before: undefined, after: content, maxBytes: MAX_DIFF_BYTES })
  if (input.dry_run) return { path, ...output, dry_run: true, diff }
  const written = await workspace.writeBytes(input.path, bytes, { mode: 'create', distinct: true })
  versions.set(written.path, written.version)
  return { ...output, path: written.path, diff }
}

/** Maximum size in bytes of content for which a diff is computed. Larger content is written without a diff. */
const MAX_DIFF_INPUT = 4 * 1024 * 1024
/** If the content has more bytes than this, the call yields to the event loop between writing and comparing. */
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
    // The write cannot be undone, so yield without checking for an abort.
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
  // A byte order mark is only valid at the beginning of a file.
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
  /** Absent if the file does not exist. */
  readonly bytes?: Uint8Array
  /** Size of the file in bytes. */
  readonly size?: number
  readonly tooLarge: boolean
  /** Digest of the old bytes read so far. After an append, it gives the digest of the new content without reading the file again. */
  readonly digest: ContentDigest
}

function seen(digest: ContentDigest, bytes: Uint8Array): Uint8Array {
  digest.add(bytes)
  return bytes
}

/** Records the digest of the new version's content. This is possible only if the call has read all old content. */
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

/** @returns undefined if either side is binary */
function diffOf(workspace: Workspace, before: Before, written: Uint8Array, mode: 'overwrite' | 'create' | 'append'): string | undefined {
  if (before.tooLarge || written.length > MAX_DIFF_INPUT) return undefined
  const old = before.bytes && decodeUtf8(before.bytes)
  const fresh = decodeUtf8(written)
  if (fresh === undefined || (before.bytes && old === undefined) || fresh.includes('\0')) return undefined
  const after = mode === 'append' ? (old ?? '') + fresh : fresh
  return unifiedDiff({ path: workspace.relative(before.path), before: old, after, maxBytes: MAX_DIFF_BYTES })
}

/** The body of `move_file`. */
export function runMove(
  { from, to, overwrite }: { readonly from: string; readonly to: string; readonly overwrite: boolean },
  { workspace, versions, signal }: ToolContext,
): Promise<Moved & { readonly hint?: string }> {
  return workspace.locked([from, to], async (locked) => {
    if (overwrite) await checkUnchanged(locked, versions, to, 'replace')
    const target = locked.resolve(to)
    const hint = await secondRoot(locked, [`${target}/`])
    const move = (): Promise<Moved> => locked.move(from, to, { overwrite, ifWritable: true, signal, distinct: true })
    const moved = await followMove(locked, versions, from, move)
    return moved.kind !== 'dir' && target === locked.root + locked.root ? moved : { ...moved, ...hint }
  })
}

/** The body of `delete_file`. */
export async function runDelete(
  { path, recursive }: { readonly path: string; readonly recursive: boolean },
  { workspace, versions }: ToolContext,
): Promise<{ readonly path: string; readonly kind: string }> {
  return workspace.locked([path], async (locked) => {
    await checkUnchanged(locked, versions, path, 'delete')
    const removed = await locked.remove(path, { recursive })
    forgetVersions(versions, removed.path)
    return { path: removed.path, kind: removed.kind }
  })
}

/**
 * Changes a text under one lock. `body` receives the file and a function that writes the result. Right before the write, the storage
 * compares the file's version with the version that was read. @throws errors of reading and writing a file
 */
async function changeText<T>(
  workspace: Workspace,
  input: string,
  options: ReadTextOptions & { readonly op: string },
  body: (file: TextFile, write: (bytes: Uint8Array) => Promise<Written>) => Promise<T>,
): Promise<T> {
  const view = viewOf(workspace)
  const { op } = options
  return withLocated(view, [{ input, op, follow: true, access: 'read' }], async ([found]) => {
    const target = found as Existing
    if (!target.stat) throw await missing(view.tree.fs, target.path, op)
    return body(await readLocated(view, target, options), (bytes) => writeOver(view, target, bytes))
  })
}

async function writeOver(view: View, target: Existing, bytes: Uint8Array): Promise<Written> {
  const { fs, policy } = view.tree
  const { path, stat } = target
  const op = 'write'
  if (policy.readOnly) throw new FsError({ code: 'EROFS', op, path })
  fs.refuseReserved(path, op)
  await allow(view, target, 'write', op)
  // Without versions, the storage cannot compare: look the file up again right before the write.
  const now = stat.version === undefined ? { ...target, stat: await fs.lstat(path) } : target
  return writeLocated(view, now, bytes, { expect: versionOf(stat) }, op)
}
