import { FsError, hasCode, ignoreCodes, WorkspaceError } from '../errors/index.js'
import type { FsStat } from '../types/fs.js'
import { isWithin, joinPath, normalise, parentPath, relativePath } from './paths.js'
import type { VirtualFs } from './virtual-fs.js'

export interface Resolved {
  /** Virtual path with all links resolved. Without `follow`, the last component may be a link. */
  readonly path: string
  /** Absent: no entry exists. */
  readonly stat?: FsStat
}

export interface LinkRules {
  /** Also follow a link in the last component. */
  readonly follow: boolean
  /** Maximum number of links before ELOOP. */
  readonly maxSymlinks: number
  /** Called with each followed link's path and the rest of the path. Two calls with the same arguments mean a cycle. */
  readonly onLink?: (path: string, rest: string) => void
}

/**
 * Follows the links in a normalised virtual path, component by component. Relative targets start at the link's directory, absolute targets
 * are virtual paths, and `..` is lexical. A link that leads out of the root throws `symlink_escape`.
 *
 * Adapters fail with ELOOP for a link in any component above the last. So a successful `lstat` proves that there is no such link, and only
 * paths with links are walked.
 */
export async function resolveLinks(fs: VirtualFs, path: string, rules: LinkRules): Promise<Resolved> {
  try {
    const stat = await fs.lstat(path)
    if (stat.kind !== 'symlink' || !rules.follow) return { path, stat }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { path }
    if (!hasCode(error, 'ELOOP')) throw error
  }
  return walkLinks(fs, path, rules)
}

async function walkLinks(fs: VirtualFs, path: string, rules: LinkRules): Promise<Resolved> {
  let pending = components(relativePath(path, fs.root))
  let current = fs.root
  let stat: FsStat | undefined
  let hops = 0
  while (pending.length > 0) {
    const name = pending.shift() as string
    const next = joinPath(current, name)
    stat = await fs.lstat(next).catch(ignoreCodes('ENOENT'))
    if (!stat) return { path: [next, ...pending].join('/') }
    if (stat.kind !== 'symlink' || (pending.length === 0 && !rules.follow)) {
      current = next
      continue
    }
    if (++hops > rules.maxSymlinks)
      throw new FsError({ code: 'ELOOP', op: 'resolve', path, detail: 'too many symbolic links, or a loop of links' })
    const read = await fs.readlink(next).catch((error: unknown) => {
      // The link was replaced since the lookup.
      if (!hasCode(error, 'EINVAL', 'ENOENT')) throw error
    })
    if (read === undefined) {
      pending.unshift(name)
      continue
    }
    rules.onLink?.(next, pending.join('/'))
    const target = linkTarget(fs, next, read)
    pending = [...components(relativePath(target, fs.root)), ...pending]
    current = fs.root
    stat = undefined
  }
  return { path: current, stat: stat ?? (await fs.lstat(current)) }
}

/** The target of a link as a normalised virtual path; `verb`: the operation, for the error. @throws {WorkspaceError} `symlink_escape` */
export function linkTarget(fs: VirtualFs, link: string, target: string, verb = 'follow'): string {
  const leadsOut = (): WorkspaceError =>
    new WorkspaceError('symlink_escape', link, `Cannot ${verb} the link "${link}": it points outside the workspace "${fs.root}"`)
  const absolute = target.startsWith('/') ? fromHost(fs, target) : `${parentPath(link)}/${target}`
  const path = normalise(absolute, leadsOut)
  if (!isWithin(path, fs.root)) throw leadsOut()
  return path
}

/** Converts a link's absolute target to a virtual path: a link that a real shell made contains a machine path. */
function fromHost(fs: VirtualFs, target: string): string {
  const host = fs.adapter.hostPath?.('/')
  if (host === undefined || !isWithin(target, host)) return target
  const below = relativePath(target, host)
  return below === '' ? fs.root : joinPath(fs.root, below)
}

function components(path: string): string[] {
  return path === '' ? [] : path.split('/')
}
