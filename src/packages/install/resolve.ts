import gte from 'semver/functions/gte.js'
import type { Slicer } from '../../workspace/slicer.js'
import type { PackageEntry } from './entry.js'
import { installError, isUnavailable } from './faults.js'
import type { InstallLimits } from './options.js'
import type { Registry } from './registry-client.js'
import { fits, parseSpec } from './specs.js'
import {
  addNode,
  type Edge,
  isPeer,
  type Overrides,
  quietSpec,
  registryNameOf,
  resolveFrom,
  satisfied,
  subtree,
  type TreeNode,
  target,
} from './tree.js'

interface ResolveOptions {
  readonly registry: Registry
  readonly overrides: Overrides
  readonly limits: Required<InstallLimits>
  readonly slicer: Slicer
  /** The chosen versions of packages requested by name, by directory name. */
  readonly explicit: ReadonlyMap<string, PackageEntry>
  /** Called when a package is placed in the tree. Another package may still replace it. */
  readonly onPlaced: (node: TreeNode) => void
  /** Called when an optional dependency is unavailable. */
  readonly onMissing: (edge: Edge, message: string) => void
  readonly onProgress: (done: number, total: number, name: string) => void
}

/**
 * Completes the tree below the project, starting from the locked packages. Dependencies that the tree satisfies stay. The registry provides
 * the others. Does not add peer dependencies. Proceeds level by level and by name, so the result is deterministic.
 */
export async function resolveTree(project: TreeNode, options: ResolveOptions): Promise<void> {
  const { limits, slicer } = options
  const seen = new Set<TreeNode>()
  const queue = new Set([project])
  for (let node = next(queue); node; node = next(queue)) {
    queue.delete(node)
    if (!isAttached(node, project)) continue
    seen.add(node)
    // `seen` includes the project, which the limit does not count.
    if (seen.size + openEdges(node, options).length > limits.packages + 1) throw tooMany(limits.packages)
    for (const changed of await settle(node, options)) queue.add(changed)
    for (const edge of node.edges) {
      const to = target(edge)
      if (to && !seen.has(to)) queue.add(to)
    }
    if (node.parent) options.onProgress(seen.size - 1, seen.size - 1 + queue.size, node.name)
    if (slicer.due(64 + 16 * node.edges.length)) await slicer.pause()
  }
}

/** Returns the queued node that is closest to the project. Among several, returns the first by path. */
function next(queue: ReadonlySet<TreeNode>): TreeNode | undefined {
  let first: TreeNode | undefined
  for (const node of queue) {
    if (!first || node.depth < first.depth || (node.depth === first.depth && node.path < first.path)) first = node
  }
  return first
}

/** Whether the node is still in the tree. It may have been replaced since it was queued. */
function isAttached(node: TreeNode, project: TreeNode): boolean {
  for (let at = node; at !== project; at = at.parent) if (!at.parent || at.parent.children.get(at.name) !== at) return false
  return true
}

function openEdges(node: TreeNode, { explicit }: ResolveOptions): Edge[] {
  return node.edges.filter((edge) => !isPeer(edge) && !edge.failed && ((!node.parent && explicit.has(edge.name)) || !target(edge)))
}

/** Resolves the missing dependencies of one package. Returns the packages whose dependencies must be checked (again). */
async function settle(node: TreeNode, options: ResolveOptions): Promise<TreeNode[]> {
  const { explicit, registry } = options
  const open = openEdges(node, options)
  if (open.length === 0) return []
  const found = await Promise.all(
    open.map(async (edge) => ({ edge, entry: (!node.parent && explicit.get(edge.name)) || (await find(edge, options)) })),
  )
  const changed: TreeNode[] = []
  // Packages with peer dependencies are placed last, next to their peers.
  const ordered = [...found.filter(({ entry }) => !entry?.peerDependencies), ...found.filter(({ entry }) => entry?.peerDependencies)]
  for (const { edge, entry } of ordered) {
    if (!entry || edge.failed) continue
    const asked = !node.parent && explicit.has(edge.name)
    // A package that was placed earlier in this loop may satisfy the dependency.
    if (!asked && target(edge)) continue
    changed.push(...put(edge, entry, asked, options))
  }
  for (const each of changed) {
    const wanted = openEdges(each, options)
    if (wanted.length > options.limits.packages) throw tooMany(options.limits.packages)
    for (const { spec } of wanted) if (spec) registry.prefetch(spec.registryName)
  }
  return changed
}

