import { createBrowserRuntime } from 'toolport/browser'

type Runtime = ReturnType<typeof createBrowserRuntime>
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
}

/** One in-memory workspace with the tools on it, and the files it began with. */
export interface Session {
  readonly name: string
  readonly files: Files
  readonly runtime: Runtime
  readonly workspace: Workspace
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

export function createSession(name: string, files: Files): Session {
  const runtime = createBrowserRuntime({ storage: 'memory', files })
  const { workspace } = runtime
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
    let count = 0
    let bytes = 0
    for await (const batch of workspace.walk(workspace.root, { ignore: false })) {
      const stats = await Promise.all(batch.map((entry) => (entry.kind === 'file' ? workspace.lstat(entry.path) : undefined)))
      for (const [index, entry] of batch.entries()) {
        const path = workspace.relative(entry.path)
        const stat = stats[index]
        entries.push({ path, kind: entry.kind, size: stat?.size ?? 0 })
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
    return { entries, changes, files: count, bytes }
  }

  return {
    name,
    files,
    runtime,
    workspace,
    snapshot,
    original: (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
    close: () => runtime.dispose(),
  }
}
