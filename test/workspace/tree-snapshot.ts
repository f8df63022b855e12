import { type FsAdapter, FsError } from 'toolport'
import type { EntryImage, TreeChange } from '../../src/types/checkpoint.js'

export interface Entry extends EntryImage {
  readonly bytes: Uint8Array
}

export type Snapshot = ReadonlyMap<string, Entry>

const encoder = new TextEncoder()

/** All entries by adapter path, including the root, without times and versions. */
export async function snapshot(fs: FsAdapter, path = '/', into: Map<string, Entry> = new Map()): Promise<Snapshot> {
  const { kind, size, mode } = await fs.lstat(path)
  const target = kind === 'symlink' ? await fs.readlink?.(path) : undefined
  const bytes = kind === 'file' ? await fs.read(path) : encoder.encode(target ?? '')
  into.set(path, { kind, size, bytes, ...(mode !== undefined && { mode }), ...(target !== undefined && { target }) })
  if (kind !== 'dir') return into
  const entries = [...(await fs.readdir(path))].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name } of entries) await snapshot(fs, path === '/' ? `/${name}` : `${path}/${name}`, into)
  return into
}

/** The entries as a failed test prints them. */
export function shown(tree: Snapshot): string[] {
  return [...tree].map(([path, { kind, mode, bytes }]) => `${path} ${kind} ${mode?.toString(8)} ${[...bytes.slice(0, 40)]}/${bytes.length}`)
}

export interface Changes {
  readonly changes: readonly TreeChange[]
  read(path: string): Promise<Uint8Array>
  readBefore(path: string): Promise<Uint8Array>
}

/** The changes from one tree to another, as they are applied to a workspace with this root. */
export function changesBetween(before: Snapshot, after: Snapshot, root = '/workspace'): Changes {
  const virtual = (path: string): string => (path === '/' ? root : root + path)
  const changes: TreeChange[] = []
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(path), after.get(path)]
    if (old && now && same(old, now)) continue
    changes.push({ path: virtual(path), ...(old && { before: image(old) }), ...(now && { after: image(now) }) })
  }
  const reader = (tree: Snapshot) => async (path: string) => {
    const entry = tree.get(path.slice(root.length) || '/')
    if (entry?.kind !== 'file') throw new FsError({ code: 'ENOENT', op: 'read', path })
    return entry.bytes.slice()
  }
  return { changes, read: reader(after), readBefore: reader(before) }
}

const image = ({ bytes: _, ...image }: Entry): EntryImage => image

function same(a: Entry, b: Entry): boolean {
  return a.kind === b.kind && a.mode === b.mode && a.bytes.length === b.bytes.length && a.bytes.every((byte, i) => byte === b.bytes[i])
}
