import { hunkSteps } from '../../../../src/ops/patch/apply.js'
import { commandSteps } from '../../../../src/ops/patch/command.js'
import { withNameOf } from '../../../../src/ops/patch/file-names.js'
import type { FilePatch, Hunk } from '../../../../src/ops/patch/types.js'
import type { Steps } from '../../../../src/ops/steps.js'
import { decodeUtf8 } from '../../../../src/ops/utf8.js'
import { bytesOfText } from '../shared/bytes.js'
import { type CommandContext, type OwnResult, printed } from '../shared/command.js'
import { errorWords, hasErrno } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { Pace } from '../shared/pace.js'

/** Estimated time to read one part of the patch, in microseconds. */
const STEP_COST = 2000
const BOM = '\ufeff'

/**
 * State of a file that the patch names. `before`: the content before the patch. `wanted`: the content after the patch. Undefined means that
 * the file does not exist.
 */
interface State {
  readonly name: string
  readonly before: Uint8Array | undefined
  wanted: Uint8Array | undefined
  /** Line number of the patch section that wrote the file. */
  line?: number
  /** The target of a symlink that the patch removes. */
  readonly link?: string
}

interface Plan {
  readonly context: CommandContext
  readonly pace: Pace
  readonly states: Map<string, State>
  /** Maps a file to the index of the last section that moves the file away. */
  readonly freed: ReadonlyMap<string, number>
  /** Old contents of files that one section replaces and a later section moves away. */
  readonly aside: Map<State, Uint8Array>
}

/** Applies the whole patch or nothing: plans in memory, then writes, and rolls back if a write fails. */
export async function applyPatch(patch: string, context: CommandContext): Promise<OwnResult> {
  const pace = new Pace(context)
  const sections = (await inTurns(commandSteps(patch), pace)).filter((section) => section.kind !== 'mode')
  const moves = sections.flatMap((section, i) => (section.kind === 'move' ? [[freedKey(context, section, section.from), i] as const] : []))
  const plan: Plan = { context, pace, states: new Map(), freed: new Map(moves), aside: new Map() }
  const files = {
    exists: async (name: string) => {
      const known = plan.states.get(pathOf(context, name))
      return known ? known.wanted !== undefined : context.fs.exists(pathOf(context, name))
    },
  }
  const lines: string[] = []
  for (const [i, section] of sections.entries()) lines.push(await planSection(plan, await withNameOf(section, files), i))
  const changed = [...plan.states].filter(([, { before, wanted, link }]) => before !== wanted || link !== undefined)
  if (changed.length === 0) throw new Failure('No files were modified.')
  await writeAll(context, changed)
  return printed(`Success. Updated the following files:\n${lines.join('\n')}\n`)
}

async function inTurns<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    await pace.turn(STEP_COST)
  }
}

const freedKey = (context: CommandContext, { part = 0 }: FilePatch, name: string): string => `${part} ${pathOf(context, name)}`

/**
 * Keeps the content of a file that a section replaces, for the later section that moves it. Returns false if no later section moves the
 * file.
 */
function putAside({ context, freed, aside }: Plan, section: FilePatch, index: number, state: State): boolean {
  if (!state.wanted || aside.has(state) || (freed.get(freedKey(context, section, state.name)) ?? -1) <= index) return false
  aside.set(state, state.wanted)
  return true
}

/** Plans a section in memory. Returns the line that reports the section. */
async function planSection(plan: Plan, section: Exclude<FilePatch, { kind: 'mode' }>, index: number): Promise<string> {
  const link = section.kind === 'update' ? undefined : await linkAt(plan, section.path)
  if (section.kind === 'delete' && link !== undefined) {
    const path = pathOf(plan.context, section.path)
    plan.states.set(path, { name: section.path, link, before: undefined, wanted: undefined })
    return `D ${section.path}`
  }
  if (link !== undefined && section.kind !== 'add')
    throw new Failure(`${section.path}: the destination is a link: remove it first, or use another name`)
  const state = await stateOf(plan, section.path)
  switch (section.kind) {
    case 'add':
      if (link !== undefined && !section.overwrite) throw new Failure(`${section.path}: the patch says that it is new, and a link is there`)
      if (section.overwrite || !putAside(plan, section, index, state))
        refuseTaken(state, section, 'the patch says that it is new, and it exists')
      Object.assign(state, { wanted: bytesOfText(section.text), line: section.line })
      return `A ${section.path}`
    case 'delete': {
      const left = section.hunks && (await patched(plan, state, section.hunks))
      contentOf(state)
      if (left?.length) throw new Failure(`${section.path}: the patch deletes it, but does not remove all of its lines`)
      state.wanted = undefined
      return `D ${section.path}`
    }
    case 'update':
      Object.assign(state, { wanted: await patched(plan, state, section.hunks), line: section.line })
      return `M ${section.path}`
    default: {
      if ((await linkAt(plan, section.from)) !== undefined) throw new Failure(`${section.from}: it is a link: use mv`)
      const source = await stateOf(plan, section.from)
      const aside = section.kind === 'move' ? plan.aside.get(source) : undefined
      const before = { name: source.name, wanted: aside ?? source.wanted }
      const content = section.hunks.length > 0 ? await patched(plan, before, section.hunks) : contentOf(before)
      if (aside) plan.aside.delete(source)
      if (state !== source && !putAside(plan, section, index, state)) refuseTaken(state, section, 'the destination already exists')
      if (section.kind === 'move' && state !== source && !aside) source.wanted = undefined
      Object.assign(state, { wanted: content, line: section.line })
      return `${section.kind === 'move' ? 'M' : 'A'} ${section.path}`
    }
  }
}

