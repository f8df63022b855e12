// @module-tag lightning-fs
import LightningFS from '@isomorphic-git/lightning-fs'
import { createRuntime, fileTools } from 'toolport'
import { createLightningFs, type LightningFs } from 'toolport/adapters/lightning-fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { treeOf } from './beside-memory.js'
import { inDatabase, lightningFs, newName, openSoon, otherPage, refusal, settled, text, utf8 } from './lightning-fs-support.js'

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) % 251)

const put = (fs: LightningFs, path: string, content: string): Promise<void> => fs.write(path, utf8(content))
const get = async (fs: LightningFs, path: string): Promise<string> => text(await fs.read(path))
const names = async (fs: LightningFs): Promise<string[]> => (await fs.readdir('/')).map(({ name }) => name).sort()

/** Stops the library's timers until the returned function is called, so that the library does nothing by itself. */
function stopTimers(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return () => {
    vi.advanceTimersByTime(1000)
    vi.useRealTimers()
  }
}

describe('a reopened store', () => {
  it('keeps tree, bytes, sizes, times, modes and links', async () => {
    const name = newName()
    const first = lightningFs({ name })
    await first.mkdir('/d')
    await first.mkdir('/d/empty')
    await put(first, '/d/short', 'a long first version')
    await put(first, '/d/short', 'x')
    await first.write('/d/nothing', new Uint8Array(0))
    await first.write('/d/binary', Uint8Array.of(0xff, 0, 0xfe, 0xc3, 0x28))
    const large = bytesOf(12 * 1024 * 1024)
    await first.write('/large', large)
    await first.write('/middle', bytesOf(100_000))
    await first.copy('/middle', '/d/copy')
    await first.copy('/d/nothing', '/d/copied')
    await first.append('/d/short', utf8('yz'))
    await first.symlink('../middle', '/d/l')
    await first.setMeta('/d/short', { mode: 0o600, mtimeMs: 1_000_000_000_123 })
    await first.rename('/d/binary', '/binary')
    const usage = await first.usage()
    await first.unlink('/large')
    const before = await treeOf(first)
    await first.write('/large', large)
    await first.close()
    const again = lightningFs({ name })
    expect(await again.usage()).toEqual(usage)
    expect(usage).toEqual({ bytes: large.length + 200_000 + 3 + 5, files: 10 })
    expect((await again.read('/large')).every((byte, i) => byte === large[i])).toBe(true)
    await again.unlink('/large')
    expect(await treeOf(again)).toEqual(before)
    expect(await again.lstat('/d/short')).toMatchObject({ size: 3, mode: 0o600, mtimeMs: 1_000_000_000_123 })
    expect(await again.read('/binary')).toEqual(Uint8Array.of(0xff, 0, 0xfe, 0xc3, 0x28))
  })

  it('never repeats a version, even for a reused inode number', async () => {
    const fs = lightningFs({ now: () => 5 })
    const seen = new Set<string | undefined>()
    for (let i = 0; i < 10; i++) {
      await put(fs, '/a', 'x')
      seen.add((await fs.lstat('/a')).version)
      if (i % 2) await fs.unlink('/a')
    }
    expect(seen.size).toBe(10)
  })

  it('shares its files with the library in both directions', async () => {
    const name = newName()
    const library = new LightningFS(name).promises
    await library.mkdir('/d')
    await library.writeFile('/d/a', 'from the library', { mode: 0o600 })
    await library.symlink('d/a', '/l')
    await library.flush()
    // The library closes the database after half a second without calls.
    const fs = await openSoon(name)
    expect(await get(fs, '/d/a')).toBe('from the library')
    expect(await fs.lstat('/d/a')).toMatchObject({ size: 16, mode: 0o600 })
    expect(await fs.readlink('/l')).toBe('d/a')
    await put(fs, '/d/b', 'from here')
    await fs.unlink('/d/a')
    await fs.close()
    expect(await library.readFile('/d/b', 'utf8')).toBe('from here')
    expect(await library.readdir('/d')).toEqual(['b'])
    // Wait until the library has closed the database, so that it can be deleted.
    await openSoon(name)
  })

  it('deletes content without an entry', async () => {
    const name = newName()
    await inDatabase(name, (store) => settled(store.put(utf8('left behind'), 77)))
    const fs = lightningFs({ name })
    await put(fs, '/a', 'x')
    await fs.close()
    expect((await inDatabase(name, (store) => settled(store.getAllKeys()))).sort()).toEqual(['!root', 1])
    expect(await get(lightningFs({ name }), '/a')).toBe('x')
  })

  it('stores content once and deletes replaced or removed content', async () => {
    const name = newName()
    const fs = lightningFs({ name })
    for (const path of ['/a', '/b', '/c', '/d']) await put(fs, path, path)
    await fs.flush()
    await fs.rename('/a', '/b')
    await fs.unlink('/c')
    await put(fs, '/d', 'other')
    await fs.close()
    expect(await inDatabase(name, (store) => settled(store.getAllKeys()))).toHaveLength(1 + 2)
    const again = lightningFs({ name })
    expect([await get(again, '/b'), await get(again, '/d')]).toEqual(['/a', 'other'])
  })
})

