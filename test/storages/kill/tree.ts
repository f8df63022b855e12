/** An entry: the bytes of a file, or `dir`. */
export type Entry = Uint8Array | 'dir'

/** Virtual path -> entry. */
export type Tree = ReadonlyMap<string, Entry>

export function isSameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === b) return true
  if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return false
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** How one call changes the tree. */
export interface Effect {
  /** Path -> entry after the call; undefined if deleted. */
  readonly changes: ReadonlyMap<string, Entry | undefined>
  /** Moved files: at every moment, the content is at one of the two paths. */
  readonly moves: readonly (readonly [from: string, to: string])[]
}

export function applied(tree: Tree, { changes }: Effect): Map<string, Entry> {
  const after = new Map(tree)
  for (const [path, entry] of changes) {
    if (entry === undefined) after.delete(path)
    else after.set(path, entry)
  }
  return after
}

export const show = (entry: Entry | undefined): string => {
  if (entry === undefined) return 'nothing'
  return entry === 'dir' ? 'a directory' : `${entry.length} bytes (${JSON.stringify(new TextDecoder().decode(entry.subarray(0, 24)))}…)`
}

/**
 * What is wrong with the tree that was found after a kill. `known` is the tree after all acknowledged calls. Each path that an `unfinished`
 * call changes may be in its old or new state, and a moved file may be at either path.
 */
export function faultsOf(found: Tree, known: Tree, unfinished: readonly Effect[]): string[] {
  const after = new Map(unfinished.flatMap(({ changes }) => [...changes]))
  const faults: string[] = []
  for (const path of new Set([...found.keys(), ...known.keys(), ...after.keys()])) {
    const [is, was] = [found.get(path), known.get(path)]
    if (isSameEntry(is, was) || (after.has(path) && isSameEntry(is, after.get(path)))) continue
    const expected = after.has(path) ? `${show(was)} or ${show(after.get(path))}` : show(was)
    faults.push(`${path}: expected ${expected}, found ${show(is)}`)
  }
  for (const [from, to] of unfinished.flatMap(({ moves }) => moves)) {
    const content = known.get(from)
    if (!isSameEntry(found.get(from), content) && !isSameEntry(found.get(to), content)) faults.push(`${from} -> ${to}: its content is gone`)
  }
  return faults
}
