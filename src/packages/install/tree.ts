import type { PackageEntry } from './entry.js'
import { fits, parseSpec, type Spec } from './specs.js'

export type EdgeKind = 'prod' | 'dev' | 'optional' | 'peer' | 'peerOptional'

/** A dependency of one package on another. */
export interface Edge {
  readonly from: TreeNode
  /** Name of the directory. */
  readonly name: string
  readonly kind: EdgeKind
  /** The range as written, after overrides. */
  readonly given: string
  /** The parsed range. Undefined: Toolport does not support this kind of dependency. */
  readonly spec: Spec | undefined
  /** Set if this optional dependency is unavailable, so that the install continues without it. */
  failed: boolean
}

/** A package at its path, or the project (without a parent). */
export interface TreeNode {
  readonly name: string
  /** `node_modules/a/node_modules/b`; `''` for the project. */
  readonly path: string
  readonly depth: number
  /** Changes if the parent is replaced. */
  parent: TreeNode | undefined
  readonly children: Map<string, TreeNode>
  readonly entry: PackageEntry
  readonly edges: readonly Edge[]
  /** The dependency that the package was installed for. Undefined for locked packages. */
  readonly because: Edge | undefined
}

export type Overrides = ReadonlyMap<string, string>

/** The dependencies of the project itself. */
export interface Wants {
  readonly dependencies: ReadonlyMap<string, string>
  readonly devDependencies: ReadonlyMap<string, string>
  readonly optionalDependencies: ReadonlyMap<string, string>
  readonly peerDependencies: ReadonlyMap<string, string>
}

export const registryNameOf = ({ name, entry }: Pick<TreeNode, 'name' | 'entry'>): string => entry.name ?? name

/** Creates the project's node. `asked` has ranges of packages requested by name. They override package.json because they are narrower. */
export function projectNode(wants: Wants, asked: ReadonlyMap<string, string>): TreeNode {
  const edges: Edge[] = []
  const node: TreeNode = {
    name: '',
    path: '',
    depth: 0,
    parent: undefined,
    children: new Map(),
    entry: { version: '' },
    edges,
    because: undefined,
  }
  const kinds: [ReadonlyMap<string, string>, EdgeKind][] = [
    [wants.peerDependencies, 'peer'],
    [wants.devDependencies, 'dev'],
    [wants.dependencies, 'prod'],
    [wants.optionalDependencies, 'optional'],
  ]
  // The last group that contains a name wins.
  const all = new Map<string, Edge>()
  for (const [group, kind] of kinds) {
    for (const [name, written] of group) {
      const given = asked.get(name) ?? written
      all.set(name, { from: node, name, kind, given, spec: parseSpec(name, given, ' (of package.json)'), failed: false })
    }
  }
  edges.push(...[...all.values()].sort(byName))
  return node
}

/** Adds a node to the tree. Replaces an existing node but keeps its children. */
export function addNode(parent: TreeNode, name: string, entry: PackageEntry, because: Edge | undefined, overrides: Overrides): TreeNode {
  const edges: Edge[] = []
  const path = `${parent.path === '' ? '' : `${parent.path}/`}node_modules/${name}`
  const children = parent.children.get(name)?.children
  const node: TreeNode = { name, path, depth: parent.depth + 1, parent, children: new Map(), entry, edges, because }
  for (const child of children?.values() ?? []) {
    child.parent = node
    node.children.set(child.name, child)
  }
  edges.push(...edgesOf(node, overrides))
  parent.children.set(name, node)
  return node
}

function edgesOf(node: TreeNode, overrides: Overrides): Edge[] {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
    bundleDependencies = [],
  } = node.entry
  const all = new Map<string, Edge>()
  const add = (name: string, written: string, kind: EdgeKind): void => {
    // Bundled dependencies are in the package's own tarball.
    if (bundleDependencies.includes(name)) return
    const given = overrides.get(name) ?? written
    all.set(name, { from: node, name, kind, given, spec: quietSpec(name, given), failed: false })
  }
  for (const [name, given] of Object.entries(peerDependencies)) {
    const optional = Object.hasOwn(peerDependenciesMeta, name) && peerDependenciesMeta[name]?.optional
    add(name, given, optional ? 'peerOptional' : 'peer')
  }
  for (const [name, given] of Object.entries(dependencies)) add(name, given, 'prod')
  for (const [name, given] of Object.entries(optionalDependencies)) add(name, given, 'optional')
  return [...all.values()].sort(byName)
}

