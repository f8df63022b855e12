// @module-tag opfs
import { createOpfs, isPersisted, type OpfsFs } from 'toolport/adapters/opfs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inside, isSame, namesIn, newName, oddWorker, opfs, pattern, refusal, utf8 } from './opfs-support.js'

const MIB = 1024 * 1024

/** A file's text, read directly from OPFS. */
async function rawText(name: string, file: string): Promise<string> {
  return (await (await (await inside(name, 'files')).getFileHandle(file)).getFile()).text()
}

describe('stored files', () => {
  it('are OPFS files of the same names in a directory without others', async () => {
    const name = newName()
    const fs = opfs({ name })
    await fs.write('/a.txt', utf8('grün'))
    await fs.mkdir('/d')
    await fs.write('/d/b', utf8('x'))
    await fs.rename('/d', '/e')
    await fs.close()
    const files = await inside(name, 'files')
    expect(await namesIn(files)).toEqual(['a.txt', 'e'])
    expect(await namesIn(await files.getDirectoryHandle('e'))).toEqual(['b'])
    expect(await rawText(name, 'a.txt')).toBe('grün')
    expect(await namesIn(await inside(name, 'system'))).toEqual(['café', 'format-1'])
  })

  it('keep their times and versions after reopening', async () => {
    const name = newName()
    const first = opfs({ name })
    await first.write('/a', pattern(5000))
    await first.append('/a', utf8('tail'))
    await first.close()
    const second = opfs({ name })
    const stat = await second.lstat('/a')
    expect(stat).toMatchObject({ kind: 'file', size: 5004 })
    expect((await second.read('/a', { offset: 5000 })).length).toBe(4)
    await second.close()
    const third = opfs({ name })
    expect(await third.lstat('/a')).toEqual(stat)
    expect((await (await (await inside(name, 'files')).getFileHandle('a')).getFile()).lastModified).toBe(stat.mtimeMs)
  })

  it('get a new version for each content, across sessions and within one millisecond', async () => {
    const name = newName()
    const versions = new Set<string | undefined>()
    let looks = 0
    for (let session = 0; session < 3; session++) {
      const fs = opfs({ name })
      for (let i = 0; i < 20; i++) {
        await fs.write('/a', utf8('x'))
        versions.add((await fs.lstat('/a')).version)
        looks++
      }
      await fs.rename('/a', '/b')
      versions.add((await fs.lstat('/b')).version)
      await fs.rename('/b', '/a')
      await fs.close()
    }
    expect(versions.size).toBe(looks)
  })

  it('may have 100 MB, read as a whole or in ranges', async () => {
    const fs = opfs()
    const bytes = pattern(100 * MIB)
    await fs.write('/big', bytes)
    expect(isSame(await fs.read('/big'), bytes)).toBe(true)
    expect(isSame(await fs.read('/big', { offset: 60 * MIB - 5, length: 20 }), bytes.subarray(60 * MIB - 5, 60 * MIB + 15))).toBe(true)
    await fs.copy('/big', '/copy')
    await fs.append('/copy', utf8('tail'))
    await fs.rename('/copy', '/moved')
    expect(isSame(await fs.read('/moved', { offset: 90 * MIB, length: 10 * MIB }), bytes.subarray(90 * MIB))).toBe(true)
    expect(await fs.read('/moved', { offset: 100 * MIB })).toEqual(utf8('tail'))
    expect(await fs.usage()).toEqual({ bytes: 200 * MIB + 4, files: 2 })
  })

  it('can be written and read 1,000 at a time', async () => {
    const fs = opfs()
    await fs.mkdir('/d')
    await Promise.all(Array.from({ length: 1000 }, (_, i) => fs.write(`/d/f${i}`, utf8(`content ${i}`))))
    const read = await Promise.all(Array.from({ length: 1000 }, (_, i) => fs.read(`/d/f${i}`)))
    expect(read.map((bytes) => new TextDecoder().decode(bytes))).toEqual(Array.from({ length: 1000 }, (_, i) => `content ${i}`))
    expect(await fs.readdir('/d')).toHaveLength(1000)
  })

  it('are counted by usage() after reopening and after changes', async () => {
    const name = newName()
    const first = opfs({ name })
    await first.mkdir('/d')
    await first.mkdir('/d/e')
    for (let i = 0; i < 30; i++) await first.write(`/d/e/${i}`, new Uint8Array(i))
    await first.close()
    const second = opfs({ name })
    expect(await second.usage()).toEqual({ bytes: 435, files: 32 })
    await second.rename('/d/e', '/f')
    await second.write('/f/29', new Uint8Array(1))
    await second.append('/f/28', new Uint8Array(2))
    await second.copy('/f/28', '/f/27')
    await second.unlink('/f/26')
    expect(await second.usage()).toEqual({ bytes: 435 - 28 + 2 + 3 - 26, files: 31 })
    await second.rmTree('/f')
    expect(await second.usage()).toEqual({ bytes: 0, files: 1 })
  })

  it('have their size in readdir once it is known', async () => {
    const fs = opfs()
    await fs.write('/a', utf8('12345'))
    await fs.append('/a', utf8('6'))
    expect(await fs.readdir('/')).toEqual([{ name: 'a', kind: 'file', size: 6 }])
  })

  it('hide foreign files, which no call deletes by accident', async () => {
    const name = newName()
    const fs = opfs({ name })
    await fs.mkdir('/d')
    await fs.close()
    const dir = await (await inside(name, 'files')).getDirectoryHandle('d')
    await dir.getFileHandle('100%', { create: true })
    const again = opfs({ name })
    expect(await again.readdir('/d')).toEqual([])
    await expect(again.rmdir('/d')).rejects.toThrow(refusal('ENOTEMPTY', 'something else'))
    await again.rename('/d', '/e')
    await again.close()
    expect(await namesIn(await (await inside(name, 'files')).getDirectoryHandle('e'))).toEqual(['100%'])
  })

  it('can be changed by another program', async () => {
    const name = newName()
    const fs = opfs({ name })
    await fs.mkdir('/d')
    await fs.write('/d/a', utf8('x'))
    await fs.write('/b', utf8('y'))
    await fs.usage()
    const files = await inside(name, 'files')
    await files.removeEntry('d', { recursive: true })
    await files.getFileHandle('d', { create: true })
    await expect(fs.read('/d/a')).rejects.toMatchObject({ name: 'FsError' })
    expect((await fs.readdir('/')).map(({ name, kind }) => `${name} ${kind}`).sort()).toEqual(['b file', 'd file'])
    await expect(fs.read('/d/a')).rejects.toThrow(refusal('ENOTDIR', '/d/a'))
    expect(await fs.usage()).toEqual({ bytes: 1, files: 2 })
  })
})

