import { lazy } from '../../core/lazy.js'
import { FsError, InputError } from '../../errors/index.js'
import { detectEol } from '../../ops/lines.js'
import { hunkSteps, type PatchLevel } from '../../ops/patch/apply.js'
import { lineTable } from '../../ops/patch/line-table.js'
import type { FilePatch, Hunk } from '../../ops/patch/types.js'
import { decodeTextSteps, encodeEdited } from '../../workspace/content-steps.js'
import { inSlices, type Slicer } from '../../workspace/slicer.js'
import { type Content, contentOf, type PatchStates, type PatchText, type PathState, textOf, want } from './apply-patch-state.js'

/** Loads on first use: few patches change a file twice. */
const tables = lazy(() => import('../../ops/patch/line-table-after.js'))
/** Loads on first use: most diffs have the same name on both sides. */
const fileNames = lazy(() => import('../../ops/patch/file-names.js'))

export interface PatchOptions {
  /** What to do if a hunk matches several places: reject it (default), or take the first. */
  readonly ambiguity?: 'refuse' | 'first'
  /** Whether to end every updated file with a line break. Default false. */
  readonly finalBreak?: boolean
}

/** The change that one section of the patch makes. */
export interface PlannedChange {
  readonly kind: 'add' | 'update' | 'delete' | 'move'
  /** Virtual path. */
  readonly path: string
  /** The source of a `move`, or of an `add` that copies. */
  readonly from?: string
  /** For `add` and `move`: whether the change replaces an existing file. */
  readonly replaced?: boolean
  readonly levels: readonly PatchLevel[]
}

