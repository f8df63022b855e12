import { reply } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import { hasCode } from '../../errors/index.js'
import { badPatch } from '../../ops/patch/errors.js'
import { parseSteps } from '../../ops/patch/parse.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { type Commit, commitStates } from './apply-patch-commit.js'
import type { PatchProgress } from './apply-patch-mistakes.js'
import { namesIn, type PatchChange, PatchDiff, renderPatch } from './apply-patch-output.js'
import { type ContentPatch, freedKey, type PatchOptions, type PlannedChange, type Planner, planSection } from './apply-patch-plan.js'
import { PatchStates } from './apply-patch-state.js'
import { secondRoot } from './second-root.js'

const MAX_FILES = 5000
/** Loads on first use: few patches are inside a command. */
const command = lazy(() => import('../../ops/patch/command.js'))

/** Maximum length of a patch. */
const MAX_PATCH_UNITS = 16 * 1024 * 1024

export interface PatchInput {
  readonly patch: string
  readonly atomic: boolean
  readonly dry_run: boolean
}

export interface PatchOutput {
  /** The changes in the order of the patch. */
  readonly changes: readonly PatchChange[]
  readonly dry_run?: boolean
  readonly hint?: string
  /** Unified diff of all text files, truncated at 32 KiB. */
  readonly diff: string
}

export interface PatchDone extends PatchOutput {
  /** Files whose permissions the patch would change. Permissions stay as they are. */
  readonly modes: readonly string[]
}

/** The body of `apply_patch`. */
export async function runPatch(input: PatchInput, context: ToolContext, options?: PatchOptions): Promise<ToolReply<PatchOutput>> {
  const output = await patchFiles(input, context, options)
  const { modes, ...shown } = output
  return reply(shown, [{ type: 'text', text: renderPatch(output) }])
}

/**
 * Applies a patch to the workspace. Computes everything in memory, then writes. If a write fails, undoes the earlier ones. With `atomic:
 * false`, writes each section before it computes the next one. A failure then keeps the earlier sections, and the error lists the sections
 * in `details.applied` and `details.not_applied`. Both modes first parse the whole patch and check its paths.
 *
 * @throws {InputError} `invalid_input`, `no_match`, `ambiguous_match`; {FsError}, {WorkspaceError}, {PolicyError}
 */
export async function patchFiles(input: PatchInput, context: ToolContext, options: PatchOptions = {}): Promise<PatchDone> {
  const progress: PatchProgress = { sections: [], planned: [], kept: 0, made: [] }
  try {
    return await apply(input, context, options, progress)
  } catch (error) {
    await removeEmpty(context.workspace, progress.made)
    throw await import('./apply-patch-mistakes.js').then(
      ({ explained }) => explained(error, input.patch, progress, context.workspace),
      () => error,
    )
  }
}

async function apply(input: PatchInput, context: ToolContext, options: PatchOptions, progress: PatchProgress): Promise<PatchDone> {
  const slicer = new Slicer(context.host, context)
  if (input.patch.length > MAX_PATCH_UNITS) throw badPatch(`it is longer than ${MAX_PATCH_UNITS} characters`)
  const steps = /^(?:\*\*\*|diff|---) /.test(input.patch) ? parseSteps : (await command()).commandSteps
  const all = await inSlices(steps(input.patch), slicer)
  const sections = all.filter((section) => section.kind !== 'mode')
  progress.sections = sections
  if (all.length > MAX_FILES) throw badPatch(`it changes more than ${MAX_FILES} files`)
  const modes = [...new Set(all.filter(({ mode }) => mode).map(({ path }) => path))]
  const changed = new Set(sections.map(({ path }) => path))
  for (const path of modes) {
    if (!changed.has(path)) await context.workspace.stat(path, 'patch')
    if (slicer.due(100)) await slicer.pause()
  }
  if (sections.length === 0) throw badPatch(`it changes only the mode of ${namesIn(modes)}, and patches cannot change modes`)
  return context.workspace.locked(pathsOf(context.workspace, sections), async (workspace) => {
    const freed = freedBy(workspace, sections)
    const planner: Planner = { states: new PatchStates(workspace, context.versions), slicer, options, freed }
    const commit: Commit = { workspace, context, made: progress.made }
    const output = await (input.atomic || input.dry_run ? allOrNone(input, planner, commit, progress) : oneByOne(planner, commit, progress))
    return { ...output, modes }
  })
}