describe('after the page was killed, the store', () => {
  it('keeps everything up to the last flush and no partial later changes', async () => {
    const startTimers = stopTimers()
    const name = newName()
    const page = otherPage()
    const fs = createLightningFs({ name, ...page })
    for (let i = 0; i < 100; i++) await put(fs, `/f${i}`, `first ${i}`)
    await fs.flush()
    for (let i = 0; i < 100; i++) await put(fs, `/f${i}`, `a longer second version of ${i}`)
    await put(fs, '/new', 'x')
    page.kill()
    startTimers()
    const again = await openSoon(name)
    expect(await names(again)).toHaveLength(100)
    for (let i = 0; i < 100; i++) {
      expect(await get(again, `/f${i}`)).toBe(`first ${i}`)
      expect((await again.lstat(`/f${i}`)).size).toBe(`first ${i}`.length)
    }
  })

  it('does not link the name of a removed file to new content', async () => {
    const startTimers = stopTimers()
    const name = newName()
    const page = otherPage()
    const fs = createLightningFs({ name, ...page })
    await put(fs, '/secret', 'the secret')
    await put(fs, '/a', 'a')
    await fs.flush()
    // The library reuses a removed file's number for the next file.
    await fs.unlink('/a')
    await put(fs, '/other', 'other content')
    await fs.rename('/secret', '/other')
    await put(fs, '/third', 'third')
    page.kill()
    startTimers()
    const again = await openSoon(name)
    expect(await names(again)).toEqual(['a', 'secret'])
    expect([await get(again, '/secret'), await get(again, '/a')]).toEqual(['the secret', 'a'])
  })

  it('keeps removals and new files of the last flush', async () => {
    const startTimers = stopTimers()
    const name = newName()
    const page = otherPage()
    const fs = createLightningFs({ name, ...page })
    await put(fs, '/a', 'a')
    await fs.flush()
    await fs.unlink('/a')
    await put(fs, '/b', 'a longer b')
    await fs.flush()
    page.kill()
    startTimers()
    const again = await openSoon(name)
    expect(await names(again)).toEqual(['b'])
    expect(await get(again, '/b')).toBe('a longer b')
    expect((await again.lstat('/b')).size).toBe(10)
  })

  it('keeps what finished tool calls wrote', async () => {
    const name = newName()
    const page = otherPage()
    const runtime = createRuntime({ fs: createLightningFs({ name, ...page }), tools: fileTools() })
    for (let i = 0; i < 20; i++) await runtime.call('write_file', { path: `d/f${i}.txt`, content: `file ${i}\n` })
    await runtime.call('move_file', { from: 'd/f0.txt', to: 'd/moved.txt' })
    await runtime.call('delete_file', { path: 'd/f1.txt' })
    await runtime.call('write_file', { path: 'd/last.txt', content: 'last' })
    page.kill()
    const again = await openSoon(name)
    const kept = (await again.readdir('/d')).map((entry) => entry.name)
    expect(kept.sort()).toEqual([...Array.from({ length: 18 }, (_, i) => `f${i + 2}.txt`), 'last.txt', 'moved.txt'].sort())
    expect([await get(again, '/d/moved.txt'), await get(again, '/d/f7.txt')]).toEqual(['file 0\n', 'file 7\n'])
  })

  it('keeps what a terminated worker flushed', async () => {
    const name = newName()
    const worker = new Worker(new URL('./lightning-fs-worker.ts', import.meta.url), { type: 'module', name })
    onTestFinished(() => worker.terminate())
    const listed = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
    })
    // The globals that the library needs while it loads are removed again.
    expect(listed).toEqual(['a', 'b', false])
    await expect(lightningFs({ name }).open()).rejects.toThrow(refusal('EBUSY', 'it is open already'))
    worker.terminate()
    const again = await openSoon(name)
    expect(await get(again, '/d/a')).toBe('from a worker')
  })

  it.each([
    ['many changes', 700, 10, 500],
    ['many bytes', 12, 1024 * 1024, 7],
  ])('keeps most of %s without an explicit flush', async (_, count, size, least) => {
    const startTimers = stopTimers()
    const name = newName()
    const page = otherPage()
    const fs = createLightningFs({ name, ...page })
    for (let i = 0; i < count; i++) await fs.write(`/f${i}`, bytesOf(size))
    page.kill()
    startTimers()
    const kept = await names(await openSoon(name))
    expect(kept.length).toBeGreaterThanOrEqual(least)
    expect(kept.length).toBeLessThan(count)
  })
})

