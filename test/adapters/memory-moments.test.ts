// @module-tag memory
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DirNode, FileNode } from '../../adapters/memory/inode.js'
import fc from '../fast-check.js'
import { anyCall, type Compared, firstCalls, outcome, treeOf } from './beside-memory.js'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const failure = (code: string): unknown => expect.objectContaining({ name: 'FsError', code })

afterEach(() => vi.restoreAllMocks())

/** 100 directories with 100 files each. */
function large(): ReturnType<typeof createMemoryFs> {
  const files: Record<string, string> = {}
  for (let d = 0; d < 100; d++) for (let i = 0; i < 100; i++) files[`d${d}/f${i}`] = `${d} ${i}`
  return createMemoryFs({ files })
}

function watched(): { readonly clones: () => number; readonly visits: () => number } {
  const clones = [vi.spyOn(DirNode.prototype, 'clone'), vi.spyOn(FileNode.prototype, 'clone')]
  const visits = vi.spyOn(DirNode.prototype, 'entries')
  const calls = (spies: readonly { readonly mock: { readonly calls: readonly unknown[] } }[]): number =>
    spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  return { clones: () => calls(clones), visits: () => calls([visits]) }
}

describe('checkpoints of the memory storage', () => {
  it('checkpoints of 10,000 files copy nothing, and a diff visits only changed directories', async () => {
    const fs = large()
    const { clones, visits } = watched()
    const first = await fs.checkpoint()
    expect([clones(), visits()]).toEqual([0, 0])
    expect(await first.diff()).toEqual([])
    expect(visits()).toBe(0)
    await fs.write('/d7/f7', utf8('changed'))
    // Only the nodes of the changed path are copied: the root, the directory and the file.
    expect(clones()).toBe(3)
    await fs.write('/d7/f8', utf8('changed'))
    expect(clones()).toBe(4)
    await fs.write('/d7/f7', utf8('again'))
    await fs.read('/d9/f9')
    await fs.readdir('/d9')
    expect(clones()).toBe(4)
    expect((await first.diff()).map(({ path }) => path).sort()).toEqual(['/d7/f7', '/d7/f8'])
    // A directory notes its own changes, so no directory is compared.
    expect(visits()).toBe(0)
    const second = await fs.checkpoint()
    await fs.unlink('/d8/f8')
    expect((await second.diff()).map(({ path }) => path)).toEqual(['/d8/f8'])
    expect(visits()).toBe(0)
    await fs.write('/d8/new', utf8('new'))
    expect((await first.diff()).map(({ path }) => path).sort()).toEqual(['/d7/f7', '/d7/f8', '/d8/f8', '/d8/new'])
    // The root was copied twice since then, so both states are compared.
    expect(visits()).toBeGreaterThan(0)
  })

  it('a moved directory of 10,000 files is not copied', async () => {
    const fs = large()
    await fs.mkdir('/to')
    await fs.checkpoint()
    const { clones } = watched()
    await fs.rename('/d1', '/to/d1')
    await fs.rmTree('/d2')
    // Only the root and the target directory are copied.
    expect(clones()).toBe(2)
  })

  it('are not affected by later changes', async () => {
    const fs = createMemoryFs({ files: { 'a/f': 'one', 'a/g': 'gone', 'b/h': 'h' } })
    await fs.append('/a/f', utf8(' two'))
    await fs.symlink('f', '/a/l')
    await fs.setMeta('/b', { mode: 0o700 })
    const moment = await fs.checkpoint()
    // The spare memory behind an appended file is not shared with a copy.
    await fs.append('/a/f', utf8('!'))
    await fs.copy('/a/f', '/a/copy')
    await fs.append('/a/copy', utf8('?'))
    await fs.append('/a/f', utf8('#'))
    await fs.unlink('/a/g')
    await fs.unlink('/a/l')
    await fs.setMeta('/b', { mode: 0o755, mtimeMs: 5 })
    await fs.setMeta('/b/h', { mtimeMs: 5 })
    await fs.rename('/b', '/a/b')
    expect(await moment.read('/a/f')).toEqual(utf8('one two'))
    expect(await moment.read('/b/h')).toEqual(utf8('h'))
    expect(await moment.lstat('/b')).toMatchObject({ kind: 'dir', mode: 0o700 })
    expect(await moment.lstat('/a/l')).toMatchObject({ kind: 'symlink', target: 'f' })
    const read = await moment.read('/a/g')
    read.fill(0)
    expect(await moment.read('/a/g')).toEqual(utf8('gone'))
    await expect(moment.read('/a/copy')).rejects.toEqual(failure('ENOENT'))
    await expect(moment.read('/a/f/x')).rejects.toEqual(failure('ENOENT'))
    await expect(moment.read('/a')).rejects.toEqual(failure('EISDIR'))
    await expect(moment.read('/a/l')).rejects.toEqual(failure('ELOOP'))
  })

  it('diff reports real differences in both directions', async () => {
    const fs = createMemoryFs({ files: { a: '1', b: '2', 'd/x': 'x' }, now: () => 1 })
    const first = await fs.checkpoint()
    await fs.write('/a', utf8('3'))
    await fs.write('/b', utf8('2'))
    await fs.rename('/d', '/e')
    await fs.rename('/e', '/d')
    const second = await fs.checkpoint()
    await fs.unlink('/a')
    await fs.symlink('b', '/a')
    expect(await first.diff(second)).toMatchObject([{ path: '/a', before: { size: 1 }, after: { size: 1 } }])
    expect(await second.diff(first)).toMatchObject([{ path: '/a' }])
    expect(await second.diff()).toMatchObject([{ path: '/a', before: { kind: 'file' }, after: { kind: 'symlink', target: 'b' } }])
    expect(await first.diff(first)).toEqual([])
    await expect(first.diff(await createMemoryFs().checkpoint())).rejects.toEqual(failure('EINVAL'))
    await fs.close()
    await expect(first.diff()).rejects.toEqual(failure('EIO'))
    await expect(fs.checkpoint()).rejects.toEqual(failure('EIO'))
  })

  it('show the tree as it was, after any sequence of calls', async () => {
    const names = ['a', 'b', 'c'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCall(...names), { maxLength: 40, size: 'max' }),
        fc.array(anyCall(...names), { maxLength: 40, size: 'max' }),
        async (before, after) => {
          const fs = createMemoryFs({ now: () => 1 })
          for (const call of [...firstCalls('c', 'l'), ...before]) await outcome(fs, call)
          const tree = await treeOf(fs)
          const moment = await fs.checkpoint()
          for (const call of after) await outcome(fs, call)
          const frozen = { ...fs, ...moment, lstat: moment.lstat.bind(moment), read: moment.read.bind(moment) } as unknown as Compared
          for (const path of Object.keys(tree)) {
            const { kind } = await moment.lstat(path)
            const stat = await outcome(frozen, ['lstat', path])
            if (kind === 'dir') expect(stat).toEqual(tree[path])
            else if (kind === 'file') expect([stat, await outcome(frozen, ['read', path])]).toEqual(tree[path])
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
