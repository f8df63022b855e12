/** What is at a path: the content of a file, or that it is a directory. */
export type Entry = Uint8Array | 'dir'

/** Virtual path -> what is there. */
export type Tree = ReadonlyMap<string, Entry>

export function isSameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === b) return true
  if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return false
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** What one call makes of the tree. */
export interface Effect {
  /** Path -> what is there afterwards; undefined: nothing. */
  readonly changes: ReadonlyMap<string, Entry | undefined>
  /** Files that move: their content is at the one path or at the other, at every moment. */
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
 * What is wrong with what was found after a crash. `known` holds everything that was acknowledged, `unfinished` what was not: of that each
 * path may be as before or as after, and what moves is in one of its places.
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