describe('saving', () => {
  const stored = (name: string): Promise<unknown[]> => inDatabase(name, (store) => settled(store.getAllKeys()))

  it('happens when the page is hidden or left, until the storage is closed', async () => {
    stopTimers()
    const [name, second] = [newName(), newName()]
    const fs = lightningFs({ name })
    await put(fs, '/a', 'x')
    expect(await stored(name)).toEqual([])
    window.dispatchEvent(new Event('pagehide'))
    // The write has started by now, so reading the database waits for it.
    expect(await stored(name)).toHaveLength(2)

    const hidden = lightningFs({ name: second })
    await put(hidden, '/a', 'x')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await stored(second)).toEqual([])
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    onTestFinished(() => state.mockRestore())
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await stored(second)).toHaveLength(2)

    const removed = [vi.spyOn(window, 'removeEventListener'), vi.spyOn(document, 'removeEventListener')]
    await fs.close()
    expect(removed.map(({ mock }) => mock.calls.map(([type]) => type))).toEqual([['pagehide'], ['visibilitychange']])
  })

  it('happens after a while without changes', async () => {
    const name = newName()
    const fs = lightningFs({ name })
    await put(fs, '/a', 'x')
    await expect.poll(() => stored(name)).toHaveLength(2)
    // Meanwhile the library has closed everything after half a second without calls.
    await put(fs, '/b', 'y')
    expect(await get(fs, '/a')).toBe('x')
  })

  it('a failed save reports the reason, keeps the changes in memory, and is retried by the next flush', async () => {
    const name = newName()
    let failure: string | undefined
    let message = 'no more'
    const { kill: _, ...page } = otherPage()
    const open = page.indexedDB.open.bind(page.indexedDB)
    page.indexedDB.open = (...args) => {
      const request = open(...args)
      request.addEventListener('success', () => {
        const db = request.result
        const begin = db.transaction.bind(db)
        db.transaction = (...given) => {
          const transaction = begin(...given)
          if (failure !== undefined && transaction.mode === 'readwrite') {
            const error = new DOMException(message, failure)
            Object.defineProperty(transaction, 'error', { get: () => error })
            transaction.commit = () => transaction.abort()
          }
          return transaction
        }
      })
      return request
    }
    const fs = lightningFs({ name, ...page })
    await put(fs, '/a', 'kept')
    await fs.flush()
    failure = 'QuotaExceededError'
    await put(fs, '/b', 'waits')
    await expect(fs.flush()).rejects.toThrow(refusal('ENOSPC', 'the browser gives this site no more storage'))
    await expect(fs.flush()).rejects.toThrow(refusal('ENOSPC', 'Cannot flush'))
    expect(await get(fs, '/b')).toBe('waits')
    // With too much pending data, calls that need memory are rejected; removing still works.
    await expect(fs.write('/large', new Uint8Array(8 * 1024 * 1024))).rejects.toThrow(refusal('ENOSPC', 'Cannot write "/large"'))
    for (let i = 1; i < 500; i++) await put(fs, '/b', `waits ${i}`)
    await expect(put(fs, '/c', 'x')).rejects.toThrow(refusal('ENOSPC', 'Cannot write "/c"'))
    await fs.unlink('/b')
    expect(await names(fs)).toEqual(['a'])
    failure = 'UnknownError'
    await expect(fs.flush()).rejects.toThrow(refusal('EIO', 'the database failed: no more'))
    failure = undefined
    await put(fs, '/c', 'x')
    await fs.flush()
    failure = 'QuotaExceededError'
    await put(fs, '/d', 'lost')
    await expect(fs.close()).rejects.toThrow(refusal('ENOSPC', 'Cannot close'))
    failure = undefined
    const again = lightningFs({ name, ...page })
    expect(await names(again)).toEqual(['a', 'c'])
    await put(again, '/d', 'x')
    // Chromium 140 words the error for a full disk like this. The browser closes the connection shortly afterwards.
    message = 'Connection is closing because of: IO error: .../000003.log: FILE_ERROR_NO_SPACE (8)'
    failure = 'UnknownError'
    await expect(again.flush()).rejects.toThrow(refusal('ENOSPC', 'the disk is full'))
    await expect(names(again)).rejects.toThrow(refusal('ENOSPC', 'the disk is full'))
  })
})

