import { lazy } from '../../core/lazy.js'
import { FsError, InputError } from '../../errors/index.js'
import { detectEol } from '../../ops/lines.js'
import { hunkSteps, type PatchLevel } from '../../ops/patch/apply.js'
import type { FilePatch, Hunk } from '../../ops/patch/types.js'
import { encodeEdited } from '../../workspace/content.js'
import { inSlices, type Slicer } from '../../workspace/slicer.js'
import { type Content, contentOf, type PatchStates, type PatchText, type PathState, textOf, want } from './apply-patch-state.js'

/** Most diffs call both sides the same. */
const fileNames = lazy(() => import('../../ops/patch/file-names.js'))

export interface PatchOptions {
  /** What to do when a hunk fits more than one place: refuse it (default), or take the first. */
  readonly ambiguity?: 'refuse' | 'first'
  /** Give every updated file a final line break. Default false. */
  readonly finalBreak?: boolean
}

/** What one section of the patch does. */
export interface PlannedChange {
  readonly kind: 'add' | 'update' | 'delete' | 'move'
  /** Virtual. */
  readonly path: string
  /** `move`, and `add` of a copy. */
  readonly from?: string
  /** A file was there before. */
  readonly replaced: boolean
  /** The texts, for the diff; undefined: there is none, or it is binary. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly levels: readonly PatchLevel[]
}

export interface Planner {
  readonly states: PatchStates
  readonly slicer: Slicer
  readonly options: PatchOptions
  /** The last section that moves away, or deletes, what is at a path; keys are of `freedKey`. */
  readonly freed: ReadonlyMap<string, number>
}

export type ContentPatch = Exclude<FilePatch, { kind: 'mode' }>

/** Names are given free for the sections of one part: the next part is a patch of its own. */
export const freedKey = ({ part = 0 }: FilePatch, path: string): string => `${part} ${path}`

/** Does in memory what section `index` says; throws before it has changed anything. */
export async function planSection(planner: Planner, named: ContentPatch, index: number): Promise<PlannedChange> {
  planner.states.begin(named.part ?? 0)
  const section = named.names ? await (await fileNames()).withNameOf(named, planner.states) : named
  switch (section.kind) {
    case 'add':
      return planAdd(planner, section, index)
    case 'delete':
      return planDelete(planner, section)
    case 'update':
      return planUpdate(planner, section)
    default:
      return planMove(planner, section, index)
  }
}

type Section<Kind extends FilePatch['kind']> = ContentPatch & { readonly kind: Kind }

async function planAdd(planner: Planner, section: Section<'add'>, index: number): Promise<PlannedChange> {
  const state = await planner.states.file(section.path, 'write')
  const { path } = state
  const isFree = !section.overwrite && isFreed(planner, section, index, state)
  if (isFree) planner.states.putAside(state)
  else refuseExisting(state, section.overwrite, 'add')
  const replaced = state.wanted !== undefined && !isFree
  const old = isFree ? undefined : oldText(state)
  // A file that is written anew keeps its line endings and its byte order mark.
  const after = old && detectEol(old.text) === 'crlf' ? section.text.replace(/\r?\n/g, '\r\n') : section.text
  want(state, { bytes: encodeEdited(path, old?.text ?? '', after, old?.bom ?? false) })
  return { kind: 'add', path, replaced, before: old?.text, after, levels: [] }
}

async function planDelete(planner: Planner, section: Section<'delete'>): Promise<PlannedChange> {
  const state = await planner.states.entry(section.path, 'delete')
  const { path } = state
  if (state.wanted === undefined) throw new FsError({ code: 'ENOENT', op: 'delete', path })
  // An earlier section may have taken its name.
  const aside = planner.states.takeAside(state)
  if (section.hunks.length > 0) {
    const { text } = await patched(planner, path, aside ?? contentOf(state, 'delete'), section.hunks)
    if (text !== '') throw leftOver(path, section.line)
  }
  const before = (aside ? readable(path, aside) : oldText(state))?.text
  if (!aside) want(state, undefined)
  return { kind: 'delete', path, replaced: true, before, after: undefined, levels: [] }
}

