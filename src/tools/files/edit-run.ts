import { InputError } from '../../errors/index.js'
import { unifiedDiff } from '../../ops/diff.js'
import { applyEdits, type EditOutcome, editSteps, type TextEdit } from '../../ops/edit.js'
import type { ToolContext } from '../../types/tool.js'
import type { TextFile, Workspace, Written } from '../../types/workspace.js'
import { changeText } from '../../workspace/change-text.js'
import { encodeEdited } from '../../workspace/content-steps.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { type ChangeOutput, MAX_DIFF_BYTES } from './change.js'
import { secondRoot } from './second-root.js'
import { refuseStale } from './versions.js'

/** Larger files are refused: nobody edits them by quoting. */
const MAX_EDIT_BYTES = 16 * 1024 * 1024

/** Shorter texts are edited in one go. */
const LONG_TEXT = 64 * 1024
/** A run of edits on a short text is still sliced when it may add up. */
const MANY_EDITS = 16

const MARK = '\ufeff'

/** What `edit_file` is asked, defaults filled in. */
export interface EditInput {
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

/** Under the file's lock. */
async function change(
  input: EditInput,
  context: ToolContext,
  file: TextFile,
  write: (bytes: Uint8Array) => Promise<Written>,
): Promise<ChangeOutput> {
  const { workspace } = context
  const slicer = new Slicer(context.host, context)
  // Each of these passes over the whole text in one go.
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

/** A file that begins with a byte order mark gets no second one. */
function onceMarked(outcome: EditOutcome, { text, bom }: TextFile): EditOutcome {
  const isTwice = bom && outcome.text.startsWith(MARK) && !text.startsWith(MARK)
  return isTwice ? { ...outcome, text: outcome.text.slice(MARK.length) } : outcome
}

const isLong = (text: string): boolean => text.length > LONG_TEXT

/** In slices where it may take long; rejects with the signal's reason when the call is aborted in between. */
async function apply(text: string, edits: readonly TextEdit[], subject: string, context: ToolContext): Promise<EditOutcome> {
  const size = edits.reduce((sum, { newString }) => sum + newString.length, text.length)
  if (size <= LONG_TEXT && edits.length <= MANY_EDITS) return applyEdits(text, edits, subject)
  return inSlices(editSteps(text, edits, subject), new Slicer(context.host, context))
}

/** An empty `old_string` means a new file: in an existing one it would fit everywhere. */
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
