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
  /** Milliseconds for a call about which nobody is asked; default the runtime's own. */
  readonly deadlineMs?: number
}

/** An agent about whose calls a person may be asked. */
export interface GuardedAgent extends Agent {
  readonly deadlineMs: number
  readonly gate: CallGate
  /** Its preset asks by itself. */
  readonly asks: boolean
}

/** One whose shell session a terminal shows. */
export interface TerminalAgent extends Agent {
  readonly look: ShellLook
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
  /** Shows the app of the workspace. */
  readonly preview: LatePreview
  readonly bundler: Bundler
  /** The HTTP servers of its programs. */
  readonly servers: LocalServers
  /** The agent with those tools. */
  readonly standard: TerminalAgent
  /**
   * The agent of a preset: made when it is first asked for and kept, so what it knows (its directory, the versions it has read) is still
   * there when the preset is chosen again. All share the workspace and the shell, each with a shell session of its own.
   */
  agent(preset: LoadedPreset): GuardedAgent
  /** An agent with the shell tools of the standard set, and a shell session of its own: for one terminal more. */
  another(): TerminalAgent
  /** An agent with the standard tools under a policy: for a conversation with a model. A person may be asked in the middle of its calls. */
  conversing(options: (tools: Preset['tools']) => Pick<CreateRuntimeOptions, 'policy' | 'hooks'>): Agent
  /** What conversations that begin from now on have beside the standard tools. */
  converseWith(more: () => Preset['tools']): void
  /** A runtime with our own file tools that has read nothing yet, to try things out. It needs no closing. */
  fresh(): Runtime
  /** What the workspace holds now, compared with what it began with. */
  snapshot(): Promise<Snapshot>
  /** A file that has changed, as it was in the beginning. Undefined: it has not changed, or was not there. */
  original(path: string): Promise<Uint8Array | undefined>
  /** The id of the checkpoint of its beginning, or of the oldest one that is kept. */
  beginning(): Promise<string>
  /** The oldest first, those before calls under the name of the newest call that they are before. */
  checkpoints(): Promise<readonly Checkpoint[]>
  /** A call or a command in the background is under way. */
  readonly isRunning: boolean
  /** Ends the background jobs, and waits for calls that have been told to end: for a while. */
  settle(): Promise<void>
  /** Makes everything what it was in the beginning. */
  startOver(): Promise<Restored>
  close(): Promise<void>
}

const MIB = 1024 * 1024
/** Of a workspace in memory. */
const QUOTAS = { bytes: 256 * MIB, files: 100_000 }

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
  /** The id of the checkpoint of its beginning, where that is an earlier one; default one that is made now. */
  readonly beginning?: string | undefined
}

/** How many checkpoints are kept: one is made before every call that writes. */
export const KEPT_CHECKPOINTS = 200
const CHECKPOINTS = { automatic: true, keep: KEPT_CHECKPOINTS }

/** How long calls that were told to end are waited for, and how often that is looked at. */
const SETTLE_MS = 2000
const SETTLE_STEP_MS = 20

/** Room for a program that runs for five minutes, the longest that there is. */
const DEADLINE_MS = 310_000
/** Room for a person who is asked during the call. */
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
    madeBundler ??= lateBundler(workspace)
    return madeBundler
  }
  const jsTools: JsToolsOptions = { grants: GRANTS, ...(packages && { registry: packages.registry }) }
  const standardTools = (): Preset => standard({ jsTools, customTools: { grants: GRANTS } })
  /** What a command of the shell asks for, of the tool. */
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
        // Only names: no call waits for them, nor fails without them.
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
        // It has gone since it was listed.
        if (entry.kind === 'file' && !stat) continue
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
    // Storage in memory never waits: what has come before this and what comes after it would block the page together.
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
