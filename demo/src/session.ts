import {
  type Bundler,
  type Checkpoint,
  type CreateRuntimeOptions,
  createLocalServers,
  createRuntime,
  defaultLimits,
  type FsAdapter,
  fileTools,
  type JsAdapter,
  type JsToolsOptions,
  type LocalServers,
  type Preset,
  type Restored,
  type RuntimeHooks,
  type ShellAdapter,
  shellTools,
  type ToolRuntime,
  type TreeDiff,
  toModelText,
} from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { standard } from 'toolport/presets/standard'
import { nextCallId } from './calls.js'
import type { Home } from './homes/homes.js'
import { GRANTS } from './javascript/grants.js'
import { lateQuickJs } from './javascript/late-quickjs.js'
import { ignoreMissing } from './missing.js'
import { createPace, giveWay } from './pace.js'
import type { PackageSource } from './packages/registry.js'
import { type LoadedPreset, type PresetParts, STANDARD } from './presets/choice.js'
import { lateBundler } from './preview/late-bundler.js'
import { type LatePreview, latePreview } from './preview/late-preview.js'
import { lateShell } from './shell/late-shell.js'
import { type ShellLook, watchShell } from './terminal/shell-look.js'
import type { CallNames } from './timeline/call-names.js'
import { type CallGate, createCallGate } from './tools/call-gate.js'

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
  /** All entries below the root, parents before children. */
  readonly entries: readonly TreeEntry[]
  /** Relative path -> change since the workspace was loaded. */
  readonly changes: ReadonlyMap<string, Change>
  /** Relative path -> version, which differs after each change of the entry. */
  readonly versions: ReadonlyMap<string, string>
  /** Relative paths of entries that the last observed change added or modified. Empty before the first change. */
  readonly latest: ReadonlySet<string>
  readonly files: number
  readonly bytes: number
  /** Increases with every observed change of the workspace. */
  readonly revision: number
}

/** A caller of tools: a runtime with the tools of one preset. */
export interface Agent {
  readonly preset: string
  readonly runtime: Runtime
  /** Deadline for calls without approval, milliseconds. Default: the deadline of the runtime. */
  readonly deadlineMs?: number
}

/** An agent whose calls may need the user's approval. */
export interface GuardedAgent extends Agent {
  readonly deadlineMs: number
  readonly gate: CallGate
  /** Whether the preset asks for approval itself, by its tools or by its own policy. */
  readonly asks: boolean
}

/** An agent whose shell session is shown in a terminal. */
export interface TerminalAgent extends Agent {
  readonly look: ShellLook
}

/** A workspace and its tools. */
export interface Session {
  readonly name: string
  readonly home: Home
  /** Some initial files of the workspace, for use in examples. */
  readonly files: Files
  /** The standard tools. The terminal runs their `bash`, whatever the preset. */
  readonly runtime: Runtime
  readonly workspace: Workspace
  /** Shows the app of the workspace. */
  readonly preview: LatePreview
  readonly bundler: Bundler
  /** The HTTP servers that programs of the workspace have started. */
  readonly servers: LocalServers
  /** The agent with the standard tools. */
  readonly standard: TerminalAgent
  /**
   * The agent of a preset, created on first use and reused, so its state (working directory, file versions it has read) survives switching
   * presets. All agents share the workspace and the shell; each has a shell session of its own.
   */
  agent(preset: LoadedPreset): GuardedAgent
  /** Creates an agent with the standard shell tools and a separate shell session, for another terminal. */
  another(): TerminalAgent
  /** Creates an agent with the standard tools under a policy, for a conversation with a model. Its calls may ask the user. */
  conversing(options: (tools: Preset['tools']) => Pick<CreateRuntimeOptions, 'policy' | 'hooks'>): Agent
  /** Sets the additional tools of future conversations. */
  converseWith(more: () => Preset['tools']): void
  /** A runtime with the standard file tools that has read no files yet, for dry runs. Needs no closing. */
  fresh(): Runtime
  /** The current state of the workspace, compared with its initial state. */
  snapshot(): Promise<Snapshot>
  /** The original content of a changed file. Undefined if the file is unchanged or new. */
  original(path: string): Promise<Uint8Array | undefined>
  /** Id of the checkpoint of the workspace's initial state. If that is no longer stored, id of the oldest checkpoint. */
  beginning(): Promise<string>
  /** All checkpoints, oldest first. A checkpoint that precedes calls is named after the last one of them. */
  checkpoints(): Promise<readonly Checkpoint[]>
  /** Whether a call or a background command is running. */
  readonly isRunning: boolean
  /** Stops background jobs and waits, up to a limit, for calls that are being stopped. */
  settle(): Promise<void>
  /** Restores the initial state of the workspace. */
  startOver(): Promise<Restored>
  close(): Promise<void>
}

