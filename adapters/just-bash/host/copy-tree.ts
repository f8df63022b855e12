import { FsError } from '../../../src/errors/index.js'
import type { BashFs } from '../../../src/workspace/facades/to-bash-fs.js'
import { joinPath } from '../../../src/workspace/paths.js'

type Steps = Pick<BashFs, 'lstat' | 'cp' | 'mkdir' | 'readdirWithFileTypes'>

/** Copies as `cp` with `recursive` does, a file at a time: nothing more is copied once the steps fail. @throws {FsError} */
export async function copyTree(fs: Steps, from: string, to: string): Promise<void> {
  const { isDirectory } = await fs.lstat(from)
  if (!isDirectory) return fs.cp(from, to, { recursive: true })
  if (`${to}/`.startsWith(`${from}/`)) throw new FsError({ code: 'EINVAL', op: 'copy', path: from, dest: to })
  await copyFolder(fs, from, to)
}

async function copyFolder(fs: Steps, from: string, to: string): Promise<void> {
  await fs.mkdir(to, { recursive: true })
  for (const { name, isDirectory } of await fs.readdirWithFileTypes(from)) {
    const [source, dest] = [joinPath(from, name), joinPath(to, name)]
    if (isDirectory) await copyFolder(fs, source, dest)
    else await fs.cp(source, dest, { recursive: true })
  }
}
