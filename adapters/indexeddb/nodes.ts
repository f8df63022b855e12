import type { FsStat } from '../../src/types/fs.js'

/** A part of a file's content. */
export interface Part {
  readonly id: string
  /** Bytes, never 0. */
  readonly size: number
}

interface Entry {
  readonly id: number
  /** The id of its directory. */
  parent: number
  name: string
  mtimeMs: number
  mode: number
}

export interface FileNode extends Entry {
  readonly kind: 'file'
  /** The sum of its parts. */
  size: number
  version: string
  parts: readonly Part[]
}

export interface DirNode extends Entry {
  readonly kind: 'dir'
  readonly size: 0
  /** In memory only: the store keeps the parent's id with each entry. */
  readonly entries: Map<string, Node>
}

export interface LinkNode extends Entry {
  readonly kind: 'symlink'
  readonly size: number
  readonly target: string
}

export type Node = FileNode | DirNode | LinkNode

/** A node in the store. */
export type Row = FileNode | LinkNode | Omit<DirNode, 'entries'>

/** The record of one transaction, in any order: changed nodes, and the ids of removed nodes. */
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

/** Rebuilds all nodes from the journal. The root is missing only in a damaged store. */
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
