// @module-tag paths
import { createWorkspace, type FsAdapter, type Quotas, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { slowFs, withoutMethods } from './slow-fs.js'

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(97)
const full = { code: 'ENOSPC' }
const { random } = createTestHost()

/** The stored bytes and entries, counted independently. */
async function stored(fs: FsAdapter, path = '/'): Promise<{ bytes: number; files: number }> {
  const sum = { bytes: 0, files: 0 }
  for (const { name, kind } of await fs.readdir(path)) {
    const at = path === '/' ? `/${name}` : `${path}/${name}`
    sum.files++
    if (kind === 'file') sum.bytes += (await fs.lstat(at)).size
    if (kind !== 'dir') continue
    const below = await stored(fs, at)
    sum.bytes += below.bytes
    sum.files += below.files
  }
  return sum
}

for (const live of [true, false]) {
  const storage = (files?: Record<string, string>): FsAdapter => {
    const fs = createMemoryFs({ files })
    return live ? fs : withoutMethods(fs, 'usage')
  }
  const workspaceWith = (quotas: Quotas, files?: Record<string, string>, fs = storage(files)): Workspace => createWorkspace({ fs, quotas })

  describe(live ? 'quotas on a storage that counts' : 'quotas on a storage that does not count', () => {
    it('allow exactly the limit', async () => {
      const workspace = workspaceWith({ bytes: 10 })
      await workspace.writeBytes('a', bytes(10))
      await expect(workspace.writeBytes('b', bytes(1))).rejects.toMatchObject({ ...full, path: '/workspace/b' })
      expect(Object.keys(await workspace.files())).toEqual(['a'])
      await workspace.writeBytes('empty', bytes(0))
    })

    it('count existing files', async () => {
      const workspace = workspaceWith({ bytes: 10 }, { 'src/a': '12345' })
      await expect(workspace.writeBytes('b', bytes(6))).rejects.toMatchObject(full)
      await workspace.writeBytes('b', bytes(5))
    })

    it('count the space that a replaced file frees', async () => {
      const workspace = workspaceWith({ bytes: 10 })
      await workspace.writeBytes('a', bytes(8))
      await workspace.writeBytes('a', bytes(10))
      await expect(workspace.writeBytes('a', bytes(11))).rejects.toMatchObject(full)
      await workspace.writeBytes('a', bytes(2))
      await workspace.writeBytes('b', bytes(8))
      expect(await stored(workspace.fs)).toEqual({ bytes: 10, files: 2 })
    })

    it('count appended bytes', async () => {
      const workspace = workspaceWith({ bytes: 10 })
      await workspace.writeBytes('a', bytes(6), { mode: 'append' })
      await workspace.writeBytes('a', bytes(4), { mode: 'append' })
      await expect(workspace.writeBytes('a', bytes(1), { mode: 'append' })).rejects.toMatchObject(full)
      expect((await workspace.readBytes('a')).bytes.length).toBe(10)
    })

    it('count files, directories, links, and created parents', async () => {
      const workspace = workspaceWith({ files: 4 })
      await expect(workspace.writeText('a/b/c/d/file', '')).rejects.toMatchObject(full)
      expect(await stored(workspace.fs), 'nothing is left of a refused write').toEqual({ bytes: 0, files: 0 })
      await workspace.writeText('a/b/file', '')
      await expect(workspace.mkdir('x/y')).rejects.toMatchObject(full)
      expect(await workspace.exists('x'), 'nothing is left of a refused mkdir').toBe(false)
      await workspace.symlink('a', 'link')
      for (const write of [
        () => workspace.writeText('more', ''),
        () => workspace.mkdir('more'),
        () => workspace.mkdir('more', { parents: false }),
        () => workspace.symlink('a', 'more'),
        () => workspace.copy('a/b/file', 'more'),
        () => workspace.copy('link', 'more'),
        () => workspace.copy('a', 'more'),
        () => workspace.move('a/b/file', 'new/file'),
      ]) {
        await expect(write()).rejects.toMatchObject(full)
      }
      expect(await stored(workspace.fs)).toEqual({ bytes: 0, files: 4 })
      await workspace.writeText('a/b/file', 'replacing costs no file')
      await workspace.move('a/b/file', 'file')
    })

    it('count a copied directory before its first file is copied', async () => {
      const workspace = workspaceWith({ bytes: 100, files: 100, fileBytes: 50 }, { 'a/1': 'x'.repeat(40), 'a/2': 'x'.repeat(40) })
      await expect(workspace.copy('a', 'b')).rejects.toMatchObject(full)
      expect(await workspace.exists('b')).toBe(false)
      expect(await stored(workspace.fs)).toEqual({ bytes: 80, files: 3 })
    })

    it('free the space of removed entries', async () => {
      const workspace = workspaceWith({ bytes: 10, files: 3 }, { 'old/a': '123', 'old/b': '4567' })
      await workspace.remove('old', { recursive: true })
      await workspace.writeBytes('a', bytes(10))
      await expect(workspace.writeBytes('b', bytes(1))).rejects.toMatchObject(full)
      await workspace.remove('a')
      await workspace.mkdir('d')
      await workspace.remove('d')
      await workspace.symlink('nowhere-at-all', 'link')
      await workspace.remove('link')
      await workspace.writeBytes('c/d/e', bytes(10))
      await expect(workspace.writeBytes('c/d/e', bytes(11)), 'a link has no bytes to free').rejects.toMatchObject(full)
      await expect(workspace.mkdir('f')).rejects.toMatchObject(full)
    })

    it('free the space of entries removed before the first write', async () => {
      const workspace = workspaceWith({ bytes: 10 }, { a: '12345', b: '12345' })
      await workspace.remove('a')
      await workspace.writeBytes('c', bytes(5))
      await expect(workspace.writeBytes('d', bytes(1))).rejects.toMatchObject(full)
      expect(await stored(workspace.fs)).toMatchObject({ bytes: 10 })
    })

    it('free the space of entries replaced by a move or a copy', async () => {
      const workspace = workspaceWith({ bytes: 10, files: 3 }, { a: '12345', b: '12345' })
      await workspace.symlink('a-long-name-that-costs-nothing', 'link')
      await workspace.move('a', 'b', { overwrite: true })
      await workspace.writeBytes('c', bytes(5))
      await expect(workspace.writeBytes('c', bytes(6))).rejects.toMatchObject(full)
      await workspace.copy('b', 'c', { overwrite: true })
      await workspace.move('c', 'link', { overwrite: true })
      await expect(workspace.writeBytes('d', bytes(1))).rejects.toMatchObject(full)
      await workspace.writeBytes('e', bytes(0))
      expect(await stored(workspace.fs)).toEqual({ bytes: 10, files: 3 })
    })

    it('return the unused space of a failed write', async () => {
      let broken = false
      const fs = storage()
      const flaky: FsAdapter = { ...fs, write: async (...args) => (broken ? Promise.reject(new Error('disk on fire')) : fs.write(...args)) }
      const workspace = workspaceWith({ bytes: 10, files: 3 }, undefined, flaky)
      broken = true
      for (let i = 0; i < 5; i++) await expect(workspace.writeBytes('d/e/f', bytes(10))).rejects.toMatchObject({ code: 'EIO' })
      broken = false
      await workspace.writeBytes('a/b/f', bytes(10))
      expect(await stored(fs)).toEqual({ bytes: 10, files: 3 })
    })

    it('recover from a failed count', async () => {
      let broken = true
      const fs = storage()
      const fail = (): Promise<never> => Promise.reject(new Error('not now'))
      const flaky: FsAdapter = {
        ...fs,
        readdir: (path) => (broken ? fail() : fs.readdir(path)),
        ...(fs.usage && { usage: () => (broken ? fail() : (fs.usage as () => Promise<{ bytes: number; files: number }>)()) }),
      }
      const workspace = workspaceWith({ bytes: 10 }, undefined, flaky)
      await expect(workspace.writeBytes('a', bytes(1))).rejects.toMatchObject({ code: 'EIO' })
      broken = false
      await workspace.writeBytes('a', bytes(1))
    })

    it('detect space that another program freed', async () => {
      const memory = createMemoryFs()
      const workspace = workspaceWith({ bytes: 100, files: 2 }, undefined, live ? memory : withoutMethods(memory, 'usage'))
      await workspace.writeBytes('a', bytes(60))
      await workspace.writeBytes('b', bytes(40))
      await expect(workspace.writeBytes('c', bytes(1))).rejects.toMatchObject(full)
      await memory.unlink('/a')
      await workspace.writeBytes('c', bytes(60))
      await expect(workspace.writeBytes('c', bytes(61))).rejects.toMatchObject(full)
    })

    for (const turns of [0, 1]) {
      it(`are not exceeded by concurrent writers (${turns === 0 ? 'at once' : 'slow storage'})`, async () => {
        const fs = turns === 0 ? storage() : slowFs(storage(), () => Math.floor(random() * 4))
        const workspace = workspaceWith({ bytes: 100, files: 8 }, undefined, fs)
        const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => workspace.writeBytes(`f${i}`, bytes(30))))
        expect(outcomes.filter(({ status }) => status === 'fulfilled').length, 'and what fits is let in').toBe(3)
        expect(await stored(fs)).toEqual({ bytes: 90, files: 3 })
        const more = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => workspace.mkdir(`d/e${i}`)))
        expect(more.filter(({ status }) => status === 'fulfilled').length).toBe(4)
        expect(await stored(fs)).toEqual({ bytes: 90, files: 8 })
      })

      it(`are exact after concurrent writes and removals (${turns === 0 ? 'at once' : 'slow storage'})`, async () => {
        const memory = createMemoryFs()
        const fs = slowFs(live ? memory : withoutMethods(memory, 'usage'), () => Math.floor(random() * (turns + turns + 1)))
        const workspace = workspaceWith({ bytes: 200, files: 12 }, undefined, fs)
        let most = 0
        const work = async (i: number): Promise<void> => {
          for (let round = 0; round < 6; round++) {
            await workspace.writeBytes(`d${i % 3}/f${i}`, bytes((i * 7 + round * 13) % 60)).catch(ignoreFull)
            most = Math.max(most, (await memory.usage()).bytes)
            if (round % 2 === 1) await workspace.remove(`d${i % 3}`, { recursive: true }).catch(() => undefined)
          }
        }
        await Promise.all(Array.from({ length: 9 }, (_, i) => work(i)))
        expect(most).toBeLessThanOrEqual(200)
        const now = await stored(fs)
        await workspace.writeBytes('rest', bytes(200 - now.bytes))
        await expect(workspace.writeBytes('one', bytes(1))).rejects.toMatchObject(full)
        for (let i = now.files + 1; i < 12; i++) await workspace.mkdir(`fill${i}`)
        await expect(workspace.mkdir('one')).rejects.toMatchObject(full)
      })
    }
  })
}