describe('initial files', () => {
  it('are written only into an empty storage', async () => {
    const name = newName()
    const files = { 'src/a.ts': 'export {}\n', b: Uint8Array.of(0, 255) }
    const first = opfs({ name, files })
    expect(await first.read('/src/a.ts')).toEqual(utf8('export {}\n'))
    expect(await first.read('/b')).toEqual(Uint8Array.of(0, 255))
    await first.unlink('/b')
    await first.write('/src/a.ts', utf8('mine'))
    await first.close()
    const second = opfs({ name, files })
    expect(await second.read('/src/a.ts')).toEqual(utf8('mine'))
    await expect(second.lstat('/b')).rejects.toThrow(refusal('ENOENT', '/b'))
  })

  it('are written all or none, also after a crash', async () => {
    const name = newName()
    const files = { 'a/1': 'one', 'a/2': 'two', b: 'three' }
    const broken = opfs({ name, files, worker: oddWorker({ fail: [{ method: 'move', error: 'UnknownError', after: 1 }] }) })
    await expect(broken.open()).rejects.toThrow(refusal('EIO', 'failed'))
    await broken.close()
    const again = opfs({ name, files })
    expect(await again.usage()).toEqual({ bytes: 11, files: 4 })
    expect(await again.read('/a/2')).toEqual(utf8('two'))
  })
})

