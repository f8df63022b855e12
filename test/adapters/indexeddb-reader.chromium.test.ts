// @module-tag indexeddb
import { createRuntime } from 'toolport'
import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { standard } from 'toolport/presets/standard'
import { expect, it, onTestFinished } from 'vitest'
import { indexedDbFs, isSame, newName, pattern, refusal, settled, utf8 } from './indexeddb-support.js'

/** A storage that writes, and a second one that only reads. */
async function pair(onChange?: () => void) {
  const name = newName()
  const writer = indexedDbFs({ name })
  await writer.write('/a', utf8('one'))
  const reader = indexedDbFs({ name, whenBusy: 'read-only', ...(onChange && { onChange }) })
  await reader.open()
  return { name, writer, reader }
}

it('a reader sees each change of the writer as soon as the writer acknowledges it', async () => {
  const { writer, reader } = await pair()
  expect([writer.isReadOnly, reader.isReadOnly]).toEqual([false, true])
  expect(await reader.read('/a')).toEqual(utf8('one'))
  await writer.write('/a', utf8('another'))
  await writer.mkdir('/d')
  await writer.rename('/a', '/d/b')
  expect(await reader.readdir('/')).toMatchObject([{ name: 'd', kind: 'dir' }])
  expect(await reader.read('/d/b')).toEqual(utf8('another'))
  expect(await reader.lstat('/d/b')).toEqual(await writer.lstat('/d/b'))
  expect(await reader.usage?.()).toEqual(await writer.usage?.())
})

it('a reader rejects every change with EROFS and leaves the store unchanged', async () => {
  const { writer, reader } = await pair()
  const changes = [
    () => reader.write('/a', utf8('x')),
    () => reader.write('/new', utf8('x')),
    () => reader.append('/a', utf8('x')),
    () => reader.copy('/a', '/b'),
    () => reader.mkdir('/d'),
    () => reader.unlink('/a'),
    () => reader.rmTree('/a'),
    () => reader.rename('/a', '/b'),
    () => reader.symlink('a', '/l'),
    () => reader.setMeta('/a', { mode: 0o600 }),
  ]
  for (const change of changes) await expect(change()).rejects.toThrow(refusal('EROFS', 'open for writing in another tab'))
  await reader.flush()
  expect(await writer.readdir('/')).toMatchObject([{ name: 'a' }])
  expect(await writer.read('/a')).toEqual(utf8('one'))
})

it('a reader is notified of the writer’s changes until it is closed', async () => {
  let told = 0
  const { writer, reader } = await pair(() => told++)
  await writer.write('/b', utf8('x'))
  await expect.poll(() => told).toBeGreaterThan(0)
  await reader.close()
  const before = told
  await writer.write('/c', utf8('x'))
  // A listener that was added later receives the message last, so a listener that is still open would have received it before.
  await new Promise<void>((resolve) => {
    const witness = new BroadcastChannel('witness')
    witness.onmessage = () => {
      witness.close()
      resolve()
    }
    const sender = new BroadcastChannel('witness')
    sender.postMessage('')
    sender.close()
  })
  expect(told).toBe(before)
})

it('a reader never mixes the index and the content of different writes', async () => {
  const { writer, reader } = await pair()
  const contents = [pattern(10), pattern(5 * 1024 * 1024), pattern(300_000)]
  let writing = true
  const work = (async () => {
    for (let i = 0; i < 60; i++) {
      await writer.write('/a', contents[i % 3] as Uint8Array)
      if (i % 20 === 19) await Promise.all(Array.from({ length: 300 }, (_, k) => writer.write(`/f${k}`, utf8(`${i}`))))
    }
    writing = false
  })()
  let looks = 0
  while (writing) {
    const [bytes] = await Promise.all([reader.read('/a'), reader.readdir('/'), reader.lstat('/a')])
    if (looks > 0) expect(contents.some((content) => isSame(content, bytes)) || isSame(bytes, utf8('one'))).toBe(true)
    looks++
  }
  await work
  expect(looks).toBeGreaterThan(3)
  expect(isSame(await reader.read('/a'), contents[2] as Uint8Array)).toBe(true)
})

it('a reader follows a journal that the writer rewrites', async () => {
  const { writer, reader } = await pair()
  for (let round = 0; round < 60; round++) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => writer.write(`/f${i}`, Uint8Array.of(round))))
    if (round % 7 === 0) expect(await reader.read('/f49')).toEqual(Uint8Array.of(round))
  }
  expect(await reader.read('/f0')).toEqual(Uint8Array.of(59))
})

it('after the writer is closed, a reader stays read-only until it is reopened', async () => {
  const { name, writer, reader } = await pair()
  await writer.write('/a', utf8('last'))
  await writer.close()
  expect(await reader.read('/a')).toEqual(utf8('last'))
  await expect(reader.write('/a', utf8('x'))).rejects.toThrow(refusal('EROFS', 'open for writing'))
  await reader.close()
  const next = indexedDbFs({ name, whenBusy: 'read-only' })
  await next.write('/a', utf8('mine'))
  expect(next.isReadOnly).toBe(false)
})

it('a reader lets another page delete the database, and fails with EIO afterwards', async () => {
  const { name, writer, reader } = await pair()
  await writer.close()
  await settled(indexedDB.deleteDatabase(`toolport:${name}`))
  await expect(reader.lstat('/a')).rejects.toThrow(refusal('EIO', 'another page deletes it'))
})

it('a reader lets another page delete the database even while opening', async () => {
  const name = newName()
  await indexedDbFs({ name }).close()
  const fs = createIndexedDbFs({ name })
  onTestFinished(() => fs.close())
  const opening = fs.open().catch((error: unknown) => error)
  await settled(indexedDB.deleteDatabase(`toolport:${name}`))
  await opening
  const after = await fs.readdir('/').catch((error: { readonly code: string }) => error.code)
  expect(['EIO', '']).toContain(String(after))
})

it('tools that read work on a reader, and tools that write report EROFS', async () => {
  const { writer, reader } = await pair()
  await writer.write('/b.txt', utf8('needle\n'))
  const tools = createRuntime({ fs: reader, preset: standard() })
  expect(await tools.call('grep', { pattern: 'needle' })).toMatchObject({ matches: [{ path: '/workspace/b.txt', line: 1 }] })
  expect(await tools.execute({ name: 'write_file', input: { path: 'c.txt', content: 'x' } })).toMatchObject({
    ok: false,
    output: { code: 'EROFS' },
    error: expect.stringContaining('open for writing in another tab'),
  })
})