describe('the file size limit', () => {
  it('is 16 MiB by default, and an append counts only what it adds cap:46', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    await workspace.writeBytes('a', new Uint8Array(16 * 1024 * 1024))
    await expect(workspace.writeBytes('b', new Uint8Array(16 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: 'EFBIG',
      path: '/workspace/b',
    })
    const tooMuch = new Uint8Array(16 * 1024 * 1024 + 1)
    await expect(workspace.writeBytes('a', tooMuch, { mode: 'append' })).rejects.toMatchObject({ code: 'EFBIG' })
    expect(await workspace.writeBytes('a', bytes(1), { mode: 'append' })).toMatchObject({ bytesAfter: 16 * 1024 * 1024 + 1 })
    expect(await workspace.exists('b')).toBe(false)
  })

  it('applies to writes, appends and copies before parents are created', async () => {
    const fs = createMemoryFs({ files: { big: 'x'.repeat(11), 'dir/big': 'x'.repeat(11), 'dir/a': '' } })
    const workspace = createWorkspace({ fs, quotas: { fileBytes: 10 } })
    const tooBig = { code: 'EFBIG' }
    await workspace.writeBytes('ok', bytes(10))
    await expect(workspace.writeBytes('new/dir/no', bytes(11))).rejects.toMatchObject(tooBig)
    await expect(workspace.writeBytes('ok', bytes(1), { mode: 'append' })).rejects.toMatchObject(tooBig)
    await expect(workspace.copy('big', 'new/copy')).rejects.toMatchObject(tooBig)
    await expect(workspace.copy('dir', 'new')).rejects.toMatchObject(tooBig)
    expect(await workspace.exists('new')).toBe(false)
    await workspace.move('big', 'moved')
  })
})

function ignoreFull(error: unknown): void {
  if ((error as { code?: string }).code !== 'ENOSPC') throw error
}
