import { type DirNode, type JournalRecord, type Node, type Part, rowOf } from './nodes.js'
import { below, type Tree } from './tree.js'

/** Steps on the content parts, in order. `join` creates a part from existing parts, followed by new bytes. */
export type PartStep =
  | { readonly kind: 'put'; readonly id: string; readonly bytes: Uint8Array }
  | { readonly kind: 'drop'; readonly id: string }
  | { readonly kind: 'join'; readonly id: string; readonly from: readonly Part[]; readonly bytes: Uint8Array | undefined }

/** Returns a copy of a string that does not keep a longer string alive: a substring may keep the whole path in memory. */
const ownText = (name: string): string => JSON.parse(JSON.stringify(name)) as string

/** The changes that one call makes to the index. They are applied at once, and recorded so that they can be stored or undone. */
export class Change {
  readonly tree: Tree
  readonly steps: PartStep[] = []
  /** The changed nodes by id. The value is undefined for a removed node. */
  readonly rows: Map<number, Node | undefined> = new Map()
  readonly #undo: (() => void)[] = []

  constructor(tree: Tree) {
    this.tree = tree
  }

  get isEmpty(): boolean {
    return this.rows.size === 0
  }

  /** Undoes the change. To undo several changes, start with the last one. */
  undo(): void {
    for (const step of this.#undo.reverse()) step()
  }

  set<N extends Node>(node: N, fields: Partial<N>): void {
    const before = { ...node }
    this.#undo.push(() => Object.assign(node, before))
    Object.assign(node, fields)
    this.rows.set(node.id, node)
  }

  add(parent: DirNode, node: Node): void {
    node.name = ownText(node.name)
    this.#undo.push(() => {
      parent.entries.delete(node.name)
      this.tree.files--
      if (node.kind === 'file') this.tree.bytes -= node.size
    })
    parent.entries.set(node.name, node)
    this.tree.files++
    if (node.kind === 'file') this.tree.bytes += node.size
    this.rows.set(node.id, node)
    this.set(parent, { mtimeMs: node.mtimeMs })
  }

  /** Removes a node and everything below it. */
  remove(parent: DirNode, node: Node, now: number): void {
    const { files, bytes } = this.tree
    this.#undo.push(() => {
      parent.entries.set(node.name, node)
      Object.assign(this.tree, { files, bytes })
    })
    parent.entries.delete(node.name)
    for (const each of below(node)) {
      this.rows.set(each.id, undefined)
      this.tree.files--
      if (each.kind !== 'file') continue
      this.tree.bytes -= each.size
      this.drop(each.parts)
    }
    this.set(parent, { mtimeMs: now })
  }

  move(node: Node, from: DirNode, to: DirNode, name: string, now: number): void {
    const oldName = node.name
    this.#undo.push(() => {
      to.entries.delete(name)
      from.entries.set(oldName, node)
    })
    from.entries.delete(oldName)
    to.entries.set(ownText(name), node)
    this.set(node, { parent: to.id, name: ownText(name) })
    this.set(from, { mtimeMs: now })
    this.set(to, { mtimeMs: now })
  }

  resize(bytes: number): void {
    this.#undo.push(() => {
      this.tree.bytes -= bytes
    })
    this.tree.bytes += bytes
  }

  put(bytes: Uint8Array, id: string = this.tree.draw()): Part {
    this.steps.push({ kind: 'put', id, bytes })
    return { id, size: bytes.length }
  }

  join(from: readonly Part[], bytes?: Uint8Array): Part {
    const id = this.tree.draw()
    this.steps.push({ kind: 'join', id, from, bytes })
    return { id, size: from.reduce((sum, { size }) => sum + size, bytes?.length ?? 0) }
  }

  drop(parts: readonly Part[]): void {
    for (const { id } of parts) this.steps.push({ kind: 'drop', id })
  }
}

/** Combines changes into one journal record, with the last state of each node. */
export function recordOf(changes: readonly Change[]): JournalRecord {
  const rows = new Map(changes.flatMap((change) => [...change.rows]))
  return [...rows].map(([id, node]) => (node ? rowOf(node) : id))
}
