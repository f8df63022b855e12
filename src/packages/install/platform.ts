import type { PackageEntry } from './entry.js'
import { type Flags, type TreeNode, target } from './tree.js'

/**
 * Whether a package is only for certain machines. Programs here run on none of these, but WebAssembly runs everywhere. A package that only
 * excludes some machines does not count.
 */
export function isForMachines({ os = [], cpu = [] }: PackageEntry): boolean {
  if (cpu.includes('wasm32')) return false
  return [...os, ...cpu].some((name) => !name.startsWith('!') && name !== 'any')
}

/**
 * Returns the packages to install: all needed packages, without optional packages for certain machines and without packages that only those
 * need.
 */
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
