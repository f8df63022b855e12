import { FsError, hasCode } from '../errors/index.js'
import type { Host } from '../types/host.js'
import { isWithin, joinPath, parentPath } from './paths.js'
import type { VirtualFs } from './virtual-fs.js'

export interface Storage {
  readonly fs: VirtualFs
  readonly host: Host
}

/**
 * Makes an entry under a free name beside `to` and puts it there in one step: what cannot be made leaves what is there. What is there must
 * be nothing, a file or a link; of a directory that is made, an empty directory.
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

/** Removes what was begun. Gives the error to throw: the first one, in words of what was asked. */
export async function withoutAside(error: unknown, aside: string, to: string, remove: () => Promise<unknown>): Promise<unknown> {
  const isLeft = await remove().then(
    () => false,
    (second: unknown) => !hasCode(second, 'ENOENT'),
  )
  return FsError.is(error) ? asOf(error, aside, to, isLeft) : error
}

/** A name in `folder` that nothing has. @throws what looking throws, but for ENOENT */
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

/** Nobody knows the name that it has meanwhile, unless it is left there. */
function asOf({ code, op, path, dest, detail, cause }: FsError, aside: string, to: string, isLeft: boolean): FsError {
  const named = (name: string): string => (isWithin(name, aside) ? to + name.slice(aside.length) : name)
  const isMove = path === aside && dest === to
  const left = `${detail === undefined ? '' : `${detail}; `}what was begun could not be removed: remove "${aside}"`
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