/** The old and new text of a change, for the diff. Undefined if a side does not exist or is binary. */
export interface ChangeTexts {
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface Planner {
  readonly states: PatchStates
  readonly slicer: Slicer
  readonly options: PatchOptions
  /** Index of the last section that moves or deletes the entry at a path, by `freedKey`. */
  readonly freed: ReadonlyMap<string, number>
}

export type ContentPatch = Exclude<FilePatch, { kind: 'mode' }>

/** Returns the key of a path in `Planner.freed`. The key includes the part, because each part of the input is a separate patch. */
export const freedKey = ({ part = 0 }: FilePatch, path: string): string => `${part} ${path}`

/** Applies section `index` in memory. If it throws, it has changed nothing. */
export async function planSection(planner: Planner, named: ContentPatch, index: number): Promise<PlannedChange & ChangeTexts> {
  planner.states.begin(named.part ?? 0)
  const section = named.names ? await (await fileNames()).withNameOf(named, planner.states) : named
  switch (section.kind) {
    case 'add':
      return planAdd(planner, section, index)
    case 'delete':
      return planDelete(planner, section)
    case 'update':
      return planUpdate(planner, section, index)
    default:
      return planMove(planner, section, index)
  }
}

type Section<Kind extends FilePatch['kind']> = ContentPatch & { readonly kind: Kind }

async function planAdd(planner: Planner, section: Section<'add'>, index: number): Promise<PlannedChange & ChangeTexts> {
  const { states } = planner
  const state = await (section.overwrite ? states.file(section.path, 'write') : states.name(section.path, 'add'))
  const { path } = state
  const isFree = !section.overwrite && isFreed(planner, section, index, state)
  if (isFree) states.aside.set(state, contentOf(state, 'write'))
  else refuseExisting(state, section.overwrite, section.line, 'add')
  const replaced = state.wanted !== undefined && !isFree
  const old = isFree ? undefined : readable(path, state.wanted)
  // A rewritten file keeps its line endings and its byte order mark.
  const style = old ?? (section.overwrite ? readable(path, state.deleted) : undefined)
  const after = style && detectEol(style.text) === 'crlf' ? section.text.replace(/\r?\n/g, '\r\n') : section.text
  const bytes = await inSlices(encodeEdited(path, style?.text ?? '', after, style?.bom ?? false), planner.slicer)
  want(state, { bytes }, section.line)
  return { kind: 'add', path, replaced, before: old?.text, after, levels: [] }
}

async function planDelete(planner: Planner, section: Section<'delete'>): Promise<PlannedChange & ChangeTexts> {
  const state = await planner.states.entry(section.path, 'delete')
  const { path } = state
  if (state.wanted === undefined) throw new FsError({ code: 'ENOENT', op: 'delete', path })
  // An earlier section may already have put another file at this path. Then delete the old file, which is set aside.
  const aside = takeAside(planner, state)
  if (section.hunks) {
    const { made } = await patched(planner, path, aside ?? contentOf(state, 'delete'), section.hunks)
    if (made.text !== '') throw leftOver(path, section.line)
  }
  const before = readable(path, aside ?? state.wanted)?.text
  if (!aside) {
    if (state.wanted !== 'link') state.deleted = state.wanted
    want(state, undefined)
  }
  return { kind: 'delete', path, before, after: undefined, levels: [] }
}

async function planUpdate(planner: Planner, section: Section<'update'>, index: number): Promise<PlannedChange & ChangeTexts> {
  const state = await planner.states.file(section.path, 'patch')
  const { text } = section
  if (text !== undefined && state.wanted === undefined) return planAdd(planner, { ...section, kind: 'add', text, overwrite: false }, index)
  const { path } = state
  const content = contentOf(state, 'patch')
  const { before, made, bytes, bomChanged, levels } = await patched(planner, path, content, section.hunks)
  const after = made.text
  if (after !== before || bomChanged) want(state, { ...content, bytes, made }, section.line)
  return { kind: 'update', path, before, after, levels }
}

async function planMove(planner: Planner, section: Section<'move' | 'copy'>, index: number): Promise<PlannedChange & ChangeTexts> {
  const { states } = planner
  const op = section.kind
  const source = await states.entry(section.from, op)
  // A file that the patch itself created does not count as existing.
  const isBefore = section.fromBefore === true && source.before !== undefined
  const aside = op === 'move' ? takeAside(planner, source) : undefined
  const old = aside ?? (isBefore ? source.before : source.wanted)
  const isLink = old === 'link' && op === 'move' && section.hunks.length === 0
  const content = isLink ? undefined : contentOf({ path: source.path, wanted: old }, op)
  const target = await states.name(section.path, `${op} to`)
  const isSame = target === source
  const isFree = !isSame && !isLink && isFreed(planner, section, index, target)
  if (isFree) states.aside.set(target, contentOf(target, op))
  else if (!isSame) refuseExisting(target, section.overwrite && !isLink, section.line, op, source.path)
  const result = content && section.hunks.length > 0 ? await patched(planner, source.path, content, section.hunks) : undefined
  const before = result?.before ?? readable(source.path, content)?.text
  const mode = content?.mode ?? (source.stored?.kind === 'file' ? source.stored.stat.mode : undefined)
  const replaced = target.wanted !== undefined && !isSame && !isFree
  if (op === 'move' && !isSame) {
    target.from = source.stored ? source : source.from
    // Keep a new file that an earlier section has put in place of the old one.
    if (!aside && !(isBefore && source.wanted !== undefined && source.wanted !== source.before)) want(source, undefined)
  }
  const bytes = result?.bytes ?? content?.bytes
  want(target, bytes ? { bytes, ...(mode !== undefined && !isSame && { mode }) } : 'link', section.line)
  return {
    kind: op === 'copy' ? 'add' : isSame ? 'update' : 'move',
    path: target.path,
    ...(!isSame && { from: source.path }),
    replaced,
    before,
    after: result?.made.text ?? before,
    levels: result?.levels ?? [],
  }
}

function takeAside({ states: { aside } }: Planner, state: PathState): Content | undefined {
  const content = aside.get(state)
  aside.delete(state)
  return content
}

/** Whether a later section moves or deletes the entry, so that this section may use its name: a swap, a cycle, a chain. */
function isFreed({ states, freed }: Planner, section: FilePatch, index: number, state: PathState): boolean {
  if (state.wanted === undefined || state.wanted === 'link' || states.aside.has(state)) return false
  return (freed.get(freedKey(section, state.path)) ?? -1) > index
}

interface Patched {
  readonly before: string
  readonly made: NonNullable<Content['made']>
  readonly bytes: Uint8Array
  readonly bomChanged: boolean
  readonly levels: readonly PatchLevel[]
}

async function patched({ slicer, options }: Planner, path: string, content: Content, hunks: readonly Hunk[]): Promise<Patched> {
  const { text: before, bom } = content.made ?? (await inSlices(decodeTextSteps(path, content.bytes), slicer))
  const table = await inSlices(content.made ? (await tables()).tableAfter(content.made.from, before) : lineTable(before), slicer)
  const { text, levels, bom: after = bom } = await inSlices(hunkSteps(table, hunks, { subject: path, ...options }), slicer)
  const bytes = await inSlices(encodeEdited(path, before, text, after), slicer)
  return { before, made: { text, bom: after, from: table }, bytes, bomChanged: after !== bom, levels }
}

/** @throws {FsError} EEXIST, also if the patch would overwrite its own file */
function refuseExisting({ path, wanted, line: first }: PathState, overwrite: boolean, line: number, op: string, from?: string): void {
  if (wanted === undefined || (overwrite && first === undefined)) return
  const exists = from === undefined ? 'the patch adds it as a new file, but it already exists' : 'the destination already exists'
  const detail = first === undefined ? exists : `the patch writes it at lines ${first} and ${line}`
  throw new FsError({ code: 'EEXIST', op, path: from ?? path, ...(from !== undefined && { dest: path }), detail })
}

const leftOver = (path: string, line: number): InputError =>
  new InputError('no_match', `Cannot patch "${path}": the patch deletes it, but does not remove all of its lines`, {
    details: { path, line },
  })

/** Returns the content as text; undefined if the content is missing or binary. */
function readable(path: string, content: PathState['wanted']): PatchText | undefined {
  if (content === undefined || content === 'link') return undefined
  try {
    return textOf(path, content)
  } catch {
    return undefined
  }
}
