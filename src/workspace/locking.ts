import { FsError, hasCode } from '../errors/index.js'
import type { Access } from '../types/workspace.js'
import { type ParsedPath, parsePath } from './parse-path.js'
import { parentPath } from './paths.js'
import { resolveLinks } from './resolve-links.js'
import { allow, checkDirectory, type Located, resolveParsed, type Tree, type View } from './state.js'

/** How often links may change during a call before the call gives up. */
const MAX_ATTEMPTS = 40
/** Number of paths to look up before yielding to the event loop. */
const A_TURN = 500

export interface Wanted {
  readonly input: string
  readonly op: string
  readonly follow: boolean
  /** Default `write`. */
  readonly access?: Access
}

/**
 * Locates paths and runs the body with their locks. Resolves each path under its lock. If links lead elsewhere, locks the target instead.
 */
export async function withLocated<T>(view: View, wanted: readonly Wanted[], body: (found: Located[]) => Promise<T>): Promise<T> {
  const parsed = wanted.map(({ input }) => parsePath(input, view.tree.rules))
  let paths = parsed.map(({ path }) => path)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const release = view.held.size > 0 ? undefined : await view.tree.locks.acquire(paths)
    try {
      const found: Located[] = []
      for (let i = 0; i < wanted.length; i++) {
        const { access = 'write', op, follow } = wanted[i] as Wanted
        found.push(await resolveParsed(view, parsed[i] as ParsedPath, access, op, follow))
      }
      const actual = found.map(({ path }) => path)
      if (!release) checkHeld(view, actual, paths)
      if (!release || actual.every((path, i) => path === paths[i])) {
        // Ask last and only once: an approval may need a user.
        for (let i = 0; i < wanted.length; i++) {
          const { access = 'write', op } = wanted[i] as Wanted
          await allow(view, found[i] as Located, access, op)
          checkDirectory(found[i] as Located, op)
        }
        return await body(found)
      }
      paths = actual
    } finally {
      release?.()
    }
  }
  const { op } = wanted[0] as Wanted
  throw new FsError({ code: 'EBUSY', op, path: paths[0] as string, detail: 'links in the path keep changing' })
}

/**
 * Locks the targets of input paths. If links change while it waits, it locks the new targets.
 *
 * @throws {Error} if a view that already holds locks requests a path outside them: waiting for more locks could deadlock two calls
 */
export async function acquireResolved(
  view: View,
  inputs: readonly string[],
): Promise<{ readonly held: readonly string[]; readonly release: () => void }> {
  if (view.held.size > 0) {
    const held = await lockPaths(view.tree, inputs)
    checkHeld(view, held)
    return { held, release: () => undefined }
  }
  // Most paths have no link, and then this is the only lookup.
  let held = inputs.map((input) => parsePath(input, view.tree.rules).path)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const release = await view.tree.locks.acquire(held)
    const now = await lockPaths(view.tree, inputs).catch((error: unknown) => {
      release()
      throw error
    })
    if (now.length === held.length && now.every((path, i) => path === held[i])) return { held, release }
    release()
    held = now
  }
  throw new FsError({ code: 'EBUSY', op: 'lock', path: held[0] as string, detail: 'links in the path keep changing' })
}

/** Whether the path, or a directory above it, is locked. */
function isHeld(held: ReadonlySet<string>, path: string): boolean {
  for (let at = path; ; at = parentPath(at)) {
    if (held.has(at)) return true
    if (at === '/') return false
  }
}

/**
 * @param before the previous targets
 * @throws {FsError} EBUSY if somebody changed a link meanwhile; {Error}
 */
function checkHeld(view: View, paths: readonly string[], before: readonly string[] = paths): void {
  const at = paths.findIndex((path) => !isHeld(view.held, path))
  const missing = paths[at]
  if (missing === undefined) return
  if (before[at] !== missing && isHeld(view.held, before[at] as string))
    throw new FsError({
      code: 'EBUSY',
      op: 'use',
      path: before[at] as string,
      detail: 'a link in the path changed meanwhile: try again',
    })
  throw new Error(`Cannot use "${missing}": it is not one of the locked paths`)
}

async function lockPaths(tree: Tree, inputs: readonly string[]): Promise<string[]> {
  const paths: string[] = []
  for (const [i, input] of inputs.entries()) {
    if (i % A_TURN === A_TURN - 1) await tree.host.yield()
    paths.push(...(await pathsOf(tree, input)))
  }
  return paths
}

/** Returns the paths to lock for an input path: a link and its target, because an operation may act on either. */
async function pathsOf(tree: Tree, input: string): Promise<string[]> {
  const { path } = parsePath(input, tree.rules)
  const rules = { maxSymlinks: tree.maxSymlinks }
  let known = [path]
  try {
    const itself = await resolveLinks(tree.fs, path, { ...rules, follow: false })
    known = [itself.path]
    if (itself.stat?.kind !== 'symlink') return known
    return [itself.path, (await resolveLinks(tree.fs, itself.path, { ...rules, follow: true })).path]
  } catch (error) {
    // A dangling or unreadable link can still be moved and removed. Other operations on it fail later.
    if (hasCode(error, 'ELOOP', 'ENOTDIR', 'EACCES', 'ENOTSUP') || (error as Error).name === 'WorkspaceError') return known
    throw error
  }
}