const MIB = 1024 * 1024
/** Quotas of an in-memory workspace. */
const QUOTAS = { bytes: 256 * MIB, files: 100_000 }

/** The paths that are new or different in `b`. */
function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set([...b].filter(([path, version]) => a.get(path) !== version).map(([path]) => path))
}

function sameVersions(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, version]) => b.get(path) === version)
}

/** The parts of a session. Default: an empty in-memory workspace. */
export interface SessionParts {
  readonly files?: Files
  readonly home?: Home
  /** Storage adapter. Default: memory, with `files`. */
  readonly fs?: FsAdapter
  /** Package registry. Default: none, so no packages can be installed. */
  readonly packages?: PackageSource | undefined
  /** Id of an existing checkpoint of the workspace's initial state. Default: a new checkpoint. */
  readonly beginning?: string | undefined
}

/** Number of checkpoints to keep. One is taken before every call that writes. */
export const KEPT_CHECKPOINTS = 200
const CHECKPOINTS = { automatic: true, keep: KEPT_CHECKPOINTS }

/** How long to wait for calls that are being stopped, and the polling interval, milliseconds. */
const SETTLE_MS = 2000
const SETTLE_STEP_MS = 20

/** Milliseconds. Lets a program use its maximum timeout of five minutes. */
const DEADLINE_MS = 310_000
/** Leaves the user an hour to answer during a call. */
const ASKING_LIMITS = { deadlineMs: 3_600_000 }

