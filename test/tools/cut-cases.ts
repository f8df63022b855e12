import { type Bundler, createRuntime, createWorkspace, type FsAdapter, type ToolRuntime, type Workspace } from 'toolport'
import { createQuickJs } from 'toolport/adapters/quickjs'
import type { BuildOutput } from 'toolport/bundle'
import { standard } from 'toolport/presets/standard'
import { createTestHost, type FaultKind, type Faults, forEachFault, withFaults } from 'toolport/testing'
import { expect } from 'vitest'
import { installPackages } from '../../src/packages/install/index.js'
import { quickJsHere } from '../adapters/quickjs-here.js'
import { madeRegistry, REGISTRY } from '../packages/install-support.js'

/**
 * State of a workspace after a tool was interrupted. `whole`: the workspace is as before the call, or as after it. `each path`: each path
 * is as before or as after, and `.toolport-new-…` files may exist. `each file`: like `each path`, but a moved file may have its old content
 * under its new name. `next install`: `each path` holds outside of `node_modules`, and repeating the call completes `node_modules`.
 */
export type Promised = 'whole' | 'each path' | 'each file' | 'next install'

const ORDER: readonly (Promised | 'lost')[] = ['whole', 'each path', 'each file', 'next install', 'lost']

interface CutCase {
  /** Title in docs/tools.md. */
  readonly title: string
  readonly tool: string
  readonly input: (workspace: Workspace) => unknown
  /** Runs before the call, without faults. */
  readonly prepare?: (workspace: Workspace) => Promise<unknown>
  /** The state after one failed storage operation, when the tool continues. */
  readonly failure: Promised
  /** The state after the process or the storage has ended. */
  readonly end: Promised
}

