import type { Scanned } from '../../src/types/fs.js'
import type { FileNode } from './inode.js'
import type { Tree } from './tree.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Searched as strings, in which engines find a text many times faster than in bytes. The content itself is never handed out. */
export function scanBelow(tree: Tree, directory: string, names: readonly string[], needle: Uint8Array): Scanned[] {
  const parent = tree.find('search', directory)
  const wanted = decoder.decode(needle)
  return names.map((name) => {
    const node = parent.kind === 'dir' ? parent.get(name) : undefined
    if (node?.kind !== 'file' || node.size > MAX_FILE) return undefined
    const text = textOf(node)
    return text.includes(wanted) || text.includes('\0') ? undefined : 'absent'
  })
}

/** Longer files are read in steps. */
const MAX_FILE = 64 * 1024

/** Code units of all texts that are kept for the next search. */
const MAX_KEPT = 16 * 1024 * 1024
let kept = new WeakMap<Uint8Array, string>()
let keptUnits = 0

function textOf({ bytes, size }: FileNode): string {
  // With room behind its content an array may get another one.
  if (size < bytes.length) return decoder.decode(bytes.subarray(0, size))
  const known = kept.get(bytes)
  if (known !== undefined) return known
  const text = decoder.decode(bytes)
  keptUnits += text.length
  if (keptUnits > MAX_KEPT) {
    kept = new WeakMap()
    keptUnits = text.length
  }
  kept.set(bytes, text)
  return text
}