async function planUpdate(planner: Planner, section: Section<'update'>): Promise<PlannedChange> {
  const state = await planner.states.file(section.path, 'patch')
  const { path } = state
  const content = contentOf(state, 'patch')
  const { before, text, bytes, bomChanged, levels } = await patched(planner, path, content, section.hunks)
  if (text !== before || bomChanged) want(state, { ...content, bytes })
  return { kind: 'update', path, replaced: true, before, after: text, levels }
}

async function planMove(planner: Planner, section: Section<'move' | 'copy'>, index: number): Promise<PlannedChange> {
  const { states } = planner
  const op = section.kind
  const source = await states.file(section.from, op)
  const entry = op === 'move' ? await states.entry(section.from, op) : undefined
  // What the patch itself has made is no file of before.
  const isBefore = section.fromBefore === true && source.before !== undefined
  const aside = op === 'move' ? states.takeAside(source) : undefined
  const content = aside ?? contentOf(isBefore ? { path: source.path, wanted: source.before } : source, op)
  const target = await states.file(section.path, op)
  const isSame = target === source
  const isFree = !isSame && isFreed(planner, section, index, target)
  if (isFree) states.putAside(target)
  else if (!isSame) refuseExisting(target, section.overwrite, op, source.path)
  const result = section.hunks.length > 0 ? await patched(planner, source.path, content, section.hunks) : undefined
  const before = result?.before ?? readable(source.path, content)?.text
  const mode = content.mode ?? (source.stored?.kind === 'file' ? source.stored.stat.mode : undefined)
  const replaced = target.wanted !== undefined && !isSame && !isFree
  // A new file that an earlier section has put in the place of the old one stays.
  const isReplaced = aside !== undefined || (isBefore && entry?.wanted !== undefined && entry?.wanted !== entry?.before)
  if (entry && !isSame && !isReplaced) {
    want(entry, undefined)
    if (entry === source && !target.stored) target.from = source.stored ? source : source.from
  }
  want(target, { bytes: result?.bytes ?? content.bytes, ...(mode !== undefined && !isSame && { mode }) })
  return {
    kind: op === 'copy' ? 'add' : isSame ? 'update' : 'move',
    path: target.path,
    ...(!isSame && { from: entry?.path ?? source.path }),
    replaced,
    before,
    after: result?.text ?? before,
    levels: result?.levels ?? [],
  }
}

/** Whether a later section moves away, or deletes, what is there, so that this one may take its name: a swap, a cycle, a chain. */
function isFreed({ states, freed }: Planner, section: FilePatch, index: number, state: PathState): boolean {
  if (state.wanted === undefined || state.wanted === 'link' || states.isAside(state)) return false
  return (freed.get(freedKey(section, state.path)) ?? -1) > index
}

interface Patched {
  readonly before: string
  readonly text: string
  readonly bytes: Uint8Array
  readonly bomChanged: boolean
  readonly levels: readonly PatchLevel[]
}

async function patched({ slicer, options }: Planner, path: string, content: Content, hunks: readonly Hunk[]): Promise<Patched> {
  const { text: before, bom } = textOf(path, content)
  const { text, levels, bom: after = bom } = await inSlices(hunkSteps(before, hunks, { subject: path, ...options }), slicer)
  return { before, text, bytes: encodeEdited(path, before, text, after), bomChanged: after !== bom, levels }
}

function refuseExisting({ path, wanted }: PathState, overwrite: boolean, op: string, from?: string): void {
  if (wanted === undefined || overwrite) return
  const detail = from === undefined ? 'the patch says that it is new, and it exists' : 'the destination already exists'
  throw new FsError(from === undefined ? { code: 'EEXIST', op, path, detail } : { code: 'EEXIST', op, path: from, dest: path, detail })
}

function leftOver(path: string, line: number): InputError {
  const problem = 'the patch deletes it, but does not remove all of its lines'
  return new InputError('no_match', `Cannot patch "${path}": ${problem}`, {
    issues: [{ path: 'patch', message: problem }],
    details: { path, line },
  })
}

function oldText(state: PathState): PatchText | undefined {
  const { path, wanted } = state
  return wanted === undefined || wanted === 'link' ? undefined : readable(path, wanted)
}

/** Undefined for what is no text. */
function readable(path: string, content: Content): PatchText | undefined {
  try {
    return textOf(path, content)
  } catch {
    return undefined
  }
}
