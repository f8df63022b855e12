// @module-tag branches
import { createWorkspace, type FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { plainFs } from './mounts-support.js'
import { withoutMethods } from './slow-fs.js'

const MAKES: Readonly<Record<string, () => FsAdapter>> = {
  'with their own checkpoints': () => createMemoryFs(),
  'with a journal': plainFs,
}

for (const [what, make] of Object.entries(MAKES)) {
  describe(`checkpoints over mounts ${what}`, () => {
    it('include all mounts, and restoring reverts a move between them', async () => {
      const root = make()
      await root.write('/hidden', new Uint8Array(1))
      const workspace = createWorkspace({ fs: root, mounts: { docs: make(), 'data/raw': make() } })
      await workspace.writeText('a/f', 'one')
      await workspace.writeText('a/g', 'two')
      await workspace.writeText('docs/x', 'x')
      const before = await workspace.files()
      const { id } = await workspace.checkpoint({ label: 'start' })
      await workspace.move('a', 'docs/a')
      await workspace.writeText('data/raw/r', 'r')
      await workspace.writeText('data/own', 'own')
      await workspace.remove('docs/x')
      const changed = await workspace.files()
      const { changes } = await workspace.diff(id)
      expect(changes.map(({ path, before: old, after }) => `${old ? '' : '+'}${after ? '' : '-'}${path}`)).toEqual([
        '-/workspace/a',
        '-/workspace/a/f',
        '-/workspace/a/g',
        '+/workspace/data/own',
        '+/workspace/data/raw/r',
        '+/workspace/docs/a',
        '+/workspace/docs/a/f',
        '+/workspace/docs/a/g',
        '-/workspace/docs/x',
      ])
      const { checkpoint } = await workspace.restore(id)
      expect(await workspace.files()).toEqual(before)
      await workspace.restore(checkpoint.id)
      expect(await workspace.files()).toEqual(changed)
    })
  })
}

it.each([
  ['with their own checkpoints', () => createMemoryFs()],
  ['with a journal', () => withoutMethods(createMemoryFs(), 'checkpoint')],
])('include the mode of a directory above a mount point, over storages %s', async (_, make) => {
  const workspace = createWorkspace({ fs: make(), mounts: { 'a/b/m': make() } })
  await workspace.mkdir('a/b/own')
  const { id } = await workspace.checkpoint()
  for (const path of ['a', 'a/b', 'a/b/m']) await workspace.setMeta(path, { mode: 0o700 })
  const { changes } = await workspace.diff(id)
  expect(changes.map(({ path, before, after }) => [path, before?.mode, after?.mode])).toEqual(
    ['/workspace/a', '/workspace/a/b', '/workspace/a/b/m'].map((path) => [path, 0o755, 0o700]),
  )
  await workspace.restore(id)
  for (const path of ['a', 'a/b', 'a/b/m']) expect((await workspace.lstat(path)).mode, path).toBe(0o755)
})

it('read the old state, and reject a checkpoint of another storage', async () => {
  const workspace = createWorkspace({ fs: createMemoryFs(), mounts: { 'a/m': createMemoryFs({ files: { f: 'old' } }) } })
  const other = createWorkspace({ fs: createMemoryFs(), mounts: { m: createMemoryFs() } })
  const moment = await workspace.fs.checkpoint?.()
  await workspace.writeText('a/m/f', 'new')
  expect(new TextDecoder().decode(await moment?.read('/a/m/f'))).toBe('old')
  expect(await moment?.lstat('/a')).toMatchObject({ kind: 'dir' })
  expect(await moment?.lstat('/a/m')).toMatchObject({ kind: 'dir' })
  await expect(moment?.read('/a')).rejects.toMatchObject({ code: 'EISDIR' })
  await expect(moment?.diff(await other.fs.checkpoint?.())).rejects.toMatchObject({ code: 'EINVAL' })
  expect((await moment?.diff())?.map(({ path }) => path)).toEqual(['/a/m/f'])
})

it('leave out read-only mounts because they cannot be restored', async () => {
  const ro = createMemoryFs({ files: { f: 'f' } })
  const workspace = createWorkspace({ fs: createMemoryFs(), mounts: { ro: { fs: ro, readOnly: true } } })
  const { id } = await workspace.checkpoint()
  await ro.write('/f', new Uint8Array(9))
  await workspace.writeText('g', 'g')
  await workspace.restore(id)
  expect(Object.keys(await workspace.files())).toEqual(['ro/f'])
})
