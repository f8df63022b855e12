import gte from 'semver/functions/gte.js'
import type { PackageEntry } from './entry.js'
import { fits } from './specs.js'
import { type Edge, isPeer, quietSpec, registryNameOf, resolveFrom, satisfied, subtree, type TreeNode, target } from './tree.js'

/** `keep`: what is there will do. */
type Verdict = 'conflict' | 'keep' | 'replace' | 'add'

export interface Placement {
  readonly at: TreeNode
  readonly verdict: Exclude<Verdict, 'conflict'>
}

/**
 * Where a package goes that an edge wants: as far up as it can be without getting in anybody's way, as npm does it. `explicit`: it was
 * asked for by name, so that no other version will do.
 */
export function findPlacement(edge: Edge, entry: PackageEntry, explicit: boolean): Placement {
  let best: Placement | undefined
  for (let at: TreeNode | undefined = edge.from; at; at = at.parent) {
    if (at.parent && at !== edge.from && at.edges.some((each) => each.name === edge.name && isPeer(each))) continue
    const verdict = judge(at, edge, entry, explicit)
    if (verdict === 'conflict' || (best && strandsPeers(best.at, at, entry))) break
    best = { at, verdict }
  }
  // Beside itself a package can always have it.
  return best ?? { at: edge.from, verdict: edge.from.children.has(edge.name) ? 'replace' : 'add' }
}

function judge(at: TreeNode, edge: Edge, entry: PackageEntry, explicit: boolean): Verdict {
  const current = at.children.get(edge.name)
  return current ? judgeCurrent(current, edge, entry, explicit) : judgeFree(at, edge, entry)
}

function judgeCurrent(current: TreeNode, edge: Edge, entry: PackageEntry, explicit: boolean): Verdict {
  const { version } = current.entry
  const sameName = registryNameOf(current) === (entry.name ?? edge.name)
  if (sameName && version === entry.version) return 'keep'
  if (sameName && gte(entry.version, version, { loose: true }) && everyUserTakes(current, edge, entry)) return 'replace'
  if (!explicit && satisfied(edge, current.name, current.entry)) return 'keep'
  return current.parent === edge.from ? 'replace' : 'conflict'
}

function judgeFree(at: TreeNode, edge: Edge, entry: PackageEntry): Verdict {
  const own = at.edges.find(({ name }) => name === edge.name)
  if (own && own !== edge && !satisfied(own, edge.name, entry)) return 'conflict'
  if (at === edge.from) return 'add'
  // It would come between somebody below and what that one uses now.
  const hidden = resolveFrom(at, edge.name)
  if (hidden && !usersBelow(at, edge, hidden).every((user) => satisfied(user, edge.name, entry))) return 'conflict'
  return 'add'
}

function everyUserTakes(current: TreeNode, edge: Edge, entry: PackageEntry): boolean {
  const { parent } = current
  return !parent || usersBelow(parent, edge, current).every((user) => satisfied(user, edge.name, entry))
}

/** The edges of a subtree that lead to a node now, without the one that is about to be placed. */
function usersBelow(top: TreeNode, edge: Edge, node: TreeNode): Edge[] {
  const users: Edge[] = []
  for (const each of subtree(top)) {
    for (const used of each.edges) if (used !== edge && used.name === edge.name && target(used) === node) users.push(used)
  }
  return users
}

/** Whether what a package needs beside it is there at one place, and no longer at the next one above. */
function strandsPeers(below: TreeNode, above: TreeNode, entry: PackageEntry): boolean {
  return Object.entries(entry.peerDependencies ?? {}).some(([name, given]) => {
    const spec = quietSpec(name, given)
    const suits = (at: TreeNode): boolean => {
      const found = resolveFrom(at, name)
      return found !== undefined && spec !== undefined && fits(spec, registryNameOf(found), found.entry.version)
    }
    return suits(below) && !suits(above)
  })
}