/** @throws {Failure} if the file exists or the patch has already written it */
function refuseTaken({ name, wanted, line }: State, section: { readonly line: number; readonly overwrite: boolean }, why: string): void {
  if (!wanted || (section.overwrite && line === undefined)) return
  throw new Failure(`${name}: ${line === undefined ? why : `the patch writes it at lines ${line} and ${section.line}`}`)
}

/** Returns the target of a symlink at this path, unless the patch has removed the symlink. */
async function linkAt({ context, states }: Pick<Plan, 'context' | 'states'>, name: string): Promise<string | undefined> {
  const path = pathOf(context, name)
  return states.has(path) ? undefined : context.fs.readlink(path).catch(() => undefined)
}

/** Resolves to the state of a file. Follows symlinks. */
async function stateOf({ context, states }: Plan, name: string): Promise<State> {
  const itself = pathOf(context, name)
  // Do not follow a symlink that the patch has removed.
  const path = states.has(itself) ? itself : await context.fs.realpath(itself).catch(() => itself)
  if (path === itself && (await linkAt({ context, states }, name)) !== undefined)
    throw new Failure(`${name}: it is a link that leads nowhere`)
  const known = states.get(path)
  if (known) return known
  const before = await context.fs.readFileBuffer(path).catch((error: unknown) => {
    if (hasErrno(error, 'ENOENT')) return undefined
    throw new Failure(`${name}: ${errorWords(error)}`)
  })
  const state: State = { name, before, wanted: before }
  states.set(path, state)
  return state
}

function contentOf({ name, wanted }: Pick<State, 'name' | 'wanted'>): Uint8Array {
  if (!wanted) throw new Failure(`${name}: No such file or directory`)
  return wanted
}

async function patched({ pace }: Plan, state: Pick<State, 'name' | 'wanted'>, hunks: readonly Hunk[]): Promise<Uint8Array> {
  const text = decodeUtf8(contentOf(state))
  if (text === undefined) throw new Failure(`${state.name}: only UTF-8 text can be patched`)
  const hasBom = text.startsWith(BOM)
  const result = await inTurns(hunkSteps(hasBom ? text.slice(1) : text, hunks, { subject: state.name }), pace)
  const after = `${(result.bom ?? hasBom) ? BOM : ''}${result.text}`
  return after === text ? contentOf(state) : bytesOfText(after)
}

type Changes = readonly (readonly [path: string, state: State])[]

/** Sorts creations first and deletions last, so that the most likely failures leave the least to roll back. */
const inOrder = (changes: Changes): Changes => {
  const rank = ({ before, wanted }: State): number => (wanted === undefined ? 2 : before ? 1 : 0)
  return changes.toSorted(([, a], [, b]) => rank(a) - rank(b))
}

interface Undo {
  readonly name: string
  readonly step: () => Promise<void>
  /** The content to restore, or undefined if the file did not exist. */
  readonly before: Uint8Array | undefined
  /** The target of the symlink to restore. */
  readonly link?: string
}

async function writeAll(context: CommandContext, changes: Changes): Promise<void> {
  const { fs } = context
  const undo: Undo[] = []
  try {
    for (const [path, state] of inOrder(changes)) {
      const { before, wanted, link } = state
      if (link !== undefined) {
        await fs.rm(path)
        undo.push({ name: state.name, before, link, step: () => fs.symlink(link, path) })
      } else if (wanted === undefined) {
        const { mode } = await fs.stat(path)
        await fs.rm(path)
        const step = async (): Promise<void> => {
          await fs.writeFile(path, before as Uint8Array)
          await fs.chmod(path, mode).catch(() => undefined)
        }
        undo.push({ name: state.name, before, step })
      }
      if (wanted === undefined) continue
      await makeParents(context, path, undo)
      // Register the undo step before the write, because a failed write may be partial.
      undo.push({ name: state.name, before, step: () => (before ? fs.writeFile(path, before) : fs.rm(path, { force: true })) })
      await fs.writeFile(path, wanted)
    }
  } catch (error) {
    const left = await undone(context, undo)
    const end = left.length === 0 ? 'nothing was changed' : `part of the patch was applied, and could not be taken back: ${left.join(', ')}`
    throw new Failure(`${errorWords(error)}: ${end}`)
  }
}

/** Rolls back. Returns the names of the files that could not be restored. */
async function undone(context: CommandContext, undo: readonly Undo[]): Promise<string[]> {
  const left: string[] = []
  for (const one of undo.toReversed()) {
    try {
      await one.step()
    } catch {
      if (!(await isAsBefore(context, one))) left.push(one.name)
    }
  }
  return left
}

/** Whether a file is already as it was before the patch. Then a failed undo step loses nothing. */
async function isAsBefore(context: CommandContext, { name, before, link }: Undo): Promise<boolean> {
  const path = pathOf(context, name)
  if (link !== undefined) return (await context.fs.readlink(path).catch(() => undefined)) === link
  if (!before) return !(await context.fs.exists(path))
  const now = await context.fs.readFileBuffer(path).catch(() => undefined)
  return now !== undefined && now.length === before.length && now.every((byte, i) => byte === before[i])
}

/** Creates missing parent directories and registers their removal. */
async function makeParents({ fs }: CommandContext, path: string, undo: Undo[]): Promise<void> {
  const parts = path.split('/').slice(1, -1)
  for (let i = 1; i <= parts.length; i++) {
    const parent = `/${parts.slice(0, i).join('/')}`
    if (await fs.exists(parent)) continue
    await fs.mkdir(parent)
    undo.push({ name: parent, before: undefined, step: () => fs.rm(parent) })
  }
}
