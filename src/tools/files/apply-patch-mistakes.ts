import { FsError, hasCode, type InputError } from '../../errors/index.js'
import type { FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { isWithin } from '../../workspace/paths.js'
import type { ContentPatch, PlannedChange } from './apply-patch-plan.js'
import type { Written } from './apply-patch-state.js'

/** How far a patch came before it failed. */
export interface PatchProgress {
  /** Empty if the patch could not be parsed. */
  sections: readonly ContentPatch[]
  readonly planned: PlannedChange[]
  /** Number of changes that stay in spite of the failure. */
  kept: number
  /** Created directories, to remove after a failure. */
  readonly made: string[]
}

const BEGIN = '*** Begin Patch'
const END = '*** End Patch'
const ALONE = 'Pass only the patch, without a code fence or surrounding text.'
const BARE = "Write '@@' alone: the file has no line of dots."
const BEHIND = `Remove the text after the line '${END}'.`
const ONE_ENVELOPE = "Put all sections into one envelope: remove the lines '*** End Patch' and '*** Begin Patch' between them."
const NO_DIFF =
  "Use '*** Update File: path' without the header lines of a diff. Or pass only the diff, without '*** Begin Patch' and '*** End Patch'."
/** Matches header lines of a diff. A line such as `-- a/` may also be a removed line of a hunk. */
const DIFF_HEADER = /^(?:diff --|index [0-9a-f]+\.\.|--- \S|\+\+\+ \S|-- a\/|(?:new|deleted) file mode |(?:rename|copy) from )/
/** Maximum length of a patch to parse again. */
const MAX_UNITS = 1024 * 1024

/** Adds a hint for the next call, and the changes that stay, to the error. This module loads with the first failure. */
export async function explained(failure: unknown, patch: string, progress: PatchProgress, workspace: Workspace): Promise<unknown> {
  // Leave foreign errors unchanged. The reason of an abort, for example, belongs to the caller.
  if (!(failure instanceof Error && 'code' in failure && typeof failure.code === 'string')) return failure
  const error = FsError.is(failure) ? await reworded(failure, progress, workspace) : failure
  const hint = FsError.is(error)
    ? fileHint(error, progress, workspace)
    : (changedBefore(error as InputError, progress) ?? formatHint(error as InputError, patch))
  const details = { ...('details' in error && typeof error.details === 'object' && error.details), ...(hint && { hint }) }
  const { sections, planned, kept } = progress
  if (kept === 0) return hint ? Object.assign(error, { details }) : error
  const applied = planned.slice(0, kept).map(({ path, from }) => (from === undefined ? path : `${from} -> ${path}`))
  const rest = sections.slice(kept).map(({ path }) => path)
  error.message += `\nAlready applied and kept: ${applied.join(', ')}. Not applied: ${rest.join(', ')}`
  return Object.assign(error, { details: { ...details, applied, not_applied: rest } })
}

/**
 * Adds to the error the existing spelling, if the name exists in another Unicode form, or the new name, if the model uses the old name of a
 * moved file.
 */
async function reworded(error: FsError & Undone, { planned }: PatchProgress, workspace: Workspace): Promise<FsError> {
  const { code, op, path, cause, details } = error
  if (details) return Object.assign(new FsError({ code, op, path, detail: undoneDetail(cause, details), cause }), { details })
  if (code !== 'ENOENT' && code !== 'EACCES') return error
  const missing: unknown = await workspace.lstat(path).then(
    () => undefined,
    (reason) => reason,
  )
  if (!hasCode(missing, 'ENOENT')) return error
  if (code === 'ENOENT') return missing.detail === undefined ? error : new FsError({ code, op, path, detail: missing.detail })
  const moved = planned.find((change) => change.kind === 'move' && change.path === path)
  if (moved?.from === undefined) return error
  const { detail } = error
  return new FsError({ code, op: 'move', path: moved.from, dest: path, ...(detail !== undefined && { detail }), cause: error })
}

/** Replaces the error for a file that is stale because this patch has just written the same file under another name (a hard link). */
export function byOtherName(error: FsError, begun: readonly Written[], now: FsStat): FsError {
  const twin = begun.find(({ done }) => done?.version !== undefined && done.version === now.version)
  if (!twin) return error
  const { op, path } = error
  const detail = `it is the same file as "${twin.state.path}" (a hard link): change it under one name, and delete the other name in a separate patch`
  return new FsError({ code: 'EINVAL', op, path, detail, cause: error })
}

interface Undone {
  /** Files that were not restored, if undoing failed. */
  readonly details?: { readonly stuck: readonly string[]; readonly foreign: readonly string[] }
}

function undoneDetail(cause: unknown, { stuck, foreign }: Required<Undone>['details']): string {
  const named = (paths: readonly string[]): string => paths.map((path) => `"${path}"`).join(', ')
  const problems = [`it failed (${cause instanceof Error ? cause.message : String(cause)})`]
  if (stuck.length > 0) problems.push(`restoring the previous files failed too: check ${named(stuck)}`)
  if (foreign.length > 0) problems.push(`files that another writer has changed were not restored: check ${named(foreign)}`)
  return problems.join(', and ')
}

function fileHint({ code, op, path, detail }: FsError, { sections, planned }: PatchProgress, workspace: Workspace): string | undefined {
  if (code === 'EEXIST' && detail?.startsWith('the patch writes it')) return 'Remove one of the two sections, or rename one of the files.'
  if (code === 'ELOOP' && detail === 'it is a link') return 'Move or delete the link without hunks. To change its content, name its target.'
  if (code === 'ENOENT') {
    const moved = planned.findLast((change) => change.kind === 'move' && change.from === path)
    if (detail?.includes(' exists, ')) return 'Use the existing path.'
    const quoted = /(?:^|\/)(["'`])(.+)\1$/.exec(workspace.relative(path))?.[2]
    if (quoted !== undefined) return `Remove the quotes around the name: ${quoted}`
    if (!moved && planned.some((change) => change.kind === 'delete' && change.path === path))
      return 'The patch already deletes this file: remove one of the two sections.'
    return moved && `The patch already moves this file: use "${workspace.relative(moved.path)}" in later sections.`
  }
  const isBelow = (section: ContentPatch): boolean =>
    section.kind === 'move' && section.path !== section.from && isWithin(workspace.resolve(section.path), workspace.resolve(section.from))
  if (code === 'ENOTDIR' && sections.some(isBelow))
    return 'A file cannot move below itself: first move it to another name in a separate patch.'
  const isMixed = code === 'ENOTDIR' || (code === 'EISDIR' && op !== 'delete')
  const isTwice = (name: string): boolean => {
    const other = workspace.resolve(name)
    return other !== path && (isWithin(other, path) || isWithin(path, other))
  }
  if (!isMixed || !sections.some((section) => isTwice(section.path) || ('from' in section && isTwice(section.from)))) return undefined
  return 'The patch uses one name for a file and a directory: send two patches, and remove the old entry in the first.'
}

/**
 * Returns the hint for lines that a section does not find because an earlier section of the patch may have changed them, whether that
 * section was kept (`atomic: false`) or not.
 */
function changedBefore({ details = {} }: InputError, { planned }: PatchProgress): string | undefined {
  if (details.missing === undefined || !planned.some(({ path }) => path === details.path)) return undefined
  return 'An earlier section of the patch changes this file: use the lines as they are after that section.'
}

/** Returns what to change in a text that is not a valid patch, or in an `@@` line. */
function formatHint({ message, details = {}, issues = [] }: InputError, patch: string): string | undefined {
  const { reason, problem, line, missing, expected } = details
  const place = missing === undefined ? '' : (issues[0]?.message ?? '')
  if (/ only at line \d+, above the /.test(place)) return 'Order the hunks and their @@ lines as in the file.'
  if (/ only at line \d+, in lines that hunk \d+ already changes$/.test(place)) return 'Merge the two hunks, or remove one.'
  if (/ only at line \d+, not below its @@ line$/.test(place)) return "Use an @@ line from above these lines, or '@@' alone."
  if (missing === 'context' && Array.isArray(expected) && /^\.+$/.test(String(expected[0]).trim())) return BARE
  if (/: the patch deletes it, but does not remove all of its lines$/.test(message))
    return "List all lines of the file with '-', or use *** Delete File in an envelope."
  const isEnvelope = patch.length <= MAX_UNITS && /^[ \t]*\*\*\* Begin Patch/m.test(patch)
  if (isEnvelope && missing === 'lines' && Array.isArray(expected) && DIFF_HEADER.test(String(expected[0]))) return NO_DIFF
  if (reason !== 'format' || patch.length > MAX_UNITS) return undefined
  if (String(problem).startsWith("'```")) return ALONE
  const lines = patch.split(/\r?\n/)
  const shown = lines.filter((each) => each.trim() !== '')
  if (String(problem).startsWith('The first line'))
    return shown.some((each) => /^\s*```/.test(each)) ? ALONE : edgeHint(BEGIN, 'Begin', shown[0])
  if (String(problem).startsWith('The last line'))
    return shown.some((each) => each.trim() === END) ? BEHIND : edgeHint(END, 'End', shown.at(-1))
  const at = lines.findIndex((each) => each.trim() === BEGIN) + Number(line) - 1
  const text = lines[at]?.trim() ?? ''
  if (text === END && lines.slice(at).some((each) => each.trim() === BEGIN)) return ONE_ENVELOPE
  if (isEnvelope && DIFF_HEADER.test(text)) return NO_DIFF
  if (/^@@\S/.test(text)) {
    const rest = text.slice(2)
    return /^\.+$/.test(rest) ? BARE : `Write '@@ ${rest}', with a space after @@.`
  }
  const header = lines.slice(0, at).findLast((each) => /^\s*\*\*\* (?:Add|Update|Delete) File: /.test(each))
  if (!text.startsWith('***') && header?.includes('*** Add File: ')) return "Begin each line of a new file with '+', also empty lines."
  return undefined
}

function edgeHint(wanted: string, verb: string, found = ''): string {
  const what = found.trim().startsWith(wanted) ? ' and nothing after it' : ''
  return `${verb} the patch with the line '${wanted}'${what}.`
}
