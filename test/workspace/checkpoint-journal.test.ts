// @module-tag checkpoints
import type { FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { open, removeAll, signs, utf8 } from './checkpoint-cases.js'
import { slowFs, withoutMethods } from './slow-fs.js'

const SEGMENT = '/.toolport-checkpoints/journal/c1'

/** Records each call as `method path`, including those in the journal's folder. */
function counted(fs: FsAdapter): { readonly fs: FsAdapter; readonly calls: string[] } {
  const calls: string[] = []
  const methods = Object.entries(fs).map(([key, value]) => [
    key,
    typeof value === 'function'
      ? (...args: unknown[]): unknown => {
          calls.push(`${key} ${String(args[0])}`)
          return (value as (...args: unknown[]) => unknown)(...args)
        }
      : value,
  ])
  return { fs: Object.fromEntries(methods) as FsAdapter, calls }
}

const journaled = (): FsAdapter => withoutMethods(createMemoryFs(), 'checkpoint')

describe('the checkpoint journal', () => {
  it('reports lost checkpoints once, with the next new checkpoint', async () => {
    const fs = journaled()
    const workspace = open(fs)
    for (const text of ['1', '2', '3']) {
      await workspace.writeText('a', text)
      await workspace.checkpoint()
    }
    // Data for c1 may be stored in c2, so without c2, c1 is lost too.
    await removeAll(fs, SEGMENT.replace('c1', 'c2'))
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c3'])
    await expect(workspace.diff('c1')).rejects.toThrow(
      'There is no checkpoint "c1": its data in ".toolport-checkpoints" was removed; existing checkpoints: c3',
    )
    await removeAll(fs, '/.toolport-checkpoints')
    await workspace.writeText('a', '4')
    await workspace.writeText('b', 'new')
    expect(await workspace.checkpoint()).toMatchObject({ id: 'c4', lost: ['c1', 'c2', 'c3'] })
    expect(await workspace.checkpoint()).not.toHaveProperty('lost')
    await expect(workspace.restore('c3')).rejects.toThrow('its data in ".toolport-checkpoints" was removed')
    // A newly opened workspace reads the same list.
    expect(await open({ ...fs }).checkpoints()).toMatchObject([{ id: 'c4', lost: ['c1', 'c2', 'c3'] }, { id: 'c5' }])
    await removeAll(fs, '/.toolport-checkpoints/journal/c4')
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c5'])
    expect(await workspace.checkpoint()).toMatchObject({ id: 'c6', lost: ['c4'] })
  })

  it('knows after reopening which checkpoints were removed', async () => {
    const fs = journaled()
    const workspace = open(fs, { checkpoints: { keep: 3 } })
    for (const text of ['1', '2', '3', '4']) {
      await workspace.writeText('a', text)
      await workspace.checkpoint()
    }
    expect((await open({ ...fs }).checkpoints()).map(({ id }) => id)).toEqual(['c2', 'c3', 'c4'])
    await removeAll(fs, SEGMENT.replace('c1', 'c3'))
    const again = open({ ...fs })
    expect((await again.checkpoints()).map(({ id }) => id)).toEqual(['c4'])
    await expect(again.restore('c2')).rejects.toThrow('its data in ".toolport-checkpoints" was removed')
    expect(await again.checkpoint()).toMatchObject({ id: 'c5', lost: ['c2', 'c3'] })
    expect((await fs.readdir('/.toolport-checkpoints/journal')).map(({ name }) => name)).toEqual(['c4', 'c5'])
  })

  // `gone`: files to remove from c1's folder, which has four images. `live`: the same workspace goes on, instead of a newly opened one.
  // `isNewest`: c1 is the newest checkpoint.
  const PARTS: Readonly<Record<string, { readonly gone: readonly string[]; readonly live?: true; readonly isNewest?: true }>> = {
    'the first image': { gone: ['1'] },
    'the first image of the newest': { gone: ['1'], isNewest: true },
    'a middle image of the newest': { gone: ['3'], isNewest: true },
    'the last image': { gone: ['4'] },
    'the last image of the newest, without reopening': { gone: ['4'], live: true, isNewest: true },
    'its description, without reopening': { gone: ['checkpoint'], live: true, isNewest: true },
    'all of its files, without reopening': { gone: ['1', '2', '3', '4', 'checkpoint'], live: true, isNewest: true },
  }

  for (const [what, { gone, live, isNewest }] of Object.entries(PARTS)) {
    it(`reports a checkpoint as lost after somebody removed ${what}`, async () => {
      const fs = journaled()
      const workspace = open(fs)
      for (const name of ['a', 'b', 'c', 'd']) await workspace.writeText(name, '1')
      await workspace.checkpoint()
      for (const name of ['a', 'b', 'c', 'd']) await workspace.writeText(name, '2')
      if (!isNewest) await workspace.checkpoint()
      for (const name of gone) await fs.unlink(`${SEGMENT}/${name}`)
      const again = live ? workspace : open({ ...fs })
      await expect(again.restore('c1')).rejects.toThrow('There is no checkpoint "c1": its data in ".toolport-checkpoints" was removed')
      expect((await again.checkpoints()).map(({ id }) => id)).toEqual(isNewest ? [] : ['c2'])
      expect((await again.readText('a')).text).toBe('2')
      const { id } = await again.checkpoint()
      expect(await open({ ...fs }).checkpoints()).toContainEqual(expect.objectContaining({ id, lost: ['c1'] }))
      await again.writeText('a', '3')
      await again.restore(id)
      expect((await again.readText('a')).text).toBe('2')
    })
  }

  it('counts no failed or interrupted image as missing', async () => {
    const fs = journaled()
    const workspace = open(
      withFaults(fs, { fault: 'EIO', at: 1, when: ({ method, path }) => method === 'write' && path === `${SEGMENT}/2` }),
    )
    for (const name of ['a', 'b', 'c']) await workspace.writeText(name, '1')
    const { id } = await workspace.checkpoint()
    await workspace.writeText('a', '2')
    await expect(workspace.writeText('b', '2')).rejects.toThrow('EIO')
    await workspace.writeText('b', '2')
    const again = open({ ...fs })
    await again.writeText('c', '2')
    await open({ ...fs }).restore(id)
    expect(await again.files()).toEqual({ a: '1', b: '1', c: '1' })
  })

  it('recreates a checkpoint whose folder disappears while it is created', async () => {
    const fs = journaled()
    let removes = true
    const write: FsAdapter['write'] = async (path, bytes, options) => {
      if (removes && path.endsWith('/checkpoint')) {
        removes = false
        await removeAll(fs, '/.toolport-checkpoints')
      }
      await fs.write(path, bytes, options)
    }
    const workspace = open({ ...fs, write })
    await workspace.writeText('a', '1')
    const { id } = await workspace.checkpoint()
    await workspace.writeText('a', '2')
    await workspace.restore(id)
    expect(await workspace.files()).toEqual({ a: '1' })
  })

  it('reports no checkpoint as lost that is created or dropped concurrently', async () => {
    const workspace = open(slowFs(journaled()), { checkpoints: { keep: 2 } })
    const looks = Array.from({ length: 20 }, async (_, i) => {
      if (i % 4 === 0) return void (await workspace.checkpoint())
      await workspace.writeText(`f${i % 3}`, String(i))
      await workspace.checkpoints()
    })
    await Promise.all(looks)
    const { id, lost } = await workspace.checkpoint()
    expect([id, lost]).toEqual(['c6', undefined])
  })

  it('a journal without checkpoints costs one lookup and no write', async () => {
    const { fs, calls } = counted(journaled())
    const workspace = open(fs)
    await workspace.writeText('a', '1')
    expect(calls.filter((call) => call.includes('toolport'))).toEqual(['readdir /.toolport-checkpoints/journal'])
    calls.length = 0
    await workspace.writeText('a', '2')
    await workspace.remove('a')
    expect(calls).toEqual(['lstat /a', 'write /a', 'lstat /a', 'lstat /a', 'unlink /a'])
    expect(await fs.readdir('/')).toEqual([])
  })

  it('writes the old content once, with the first change since the newest checkpoint', async () => {
    const { fs, calls } = counted(journaled())
    const workspace = open(fs)
    await workspace.writeText('a', '1')
    await workspace.checkpoint()
    const images = (): string[] => calls.filter((call) => call.startsWith(`write ${SEGMENT}/`))
    calls.length = 0
    await workspace.writeText('a', '2')
    expect(images()).toEqual([`write ${SEGMENT}/1`])
    expect(new TextDecoder().decode(await fs.read(`${SEGMENT}/1`))).toMatch(
      /^\{"path":"\/a","kind":"file","size":1,"mode":420,"sum":\d+\}\n1$/,
    )
    calls.length = 0
    await workspace.writeText('a', '3')
    expect(calls).toEqual(['lstat /a', 'write /a', 'lstat /a'])
    // A new directory has one image, regardless of its files. Removing it makes no image.
    for (let i = 0; i < 10; i++) await workspace.writeText(`new/deep/f${i}`, '')
    expect(images()).toEqual([`write ${SEGMENT}/2`])
    await workspace.move('new', 'newer')
    await workspace.remove('newer', { recursive: true })
    expect(images()).toEqual([`write ${SEGMENT}/2`, `write ${SEGMENT}/3`])
    await workspace.checkpoint()
    calls.length = 0
    await workspace.writeText('a', '4')
    expect(calls.filter((call) => call.startsWith('write'))).toEqual(['write /.toolport-checkpoints/journal/c2/1', 'write /a'])
  })

  it('writes the old content once for concurrent changes on a slow storage', async () => {
    const inner = journaled()
    const { fs, calls } = counted(slowFs(inner))
    const workspace = open(fs)
    await workspace.writeText('a', '1')
    await workspace.checkpoint()
    await Promise.all(Array.from({ length: 5 }, (_, i) => workspace.setMeta('a', { mtimeMs: i })))
    expect(calls.filter((call) => call.startsWith(`write ${SEGMENT}/`))).toHaveLength(2)
    expect((await inner.readdir(SEGMENT)).map(({ name }) => name)).toEqual(['1', 'checkpoint'])
  })

  it('rejects a change if the old content cannot be kept', async () => {
    const memory = createMemoryFs({ maxBytes: 400 })
    const workspace = open(withoutMethods(memory, 'checkpoint'))
    await workspace.writeText('a', 'x'.repeat(200))
    await workspace.checkpoint()
    for (const attempt of [
      () => workspace.writeText('a', '1'),
      () => workspace.writeText('a', '1', { mode: 'append' }),
      () => workspace.remove('a'),
      () => workspace.move('a', 'b'),
      () => workspace.setMeta('a', { mode: 0o600 }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'ENOSPC',
        path: '/workspace/a',
        message: expect.stringContaining('no space to keep the old content for checkpoints'),
      })
      expect(await workspace.files()).toEqual({ a: 'x'.repeat(200) })
    }
    expect((await workspace.diff('c1')).changes).toEqual([])
    await expect(workspace.checkpoint({ label: 'y'.repeat(200) })).rejects.toMatchObject({ code: 'ENOSPC', path: '/workspace' })
    expect(await workspace.checkpoints()).toHaveLength(1)
  })

  it('rejects a change while the journal cannot be read', async () => {
    const inner = journaled()
    const first = open(inner)
    await first.writeText('a', '1')
    await first.checkpoint()
    const fs = withFaults(inner, { fault: 'EIO', when: ({ method, path }) => method === 'readdir' && path?.includes('journal') === true })
    const workspace = open(fs)
    await expect(workspace.writeText('a', '2')).rejects.toMatchObject({ code: 'EIO', path: '/workspace/a' })
    await expect(workspace.checkpoints()).rejects.toMatchObject({ code: 'EIO', path: '/workspace' })
    expect(await workspace.files()).toEqual({ a: '1' })
    fs.faults.stop()
    await workspace.writeText('a', '2')
    await workspace.restore('c1')
    expect(await workspace.files()).toEqual({ a: '1' })
  })

  it('flushes the old content before the change on a storage that needs it', async () => {
    const inner = journaled()
    const { fs, calls } = counted({ ...inner, can: { ...inner.can, durableOnAck: false } })
    const workspace = open(fs)
    await workspace.writeText('d/a', '1')
    await workspace.writeText('d/b', '1')
    await workspace.checkpoint()
    calls.length = 0
    await workspace.remove('d', { recursive: true })
    const steps = calls.filter((call) => !/^(lstat|read|readdir) /.test(call)).map((call) => call.replace(SEGMENT, ''))
    expect(steps).toEqual(['write /1', 'write /2', 'write /3', 'flush undefined', 'rmTree /d'])
  })

  it('drops the oldest checkpoints above the limit in bytes, but keeps the newest', async () => {
    const workspace = open(journaled(), { checkpoints: { bytes: 2500 } })
    for (let i = 0; i < 6; i++) {
      await workspace.writeText('f', `${i}`.repeat(1000))
      await workspace.checkpoint()
    }
    // The newest checkpoint has stored nothing yet.
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c4', 'c5', 'c6'])
    await workspace.writeText('f', 'x')
    await workspace.restore('c4')
    expect(await workspace.files()).toEqual({ f: '3'.repeat(1000) })
    const strict = open(journaled(), { checkpoints: { bytes: 0 } })
    await strict.writeText('f', '1')
    await strict.checkpoint()
    await strict.writeText('f', '2')
    await strict.restore('c1')
    expect(await strict.files()).toEqual({ f: '1' })
    expect((await strict.checkpoints()).map(({ id }) => id)).toEqual(['c2'])
  })

  it('reports a checkpoint dropped during a read as such, and a vanished one as lost', async () => {
    const inner = journaled()
    let meanwhile = async (): Promise<unknown> => undefined
    const fs: FsAdapter = {
      ...inner,
      read: async (path, options) => {
        if (path === `${SEGMENT}/1`) await meanwhile()
        return inner.read(path, options)
      },
    }
    const workspace = open(fs, { checkpoints: { keep: 1 } })
    await workspace.writeText('a', 'one')
    await workspace.checkpoint()
    await workspace.writeText('a', 'another')
    const diff = await workspace.diff('c1')
    const image = await inner.read(`${SEGMENT}/1`)
    await inner.unlink(`${SEGMENT}/1`)
    await expect(diff.read('a', 'before')).rejects.toMatchObject({
      code: 'EIO',
      path: '/workspace/a',
      detail: expect.stringContaining('missing'),
    })
    await inner.write(`${SEGMENT}/1`, image)
    meanwhile = () => workspace.checkpoint()
    await expect(diff.read('a', 'before')).rejects.toMatchObject({
      code: 'ESTALE',
      detail: expect.stringContaining('c1 is no longer kept'),
    })
  })

  it('treats two spellings as one file on a case-insensitive storage', async () => {
    const inner = journaled()
    const lower = (path: string): string => path.toLowerCase()
    const fs: FsAdapter = {
      ...withoutMethods(inner, 'append', 'copy', 'rmTree', 'symlink', 'readlink', 'setMeta', 'usage'),
      can: { ...inner.can, caseSensitive: false, mode: false },
      lstat: (path) => inner.lstat(lower(path)),
      readdir: (path) => inner.readdir(lower(path)),
      read: (path, options) => inner.read(lower(path), options),
      write: (path, bytes, options) => inner.write(lower(path), bytes, options),
      mkdir: (path) => inner.mkdir(lower(path)),
      unlink: (path) => inner.unlink(lower(path)),
      rmdir: (path) => inner.rmdir(lower(path)),
      rename: (from, to) => inner.rename(lower(from), lower(to)),
    }
    const workspace = open(fs)
    await workspace.writeText('A', '0')
    await workspace.checkpoint()
    await workspace.writeText('A', '1')
    await workspace.writeText('a', '2')
    expect(signs((await workspace.diff('c1')).changes)).toEqual(['* /workspace/A'])
    await workspace.restore('c1')
    expect((await workspace.readText('a')).text).toBe('0')
    expect(await workspace.exists('.Toolport-CHECKPOINTS')).toBe(false)
    // Case-insensitive file systems treat U+017F (long s) as s, and U+212A (Kelvin sign) as k.
    for (const name of ['.TOOLPORT-checkpoints', '.toolport-checkpoint\u017f', '.toolport-chec\u212apoints']) {
      await expect(workspace.writeText(`${name}/x`, '')).rejects.toMatchObject({ code: 'EACCES' })
    }
  })

  it('fails if a user’s file has the reserved name, and keeps the file', async () => {
    const inner = journaled()
    await inner.write('/.toolport-checkpoints', utf8('mine'))
    const workspace = open(inner)
    await workspace.writeText('a', '1')
    await expect(workspace.checkpoint()).rejects.toMatchObject({ code: 'EEXIST', path: '/workspace' })
    expect(await inner.read('/.toolport-checkpoints')).toEqual(utf8('mine'))
  })
})