/** Returns every path that a section may refer to. Skips a path outside the workspace if the section has another name. */
const pathsOf = (workspace: Workspace, sections: readonly ContentPatch[]): string[] => [
  ...new Set(
    sections.flatMap((section) => {
      const other: readonly string[] = Object.values(section.names ?? {})
      const names = [section.path, ...('from' in section ? [section.from] : []), ...other]
      const inside = section.names ? names.filter((name) => isInside(workspace, name)) : names
      return inside.length > 0 ? inside : names
    }),
  ),
]

function isInside(workspace: Workspace, name: string): boolean {
  try {
    workspace.resolve(name)
    return true
  } catch {
    return false
  }
}

function freedBy(workspace: Workspace, sections: readonly ContentPatch[]): ReadonlyMap<string, number> {
  // In an envelope, a deletion refers to the state that the earlier sections left.
  const isDiff = !sections.some((section) => 'overwrite' in section && section.overwrite)
  const freed = new Map<string, number>()
  for (const [i, section] of sections.entries()) {
    const name = section.kind === 'move' ? section.from : section.kind === 'delete' && isDiff ? section.path : undefined
    if (name !== undefined && isInside(workspace, name)) freed.set(freedKey(section, workspace.resolve(name)), i)
  }
  return freed
}

async function allOrNone(input: PatchInput, planner: Planner, commit: Commit, { planned, sections }: PatchProgress): Promise<PatchOutput> {
  const diff = new PatchDiff(commit.workspace)
  for (const [i, section] of sections.entries()) {
    const { before, after, ...change } = await planSection(planner, section, i)
    planned.push(change)
    if (planner.slicer.due(1000)) await planner.slicer.pause()
    diff.add(change, { before, after })
  }
  planner.states.refuseAside()
  const changed = planner.states.changed()
  if (changed.length === 0) throw unchanged()
  const hint = await secondRoot(
    commit.workspace,
    changed.map(({ path }) => path),
  )
  if (!input.dry_run) await commitStates(commit, changed)
  return { ...toOutput(planned, diff, input.dry_run), ...hint }
}

async function oneByOne(planner: Planner, commit: Commit, progress: PatchProgress): Promise<PatchOutput> {
  const { planned, sections } = progress
  let hasChanged = false
  let hint = {}
  const diff = new PatchDiff(commit.workspace)
  for (const [i, section] of sections.entries()) {
    const { before, after, ...change } = await planSection(planner, section, i)
    planned.push(change)
    diff.add(change, { before, after })
    // Write sections that swap names together, because one section alone would lose a file.
    if (planner.states.aside.size > 0) continue
    const changed = planner.states.changed()
    hasChanged ||= changed.length > 0
    hint = {
      ...hint,
      ...(await secondRoot(
        commit.workspace,
        changed.map(({ path }) => path),
      )),
    }
    await commitStates(commit, changed)
    progress.kept = planned.length
    // Keep directories that were created for sections that stay.
    commit.made.length = 0
    if (planner.slicer.due(1000)) await planner.slicer.pause()
  }
  planner.states.refuseAside()
  if (!hasChanged) throw unchanged()
  return { ...toOutput(planned, diff), ...hint }
}

const unchanged = (): ReturnType<typeof badPatch> => badPatch('it changes no file')

function toOutput(planned: readonly PlannedChange[], diff: PatchDiff, dryRun = false): PatchOutput {
  const changes = planned.map(({ kind, path, from, replaced, levels }): PatchChange => {
    const tolerant = [...new Set(levels.filter((level) => level !== 'exact'))]
    return {
      kind,
      path,
      ...(from !== undefined && { from }),
      ...(replaced && { replaced }),
      ...(tolerant.length > 0 && { levels: tolerant }),
    }
  })
  return { changes, ...(dryRun && { dry_run: true }), diff: diff.toString() }
}

/** Removes the directories that a failed commit created. */
export async function removeEmpty(workspace: Workspace, made: readonly string[]): Promise<void> {
  for (const path of made.toReversed()) {
    try {
      await workspace.remove(path)
    } catch (error) {
      // ENOENT, ENOTEMPTY: others removed or used the directory meanwhile. Ignore any other error too, so that the caller reports the first
      // error.
      if (!hasCode(error, 'ENOENT', 'ENOTEMPTY')) return
    }
  }
}
