import { createRuntime, fileTools, type ShellAdapter, type ToolRuntime } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createBrowserRuntime } from 'toolport/browser'
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

/** One in-memory workspace with the tools on it, and the files it began with. */
export interface Session {
  readonly name: string
  readonly files: Files
  /** The standard tools. The terminal runs its `bash`, whatever the preset. */
  readonly runtime: Runtime
  readonly workspace: Workspace
  /**
   * The agent of a preset: made when it is first asked for and kept, so what it knows (its directory, the versions it has read) is still
   * there when the preset is chosen again. All share the workspace and the shell, each with a shell session of its own.
   */
  agent(preset: LoadedPreset): Agent
  /** A runtime with our own file tools that has read nothing yet, to try things out. It needs no closing. */
  fresh(): Runtime
  /** What the workspace holds now, compared with what it began with. */
  snapshot(): Promise<Snapshot>
  /** The file as it was loaded. */
  original(path: string): string | Uint8Array | undefined
  close(): Promise<void>
}

const encoder = new TextEncoder()
const toBytes = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? encoder.encode(content) : content)

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

const MIB = 1024 * 1024
/** Of the shell's private directories, such as `/tmp`. */
const SCRATCH = { maxBytes: 64 * MIB, maxFiles: 10_000 }

function sameVersions(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, version]) => b.get(path) === version)
}

export function createSession(name: string, files: Files): Session {
  let shared: ShellAdapter | undefined
  const shell = (workspace: Workspace): ShellAdapter => {
    shared ??= createJustBashShell({ scratch: createMemoryFs(SCRATCH) })(workspace)
    return shared
  }
  const runtime = createBrowserRuntime({ storage: 'memory', files, shell })
  const { workspace } = runtime
  const agents = new Map<string, Agent>([[STANDARD, { preset: STANDARD, runtime }]])
  let seen = new Map<string, string>()
  let revision = 0
  /** Path -> version that is known to hold the original bytes. */
  const unchanged = new Map<string, string>()
  let loaded = false

  async function compare(path: string, version: string): Promise<Change | undefined> {
    const original = Object.hasOwn(files, path) ? files[path] : undefined
    if (original === undefined) return 'added'
    if (unchanged.get(path) === version) return undefined
    if (loaded && !sameBytes(toBytes(original), (await workspace.readBytes(path)).bytes)) return 'modified'
    unchanged.set(path, version)
    return undefined
  }

  async function snapshot(): Promise<Snapshot> {
    const entries: TreeEntry[] = []
    const changes = new Map<string, Change>()
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
        const change = await compare(path, stat.version ?? `${stat.size}:${stat.mtimeMs}`)
        if (change) changes.set(path, change)
      }
    }
    const present = new Set(entries.map((entry) => entry.path))
    for (const path of Object.keys(files)) if (!present.has(path)) changes.set(path, 'deleted')
    loaded = true
    if (!sameVersions(seen, versions)) revision += 1
    seen = versions
    return { entries, changes, files: count, bytes, revision }
  }

  function agent({ choice: { name: preset }, parts }: LoadedPreset): Agent {
    const known = agents.get(preset)
    if (known) return known
    const made = { preset, runtime: createRuntime({ ...parts?.(), workspace, shell }) }
    agents.set(preset, made)
    return made
  }

  return {
    name,
    files,
    runtime,
    workspace,
    agent,
    fresh: () => createRuntime({ workspace, tools: fileTools() }),
    snapshot,
    original: (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
    async close() {
      await Promise.all([...agents.values()].map((one) => one.runtime.dispose()))
    },
  }
}
