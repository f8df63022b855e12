import type { CommandContext } from './command.js'
import { hasErrno } from './errno.js'
import { Failure } from './failure.js'

/** Which components of a path must exist: all, all but the last, or none. */
export type Presence = 'all' | 'parents' | 'none'

const MAX_LINKS = 40

/** Resolves symlinks and `..` in a path. A `..` after a symlink is relative to the target of the symlink. @throws {Failure} */
export async function canonical(context: CommandContext, name: string, presence: Presence): Promise<string> {
  if (name === '') throw new Failure(`'': No such file or directory`)
  const refuse = (words: string): Failure => new Failure(`${name}: ${words}`)
  const open = partsOf(absolute(context, name))
  const done: string[] = []
  let links = 0
  while (open.length > 0) {
    const part = open.shift() as string
    if (part === '..') {
      done.pop()
      continue
    }
    const path = `/${[...done, part].join('/')}`
    const stat = await lstat(context, path)
    if (!stat) {
      if (presence === 'all' || (presence === 'parents' && open.length > 0)) throw refuse('No such file or directory')
      done.push(part)
    } else if (stat.isSymbolicLink) {
      if (++links > MAX_LINKS) throw refuse('Too many levels of symbolic links')
      const target = await context.fs.readlink(path)
      if (target.startsWith('/')) done.length = 0
      open.unshift(...partsOf(target))
    } else {
      const last = open.length === 0 && !name.endsWith('/')
      if (!stat.isDirectory && !last && presence !== 'none') throw refuse('Not a directory')
      done.push(part)
    }
  }
  return `/${done.join('/')}`
}

/** Resolves a path lexically, without following symlinks. */
export function lexical(context: CommandContext, name: string): string {
  return context.fs.resolvePath(context.cwd, name)
}

export function relativeTo(path: string, base: string): string {
  const [to, from] = [partsOf(path), partsOf(base)]
  let same = 0
  while (same < to.length && same < from.length && to[same] === from[same]) same++
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/') || '.'
}

const absolute = ({ cwd }: CommandContext, name: string): string => (name.startsWith('/') ? name : `${cwd}/${name}`)
const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.')

async function lstat({ fs }: CommandContext, path: string): Promise<{ isSymbolicLink: boolean; isDirectory: boolean } | undefined> {
  try {
    return await fs.lstat(path)
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
