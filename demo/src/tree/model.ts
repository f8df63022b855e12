import type { Change, Snapshot, TreeEntry } from '../session.js'

export interface TreeNode extends TreeEntry {
  readonly name: string
  readonly depth: number
  readonly children: TreeNode[]
  readonly parent: TreeNode | undefined
  /** Of the file; of a directory, that something below it changed. */
  change?: Change | undefined
  /** It, or something below it, was changed by the last change that there was. */
  isLatest?: boolean
  /** The children are in order: they are put there when they are first shown. */
  isSorted?: boolean
}

/** One line of the tree as it is shown. */
export interface TreeRow {
  readonly node: TreeNode
  /** 1-based place among its siblings, and their number. */
  readonly place: number
  readonly siblings: number
}

const collator = new Intl.Collator('en', { numeric: true })

function byKindThenName(a: TreeNode, b: TreeNode): number {
  if ((a.kind === 'dir') !== (b.kind === 'dir')) return a.kind === 'dir' ? -1 : 1
  return collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)
}

/** The nodes of a snapshot by path; the root is `''`. */
export function buildTree({ entries, changes, latest }: Pick<Snapshot, 'entries' | 'changes' | 'latest'>): Map<string, TreeNode> {
  const root: TreeNode = { path: '', name: '', kind: 'dir', size: 0, depth: 0, children: [], parent: undefined }
  const nodes = new Map([['', root]])
  for (const entry of entries) {
    const slash = entry.path.lastIndexOf('/')
    const parent = nodes.get(slash < 0 ? '' : entry.path.slice(0, slash)) ?? root
    const node: TreeNode = {
      ...entry,
      name: entry.path.slice(slash + 1),
      depth: parent.depth + 1,
      children: [],
      parent,
      change: changes.get(entry.path),
    }
    parent.children.push(node)
    nodes.set(entry.path, node)
    if (node.change) for (let above: TreeNode | undefined = parent; above; above = above.parent) above.change = 'modified'
    if (latest.has(entry.path)) for (let at: TreeNode | undefined = node; at && !at.isLatest; at = at.parent) at.isLatest = true
  }
  return nodes
}

/** A row for what has no name yet. */
export const newNode = (path: string, parent: TreeNode): TreeNode => ({
  path,
  name: '',
  kind: 'file',
  size: 0,
  depth: parent.depth + 1,
  children: [],
  parent,
})

/** The rows below `node`, of open directories only. */
export function visibleRows(node: TreeNode, open: ReadonlySet<string>, rows: TreeRow[] = []): TreeRow[] {
  if (!node.isSorted) node.children.sort(byKindThenName)
  node.isSorted = true
  node.children.forEach((child, index) => {
    rows.push({ node: child, place: index + 1, siblings: node.children.length })
    if (child.kind === 'dir' && open.has(child.path)) visibleRows(child, open, rows)
  })
  return rows
}
