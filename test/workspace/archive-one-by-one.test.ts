// @module-tag archives
import { createWorkspace, type FsAdapter, FsError, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type ArchiveEntry, importEntries } from 'toolport/archive'
import { describe, expect, it } from 'vitest'
import { dir, file, link } from '../unit/archive-support.js'
import { slowFs } from './slow-fs.js'

const many = (count: number): ArchiveEntry[] => Array.from({ length: count }, (_, at) => file(`f${at}`, `${at}`))

async function* streamed(entries: readonly ArchiveEntry[]): AsyncGenerator<ArchiveEntry> {
  yield* entries
}

/** A case-insensitive memory file system. */
function folding(): FsAdapter {
  const memory = createMemoryFs()
  const fold = <A extends unknown[], R>(method: (path: string, ...rest: A) => R) => {
    return (path: string, ...rest: A): R => method(path.toLowerCase(), ...rest)
  }
  const { lstat, readdir, read, write, mkdir, unlink, rmdir, setMeta } = memory
  return {
    ...memory,
    can: { ...memory.can, caseSensitive: false },
    lstat: fold(lstat),
    readdir: fold(readdir),
    read: fold(read),
    write: fold(write),
    mkdir: fold(mkdir),
    unlink: fold(unlink),
    rmdir: fold(rmdir),
    setMeta: fold(setMeta),
  }
}

async function pass(turns = 0): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

/** Delays the end of some calls, so that their changes are visible before they resolve. */
function late(fs: FsAdapter, turns: Readonly<Record<string, number>>): FsAdapter {
  return {
    ...fs,
    async write(path, bytes, options) {
      await pass(turns[`before write ${path}`])
      await fs.write(path, bytes, options)
      await pass(turns[`write ${path}`])
    },
    async unlink(path) {
      await fs.unlink(path)
      await pass(turns[`unlink ${path}`])
    },
  }
}

const sizes = async (workspace: Workspace): Promise<Record<string, number>> =>
  Object.fromEntries(Object.entries(await workspace.files()).map(([path, content]) => [path, content.length]))