describe('one user at a time', () => {
  it('a second opening fails with EBUSY in this page, in another page, and for a lock held by the library', async () => {
    const name = newName()
    const first = lightningFs({ name })
    await put(first, '/a', 'x')
    const elsewhere = lightningFs({ name, ...otherPage() })
    const second = lightningFs({ name })
    await expect(elsewhere.open()).rejects.toThrow(refusal('EBUSY', 'it is open already, in another tab or in this one'))
    await expect(second.read('/a')).rejects.toThrow(refusal('EBUSY', 'Cannot read "/a": it is open already in this page'))
    await expect(lightningFs({ name, locks: 'none' }).open()).rejects.toThrow(refusal('EBUSY', 'in this page'))
    await first.close()
    expect(await get(second, '/a')).toBe('x')
    await second.close()

    const startTimers = stopTimers()
    const library = new LightningFS(name).promises
    expect(await library.readdir('/')).toEqual(['a'])
    await expect(lightningFs({ name }).open()).rejects.toThrow(refusal('EBUSY', 'it is open already'))
    // The library closes the database after half a second without calls.
    startTimers()
    await openSoon(name)
  })

  it('an open storage holds the lock of the library', async () => {
    const name = newName()
    const fs = lightningFs({ name })
    await put(fs, '/a', 'x')
    const held = await navigator.locks.query()
    expect(held.held?.map((lock) => lock.name)).toContain(`${name}_lock`)
  })

  it('a second opening can be read-only and sees what the first has stored', async () => {
    stopTimers()
    const name = newName()
    const first = lightningFs({ name })
    await first.mkdir('/d')
    await put(first, '/d/a', 'x')
    await first.symlink('d/a', '/l')
    await first.flush()
    const second = lightningFs({ name, whenBusy: 'read-only' })
    expect(await get(second, '/d/a')).toBe('x')
    expect([first.isReadOnly, second.isReadOnly]).toEqual([false, true])
    expect(await treeOf(second as never)).toEqual(await treeOf(first as never))
    expect(await second.usage()).toEqual({ bytes: 1, files: 3 })
    const changes: (() => Promise<unknown>)[] = [
      () => put(second, '/b', 'y'),
      () => second.append('/d/a', utf8('y')),
      () => second.copy('/d/a', '/b'),
      () => second.mkdir('/e'),
      () => second.unlink('/d/a'),
      () => second.rmdir('/d'),
      () => second.rmTree('/d'),
      () => second.rename('/d/a', '/b'),
      () => second.symlink('a', '/b'),
      () => second.setMeta('/d/a', { mode: 0o600 }),
    ]
    for (const change of changes) await expect(change()).rejects.toThrow(refusal('EROFS', 'another tab has it open'))
    const before = (await second.lstat('/d/a')).version
    await put(first, '/d/a', 'changed')
    expect(await get(second, '/d/a')).toBe('x')
    await first.flush()
    expect(await get(second, '/d/a')).toBe('changed')
    expect((await second.lstat('/d/a')).version).not.toBe(before)
    await second.flush()
    await first.close()
    await second.close()
    const third = lightningFs({ name, whenBusy: 'read-only' })
    await put(third, '/b', 'y')
    expect(third.isReadOnly).toBe(false)
  })

  it('calls fail with EIO and the lock is released after another page steals the lock', async () => {
    const name = newName()
    const fs = lightningFs({ name })
    await put(fs, '/a', 'x')
    await fs.flush()
    let end: (() => void) | undefined
    const held = navigator.locks.request(`${name}_lock`, { steal: true }, () => new Promise<void>((resolve) => (end = resolve)))
    await expect.poll(() => fs.lstat('/a').catch((error: unknown) => String(error))).toContain('another page took it over')
    await expect(put(fs, '/a', 'y')).rejects.toThrow(refusal('EIO', 'another page took it over'))
    await expect(fs.flush()).rejects.toThrow(refusal('EIO', 'another page took it over'))
    // The first holder loses the lock before the second gets it.
    await expect.poll(() => end).toBeDefined()
    end?.()
    await held
    const next = lightningFs({ name })
    expect(await get(next, '/a')).toBe('x')
    // Closing must not release the lock of the new holder.
    await fs.close()
    await expect(lightningFs({ name }).open()).rejects.toThrow(refusal('EBUSY', 'in this page'))
  })

  it('another page can delete the database, and calls fail with EIO afterwards', async () => {
    const name = newName()
    const fs = lightningFs({ name })
    await put(fs, '/a', 'x')
    await fs.flush()
    await settled(indexedDB.deleteDatabase(name))
    await expect(fs.lstat('/a')).rejects.toThrow(refusal('EIO', 'another page deletes the database'))
    await fs.close()
    expect(await lightningFs({ name }).readdir('/')).toEqual([])
  })
})