async function find(edge: Edge, { registry, onMissing }: ResolveOptions): Promise<PackageEntry | undefined> {
  const { parent, name, entry } = edge.from
  const by = parent ? ` (needed by ${name}@${entry.version})` : ''
  try {
    const spec = edge.spec ?? parseSpec(edge.name, edge.given, by)
    const picked = await registry.pick(spec, by)
    return spec.registryName === edge.name ? picked : { name: spec.registryName, ...picked }
  } catch (error) {
    const optional = isUnavailable(error) ? optionalAbove(edge) : undefined
    if (!optional || !isUnavailable(error)) throw error
    if (!optional.failed) onMissing(optional, error.message)
    optional.failed = true
    const left = optional === edge ? undefined : resolveFrom(optional.from, optional.name)
    left?.parent?.children.delete(left.name)
    return undefined
  }
}

/**
 * Returns the nearest optional dependency that led to this edge, or the edge itself if it is optional. If the edge fails, that dependency
 * can be dropped.
 */
function optionalAbove(edge: Edge): Edge | undefined {
  for (let at: Edge | undefined = edge; at; at = at.from.because) if (at.kind === 'optional') return at
  return undefined
}

function put(edge: Edge, entry: PackageEntry, asked: boolean, options: ResolveOptions): TreeNode[] {
  const { at, verdict } = findPlacement(edge, entry, asked)
  if (verdict === 'keep') return []
  const { limits, overrides, onPlaced } = options
  if (at.depth + 1 > limits.depth) {
    throw installError(
      'limit',
      `Cannot install "${edge.name}": it would be ${at.depth + 1} packages deep, more than the limit of ${limits.depth}`,
    )
  }
  const node = addNode(at, edge.name, entry, edge, overrides)
  onPlaced(node)
  return [node, ...unsettledBy(at, node)]
}

/** Returns the packages below `top` that now resolve a dependency to `node` although `node` does not satisfy it. */
function unsettledBy(top: TreeNode, node: TreeNode): TreeNode[] {
  const unsettled: TreeNode[] = []
  for (const each of subtree(top)) {
    const wrong = (edge: Edge): boolean =>
      edge.name === node.name && !isPeer(edge) && !satisfied(edge, node.name, node.entry) && resolveFrom(each, edge.name) === node
    if (each.edges.some(wrong)) unsettled.push(each)
  }
  return unsettled
}

function tooMany(limit: number): Error {
  return installError('limit', `Cannot install: more than ${limit} packages are needed, which is the limit. Install fewer, or smaller ones`)
}

/** Whether a package can be placed at a directory, and how. `keep`: the existing package satisfies the dependency. */
type Verdict = 'conflict' | 'keep' | 'replace' | 'add'

interface Placement {
  readonly at: TreeNode
  readonly verdict: Exclude<Verdict, 'conflict'>
}

/**
 * Finds the place of a package as npm does: as close to the project as possible without conflicts. `explicit`: the package was requested by
 * name, so no other version is acceptable.
 */
function findPlacement(edge: Edge, entry: PackageEntry, explicit: boolean): Placement {
  let best: Placement | undefined
  for (let at: TreeNode | undefined = edge.from; at; at = at.parent) {
    if (at.parent && at !== edge.from && at.edges.some((each) => each.name === edge.name && isPeer(each))) continue
    const verdict = judge(at, edge, entry, explicit)
    if (verdict === 'conflict' || (best && strandsPeers(best.at, at, entry))) break
    best = { at, verdict }
  }
  // A package can always be placed directly below its dependent.
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
  // The new package would hide the package that packages below use now.
  const hidden = resolveFrom(at, edge.name)
  if (hidden && !usersBelow(at, edge, hidden).every((user) => satisfied(user, edge.name, entry))) return 'conflict'
  return 'add'
}

function everyUserTakes(current: TreeNode, edge: Edge, entry: PackageEntry): boolean {
  const { parent } = current
  return !parent || usersBelow(parent, edge, current).every((user) => satisfied(user, edge.name, entry))
}

/** Returns the edges in a subtree that currently resolve to a node, except the edge being placed. */
function usersBelow(top: TreeNode, edge: Edge, node: TreeNode): Edge[] {
  const users: Edge[] = []
  for (const each of subtree(top)) {
    for (const used of each.edges) if (used !== edge && used.name === edge.name && target(used) === node) users.push(used)
  }
  return users
}

/** Whether a package would find its peers at `below` but not at `above`. */
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
