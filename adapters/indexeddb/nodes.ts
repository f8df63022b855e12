import type { FsStat } from '../../src/types/fs.js'

/** A part of a file's content. */
export interface Part {
  readonly id: string
  /** Number of bytes, never 0. */
  readonly size: number
}

interface Entry {
  readonly id: number
  /** The id of the entry's directory. */
  parent: number
  name: string
  mtimeMs: number
  mode: number
}

export interface FileNode extends Entry {
  readonly kind: 'file'
  /** Number of bytes of all parts together. */
  size: number
  version: string
  parts: readonly Part[]
}

export interface DirNode extends Entry {
  readonly kind: 'dir'
  readonly size: 0
  /** The entries by name. Exists only in memory: the stored rows contain the parent's id of each entry instead. */
  readonly entries: Map<string, Node>
}

export interface LinkNode extends Entry {
  readonly kind: 'symlink'
  readonly size: number
  readonly target: string
}

export type Node = FileNode | DirNode | LinkNode

/** A node as it is stored. */
export type Row = FileNode | LinkNode | Omit<DirNode, 'entries'>

/** The journal record of one transaction: changed nodes, and the ids of removed nodes, in any order. */
export type JournalRecord = readonly (Row | number)[]

const ROOT = 1

export function newRoot(now: number): Row {
  return { id: ROOT, parent: 0, name: '', kind: 'dir', size: 0, mtimeMs: now, mode: 0o755 }
}

export function rowOf(node: Node): Row {
  if (node.kind !== 'dir') return node
  const { entries: _, ...row } = node
  return row
}

/** Rebuilds all nodes from the journal. Only in a damaged store is the root missing. */
export function replay(records: readonly JournalRecord[]): {
  readonly nodes: ReadonlyMap<number, Node>
  readonly root: DirNode | undefined
} {
  const nodes = new Map<number, Node>()
  for (const record of records) {
    for (const row of record) {
      if (typeof row === 'number') nodes.delete(row)
      else nodes.set(row.id, row.kind === 'dir' ? { ...row, entries: new Map() } : row)
    }
  }
  for (const node of nodes.values()) {
    const parent = nodes.get(node.parent)
    if (parent?.kind === 'dir') parent.entries.set(node.name, node)
  }
  const root = nodes.get(ROOT)
  return { nodes, root: root?.kind === 'dir' ? root : undefined }
}

export function statOf(node: Node): FsStat {
  const { kind, size, mtimeMs, mode } = node
  return { kind, size, mtimeMs, mode, ...(node.kind === 'file' && { version: node.version }) }
}
