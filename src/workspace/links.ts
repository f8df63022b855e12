import { FsError, hasCode, WorkspaceError } from '../errors/index.js'
import type { FsStat } from '../types/fs.js'
import { isWithin, joinPath, normalise, parentPath, relativePath } from './paths.js'
import type { VirtualFs } from './virtual-fs.js'

export interface Resolved {
  /** Virtual, without a link in it (the last component may be one when it was not to be followed). */
  readonly path: string
  /** Absent: nothing is there. */
  readonly stat?: FsStat
}

export interface LinkRules {
  /** Follow a link in the last place too. */
  readonly follow: boolean
  /** Hops before ELOOP. */
  readonly maxSymlinks: number
  /** Told of each link that is followed, and of what comes after it in the path. The same again: it leads round. */
  readonly onLink?: (path: string, rest: string) => void
}

/**
 * Follows the links in a normalised virtual path, component by component. Relative targets start at the link's directory, absolute ones
 * are virtual paths; `..` is lexical. One that leads out of the root is `symlink_escape`.
 *
 * Adapters answer ELOOP for a link anywhere in a path, so one `lstat` shows that there is none: only paths with links are walked.
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
    stat = await fs.lstat(next).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    })
    if (!stat) return { path: [next, ...pending].join('/') }
    if (stat.kind !== 'symlink' || (pending.length === 0 && !rules.follow)) {
      current = next
      continue
    }
    if (++hops > rules.maxSymlinks)
      throw new FsError({ code: 'ELOOP', op: 'resolve', path, detail: 'too many symbolic links, or links in a circle' })
    const read = await fs.readlink(next).catch((error: unknown) => {
      // Replaced by something else since it was looked at.
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

/** Where a link leads, as a normalised virtual path; `verb`: what is done with it. @throws {WorkspaceError} `symlink_escape` */
export function linkTarget(fs: VirtualFs, link: string, target: string, verb = 'follow'): string {
  const leadsOut = (): WorkspaceError =>
    new WorkspaceError('symlink_escape', link, `Cannot ${verb} the link "${link}": it leads out of the workspace "${fs.root}"`)
  const absolute = target.startsWith('/') ? fromHost(fs, target) : `${parentPath(link)}/${target}`
  const path = normalise(absolute, leadsOut)
  if (!isWithin(path, fs.root)) throw leadsOut()
  return path
}

/** A link that a real shell made names its target by the machine's path. */
function fromHost(fs: VirtualFs, target: string): string {
  const host = fs.adapter.hostPath?.('/')
  if (host === undefined || !isWithin(target, host)) return target
  const below = relativePath(target, host)
  return below === '' ? fs.root : joinPath(fs.root, below)
}

function components(path: string): string[] {
  return path === '' ? [] : path.split('/')
}
