import { Fault } from '../fault.js'
import { checkEmpty } from './entries.js'
import { below, type Entry, type Files } from './files.js'

/** Everything that libraries are known to get wrong is decided here: the same path, a directory into itself, kinds, what is not empty, links. */
export async function rename(files: Files, from: string, to: string): Promise<void> {
  const source = await files.at(from)
  const target = await files.at(to)
  if (from === '/' || to === '/') throw new Fault('EBUSY')
  if (!source) throw new Fault('ENOENT')
  if (from === to) return
  if (to.startsWith(`${from}/`)) throw new Fault('EINVAL', 'a directory cannot go into itself')
  if (target) await checkReplaceable(files, source, target, to)
  if (source.kind === 'symlink') return moveLink(files, from, to, target)
  const taken = target && files.miscountsReplaced ? await take(files, to, target) : undefined
  try {
    await files.promises.rename(files.host(from), files.host(to))
  } catch (cause) {
    await taken?.restore()
    throw cause
  }
  await taken?.drop()
}

async function checkReplaceable(files: Files, source: Entry, target: Entry, to: string): Promise<void> {
  if (source.kind !== 'dir') {
    if (target.kind === 'dir') throw new Fault('EISDIR')
    return
  }
  if (target.kind !== 'dir') throw new Fault('ENOTDIR')
  await checkEmpty(files, to)
}

/** Libraries move the target and drop the link. What is replaced is put aside first, so that nothing is lost when a step fails. */
async function moveLink(files: Files, from: string, to: string, target: Entry | undefined): Promise<void> {
  const leadsTo = String(await files.promises.readlink(files.host(from)))
  const putBack = target && (await take(files, to, target))
  let isMade = false
  try {
    await files.promises.symlink(leadsTo, files.host(to))
    isMade = true
    await files.promises.unlink(files.host(from))
  } catch (cause) {
    if (isMade) await files.promises.unlink(files.host(to))
    await putBack?.restore()
    throw cause
  }
  await putBack?.drop()
}

interface Aside {
  restore(): Promise<unknown>
  drop(): Promise<unknown>
}

/** Out of its place. */
function take(files: Files, path: string, { kind, stats }: Entry): Promise<Aside> {
  if (kind === 'dir') return takeDirectory(files, path, Number(stats.mode))
  return kind === 'symlink' ? takeLink(files, path) : putAside(files, path)
}

/** An empty one. */
async function takeDirectory(files: Files, path: string, mode: number): Promise<Aside> {
  const host = files.host(path)
  await files.promises.rmdir(host)
  const restore = async (): Promise<void> => {
    await files.promises.mkdir(host)
    if (files.keepsModes) await files.promises.chmod(host, mode & 0o7777)
  }
  return { restore, drop: async () => undefined }
}

async function takeLink(files: Files, path: string): Promise<Aside> {
  const target = String(await files.promises.readlink(files.host(path)))
  await files.promises.unlink(files.host(path))
  return { restore: () => files.promises.symlink(target, files.host(path)), drop: async () => undefined }
}

async function putAside(files: Files, path: string): Promise<Aside> {
  const aside = files.host(await freeName(files, path.slice(0, path.lastIndexOf('/')) || '/'))
  const host = files.host(path)
  await files.promises.rename(host, aside)
  return { restore: () => files.promises.rename(aside, host), drop: () => files.promises.unlink(aside) }
}

/** Seen by nobody, unless the page or process ends in this very moment. */
async function freeName(files: Files, dir: string): Promise<string> {
  for (let i = 0; ; i++) {
    const path = below(dir, `.toolport-aside-${i}`)
    if (!(await files.look(path))) return path
  }
}