/** Parses a spec and ignores errors, which are reported only if the dependency is needed. */
export function quietSpec(name: string, given: string): Spec | undefined {
  try {
    return parseSpec(name, given, '')
  } catch {
    return undefined
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** Returns the package that `require(name)` finds from inside a package: the nearest one, starting with the package's own node_modules. */
export function resolveFrom(node: TreeNode, name: string): TreeNode | undefined {
  for (let at: TreeNode | undefined = node; at; at = at.parent) {
    const found = at.children.get(name)
    if (found) return found
  }
  return undefined
}

export function satisfied(edge: Edge, name: string, entry: PackageEntry): boolean {
  return edge.spec !== undefined && fits(edge.spec, entry.name ?? name, entry.version)
}

/** Returns the package that a dependency resolves to, if that package satisfies the dependency. */
export function target(edge: Edge): TreeNode | undefined {
  const found = resolveFrom(edge.from, edge.name)
  return found && satisfied(edge, found.name, found.entry) ? found : undefined
}

export const isPeer = ({ kind }: Edge): boolean => kind === 'peer' || kind === 'peerOptional'

/** Yields a node and all its descendants, parents first. */
export function* subtree(node: TreeNode): Generator<TreeNode> {
  yield node
  for (const child of node.children.values()) yield* subtree(child)
}

/** Why a package is installed. npm removes `dev` packages in production, for example. */
export interface Flags {
  dev: boolean
  optional: boolean
  devOptional: boolean
  peer: boolean
}

/** Returns all packages that the project needs, directly or indirectly. An optional peer dependency alone does not keep a package. */
function neededBy(project: TreeNode): Set<TreeNode> {
  const needed = new Set([project])
  for (const node of needed) {
    for (const edge of node.edges) {
      const to = edge.kind === 'peerOptional' ? undefined : target(edge)
      if (to) needed.add(to)
    }
  }
  return needed
}

/**
 * Returns the needed packages with their flags, without the project. A flag remains if all paths to the package go through dependencies of
 * that kind.
 */
function flagsOf(project: TreeNode): Map<TreeNode, Flags> {
  const needed = neededBy(project)
  const flags = new Map<TreeNode, Flags>([[project, { dev: false, optional: false, devOptional: false, peer: false }]])
  const queue = [project]
  for (let node = queue.pop(); node; node = queue.pop()) {
    const own = flags.get(node) as Flags
    for (const edge of node.edges) {
      const to = target(edge)
      if (!to || !needed.has(to)) continue
      const before = flags.get(to)
      const now = before ?? { dev: true, optional: true, devOptional: true, peer: true }
      flags.set(to, now)
      if (clearFlags(now, own, edge) || !before) queue.push(to)
    }
  }
  flags.delete(project)
  return flags
}

/** Clears flags that no longer hold. Returns whether any was cleared. */
function clearFlags(flags: Flags, from: Flags, edge: Edge): boolean {
  const dev = from.dev || edge.kind === 'dev'
  const optional = from.optional || edge.kind === 'optional' || edge.kind === 'peerOptional'
  const stays: Flags = { dev, optional, devOptional: from.devOptional || dev || optional, peer: from.peer || isPeer(edge) }
  let cleared = false
  for (const flag of Object.keys(stays) as (keyof Flags)[]) {
    if (!flags[flag] || stays[flag]) continue
    flags[flag] = false
    cleared = true
  }
  return cleared
}

/** Removes unneeded packages and returns the others with their flags. */
export function prune(project: TreeNode): Map<TreeNode, Flags> {
  const kept = flagsOf(project)
  const needed = new Set<TreeNode>([project])
  for (const node of kept.keys()) for (let at: TreeNode | undefined = node; at; at = at.parent) needed.add(at)
  for (const node of [...subtree(project)]) if (!needed.has(node)) node.parent?.children.delete(node.name)
  return kept
}
