import {
  type CreateRuntimeOptions,
  createRuntime,
  createWorkspace,
  type FsAdapter,
  fileTools,
  type JsAdapter,
  type JsToolsOptions,
  type Preset,
  type ShellAdapter,
  shellTools,
  type ToolRuntime,
  type TreeDiff,
} from 'toolport'
import { createJustBashShell, jsCommands } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createBrowserRuntime } from 'toolport/browser'
import { standard } from 'toolport/presets/standard'
import { choiceOf, type Home, MEMORY } from './homes/homes.js'
import { GRANTS } from './javascript/grants.js'
import { lateQuickJs } from './javascript/late-quickjs.js'
import type { PackageSource } from './packages/registry.js'
import { type LoadedPreset, STANDARD } from './presets/choice.js'

type Runtime = ToolRuntime
export type Workspace = Runtime['workspace']
export type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>
export type Change = 'added' | 'modified' | 'deleted'

export interface TreeEntry {
  /** Relative to the root. */
  readonly path: string
  readonly kind: 'file' | 'dir' | 'symlink'
  readonly size: number
}

export interface Snapshot {
  /** Every entry below the root, a directory before its content. */
  readonly entries: readonly TreeEntry[]
  /** Relative path -> what happened to the file since the workspace was loaded. */
  readonly changes: ReadonlyMap<string, Change>
  /** Relative path -> another text whenever the entry has changed. */
  readonly versions: ReadonlyMap<string, string>
  /** Relative paths of what is new or different since the last change that a look has found. Empty: there was none yet. */
  readonly latest: ReadonlySet<string>
  readonly files: number
  readonly bytes: number
  /** Another number whenever anything in the workspace has changed since the last look. */
  readonly revision: number
}

/** Who calls: a runtime with the tools of one preset. */
export interface Agent {
  readonly preset: string
  readonly runtime: Runtime
}

/** One workspace with the tools on it. */
export interface Session {
  readonly name: string
  readonly home: Home
  /** Some of the files that it began with, for examples to name. */
  readonly files: Files
  /** The standard tools. The terminal runs its `bash`, whatever the preset. */
  readonly runtime: Runtime
  readonly workspace: Workspace
  /**
   * The agent of a preset: made when it is first asked for and kept, so what it knows (its directory, the versions it has read) is still
   * there when the preset is chosen again. All share the workspace and the shell, each with a shell session of its own.
   */
  agent(preset: LoadedPreset): Agent
  /** An agent with the shell tools of the standard set, and a shell session of its own: for one terminal more. */
  another(): Agent
  /** An agent with the standard tools under a policy: for a conversation with a model. A person may be asked in the middle of its calls. */
  conversing(options: (tools: Preset['tools']) => Pick<CreateRuntimeOptions, 'policy' | 'hooks'>): Agent
  /** A runtime with our own file tools that has read nothing yet, to try things out. It needs no closing. */
  fresh(): Runtime
  /** What the workspace holds now, compared with what it began with. */
  snapshot(): Promise<Snapshot>
  /** A file that has changed, as it was in the beginning. Undefined: it has not changed, or was not there. */
  original(path: string): Promise<Uint8Array | undefined>
  /** Makes everything what it was in the beginning. */
  startOver(): Promise<void>
  close(): Promise<void>
}

const MIB = 1024 * 1024
/** Of the shell's private directories, such as `/tmp`. */
const SCRATCH = { maxBytes: 64 * MIB, maxFiles: 10_000 }

/** What is new or another one in `b`. */
function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set([...b].filter(([path, version]) => a.get(path) !== version).map(([path]) => path))
}

function sameVersions(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, version]) => b.get(path) === version)
}

/** What a workspace is made of; default an empty one in memory. */
export interface SessionParts {
  readonly files?: Files
  readonly home?: Home
  /** The storage; default memory, with the files. */
  readonly fs?: FsAdapter
  /** Default: no packages can be installed. */
  readonly packages?: PackageSource | undefined
}

/** How many checkpoints are kept: one is made before every call that writes. */
const CHECKPOINTS = { automatic: true, keep: 200 }

/** Room for a program that runs for five minutes, the longest that there is. */
const LIMITS = { deadlineMs: 310_000 }
/** Room for a person who is asked during the call. */
const CONVERSING_LIMITS = { deadlineMs: 3_600_000 }

