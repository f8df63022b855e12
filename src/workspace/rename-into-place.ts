import { FsError, hasCode } from '../errors/index.js'
import type { Host } from '../types/host.js'
import { isWithin, joinPath, parentPath } from './paths.js'
import type { VirtualFs } from './virtual-fs.js'

export interface Storage {
  readonly fs: VirtualFs
  readonly host: Host
}

/**
 * Creates an entry under an unused name next to `to` and then renames it to `to`, so a failure leaves the old entry. The old entry at `to`
 * must be a file, a link or missing. For a new directory, `to` must be an empty directory or missing.
 */
export async function makeAside({ fs, host }: Storage, to: string, make: (aside: string) => Promise<void>): Promise<void> {
  const aside = await freeName(parentPath(to), host, (path) => fs.lstat(path))
  try {
    await make(aside)
    await fs.rename(aside, to)
  } catch (error) {
    throw await withoutAside(error, aside, to, () => fs.rmTree(aside))
  }
}

/** Removes the unfinished entry. Returns the error to throw: the first one, worded for the requested operation. */
export async function withoutAside(error: unknown, aside: string, to: string, remove: () => Promise<unknown>): Promise<unknown> {
  const isLeft = await remove().then(
    () => false,
    (second: unknown) => !hasCode(second, 'ENOENT'),
  )
  return FsError.is(error) ? asOf(error, aside, to, isLeft) : error
}

/** An unused name in `folder`. @throws errors of the lookup, except ENOENT */
export async function freeName(folder: string, host: Host, look: (path: string) => Promise<unknown>): Promise<string> {
  const drawn = Math.floor(host.random() * 2 ** 48).toString(36)
  for (let attempt = 0; ; attempt++) {
    const path = joinPath(folder, `.toolport-new-${drawn}${attempt === 0 ? '' : `-${attempt}`}`)
    try {
      await look(path)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return path
      throw error
    }
  }
}

/** Hides the temporary name in errors, unless the entry stays there. */
function asOf({ code, op, path, dest, detail, cause }: FsError, aside: string, to: string, isLeft: boolean): FsError {
  const named = (name: string): string => (isWithin(name, aside) ? to + name.slice(aside.length) : name)
  const isMove = path === aside && dest === to
  const left = `${detail === undefined ? '' : `${detail}; `}the temporary entry could not be removed: remove "${aside}"`
  const said = isLeft ? left : detail
  return new FsError({
    code,
    op: isMove ? 'write' : op,
    path: named(path),
    ...(dest !== undefined && !isMove && { dest: named(dest) }),
    ...(said !== undefined && { detail: said }),
    cause,
  })
}
