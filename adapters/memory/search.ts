import type { FileNode } from './inode.js'
import type { Tree } from './tree.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Searched as strings, in which engines find a text many times faster than in bytes. */
export function mayHold(tree: Tree, folder: string, names: readonly string[], texts: readonly string[]): boolean[] {
  const parent = tree.find('search', folder)
  return names.map((name) => {
    const node = parent.kind === 'dir' ? parent.get(name) : undefined
    if (node?.kind !== 'file') return true
    const text = textOf(node)
    return texts.some((each) => text.includes(each))
  })
}

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
