import { systemHost } from '../../../host.js'
import type { FsAdapter } from '../../../types/fs.js'
import type { WalkFilter } from '../../../types/workspace.js'
import { VirtualFs } from '../../virtual-fs.js'
import { walkTree } from '../../walk.js'
import { readState } from '../entry-state.js'

const LEFT_OUT = /\/(\.git|\.toolport\/outputs)(\/|$)/

/** What walks leave out, whatever the rules of `.gitignore` files. */
export function isLeftOut(path: string): boolean {
  return LEFT_OUT.test(path)
}

/** An entry and everything below it that a scan sees, a directory before its content. A file itself is named by its own path: rules do not count. */
export async function unignored(fs: FsAdapter, path: string): Promise<string[]> {
  const kind = (await readState(fs, path))?.kind
  if (kind === undefined || isLeftOut(path)) return []
  if (kind !== 'dir') return [path]
  const paths: string[] = path === '/' ? ['/'] : []
  // From the root, for rules above it count.
  const walk = walkTree(new VirtualFs(fs, '/'), systemHost, '/', { filter: onlyBelow(path) as WalkFilter })
  for await (const run of walk) for (const entry of run) paths.push(entry.path)
  return paths
}

/** The state is how many names of the path are left. */
function onlyBelow(path: string): WalkFilter<number> {
  const names = path === '/' ? [] : path.slice(1).split('/').reverse()
  const isOnTheWay = (left: number, name: string): boolean => left === 0 || names[left - 1] === name
  return {
    start: names.length,
    enter: (left, name) => (isOnTheWay(left, name) ? Math.max(0, left - 1) : undefined),
    accept: (left, name) => left <= 1 && isOnTheWay(left, name),
  }
}