describe('a database', () => {
  it('a database of another program fails with ENOTSUP and stays unchanged', async () => {
    const name = newName()
    const opening = indexedDB.open(name)
    opening.onupgradeneeded = () => void opening.result.createObjectStore('theirs').put('x', 'key')
    const db = await settled(opening)
    const fs = lightningFs({ name })
    await expect(fs.open()).rejects.toThrow(refusal('ENOTSUP', 'is not one of lightning-fs: choose another name'))
    expect(await settled(db.transaction('theirs').objectStore('theirs').get('key'))).toBe('x')
    expect([...db.objectStoreNames]).toEqual(['theirs'])
    db.close()
  })

  const stat = { type: 'dir', mode: 0o755, size: 0, ino: 0, mtimeMs: 1 }
  const file = { ...stat, type: 'file', ino: 1 }
  const node = (about: unknown, ...entries: (readonly [unknown, unknown])[]) => new Map<unknown, unknown>([[0, about], ...entries])
  const treeWith = (entry: unknown) => new Map([['/', node(stat, ['a', entry])]])
  it.each([
    ['a tree of the wrong type', 'junk', 'it has no root'],
    ['a missing root', new Map(), 'it has no root'],
    ['a file as the root', new Map([['/', node(file)]]), 'it has no root'],
    ['an invalid entry', treeWith('text'), '"/a" is no entry'],
    ['an entry without a size', treeWith(node({ ...file, size: 'x' })), '"/a" is no entry'],
    ['a link without a target', treeWith(node({ ...stat, type: 'symlink' })), '"/a" is no entry'],
    ['a file with child entries', treeWith(node(file, ['b', node(file)])), '"/a" is no directory'],
  ])('a database with %s fails with EIO and stays unchanged', async (_, tree, why) => {
    const name = newName()
    await inDatabase(name, async (store) => {
      await settled(store.put(tree, '!root'))
      await settled(store.put(utf8('x'), 1))
    })
    const fs = lightningFs({ name })
    await expect(fs.read('/a')).rejects.toThrow(refusal('EIO', `the stored tree is damaged: ${why}`))
    await fs.flush()
    await fs.close()
    expect(await inDatabase(name, (store) => settled(store.get('!root')))).toEqual(tree)
    expect(await inDatabase(name, (store) => settled(store.getAllKeys()))).toHaveLength(2)
  })

  it('a database without the content of a file fails with EIO for that file only', async () => {
    const name = newName()
    const first = lightningFs({ name })
    await put(first, '/a', 'x')
    await put(first, '/b', 'y')
    await first.close()
    await inDatabase(name, (store) => settled(store.delete(1)))
    const fs = lightningFs({ name })
    await expect(fs.read('/a')).rejects.toThrow(refusal('EIO', 'its content is missing'))
    expect(await get(fs, '/b')).toBe('y')
    await fs.unlink('/a')
  })
})