describe('one user at a time', () => {
  it('a second opening fails with EBUSY until the first is closed', async () => {
    const name = newName()
    const [first, second] = [opfs({ name }), opfs({ name })]
    await first.write('/a', utf8('x'))
    await expect(second.open()).rejects.toThrow(refusal('EBUSY', 'open already'))
    await expect(second.write('/a', utf8('y'))).rejects.toThrow(refusal('EBUSY', '"/a"'))
    await first.close()
    expect(await second.read('/a')).toEqual(utf8('x'))
  })

  it('an opening in another page fails with EBUSY until the other page is gone', async () => {
    const name = newName()
    const fs = opfs({ name })
    const { frame, tell } = await otherPage(name)
    expect(await tell('write')).toBe('done')
    await expect(fs.read('/a')).rejects.toThrow(refusal('EBUSY', 'open already'))
    frame.remove()
    await expect.poll(() => fs.read('/a').catch(String)).toEqual(utf8('from the other page'))
    const another = await otherPage(name)
    expect(await another.tell('write')).toContain('EBUSY')
  })

  it('calls fail with EIO after another page steals the lock', async () => {
    const name = newName()
    const fs = opfs({ name })
    await fs.write('/a', utf8('x'))
    let end: (() => void) | undefined
    const stolen = navigator.locks.request(`toolport-opfs:${name}`, { steal: true }, () => new Promise<void>((resolve) => (end = resolve)))
    await expect.poll(() => fs.lstat('/a').catch((error: unknown) => String(error))).toContain('another page took it over')
    await fs.close()
    await expect.poll(() => end).toBeDefined()
    end?.()
    await stolen
    expect(await opfs({ name }).read('/a')).toEqual(utf8('x'))
  })

  it('opening fails with ENOTSUP without Web Locks, unless `locks` is "none"', async () => {
    const name = newName()
    const described = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks')
    Object.defineProperty(Navigator.prototype, 'locks', { configurable: true, get: () => undefined })
    onTestFinished(() => void Object.defineProperty(Navigator.prototype, 'locks', described ?? {}))
    await expect(opfs({ name }).open()).rejects.toThrow(refusal('ENOTSUP', 'no Web Locks here'))
    const fs = opfs({ name, locks: 'none' })
    await fs.write('/a', utf8('x'))
    expect(await fs.read('/a')).toEqual(utf8('x'))
  })
})

/** An iframe counts as another page, with its own locks and workers. */
async function otherPage(name: string): Promise<{ frame: HTMLIFrameElement; tell(what: 'write'): Promise<string> }> {
  const frame = document.createElement('iframe')
  frame.src = new URL('./opfs-page.html', import.meta.url).href
  const ready = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  await ready
  const tell = (what: string): Promise<string> =>
    new Promise((resolve) => {
      addEventListener('message', ({ data }) => resolve(data), { once: true })
      frame.contentWindow?.postMessage({ what, name }, '*')
    })
  return { frame, tell }
}

describe('the OPFS worker', () => {
  const started: Worker[] = []
  const watched = (): Worker => {
    const worker = oddWorker({})()
    started.push(worker)
    return worker
  }
  const end = (how: 'terminate' | 'close'): void => {
    const worker = started.at(-1)
    if (how === 'terminate') worker?.terminate()
    else worker?.postMessage('close')
  }

  for (const how of ['terminate', 'close'] as const) {
    it(`an OPFS worker that ends (${how}) makes running and later calls fail with EIO and releases the storage`, async () => {
      const name = newName()
      const fs = opfs({ name, worker: watched })
      await fs.write('/a', utf8('x'))
      const calls = [fs.write('/b', pattern(MIB)), fs.read('/a'), fs.mkdir('/d')]
      end(how)
      for (const result of await Promise.allSettled(calls)) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'FsError', code: 'EIO' })
      }
      await expect.poll(() => fs.read('/a').catch(String)).toContain('EIO')
      await expect(fs.open()).rejects.toThrow(refusal('EIO', 'its worker'))
      await fs.close()
      expect(await opfs({ name }).read('/a')).toEqual(utf8('x'))
    })
  }

  it('an OPFS worker that ends during opening makes the call fail with EIO', async () => {
    const name = newName()
    const fs = opfs({ name, worker: watched })
    const opening = fs.open()
    started.length = 0
    await expect.poll(() => started.length).toBe(1)
    end('terminate')
    await expect(opening).rejects.toThrow(refusal('EIO', 'its worker was ended'))
    await opfs({ name }).open()
  })

  it('an OPFS worker whose script is missing makes the call fail with EIO and name the option to change', async () => {
    const fs = opfs({ worker: () => new Worker(new URL('/no-such-worker.js?import', location.href), { type: 'module' }) })
    await expect(fs.open()).rejects.toThrow(refusal('EIO', 'pass "worker"'))
    const thrown = opfs({
      worker: () => {
        throw new Error('not allowed')
      },
    })
    await expect(thrown.read('/a')).rejects.toThrow(refusal('EIO', 'not allowed. Pass "worker"'))
  })

  it('is ended by close(), which waits for running calls', async () => {
    const name = newName()
    const fs = opfs({ name })
    const writes = Array.from({ length: 50 }, (_, i) => fs.write(`/f${i}`, utf8(`${i}`)))
    await fs.close()
    await Promise.all(writes)
    await expect(fs.readdir('/')).rejects.toThrow(refusal('EIO', 'closed'))
    expect(await opfs({ name }).readdir('/')).toHaveLength(50)
  })

  it('can be started inside another worker', async () => {
    const name = newName()
    const fs = await nested(name)
    expect(fs).toBe('read: from a worker')
    expect(await opfs({ name }).read('/a')).toEqual(utf8('from a worker'))
  })
})