export function createSession(
  name: string,
  { files = {}, home = { kind: 'memory', name }, fs, packages, ...parts }: SessionParts,
): Session {
  let madeShell: ShellAdapter | undefined
  let madeJs: JsAdapter | undefined
  let madeBundler: Bundler | undefined
  const servers = createLocalServers()
  const preview = latePreview()
  const shell = (workspace: Workspace): ShellAdapter => {
    madeShell ??= lateShell(workspace, { js, servers, show: preview.open, install })
    return madeShell
  }
  const js = (workspace: Workspace): JsAdapter => {
    madeJs ??= lateQuickJs(workspace, servers)
    return madeJs
  }
  const bundler = (workspace: Workspace): Bundler => {
    madeBundler ??= lateBundler(workspace, js(workspace))
    return madeBundler
  }
  const jsTools: JsToolsOptions = { grants: GRANTS, ...(packages && { registry: packages.registry }) }
  const standardTools = (): Preset => standard({ jsTools, customTools: { grants: GRANTS } })
  /** Runs the install tool for a shell command. */
  async function install(names: readonly string[], signal: AbortSignal): Promise<string> {
    const result = await runtime.execute({ id: nextCallId(), name: 'install_js_packages', input: { packages: names } }, { signal })
    if (!result.ok) throw new Error(result.error)
    return `${toModelText(result)}\n`
  }
  const look = watchShell(shell)
  const storage = fs ? { fs } : { fs: createMemoryFs({ files }), quotas: QUOTAS }
  const ours = standardTools()
  const gate = createCallGate()
  let names: Promise<CallNames | undefined> | undefined
  const runtime = createRuntime({
    ...storage,
    preset: ours,
    policy: gate.policyFor(ours.tools, undefined, ['web_search']),
    shell: look.shell,
    js,
    preview,
    bundler,
    ...(packages && { fetch: packages.fetch }),
    checkpoints: CHECKPOINTS,
    hooks: watching(),
    limits: ASKING_LIMITS,
  })
  const { workspace, sessions } = runtime
  const terminalAgent: TerminalAgent = { preset: STANDARD, runtime, look }
  const guarded = new Map<string, GuardedAgent>([[STANDARD, { preset: STANDARD, runtime, gate, asks: false, deadlineMs: DEADLINE_MS }]])
  const others: Agent[] = []
  let seen = new Map<string, string>()
  let revision = 0
  let latest: ReadonlySet<string> = new Set()
  let beginning = parts.beginning === undefined ? undefined : Promise.resolve(parts.beginning)
  let changed: TreeDiff | undefined
  let calls = 0
  let more: () => Preset['tools'] = () => []

  const shared = (): Pick<CreateRuntimeOptions, 'workspace' | 'shell' | 'js' | 'preview' | 'bundler' | 'fetch' | 'sessions'> => ({
    workspace,
    shell,
    js,
    preview,
    bundler,
    ...(packages && { fetch: packages.fetch }),
    sessions,
  })

  function watching(next?: RuntimeHooks): RuntimeHooks {
    return {
      ...next,
      onEvent(event) {
        if (event.type === 'call_start') calls += 1
        else if (event.type === 'call_end') calls -= 1
        next?.onEvent?.(event)
      },
      async checkpoint(call) {
        // Loads in the background: calls neither wait for names nor fail without them.
        names ??= import('./timeline/call-names.js').then(
          (part) => part.createCallNames(),
          () => undefined,
        )
        const before = (await workspace.checkpoints()).at(-1)
        void names.then((known) => known?.note(before, call))
        await next?.checkpoint?.(call)
      },
    }
  }

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
    const pace = createPace()
    for await (const batch of workspace.walk(workspace.root, { ignore: false })) {
      await pace()
      const stats = await Promise.all(
        batch.map((entry) => (entry.kind === 'file' ? workspace.lstat(entry.path).catch(ignoreMissing) : undefined)),
      )
      for (const [index, entry] of batch.entries()) {
        const path = workspace.relative(entry.path)
        const stat = stats[index]
        // The entry was deleted after it was listed.
        if (entry.kind === 'file' && !stat) continue
        entries.push({ path, kind: entry.kind, size: stat?.size ?? 0 })
        versions.set(path, stat?.version ?? `${entry.kind}:${stat?.mtimeMs ?? ''}`)
        if (!stat) continue
        count += 1
        bytes += stat.size
      }
    }
    if (!sameVersions(seen, versions)) {
      // In the first snapshot, every entry would count as new.
      if (revision > 0) latest = differing(seen, versions)
      revision += 1
    }
    seen = versions
    // Yields, because in-memory storage never does and the page would block.
    await giveWay()
    return { entries, changes: changesOf(changed, workspace), versions, latest, files: count, bytes, revision }
  }

  async function original(path: string): Promise<Uint8Array | undefined> {
    const change = changed?.changes.find((one) => workspace.relative(one.path) === path)
    return change?.before?.kind === 'file' ? changed?.read(change.path, 'before') : undefined
  }

  function agent({ choice: { name: preset, searches }, parts }: LoadedPreset): GuardedAgent {
    const known = guarded.get(preset)
    if (known) return known
    const gate = createCallGate()
    const { asks = false, ...own }: Partial<PresetParts> = parts?.(jsTools, gate.approve) ?? {}
    const policy = gate.policyFor(own.preset?.tools ?? [], own.policy, Object.keys(searches?.tools ?? {}))
    const made = {
      preset,
      runtime: createRuntime({ ...own, ...shared(), policy, hooks: watching(), limits: ASKING_LIMITS, checkpoints: { automatic: true } }),
      gate,
      asks: asks || own.policy !== undefined,
      deadlineMs: own.preset?.limits?.deadlineMs ?? defaultLimits.deadlineMs,
    }
    guarded.set(preset, made)
    return made
  }

  function another(): TerminalAgent {
    const own = watchShell(shell)
    const made = {
      preset: `terminal ${others.length + 2}`,
      runtime: createRuntime({ tools: shellTools(), ...shared(), shell: own.shell, hooks: watching(), checkpoints: { automatic: true } }),
      look: own,
    }
    others.push(made)
    return made
  }

  function conversing(options: (tools: Preset['tools']) => Pick<CreateRuntimeOptions, 'policy' | 'hooks'>): Agent {
    const basis = standardTools()
    const preset = { ...basis, tools: [...basis.tools, ...more()] }
    const parts = { preset, checkpoints: { automatic: true }, limits: ASKING_LIMITS }
    const own = options(preset.tools)
    const made = {
      preset: `conversation ${others.length + 2}`,
      runtime: createRuntime({ ...parts, ...shared(), ...own, hooks: watching(own.hooks) }),
    }
    others.push(made)
    return made
  }

  return {
    name,
    home,
    files,
    runtime,
    workspace,
    preview,
    bundler: bundler(workspace),
    servers,
    standard: terminalAgent,
    agent,
    another,
    conversing,
    converseWith(tools) {
      more = tools
    },
    fresh: () => createRuntime({ workspace, tools: fileTools() }),
    snapshot,
    original,
    beginning: first,
    async checkpoints() {
      const known = await names
      const kept = await workspace.checkpoints()
      return known ? kept.map(known.named) : kept
    },
    get isRunning() {
      return calls > 0 || sessions.list().some(({ info }) => info.state === 'running')
    },
    async settle() {
      await sessions.dispose()
      const until = performance.now() + SETTLE_MS
      while (calls > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, SETTLE_STEP_MS))
    },
    startOver: async () => workspace.restore(await first()),
    async close() {
      await Promise.all([...guarded.values(), ...others].map((one) => one.runtime.dispose()))
      await madeBundler?.dispose()
    },
  }
}

function changesOf({ changes }: TreeDiff, workspace: Workspace): ReadonlyMap<string, Change> {
  const files = changes.filter(({ before, after }) => (after ?? before)?.kind !== 'dir')
  return new Map(
    files.map(({ path, before, after }) => [workspace.relative(path), !before ? 'added' : !after ? 'deleted' : 'modified'] as const),
  )
}