describe('more than 5,000 entries', () => {
  it('cause one warning, when they are found or when they are created', async () => {
    const name = newName()
    const dir = new Map<unknown, unknown>([[0, { type: 'dir', mode: 0o755, size: 0, ino: 1, mtimeMs: 1 }]])
    for (let i = 0; i < 4998; i++) dir.set(`f${i}`, new Map([[0, { type: 'file', mode: 0o644, size: 0, ino: i + 2, mtimeMs: 1 }]]))
    const root = new Map<unknown, unknown>([
      [0, { type: 'dir', mode: 0o755, size: 0, ino: 0, mtimeMs: 1 }],
      ['d', dir],
    ])
    await inDatabase(name, (store) => settled(store.put(new Map([['/', root]]), '!root')))
    const warnings: string[] = []
    const onWarning = (message: string): void => {
      warnings.push(message)
      throw new Error('no listener')
    }
    const fs = lightningFs({ name, onWarning })
    for (let i = 0; i < 5; i++) {
      await put(fs, '/d/f0', 'changed')
      await put(fs, '/a', 'x')
    }
    expect(warnings).toEqual([])
    await put(fs, '/b', 'x')
    await put(fs, '/c', 'x')
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('more than 5000 files and directories')
    await fs.close()
    const told = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => told.mockRestore())
    await lightningFs({ name }).open()
    expect(told.mock.calls).toEqual([[warnings[0]]])
  })
})

describe('missing browser features', () => {
  it('opening fails with ENOTSUP without Web Locks, unless `locks` is "none"', async () => {
    const locks = vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never)
    onTestFinished(() => locks.mockRestore())
    const name = newName()
    await expect(lightningFs({ name }).open()).rejects.toThrow(refusal('ENOTSUP', 'there are no Web Locks here'))
    // Simulates a killed page that has left the library's own lock, which would block the next page.
    const opening = indexedDB.open(`${name}_lock`)
    opening.onupgradeneeded = () => void opening.result.createObjectStore(`${name}_lock`)
    const db = await settled(opening)
    const held = { holder: 0.5, expires: Date.now() + 10 ** 9 }
    await settled(db.transaction(`${name}_lock`, 'readwrite').objectStore(`${name}_lock`).put(held, 'lock'))
    await expect(lightningFs({ name, locks: 'none' }).open()).rejects.toThrow(refusal('EBUSY', 'another page has it open'))
    db.close()
    const fs = lightningFs({ name, locks: 'none' })
    await put(fs, '/a', 'x')
    await fs.close()
    // The library has its lock database open until half a second after the last call.
    const again = lightningFs({ name, locks: 'none' })
    await expect.poll(() => get(again, '/a').catch((error: unknown) => String(error))).toBe('x')
  })

  it('opening fails with ENOTSUP if IndexedDB is missing or denied', async () => {
    const none = vi.spyOn(globalThis, 'indexedDB', 'get').mockReturnValue(undefined as never)
    const fs = createLightningFs({ name: newName() })
    await expect(fs.open()).rejects.toThrow(refusal('ENOTSUP', 'there is no IndexedDB here'))
    none.mockImplementation(() => {
      throw new DOMException('no', 'SecurityError')
    })
    await expect(fs.open()).rejects.toThrow(refusal('ENOTSUP', 'this page may not use IndexedDB'))
    none.mockRestore()
    await fs.open()
    await fs.close()
  })

  it('the `lightningFs` option replaces the library, and its errors are passed on', async () => {
    const given = lightningFs({ lightningFs: LightningFS })
    await put(given, '/a', 'x')
    expect(await get(given, '/a')).toBe('x')
    class Broken {
      readonly promises = { ...new LightningFS().promises, init: async () => Promise.reject(new Error('broken')) } as never
    }
    const name = newName()
    await expect(lightningFs({ name, lightningFs: Broken }).open()).rejects.toThrow(refusal('EIO', 'the file system library failed'))
    await lightningFs({ name }).open()
    expect(() => createLightningFs({ name: '' })).toThrow(TypeError)
  })
})
