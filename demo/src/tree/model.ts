import type { Change, Snapshot, TreeEntry } from '../session.js'

export interface TreeNode extends TreeEntry {
  readonly name: string
  readonly depth: number
  readonly children: TreeNode[]
  readonly parent: TreeNode | undefined
  /** Change of the file. For a directory: whether something below has changed. */
  change?: Change | undefined
  /** Whether the last change affected the entry or something below it. */
  isLatest?: boolean
  /** Whether the children are sorted, which happens when they are first shown. */
  isSorted?: boolean
}

/** A visible row of the tree. */
export interface TreeRow {
  readonly node: TreeNode
  /** Position among its siblings (1-based), and their number. */
  readonly place: number
  readonly siblings: number
}

const collator = new Intl.Collator('en', { numeric: true })

function byKindThenName(a: TreeNode, b: TreeNode): number {
  if ((a.kind === 'dir') !== (b.kind === 'dir')) return a.kind === 'dir' ? -1 : 1
  return collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)
}

/** The nodes of a snapshot by path. The root is `''`. */
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

/** A node for an entry without a name yet. */
export const newNode = (path: string, parent: TreeNode): TreeNode => ({
  path,
  name: '',
  kind: 'file',
  size: 0,
  depth: parent.depth + 1,
  children: [],
  parent,
})

/** The rows below `node`, descending only into open directories. */
export function visibleRows(node: TreeNode, open: ReadonlySet<string>, rows: TreeRow[] = []): TreeRow[] {
  if (!node.isSorted) node.children.sort(byKindThenName)
  node.isSorted = true
  node.children.forEach((child, index) => {
    rows.push({ node: child, place: index + 1, siblings: node.children.length })
    if (child.kind === 'dir' && open.has(child.path)) visibleRows(child, open, rows)
  })
  return rows
}
