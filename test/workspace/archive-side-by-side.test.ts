// @module-tag archives
import { createWorkspace, type FsAdapter, FsError } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type ArchiveEntry, importEntries } from 'toolport/archive'
import { describe, expect, it } from 'vitest'
import { dir, file } from '../unit/archive-support.js'
import { slowFs } from './slow-fs.js'

const many = (count: number): ArchiveEntry[] => Array.from({ length: count }, (_, at) => file(`f${at}`, `${at}`))
const large = (path: string, bytes: number): ArchiveEntry => file(path, 'x'.repeat(bytes))

/** Fails to write these paths, after some turns of the event loop. */
function failing(fs: FsAdapter, paths: readonly string[], turns = 0): FsAdapter {
  return {
    ...fs,
    async write(path, bytes, options) {
      if (paths.includes(path)) {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
        throw new FsError({ code: 'EIO', op: 'write', path })
      }
      await fs.write(path, bytes, options)
    },
  }
}

describe('an import that writes several files in parallel', () => {
  it.each([
    ['a counted quota', {}, { bytes: 1000 }],
    ['a limit of the storage', { maxBytes: 1000 }, {}],
  ])('can use space that an earlier entry freed: %s', async (_, limits, quotas) => {
    const memory = createMemoryFs({ ...limits, files: { a: 'x'.repeat(900), b: 'x' } })
    const slow = slowFs(memory, () => 20)
    const fs: FsAdapter = {
      ...memory,
      write: (path, bytes, options) => (path === '/a' ? slow : memory).write(path, bytes, options),
    }
    const workspace = createWorkspace({ fs, quotas })
    const report = await importEntries(workspace, [large('a', 10), large('b', 900)], { overwrite: 'replace' })
    expect(report).toMatchObject({ files: 2, replaced: 2 })
  })

  it('copies the bytes of an entry before it requests the next one', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs()) })
    const buffer = new Uint8Array(4)
    async function* entries(): AsyncGenerator<ArchiveEntry> {
      for (let at = 0; at < 6; at++) {
        buffer.fill(65 + at)
        const parts = async function* (): AsyncGenerator<Uint8Array> {
          yield buffer
        }
        yield { path: `f${at}`, kind: 'file', size: 4, content: at % 2 ? buffer : parts() }
      }
    }
    await importEntries(workspace, entries())
    const texts = await Promise.all(many(6).map(async ({ path }) => (await workspace.readText(path)).text))
    expect(texts).toEqual(['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE', 'FFFF'])
  })

  it.each([true, false])('keeps a file that somebody put into a directory that it created (atomicReplace: %s)', async (atomicReplace) => {
    for (const overwrite of ['skip', 'replace', 'refuse'] as const) {
      const memory = createMemoryFs()
      const slow = slowFs(memory)
      const workspace = createWorkspace({ fs: { ...slow, can: { ...slow.can, atomicReplace } } })
      async function* entries(): AsyncGenerator<ArchiveEntry> {
        yield dir('d')
        yield file('d/mine', 'mine')
        await memory.write('/d/theirs', new TextEncoder().encode('theirs'))
        yield file('d/theirs', 'mine')
      }
      const importing = importEntries(workspace, entries(), { overwrite })
      if (overwrite === 'refuse') await expect(importing).rejects.toMatchObject({ code: 'EEXIST', path: '/workspace/d/theirs' })
      else {
        const skipped = overwrite === 'skip' ? [{ path: 'd/theirs', reason: 'exists' }] : []
        expect(await importing).toMatchObject({ files: overwrite === 'skip' ? 1 : 2, replaced: overwrite === 'skip' ? 0 : 1, skipped })
      }
      expect(await workspace.readText('d/theirs')).toMatchObject({ text: overwrite === 'replace' ? 'mine' : 'theirs' })
    }
  })

  it('asks for one approval at a time, and for no more after a rejection', async () => {
    const workspace = createWorkspace({
      fs: createMemoryFs(),
      policy: { paths: [{ paths: '**', access: 'write', action: 'ask' }] },
    })
    const asked: string[] = []
    let [open, most] = [0, 0]
    const scoped = workspace.scope({
      async approve({ path }) {
        asked.push(path)
        open += 1
        most = Math.max(most, open)
        await new Promise((resolve) => setTimeout(resolve, 1))
        open -= 1
        return path !== '/workspace/f1'
      },
    })
    await expect(importEntries(scoped, many(40))).rejects.toMatchObject({ code: 'approval_required' })
    expect(most).toBe(1)
    expect(asked.filter((path) => /f\d/.test(path))).toEqual(['/workspace/f0', '/workspace/f1'])
    expect(await workspace.list('.')).toEqual([])
  })

  it('starts no further writes after a failure', async () => {
    const begun: string[] = []
    const fs = failing(slowFs(createMemoryFs()), ['/f2'])
    const watched: FsAdapter = {
      ...fs,
      write(path, bytes, options) {
        begun.push(path)
        return fs.write(path, bytes, options)
      },
    }
    await expect(importEntries(createWorkspace({ fs: watched }), many(200))).rejects.toMatchObject({ code: 'EIO', path: '/workspace/f2' })
    expect(begun.length).toBeLessThanOrEqual(40)
  })

  it('reports only the entries before the failed one', async () => {
    const told: string[] = []
    const workspace = createWorkspace({ fs: failing(slowFs(createMemoryFs()), ['/f2', '/f7']) })
    const onProgress = ({ path }: { readonly path: string }): void => void told.push(path)
    await expect(importEntries(workspace, many(20), { onProgress })).rejects.toMatchObject({ path: '/workspace/f2' })
    expect(told).toEqual(['/workspace/f0', '/workspace/f1'])
  })

  it('reports no progress after an abort or an error of onProgress', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    let told = 0
    const abort = (): void => {
      told += 1
      stop.abort(reason)
    }
    const fault = (): void => {
      told += 1
      throw reason
    }
    for (const options of [{ signal: stop.signal, onProgress: abort }, { onProgress: fault }]) {
      told = 0
      const workspace = createWorkspace({ fs: slowFs(createMemoryFs()) })
      await expect(importEntries(workspace, many(40), options)).rejects.toBe(reason)
      expect(told).toBe(1)
      expect(await workspace.list('.')).toEqual([])
    }
  })

  it('fails with the first failed entry, even if a later one is rejected earlier', async () => {
    const workspace = createWorkspace({ fs: failing(createMemoryFs(), ['/f1'], 5) })
    async function* entries(): AsyncGenerator<ArchiveEntry> {
      yield* many(3)
      yield file('f0', 'twice')
    }
    await expect(importEntries(workspace, entries())).rejects.toMatchObject({ code: 'EIO', path: '/workspace/f1' })
  })
})
