// The control: checks the real path, and then uses the path. It rejects symlinks that already exist, and shows that the attack works.
import { constants } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** @param {string} root @returns {import('./swap-attempts.mjs').Subject} */
export function createNaiveFs(root) {
  /** @param {string} path */
  async function check(path) {
    const host = join(root, path)
    if ((await fs.realpath(dirname(host))) !== dirname(host)) throw Object.assign(new Error('a link is in the way'), { code: 'ELOOP' })
    return host
  }
  /** @param {string} path */
  async function checkAll(path) {
    const host = await check(path)
    const stat = await fs.lstat(host).catch(() => undefined)
    if (stat?.isSymbolicLink()) throw Object.assign(new Error('it is a link'), { code: 'ELOOP' })
    return host
  }

  return {
    name: 'naive',
    can: {
      mode: true,
      atomicReplace: false,
      dirRename: true,
      durableOnAck: false,
      caseSensitive: true,
      raceSafe: false,
      persistence: 'durable',
    },
    async lstat(path) {
      const stat = await fs.lstat(await check(path))
      return { kind: stat.isDirectory() ? 'dir' : stat.isFile() ? 'file' : 'symlink', size: stat.size, mtimeMs: stat.mtimeMs }
    },
    readdir: async (path) => (await fs.readdir(await checkAll(path))).map((name) => ({ name, kind: 'file' })),
    skim: async (path, needle) => ((await fs.readFile(await checkAll(path))).indexOf(needle) >= 0 ? undefined : 0),
    timesBelow: async (directory, names) => {
      const host = await checkAll(directory)
      return Promise.all(names.map((name) => fs.lstat(join(host, name)).catch(() => undefined)))
    },
    scanBelow: async (directory, names) => {
      const host = await checkAll(directory)
      return Promise.all(names.map(async (name) => new Uint8Array(await fs.readFile(join(host, name)))))
    },
    read: async (path) => new Uint8Array(await fs.readFile(await checkAll(path))),
    write: async (path, bytes, { create = 'always' } = {}) => {
      const flag = create === 'exclusive' ? 'wx' : create === 'never' ? 'r+' : 'w'
      await fs.writeFile(await checkAll(path), bytes, { flag })
    },
    mkdir: async (path) => fs.mkdir(await check(path)),
    unlink: async (path) => fs.unlink(await check(path)),
    rmdir: async (path) => fs.rmdir(await check(path)),
    rename: async (from, to) => fs.rename(await check(from), await check(to)),
    readlink: async (path) => fs.readlink(await check(path)),
    symlink: async (target, path) => fs.symlink(target, await check(path)),
    append: async (path, bytes) => {
      const file = await fs.open(await checkAll(path), constants.O_WRONLY | constants.O_APPEND)
      await file.write(bytes).finally(() => file.close())
    },
    copy: async (from, to) => fs.copyFile(await checkAll(from), await checkAll(to)),
    rmTree: async (path) => fs.rm(await check(path), { recursive: true }),
    setMeta: async (path, { mode = 0o600 }) => fs.chmod(await checkAll(path), mode),
    flush: async () => {},
    close: async () => {},
  }
}
