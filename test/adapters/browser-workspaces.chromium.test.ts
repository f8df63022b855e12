// @module-tag indexeddb
// @module-tag lightning-fs
// @module-tag opfs
import type { FsAdapter } from 'toolport'
import { createWorkspace } from 'toolport'
import { createBrowserRuntime } from 'toolport/browser'
import { describe, expect, it } from 'vitest'
import { utf8 } from './browser-storages.js'
import { indexedDbFs } from './indexeddb-support.js'
import { lightningFs } from './lightning-fs-support.js'
import { opfs } from './opfs-support.js'

const STORAGES: readonly (readonly [name: string, make: (options: { readonly name?: string }) => FsAdapter])[] = [
  ['indexeddb', indexedDbFs],
  ['lightning-fs', lightningFs],
  ['opfs', opfs],
]
const newName = (): string => `test-${crypto.randomUUID()}`

describe.each(STORAGES)('a workspace in %s', (_, make) => {
  it('files, shell output, links and a moved directory persist for the next runtime', async () => {
    const name = newName()
    const storage = make({ name })
    const link = storage.symlink ? 'ln -s ../out/b.txt moved/l' : 'cp out/b.txt moved/l'
    const first = createBrowserRuntime({ storage })
    await first.call('write_file', { path: 'src/a.txt', content: 'grün\n' })
    await first.call('edit_file', { path: 'src/a.txt', edits: [{ old_string: 'grün', new_string: 'blau' }] })
    await first.call('bash', { command: `mkdir -p out && cp src/a.txt out/b.txt && echo more >> out/b.txt && mv src moved && ${link}` })
    await first.dispose()
    const second = createBrowserRuntime({ storage: make({ name }) })
    expect(await second.call('bash', { command: 'cat moved/a.txt moved/l; ls . moved' })).toMatchObject({
      stdout: 'blau\nblau\nmore\n.:\nmoved\nout\n\nmoved:\na.txt\nl\n',
    })
    await second.dispose()
  })
})

it('edit_file on opfs rejects a file written since it was read, and accepts a file that was moved', async () => {
  const runtime = createBrowserRuntime({ storage: opfs() })
  await runtime.call('write_file', { path: 'a', content: 'one\n' })
  await runtime.workspace.writeText('a', 'two\n')
  const edit = { name: 'edit_file', input: { path: 'a', edits: [{ old_string: 'two', new_string: 'six' }] } }
  expect(await runtime.execute(edit)).toMatchObject({ ok: false, output: { code: 'ESTALE' } })
  await runtime.call('read_file', { path: 'a' })
  await runtime.call('move_file', { from: 'a', to: 'b' })
  expect(await runtime.execute({ ...edit, input: { ...edit.input, path: 'b' } })).toMatchObject({ ok: true })
  await runtime.dispose()
})

it.each([
  ['indexeddb', 100, indexedDbFs],
  ['opfs', 40, opfs],
] as const)('walks thousands of files in %s in order and finds one after reopening', async (_, width, make) => {
  const name = newName()
  const filled = make({ name })
  for (let d = 0; d < width; d++) {
    await filled.mkdir(`/d${d}`)
    await Promise.all(Array.from({ length: width }, (_, i) => filled.write(`/d${d}/f${i}.txt`, utf8(`file ${d} ${i}\n`))))
  }
  await filled.close()
  const workspace = createWorkspace({ fs: make({ name }) })
  const paths: string[] = []
  for await (const entries of workspace.walk('.')) for (const { path } of entries) paths.push(path)
  expect(paths).toHaveLength(width + width * width)
  const sorted = paths.toSorted((a, b) => (a.replaceAll('/', '\0') < b.replaceAll('/', '\0') ? -1 : 1))
  expect(paths).toEqual(sorted)
  expect(await workspace.readText('d33/f32.txt')).toMatchObject({ text: 'file 33 32\n' })
})