function nested(name: string): Promise<string> {
  const worker = new Worker(new URL('./opfs-nested-worker.ts', import.meta.url), { type: 'module', name })
  onTestFinished(() => worker.terminate())
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
  })
}

describe('missing browser features', () => {
  it('opening fails with ENOTSUP without a secure page, OPFS, or a way to replace files', async () => {
    const name = newName()
    const hide = (target: object, key: string, value: unknown): (() => void) => {
      const described = Object.getOwnPropertyDescriptor(target, key)
      Object.defineProperty(target, key, { configurable: true, get: () => value })
      return () => void (described ? Object.defineProperty(target, key, described) : Reflect.deleteProperty(target, key))
    }
    const refused = async (target: object, key: string, value: unknown, text: string): Promise<void> => {
      const show = hide(target, key, value)
      try {
        await expect(opfs({ name }).open()).rejects.toThrow(refusal('ENOTSUP', text))
      } finally {
        show()
      }
    }
    await refused(globalThis, 'isSecureContext', false, 'secure pages only')
    await refused(StorageManager.prototype, 'getDirectory', undefined, 'no origin private file system here')
    await refused(globalThis, 'Worker', undefined, 'no dedicated worker')
    for (const without of [
      ['createWritable', 'move'],
      ['createWritable', 'createSyncAccessHandle'],
    ] as const) {
      await expect(opfs({ name, worker: oddWorker({ without }) }).open()).rejects.toThrow(
        refusal('ENOTSUP', 'neither move files nor replace'),
      )
    }
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('toolport', { create: true })
    expect(await namesIn(folder)).not.toContain(name)
  })

  it('opening fails with ENOTSUP for the files of a later version', async () => {
    const name = newName()
    const fs = opfs({ name })
    await fs.open()
    await fs.close()
    await (await inside(name, 'system')).getFileHandle('format-2', { create: true })
    await expect(opfs({ name }).open()).rejects.toThrow(refusal('ENOTSUP', 'a later version of this library made it'))
  })

  it('persisted() reports whether the browser keeps the data, and `persist` requests it', async () => {
    let asked = 0
    const described = Object.getOwnPropertyDescriptor(StorageManager.prototype, 'persist')
    Object.defineProperty(StorageManager.prototype, 'persist', { configurable: true, value: async () => ++asked > 0 })
    onTestFinished(() => void Object.defineProperty(StorageManager.prototype, 'persist', described ?? {}))
    const fs: OpfsFs = opfs()
    await fs.open()
    expect(asked).toBe(0)
    expect(await fs.persisted()).toBe(await navigator.storage.persisted())
    expect(await isPersisted()).toBe(await navigator.storage.persisted())
    const persistent = opfs({ persist: true })
    await persistent.mkdir('/a')
    await persistent.mkdir('/b')
    expect(asked).toBe(1)
    createOpfs({ name: 'never opened', persist: true })
    expect(asked).toBe(1)
  })
})
