import type { Scanned } from '../../src/types/fs.js'
import type { FileNode } from './inode.js'
import type { Tree } from './tree.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Finds out which files certainly do not contain the needle. Searches strings, because engines search strings many times faster than bytes.
 * Never returns content.
 */
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

/** Maximum bytes of a file that is searched here. Longer files are left to the caller, which reads them in chunks. */
const MAX_FILE = 64 * 1024

/** Maximum number of code units of the texts that are cached for the next search. */
const MAX_KEPT = 16 * 1024 * 1024
let kept = new WeakMap<Uint8Array, string>()
let keptUnits = 0

function textOf({ bytes, size }: FileNode): string {
  // Do not cache the text of an array with spare room, because the array may get other content.
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
