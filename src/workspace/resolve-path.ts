import { lazy } from '../core/lazy.js'
import { FsError } from '../errors/index.js'
import type { FsStat } from '../types/fs.js'
import type { Access } from '../types/workspace.js'
import { type ParsedPath, parsePath, refusalOf } from './parse-path.js'
import { parentPath } from './paths.js'
import { type Resolved, resolveLinks } from './resolve-links.js'
import type { Listed, OtherSpelling } from './spelling.js'
import type { View } from './state.js'
import type { VirtualFs } from './virtual-fs.js'

export interface Located extends Resolved {
  readonly parsed: ParsedPath
}

export type Existing = Located & { readonly stat: FsStat }

/** Resolves an input path to its entry and checks the policy. `op` is the verb for error messages. */
export async function locate(view: View, input: string, access: Access, op: string, follow = true): Promise<Located> {
  const found = await resolveParsed(view, parsePath(input, view.tree.rules), access, op, follow)
  if (view.tree.policy.hasRules) await allow(view, found, access, op)
  return checkDirectory(found, op)
}

export async function resolveParsed(view: View, parsed: ParsedPath, access: Access, op: string, follow: boolean): Promise<Located> {
  const { tree } = view
  if (access === 'write' && tree.policy.readOnly) throw new FsError({ code: 'EROFS', op, path: parsed.path })
  // With a trailing slash, reads follow the link. Writes do not: removing `link/` must not empty the link's target.
  const through = follow || (parsed.directory && access === 'read')
  try {
    const resolved = await resolveLinks(tree.fs, parsed.path, { follow: through, maxSymlinks: tree.maxSymlinks })
    if (access === 'write') tree.fs.refuseReserved(resolved.path, op)
    return { parsed, path: resolved.path, stat: resolved.stat }
  } catch (error) {
    throw FsError.is(error) && error.op === 'stat' ? attempted(error, op) : error
  }
}

/** Returns the error with the requested operation instead of `stat`, which is only the first step of that operation. */
function attempted({ code, path, detail, cause }: FsError, op: string): FsError {
  return new FsError({ code, op, path, ...(detail !== undefined && { detail }), cause })
}

/** @throws {FsError} EACCES; {PolicyError} `approval_required` */
export async function allow({ tree, scope }: View, { path }: Located, access: Access, op: string): Promise<void> {
  if (tree.policy.hasRules) await tree.policy.check(access, path, op, scope)
}

/** @throws {FsError} ENOTDIR for a file that was named as a directory */
export function checkDirectory(found: Located, op: string): Located {
  const { parsed, stat } = found
  if (!parsed.directory || !stat || stat.kind === 'dir') return found
  const detail = `it is a ${stat.kind}. Write the path without a slash at the end`
  throw new FsError({ code: 'ENOTDIR', op, path: parsed.path, detail })
}

/** As `locate`, for an entry that must exist. @throws {FsError} ENOENT */
export async function locateExisting(view: View, input: string, access: Access, op: string, follow = true): Promise<Existing> {
  const found = await locate(view, input, access, op, follow)
  if (!found.stat) throw await missing(view.tree.fs, found.path, op)
  return found as Existing
}

const spelling = lazy(() => import('./spelling.js'))

/** Creates the error for a missing path. Only searches and listings, which are rare, also look for the name in another case. */
export async function missing(fs: VirtualFs, path: string, op: string): Promise<FsError> {
  const isTwice = fs.root !== '/' && `${path}/`.startsWith(`${fs.root}${fs.root}/`)
  const rooted = isTwice ? await (await spelling()).rootedOnce(usable(fs), path) : undefined
  const twin = rooted ?? (await twinOf(fs, path, op === 'search' || op === 'list'))
  return new FsError({ code: 'ENOENT', op, path, ...(twin && { detail: twin.missed }) })
}

/**
 * Rejects a path whose name looks the same as an existing one. `from` is the source of a move or copy: a move may change only the spelling.
 *
 * @throws {FsError} EEXIST instead of creating a second file with a name that looks the same
 */
export async function refuseTwin(fs: VirtualFs, path: string, op: string, from?: string): Promise<void> {
  const twin = await twinOf(fs, path)
  if (!twin || (op === 'move' && twin.path === from && parentPath(from) === parentPath(path))) return
  throw new FsError({ code: 'EEXIST', op, path: from ?? path, ...(from !== undefined && { dest: path }), detail: twin.refused })
}

async function twinOf(fs: VirtualFs, path: string, anyCase = false): Promise<OtherSpelling | undefined> {
  if (!anyCase && /^[\0-\x7f]*$/.test(path)) return undefined
  return (await spelling()).otherSpelling(usable(fs), path, anyCase)
}

/** Returns a directory reader that leaves out names that are not valid in a path. */
const usable = (fs: VirtualFs): Listed => ({
  root: fs.root,
  readdir: async (folder) => (await fs.readdir(folder)).filter(({ name }) => !refusalOf(folder, name)),
})