const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
-one
+two
*** Delete File: b.txt
*** Add File: new/c.txt
+three
*** Update File: d/e.txt
*** Move to: d/f.txt
@@
-four
+five
*** End Patch`

let checkpoint = ''
const changed = async (workspace: Workspace): Promise<void> => {
  checkpoint = (await workspace.checkpoint()).id
  await workspace.writeText('a.txt', 'changed\n')
  await workspace.remove('b.txt')
  await workspace.writeText('later.txt', 'later\n')
}

const edits = [{ old_string: 'one', new_string: 'two' }]
const LONG = 'x'.repeat(100_000)
const PERSISTENT = { name: 'twice', description: 'Doubles.', handler_code: 'return 2 * input.n' }
const quickJs = { ...(await quickJsHere()), worker: false } as const
const { fetch } = await madeRegistry([
  { name: 'a', version: '1.0.0', dependencies: { b: '1', c: '1' }, files: { 'index.js': 'one' } },
  { name: 'a', version: '2.0.0', dependencies: { b: '2' }, bin: 'index.js', files: { 'index.js': 'two' } },
  { name: 'b', version: '1.0.0', files: { 'index.js': 'b1' } },
  { name: 'b', version: '2.0.0', files: { 'index.js': 'b2' } },
  { name: 'c', version: '1.0.0', files: { 'index.js': 'c1' } },
])

/** All tools of the preset that write themselves, in each of their ways to write. */
export const cutCases: readonly CutCase[] = [
  { title: 'new file', tool: 'write_file', input: () => ({ path: 'new.txt', content: LONG }), failure: 'whole', end: 'whole' },
  {
    ...{ title: 'new file in new directories', tool: 'write_file', failure: 'each path', end: 'each path' },
    input: () => ({ path: 'x/y/new.txt', content: 'new\n' }),
  },
  { title: 'replace', tool: 'write_file', input: () => ({ path: 'a.txt', content: LONG }), failure: 'whole', end: 'whole' },
  {
    ...{ title: 'append', tool: 'write_file', failure: 'whole', end: 'whole' },
    input: () => ({ path: 'a.txt', content: LONG, mode: 'append' }),
  },
  { title: 'one file', tool: 'edit_file', input: () => ({ path: 'a.txt', edits }), failure: 'whole', end: 'whole' },
  { title: 'several files', tool: 'apply_patch', input: () => ({ patch: PATCH }), failure: 'whole', end: 'each file' },
  { title: 'a file', tool: 'move_file', input: () => ({ from: 'a.txt', to: 'moved.txt' }), failure: 'whole', end: 'whole' },
  {
    ...{ title: 'a file over another', tool: 'move_file', failure: 'whole', end: 'whole' },
    input: () => ({ from: 'a.txt', to: 'b.txt', overwrite: true }),
  },
  { title: 'a directory', tool: 'move_file', input: () => ({ from: 'd', to: 'moved' }), failure: 'whole', end: 'whole' },
  { title: 'a file', tool: 'delete_file', input: () => ({ path: 'a.txt' }), failure: 'whole', end: 'whole' },
  {
    ...{ title: 'a directory', tool: 'delete_file', failure: 'each path', end: 'each path' },
    input: () => ({ path: 'd', recursive: true }),
  },
  {
    ...{ title: 'all files', tool: 'restore_checkpoint', failure: 'each path', end: 'each path' },
    prepare: changed,
    input: () => ({ checkpoint }),
  },
  { title: 'several files', tool: 'bundle', input: () => ({ folder: 'd' }), failure: 'whole', end: 'each path' },
  {
    ...{ title: 'a new tool', tool: 'create_persistent_tool', failure: 'whole', end: 'each path' },
    input: () => PERSISTENT,
  },
  {
    ...{ title: 'replace', tool: 'create_persistent_tool', failure: 'whole', end: 'each path' },
    prepare: (workspace) => workspace.writeText('made/twice.mjs', 'export const name = "twice"\n'),
    input: () => ({ ...PERSISTENT, overwrite: true }),
  },
  {
    ...{ title: 'first packages', tool: 'install_js_packages', failure: 'next install', end: 'next install' },
    input: () => ({ packages: ['a'] }),
  },
  {
    ...{ title: 'other versions', tool: 'install_js_packages', failure: 'next install', end: 'next install' },
    prepare: (workspace) => installPackages(workspace, { packages: ['a@1'], fetch, registry: REGISTRY }),
    input: () => ({ packages: ['a@2'] }),
  },
]

const output = (path: string, text: string): BuildOutput => ({ path, bytes: new TextEncoder().encode(text) })
/** A bundler with a fixed result, because esbuild does not run in every runtime. */
const bundler: Bundler = {
  build: async () => ({
    ok: true,
    errors: [],
    warnings: [],
    inputs: [],
    outputs: [output('assets/main.js', LONG), output('e.txt', 'built\n'), output('index.html', '<p>built')],
  }),
  dispose: async () => {},
}

type Make = () => FsAdapter | Promise<FsAdapter>

const FILES = { 'a.txt': 'one\n', 'b.txt': 'b\n', 'd/e.txt': 'four\n', 'd/g/h.txt': 'h\n' }

/** Path -> content; null for directories. */
async function treeOf(fs: FsAdapter, folder = '/'): Promise<ReadonlyMap<string, string | null>> {
  const tree = new Map<string, string | null>()
  for (const { name, kind } of await fs.readdir(folder)) {
    const path = `${folder === '/' ? '' : folder}/${name}`
    if (path === '/.toolport') continue
    if (kind === 'symlink') tree.set(path, `link to ${await fs.readlink?.(path)}`)
    else tree.set(path, kind === 'dir' ? null : new TextDecoder().decode(await fs.read(path)))
    if (kind === 'dir') for (const entry of await treeOf(fs, path)) tree.set(...entry)
  }
  return tree
}

type Left = Promised | 'lost'
type Tree = ReadonlyMap<string, string | null>
const isSame = (one: Tree, other: Tree): boolean =>
  one.size === other.size && [...one].every(([path, content]) => other.get(path) === content)

/** Matches temporary files that a call may leave: those of the storage and of `create_persistent_tool`. */
const LEFTOVER = /\/\.toolport-new-|\/\.[^/]+\.new\.[cm]?js$/

const outsideModules = (tree: Tree): Tree => new Map([...tree].filter(([path]) => !path.includes('/node_modules')))

function kept(now: Tree, before: Tree, after: Tree): Left {
  if (isSame(now, before) || isSame(now, after)) return 'whole'
  const paths = [...new Set([...now.keys(), ...before.keys(), ...after.keys()])].filter((path) => !LEFTOVER.test(path))
  const isOf = (tree: Tree, path: string): boolean => tree.has(path) === now.has(path) && tree.get(path) === now.get(path)
  const moved = paths.filter((path) => !isOf(before, path) && !isOf(after, path))
  if (moved.length === 0) return 'each path'
  const [old, found] = [new Set(before.values()), new Set(now.values())]
  const isMoved = moved.every((path) => after.has(path) && old.has(now.get(path) ?? ''))
  const isThere = [...before].every(([path, content]) => found.has(content) || isOf(after, path))
  return isMoved && isThere ? 'each file' : 'lost'
}

const worst = (one: Left, other: Left): Left => (ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other)

function opened(fs: FsAdapter): { readonly workspace: Workspace; readonly runtime: ToolRuntime } {
  const host = createTestHost()
  const workspace = createWorkspace({ fs, root: '/workspace', host })
  const preset = standard({ jsTools: { registry: REGISTRY }, customTools: { directory: 'made' } })
  return { workspace, runtime: createRuntime({ workspace, preset, host, bundler, fetch, js: createQuickJs(quickJs) }) }
}

/** Whether files outside of `node_modules` are intact, and the same install completes everything. */
async function isMendedByNext(
  storage: FsAdapter,
  input: CutCase['input'],
  { now, before, after }: { readonly [when in 'now' | 'before' | 'after']: Tree },
): Promise<boolean> {
  const { workspace, runtime } = opened(storage)
  const { ok } = await runtime.execute({ name: 'install_js_packages', input: input(workspace) })
  const [left, old, wanted] = [now, before, after].map(outsideModules) as [Tree, Tree, Tree]
  return ok && worst(kept(left, old, wanted), 'each path') === 'each path' && isSame(await treeOf(storage), after)
}

/** Runs the tool once for each storage operation and each fault. Returns the worst resulting state. */
async function leftBy({ prepare, tool, input }: CutCase, make: Make, faults: readonly FaultKind[], every: number): Promise<Left> {
  let [before, after]: (Tree | undefined)[] = []
  let left: Left = 'whole'
  const body = async (cut: Faults): Promise<void> => {
    cut.stop()
    const storage = await make()
    const { workspace, runtime } = opened(withFaults(storage, cut))
    for (const [path, text] of Object.entries(FILES)) await workspace.writeText(path, text)
    await prepare?.(workspace)
    before ??= await treeOf(storage)
    cut.start()
    const { ok } = await runtime.execute({ name: tool, input: input(workspace) })
    cut.stop()
    const now = await treeOf(storage)
    if (cut.fired.length === 0) expect([ok, isSame(now, before)]).toEqual([true, false])
    after ??= now
    const found = kept(now, before, after)
    const isMended = found === 'lost' && tool === 'install_js_packages' && (await isMendedByNext(storage, input, { now, before, after }))
    left = worst(left, isMended ? 'next install' : found)
    await runtime.dispose()
  }
  const { operations } = await forEachFault(body, { faults, every })
  expect(operations).toBeGreaterThan(0)
  return left
}

/** Expects that no interruption leaves a worse state than promised. `every`: interrupts only every nth operation. */
export async function expectPromises(one: CutCase, make: Make, every = 1): Promise<void> {
  const left = {
    failure: await leftBy(one, make, ['EIO', 'unacknowledged'], every),
    end: await leftBy(one, make, ['disconnect', 'kill'], every),
  }
  for (const when of ['failure', 'end'] as const) expect(worst(left[when], one[when]), `${when}: ${left[when]}`).toBe(one[when])
}