export function createSession(name: string, { files = {}, home = MEMORY, fs, packages }: SessionParts): Session {
  let madeShell: ShellAdapter | undefined
  let madeJs: JsAdapter | undefined
  const shell = (workspace: Workspace): ShellAdapter => {
    madeShell ??= createJustBashShell({ scratch: createMemoryFs(SCRATCH), worker: 'auto', commands: jsCommands(js) })(workspace)
    return madeShell
  }
  const js = (workspace: Workspace): JsAdapter => {
    madeJs ??= lateQuickJs(workspace)
    return madeJs
  }
  const jsTools: JsToolsOptions = { grants: GRANTS, ...(packages && { registry: packages.registry }) }
  const standardTools = (): Preset => standard({ jsTools, customTools: { grants: GRANTS } })
  const storage = fs ? { storage: fs } : { storage: 'memory' as const, files }
  const runtime = createBrowserRuntime({
    ...storage,
    preset: standardTools(),
    shell,
    js,
    ...(packages && { fetch: packages.fetch }),
    checkpoints: CHECKPOINTS,
    limits: LIMITS,
  })
  const { workspace, sessions } = runtime
  const agents = new Map<string, Agent>([[STANDARD, { preset: STANDARD, runtime }]])
  let seen = new Map<string, string>()
  let revision = 0
  let latest: ReadonlySet<string> = new Set()
  let beginning: Promise<string> | undefined
  let changed: TreeDiff | undefined
  let others = 1

  const shared = (): Pick<CreateRuntimeOptions, 'workspace' | 'shell' | 'js' | 'fetch' | 'sessions'> => ({
    workspace,
    shell,
    js,
    ...(packages && { fetch: packages.fetch }),
    sessions,
  })

  /** The checkpoint of the beginning, or the oldest one that is kept. */
  async function first(): Promise<string> {
    beginning ??= workspace.checkpoint({ label: 'Opened', reuse: true }).then(({ id }) => id)
    const id = await beginning
    const kept = await workspace.checkpoints()
    return kept.some((one) => one.id === id) ? id : (kept[0]?.id ?? id)
  }

  async function snapshot(): Promise<Snapshot> {
    changed = await workspace.diff(await first())
    const entries: TreeEntry[] = []
    const versions = new Map<string, string>()
    let count = 0
    let bytes = 0
    for await (const batch of workspace.walk(workspace.root, { ignore: false })) {
      const stats = await Promise.all(batch.map((entry) => (entry.kind === 'file' ? workspace.lstat(entry.path) : undefined)))
      for (const [index, entry] of batch.entries()) {
        const path = workspace.relative(entry.path)
        const stat = stats[index]
        entries.push({ path, kind: entry.kind, size: stat?.size ?? 0 })
        versions.set(path, stat?.version ?? `${entry.kind}:${stat?.mtimeMs ?? ''}`)
        if (!stat) continue
        count += 1
        bytes += stat.size
      }
    }
    if (!sameVersions(seen, versions)) {
      // All is new to the first look.
      if (revision > 0) latest = differing(seen, versions)
      revision += 1
    }
    seen = versions
    return { entries, changes: changesOf(changed, workspace), versions, latest, files: count, bytes, revision }
  }

  async function original(path: string): Promise<Uint8Array | undefined> {
    const change = changed?.changes.find((one) => workspace.relative(one.path) === path)
    return change?.before?.kind === 'file' ? changed?.read(change.path, 'before') : undefined
  }

  function agent({ choice: { name: preset }, parts }: LoadedPreset): Agent {
    const known = agents.get(preset)
    if (known) return known
    const made = { preset, runtime: createRuntime({ ...parts?.(jsTools), ...shared(), checkpoints: { automatic: true } }) }
    agents.set(preset, made)
    return made
  }

  function another(): Agent {
    const made = {
      preset: `terminal ${++others}`,
      runtime: createRuntime({ tools: shellTools(), ...shared(), checkpoints: { automatic: true } }),
    }
    agents.set(made.preset, made)
    return made
  }

  function conversing(options: (tools: Preset['tools']) => Pick<CreateRuntimeOptions, 'policy' | 'hooks'>): Agent {
    const preset = standardTools()
    const parts = { preset, checkpoints: { automatic: true }, limits: CONVERSING_LIMITS }
    const made = { preset: `conversation ${++others}`, runtime: createRuntime({ ...parts, ...shared(), ...options(preset.tools) }) }
    agents.set(made.preset, made)
    return made
  }

  return {
    name,
    home,
    files,
    runtime,
    workspace,
    agent,
    another,
    conversing,
    fresh: () => createRuntime({ workspace, tools: fileTools() }),
    snapshot,
    original,
    startOver: async () => void (await workspace.restore(await first())),
    async close() {
      await Promise.all([...agents.values()].map((one) => one.runtime.dispose()))
    },
  }
}

function changesOf({ changes }: TreeDiff, workspace: Workspace): ReadonlyMap<string, Change> {
  const files = changes.filter(({ before, after }) => (after ?? before)?.kind !== 'dir')
  return new Map(
    files.map(({ path, before, after }) => [workspace.relative(path), !before ? 'added' : !after ? 'deleted' : 'modified'] as const),
  )
}

/** Opens a kept workspace. One that holds nothing yet is given these files. */
export async function openSession(home: Home, seed: Files, packages: PackageSource | undefined): Promise<Session> {
  const fs = await choiceOf(home.kind).create(home.name)
  try {
    await fs.open?.()
    const isNew = (await fs.readdir('/')).length === 0
    const workspace = createWorkspace({ fs })
    if (isNew) await Promise.all(Object.entries(seed).map(([path, content]) => write(workspace, path, content)))
    await workspace.flush()
    return createSession(home.name, { fs, home, packages, files: isNew ? seed : await someFiles(workspace) })
  } catch (error) {
    await fs.close().catch(() => undefined)
    throw error
  }
}

async function write(workspace: Workspace, path: string, content: string | Uint8Array): Promise<void> {
  if (typeof content === 'string') await workspace.writeText(path, content)
  else await workspace.writeBytes(path, content)
}

const SOME = 300
const SOME_BYTES = 64 * 1024

/** Enough for examples. */
async function someFiles(workspace: Workspace): Promise<Files> {
  const files: [string, string][] = []
  for await (const run of workspace.walk(workspace.root)) {
    for (const { path, kind } of run) {
      if (kind !== 'file') continue
      const text = await workspace.readText(path, { maxBytes: SOME_BYTES }).catch(() => undefined)
      if (text) files.push([workspace.relative(path), text.text])
      if (files.length === SOME) return Object.fromEntries(files)
    }
  }
  return Object.fromEntries(files)
}