describe('a parallel import gives the result of a sequential one', () => {
  it.each(['given once', 'given twice'])('asks for one approval at a time, with read approvals: %s', async (given) => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs()), policy: { paths: [{ paths: '**', action: 'ask' }] } })
    const asked: string[] = []
    let [open, most] = [0, 0]
    const scoped = workspace.scope({
      async approve({ path, access }) {
        asked.push(`${access} ${path}`)
        open += 1
        most = Math.max(most, open)
        await new Promise((resolve) => setTimeout(resolve, 2))
        open -= 1
        return access !== 'write' || path !== '/workspace/f1'
      },
    })
    const entries = given === 'given once' ? streamed(many(5)) : many(5)
    await expect(importEntries(scoped, entries)).rejects.toMatchObject({ code: 'approval_required' })
    expect(most).toBe(1)
    expect(asked.at(-1)).toBe('write /workspace/f1')
  })

  it('copies the bytes of entries, generators and parts when it receives them', async () => {
    const buffer = new Uint8Array(4)
    async function* parts(letter: number): AsyncGenerator<Uint8Array> {
      buffer.fill(letter)
      yield buffer
    }
    async function* entries(): AsyncGenerator<ArchiveEntry> {
      for (let at = 0; at < 6; at++) {
        buffer.fill(65 + at)
        yield { path: `f${at}`, kind: 'file', size: 4, content: at % 2 ? buffer : parts(65 + at) }
      }
    }
    const listed = many(6).map(({ path }, at): ArchiveEntry => ({ path, kind: 'file', size: 4, content: parts(65 + at) }))
    for (const given of [entries, listed]) {
      const workspace = createWorkspace({ fs: slowFs(createMemoryFs()) })
      await importEntries(workspace, given)
      expect(Object.values(await workspace.files())).toEqual(['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE', 'FFFF'])
    }
  })

  it('finds a directory that it created under a name that the storage treats as equal', async () => {
    const workspace = createWorkspace({ fs: folding() })
    const report = await importEntries(workspace, [file('d/A/x', '1'), file('d/a/y', '2'), dir('D/a/Z'), file('d/A/z/w', '3')])
    expect(report).toMatchObject({ files: 3, directories: 3 })
    expect(await workspace.files()).toEqual({ 'd/a/x': '1', 'd/a/y': '2', 'd/a/z/w': '3' })
  })

  it.each([
    ['dir', undefined],
    ['file', 'ENOTDIR'],
    ['symlink', 'ELOOP'],
  ])('finds a %s that somebody put into a directory that it created', async (kind, code) => {
    const memory = createMemoryFs({ files: { 'elsewhere/x': 'x' } })
    const workspace = createWorkspace({ fs: slowFs(memory) })
    async function* entries(): AsyncGenerator<ArchiveEntry> {
      yield dir('d')
      yield file('d/mine', 'mine')
      if (kind === 'dir') await memory.mkdir('/d/sub')
      else if (kind === 'file') await memory.write('/d/sub', new TextEncoder().encode('theirs'))
      else await memory.symlink('../elsewhere', '/d/sub')
      yield file('d/sub/mine', 'mine')
    }
    const importing = importEntries(workspace, entries())
    if (code) await expect(importing).rejects.toMatchObject({ code, path: '/workspace/d/sub' })
    else expect(await importing).toMatchObject({ files: 2, directories: 1 })
    expect(await memory.lstat('/d/sub')).toMatchObject({ kind })
    expect(await memory.readdir('/elsewhere')).toHaveLength(1)
  })

  it('fails without space that only a later entry frees, and restores everything', async () => {
    const memory = createMemoryFs({ files: { a: 'x', b: 'x'.repeat(900), c: 'x' }, maxBytes: 1000 })
    const fs = late(memory, { 'before write /a': 2, 'write /b': 20 })
    const workspace = createWorkspace({ fs })
    const content = { a: 500, b: 10, c: 900 }
    const entries = Object.entries(content).map(([path, bytes]) => file(path, 'y'.repeat(bytes)))
    await expect(importEntries(workspace, entries, { overwrite: 'replace' })).rejects.toMatchObject({
      code: 'ENOSPC',
      path: '/workspace/a',
    })
    expect(await sizes(workspace)).toEqual({ a: 1, b: 900, c: 1 })
  })

  it.each([false, true])('needs space for both the new and the replaced entry (a file for a link: %s)', async (isLink) => {
    const memory = createMemoryFs({ files: { old: 'x' }, maxFiles: 2 })
    if (isLink) await memory.symlink('old', '/a')
    else await memory.write('/a', new Uint8Array())
    const workspace = createWorkspace({ fs: memory })
    const entries = [isLink ? file('a', 'longer') : link('a', 'old'), file('b', '2')]
    const importing = importEntries(workspace, entries, { overwrite: 'replace', links: 'keep' })
    await expect(importing).rejects.toMatchObject({ code: 'ENOSPC', path: '/workspace/a' })
    expect(await workspace.lstat('a')).toMatchObject({ kind: isLink ? 'symlink' : 'file' })
    expect(await sizes(workspace)).toEqual(isLink ? { old: 1 } : { old: 1, a: 0 })
  })

  it('throws the abort reason, even if a later entry is rejected at once', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs()) })
    const entries = streamed([...many(3), file('f0', 'twice')])
    const importing = importEntries(workspace, entries, { signal: stop.signal, onProgress: () => stop.abort(reason) })
    await expect(importing).rejects.toBe(reason)
    expect(await workspace.list('.')).toEqual([])
  })

  it('throws the abort reason, even if the call that it waits for fails', async () => {
    const memory = createMemoryFs({ files: { d: 'no directory' } })
    const stop = new AbortController()
    const aborted = new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
    const fs: FsAdapter = {
      ...memory,
      async lstat(path) {
        if (path === '/d') await aborted
        return memory.lstat(path)
      },
    }
    const reason = new Error('enough')
    const entries = streamed([file('f0', '0'), file('d/x', '1')])
    const importing = importEntries(createWorkspace({ fs }), entries, { signal: stop.signal, onProgress: () => stop.abort(reason) })
    await expect(importing).rejects.toBe(reason)
    expect(await memory.readdir('/')).toHaveLength(1)
  })

  it('applies read rules in directories that it created', async () => {
    const policy = { paths: [{ paths: '**/secret', access: 'read', action: 'deny' }] } as const
    const workspace = createWorkspace({ fs: createMemoryFs(), policy })
    await expect(importEntries(workspace, [file('d/x', '1'), file('d/secret', '2')])).rejects.toMatchObject({
      code: 'EACCES',
      path: '/workspace/d/secret',
    })
    expect(await workspace.list('.')).toEqual([])
  })

  it('reports progress while it waits for the next entry', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs()) })
    let go = (): void => undefined
    const told = new Promise<void>((resolve) => {
      go = resolve
    })
    async function* entries(): AsyncGenerator<ArchiveEntry> {
      yield file('f0', '0')
      await told
      yield file('f1', '1')
    }
    await importEntries(workspace, entries(), { onProgress: go })
    expect(await sizes(workspace)).toEqual({ f0: 1, f1: 1 })
  }, 2000)

  it.each([
    ['a file is being written', 10, 0],
    ['nothing is being written', 0, 10],
  ])(
    'fails at once, even if the next entry never comes and %s',
    async (_, writing, looking) => {
      const memory = createMemoryFs({ files: { there: 'there' } })
      const fs: FsAdapter = {
        ...memory,
        async lstat(path) {
          if (path === '/there') await pass(looking)
          return memory.lstat(path)
        },
        write: async (path) => {
          await pass(writing)
          throw new FsError({ code: 'EIO', op: 'write', path })
        },
      }
      let isClosed = false
      async function* entries(): AsyncGenerator<ArchiveEntry> {
        try {
          yield file('f0', '0')
          yield file('there', 'left out')
          await new Promise(() => undefined)
        } finally {
          isClosed = true
        }
      }
      const workspace = createWorkspace({ fs })
      await expect(importEntries(workspace, entries(), { overwrite: 'skip' })).rejects.toMatchObject({ code: 'EIO', path: '/workspace/f0' })
      expect(isClosed).toBe(looking > 0)
      expect(await sizes(workspace)).toEqual({ there: 5 })
    },
    2000,
  )
})
