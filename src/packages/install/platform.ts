import type { PackageEntry } from './entry.js'
import { type Flags, type TreeNode, target } from './tree.js'

/**
 * Whether a package is for some machines only. What runs here is no machine with a name, but WebAssembly runs everywhere; to be for all
 * machines but some is no limit.
 */
export function isForMachines({ os = [], cpu = [] }: PackageEntry): boolean {
  if (cpu.includes('wasm32')) return false
  return [...os, ...cpu].some((name) => !name.startsWith('!') && name !== 'any')
}

/** What is put into node_modules: everything that is needed, without optional packages for some machines only, and what only those need. */
export function installable(project: TreeNode, flags: ReadonlyMap<TreeNode, Flags>): Set<TreeNode> {
  const wanted = new Set<TreeNode>()
  const queue = [project]
  for (let node = queue.pop(); node; node = queue.pop()) {
    for (const edge of node.edges) {
      const to = target(edge)
      if (!to || wanted.has(to) || !flags.has(to) || (flags.get(to)?.optional && isForMachines(to.entry))) continue
      wanted.add(to)
      queue.push(to)
    }
  }
  return wanted
}
