// @module-tag indexeddb
import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MIGRATIONS, openDatabase } from '../../adapters/indexeddb/schema.js'
import { whenFree } from './browser-storages.js'
import { abort, indexedDbFs, inStore, isSame, newName, pattern, refusal, settled, utf8, watched } from './indexeddb-support.js'

const MIB = 1024 * 1024

const journalRows = (name: string): Promise<number> =>
  inStore(name, async (db) => (await settled(db.transaction('journal').objectStore('journal').getAll())).flat().length)

const partCount = (name: string): Promise<number> => inStore(name, (db) => settled(db.transaction('parts').objectStore('parts').count()))

describe('stored files', () => {
  it('keep tree, bytes, times, modes and versions after reopening', async () => {
    const name = newName()
    const first = indexedDbFs({ name })
    await first.mkdir('/d')
    await first.mkdir('/d/e')
    await first.write('/d/e/a', pattern(70_000))
    await first.setMeta('/d/e/a', { mode: 0o700, mtimeMs: 1234.5 })
    await first.append('/d/e/a', utf8('end'))
    await first.symlink('e/a', '/d/l')
    await first.rename('/d', '/moved')
    const look = async (fs = first) => [
      await fs.lstat('/moved/e/a'),
      await fs.lstat('/moved/l'),
      await fs.readlink('/moved/l'),
      await fs.lstat('/'),
      await fs.usage(),
    ]
    const before = await look()
    await first.close()
    const second = indexedDbFs({ name })
    expect(await look(second)).toEqual(before)
    const bytes = await second.read('/moved/e/a')
    expect(isSame(bytes.subarray(0, 70_000), pattern(70_000))).toBe(true)
    expect(bytes.subarray(70_000)).toEqual(utf8('end'))
  })

  it('never get a version a second time, also after reopening', async () => {
    const name = newName()
    const seen: unknown[] = []
    for (let round = 0; round < 3; round++) {
      const fs = indexedDbFs({ name })
      for (let i = 0; i < 3; i++) {
        await fs.write('/a', Uint8Array.of(i))
        seen.push((await fs.lstat('/a')).version)
      }
      await fs.unlink('/a')
      await fs.close()
    }
    expect(new Set(seen).size).toBe(9)
  })

  it('are written in one transaction for 200 concurrent writes', async () => {
    const name = newName()
    let transactions = 0
    const fs = indexedDbFs({ name, indexedDB: watched(({ mode }) => void (mode === 'readwrite' && transactions++)) })
    await fs.open()
    await Promise.all(Array.from({ length: 200 }, (_, i) => fs.write(`/f${i}`, utf8(`content ${i}`))))
    expect(transactions).toBe(1)
    await fs.close()
    const again = indexedDbFs({ name })
    for (let i = 0; i < 200; i++) expect(await again.read(`/f${i}`)).toEqual(utf8(`content ${i}`))
    expect(await again.usage()).toMatchObject({ files: 200 })
  })

  it('can be read in ranges, and returned bytes are not shared', async () => {
    const fs = indexedDbFs()
    const content = pattern(16 * MIB + 5)
    const wanted = content.slice()
    const writing = fs.write('/big', content)
    content.fill(0)
    await writing
    const whole = await fs.read('/big')
    expect(isSame(whole, wanted)).toBe(true)
    whole.fill(0)
    for (const [offset, length] of [
      [0, 10],
      [4 * MIB - 3, 6],
      [4 * MIB, 4 * MIB],
      [16 * MIB, 100],
      [3 * MIB, 9 * MIB],
    ] as const) {
      const part = await fs.read('/big', { offset, length })
      expect(isSame(part, wanted.subarray(offset, offset + length))).toBe(true)
      expect(part.buffer.byteLength).toBe(part.length)
    }
    await fs.copy('/big', '/copy')
    await fs.append('/copy', utf8('!'))
    expect(isSame((await fs.read('/copy')).subarray(0, wanted.length), wanted)).toBe(true)
    expect(isSame(await fs.read('/big'), wanted)).toBe(true)
  })

  it('store only the bytes of a view, not its buffer', async () => {
    const name = newName()
    const fs = indexedDbFs({ name })
    await fs.write('/a', new Uint8Array(new ArrayBuffer(MIB), 10, 3))
    await fs.close()
    const [part] = await inStore(name, (db) => settled(db.transaction('parts').objectStore('parts').getAll(undefined, 1)))
    expect(part?.buffer.byteLength ?? 0).toBeLessThanOrEqual(3)
  })

  it('files that grew in many small appends have few parts', async () => {
    const name = newName()
    const fs = indexedDbFs({ name })
    await fs.write('/log', new Uint8Array(0))
    for (let i = 0; i < 300; i++) await fs.append('/log', utf8('0123456789'))
    expect(await fs.read('/log')).toEqual(utf8('0123456789'.repeat(300)))
    await fs.close()
    expect(await partCount(name)).toBeLessThan(12)
  })

  it('do not make the journal grow without bound', async () => {
    const name = newName()
    const fs = indexedDbFs({ name })
    await fs.mkdir('/d')
    for (let round = 0; round < 60; round++)
      await Promise.all(Array.from({ length: 50 }, (_, i) => fs.write(`/d/${i}`, Uint8Array.of(round))))
    await fs.close()
    expect(await journalRows(name)).toBeLessThan(2400)
    const again = indexedDbFs({ name })
    expect(await again.usage()).toEqual({ bytes: 50, files: 51 })
    expect(await again.read('/d/49')).toEqual(Uint8Array.of(59))
  })

  it('include every acknowledged write after the page crashed', async () => {
    const name = newName()
    await indexedDbFs({ name }).close()
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const page = frame.contentWindow as unknown as { indexedDB: IDBFactory; navigator: Navigator }
    // Uses the frame's own database and lock, which are lost when the frame is removed during the work.
    const fs = createIndexedDbFs({ name, indexedDB: page.indexedDB, locks: page.navigator.locks })
    const acknowledged: number[] = []
    await fs.open()
    const writing = Array.from({ length: 40 }, async (_, i) => {
      for (let round = 0; round < 50; round++) {
        await fs.write(`/f${i}-${round}`, utf8(`${i} ${round}`))
        acknowledged.push(i * 1000 + round)
      }
    })
    writing.forEach((each) => void each.catch(() => undefined))
    while (acknowledged.length < 200) await new Promise((resolve) => setTimeout(resolve, 1))
    frame.remove()
    const kept = [...acknowledged]
    const again = await openSoon(name)
    for (const id of kept) {
      const [i, round] = [Math.floor(id / 1000), id % 1000]
      expect(await again.read(`/f${i}-${round}`)).toEqual(utf8(`${i} ${round}`))
    }
    expect((await again.usage()).files).toBeGreaterThanOrEqual(kept.length)
  })
})

describe('initial files', () => {
  it('are present before any call and never written again', async () => {
    const name = newName()
    const files = { a: 'a', 'd/b': 'b', bytes: Uint8Array.of(1, 2) }
    const fs = indexedDbFs({ name, files })
    files.bytes.fill(9)
    const bytes = Uint8Array.of(1, 2, 3)
    const calls = Promise.all([fs.read('/a'), fs.write('/d/c', bytes), fs.append('/d/b', bytes), fs.usage()])
    bytes.fill(0)
    expect((await calls)[0]).toEqual(utf8('a'))
    expect([await fs.read('/d/c'), await fs.read('/d/b')]).toEqual([Uint8Array.of(1, 2, 3), Uint8Array.of(98, 1, 2, 3)])
    expect(await fs.read('/bytes')).toEqual(Uint8Array.of(1, 2))
    await fs.unlink('/a')
    await fs.close()
    expect((await indexedDbFs({ name, files }).readdir('/')).map((entry) => entry.name).sort()).toEqual(['bytes', 'd'])
    expect(() => createIndexedDbFs({ name, files: { a: '', 'a/b': '' } })).toThrow(TypeError)
  })

  it('are written in one transaction: all or none, also without space', async () => {
    const name = newName()
    const files = Object.fromEntries(Array.from({ length: 2500 }, (_, i) => [`d${i % 7}/f${i}`, `content ${i}`]))
    let transactions = 0
    let fails = true
    const factory = watched((transaction) => {
      if (transaction.mode !== 'readwrite') return
      transactions++
      if (fails) full(transaction)
    })
    const fs = indexedDbFs({ name, files, indexedDB: factory })
    await expect(fs.readdir('/')).rejects.toThrow(refusal('ENOSPC', 'no more storage'))
    await expect(fs.read('/d0/f0')).rejects.toThrow(refusal('ENOSPC', 'no more storage'))
    const bare = indexedDbFs({ name })
    expect(await bare.readdir('/')).toEqual([])
    await bare.close()
    fails = false
    transactions = 0
    expect(await fs.usage()).toMatchObject({ files: 2507 })
    expect(transactions).toBe(1)
    await fs.close()
    expect(await indexedDbFs({ name }).read('/d0/f2499')).toEqual(utf8('content 2499'))
  })

  it('are not written by a read-only opening', async () => {
    const name = newName()
    const writer = indexedDbFs({ name })
    await writer.open()
    const reader = indexedDbFs({ name, files: { a: 'a' }, whenBusy: 'read-only' })
    expect(await reader.readdir('/')).toEqual([])
    expect(reader.isReadOnly).toBe(true)
  })
})

const openSoon = (name: string): Promise<ReturnType<typeof indexedDbFs>> => whenFree(() => indexedDbFs({ name }))

describe('one user at a time', () => {
  it('a second opening, also in another frame, fails with EBUSY until the first is closed', async () => {
    const name = newName()
    const first = indexedDbFs({ name })
    await first.write('/a', utf8('x'))
    const frame = document.createElement('iframe')
    document.body.append(frame)
    onTestFinished(() => frame.remove())
    const other = frame.contentWindow as unknown as { indexedDB: IDBFactory; navigator: Navigator }
    const elsewhere = indexedDbFs({ name, indexedDB: other.indexedDB, locks: other.navigator.locks })
    const second = indexedDbFs({ name })
    await expect(elsewhere.open()).rejects.toThrow(refusal('EBUSY', 'it is open already'))
    await expect(second.read('/a')).rejects.toThrow(refusal('EBUSY', 'Cannot read "/a"'))
    await first.close()
    expect(await second.read('/a')).toEqual(utf8('x'))
  })

  it('two names are independent, and creating a storage does not open it', async () => {
    const [a, b] = [indexedDbFs(), indexedDbFs()]
    await a.write('/a', utf8('a'))
    expect(await b.readdir('/')).toEqual([])
    expect(() => createIndexedDbFs({ name: '' })).toThrow(TypeError)
  })

  it('calls fail with EIO and the lock is released after another page steals the lock', async () => {
    const name = newName()
    const fs = indexedDbFs({ name })
    await fs.write('/a', utf8('x'))
    let end: (() => void) | undefined
    const held = navigator.locks.request(`toolport:${name}`, { steal: true }, () => new Promise<void>((resolve) => (end = resolve)))
    await expect.poll(() => fs.lstat('/a').catch((error: unknown) => String(error))).toContain('another page took it over')
    await expect(fs.write('/a', utf8('y'))).rejects.toThrow(refusal('EIO', 'another page took it over'))
    await fs.close()
    // The first holder loses the lock before the second gets it.
    await expect.poll(() => end).toBeDefined()
    end?.()
    await held
    expect(await indexedDbFs({ name }).read('/a')).toEqual(utf8('x'))
  })

  it('writes in progress while the lock is stolen are stored if acknowledged', async () => {
    const name = newName()
    let taking: Promise<unknown> | undefined
    const take = (): void => {
      taking ??= navigator.locks.request(`toolport:${name}`, { steal: true }, () => undefined)
    }
    const complete = watched((transaction) => {
      if (transaction.mode !== 'readwrite' || taking) return
      const commit = transaction.commit.bind(transaction)
      transaction.commit = () => {
        take()
        // Requests keep the transaction open until the storage knows that it has lost the lock.
        const keep = (): void => {
          if (isLost) commit()
          else transaction.objectStore('parts').count().onsuccess = keep
        }
        keep()
      }
    })
    let isLost = false
    const locks = {
      request: (lock: string, options: { readonly ifAvailable: true }, hold: (lock: unknown) => unknown) => {
        const request = navigator.locks.request(lock, options, hold)
        void request.catch(() => undefined).then(() => (isLost = true))
        return request
      },
    }
    const fs = indexedDbFs({ name, indexedDB: complete, locks })
    await fs.write('/a', utf8('stored'))
    await expect(fs.read('/a')).rejects.toThrow(refusal('EIO', 'another page took it over'))
    await taking
    expect(await indexedDbFs({ name }).read('/a')).toEqual(utf8('stored'))
  })

  it('another page can delete the database, and calls fail with EIO afterwards', async () => {
    const name = newName()
    const fs = indexedDbFs({ name })
    await fs.write('/a', utf8('x'))
    await settled(indexedDB.deleteDatabase(`toolport:${name}`))
    await expect(fs.lstat('/a')).rejects.toThrow(refusal('EIO', 'another page deletes it'))
    await fs.close()
    expect(await indexedDbFs({ name }).readdir('/')).toEqual([])
  })

  it('opening fails with ENOTSUP without Web Locks, unless `locks` is "none"', async () => {
    const name = newName()
    const bare = indexedDbFs({ name, locks: 'none' })
    await bare.write('/a', utf8('x'))
    await bare.close()
    const described = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks')
    Object.defineProperty(Navigator.prototype, 'locks', { configurable: true, get: () => undefined })
    onTestFinished(() => void Object.defineProperty(Navigator.prototype, 'locks', described ?? {}))
    await expect(indexedDbFs({ name }).read('/a')).rejects.toThrow(refusal('ENOTSUP', 'no Web Locks here'))
  })

  it('opening fails with ENOTSUP if IndexedDB is missing or denied', async () => {
    const denied = (error: Error): IDBFactory => ({
      ...watched(() => undefined),
      open: () => {
        throw error
      },
    })
    const insecure = indexedDbFs({ indexedDB: denied(new DOMException('denied', 'SecurityError')) })
    await expect(insecure.open()).rejects.toThrow(refusal('ENOTSUP', 'may not use IndexedDB'))
    const described = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get: () => undefined })
    try {
      const fs = indexedDbFs()
      // Each call tries again, instead of waiting for the opening that failed.
      for (let i = 0; i < 3; i++) await expect(fs.open()).rejects.toThrow(refusal('ENOTSUP', 'there is no IndexedDB here'))
      await expect(fs.write('/a', utf8('x'))).rejects.toThrow(refusal('ENOTSUP', 'there is no IndexedDB here'))
    } finally {
      Object.defineProperty(globalThis, 'indexedDB', described ?? {})
    }
  })
})

const opening = (name: string) => ({ factory: indexedDB, name: `toolport:${name}`, now: () => 1, openTimeoutMs: Number.POSITIVE_INFINITY })

describe('database versions', () => {
  it('a later version fails with ENOTSUP', async () => {
    const name = newName()
    const fs = indexedDbFs({ name })
    const later = await settled(indexedDB.open(`toolport:${name}`, MIGRATIONS.length + 1))
    later.close()
    await expect(fs.open()).rejects.toThrow(refusal('ENOTSUP', 'a later version of this library made it'))
  })

  it('an older version is upgraded and keeps its content', async () => {
    const name = newName()
    const fs = indexedDbFs({ name })
    await fs.write('/a', utf8('x'))
    await fs.close()
    const db = await openDatabase(opening(name), [...MIGRATIONS, (older) => older.createObjectStore('new')])
    expect([...db.objectStoreNames]).toEqual(['journal', 'new', 'parts'])
    expect(await settled(db.transaction('parts').objectStore('parts').getAll())).toContainEqual(utf8('x'))
    db.close()
  })

  it('an older version that a page holds open fails with EBUSY and is not upgraded later', async () => {
    const name = newName()
    const fs = indexedDbFs({ name })
    await fs.open()
    await fs.close()
    const old = await settled(indexedDB.open(`toolport:${name}`))
    let upgrades = 0
    const opened = openDatabase(opening(name), [...MIGRATIONS, () => void upgrades++])
    await expect(opened).rejects.toMatchObject({ code: 'EBUSY' })
    old.close()
    expect(await fs.close()).toBeUndefined()
    expect((await settled(indexedDB.open(`toolport:${name}`))).close()).toBeUndefined()
    expect(upgrades).toBe(0)
  })
})

describe('a transaction that fails', () => {
  it('changes nothing, in memory or in the store', async () => {
    const name = newName()
    let fails = false
    const fs = indexedDbFs({
      name,
      indexedDB: watched((transaction) => void (fails && transaction.mode === 'readwrite' && abort(transaction))),
    })
    await fs.mkdir('/d')
    await fs.mkdir('/d/e')
    await fs.mkdir('/empty')
    await fs.write('/d/a', utf8('old'))
    await fs.write('/d/b', utf8('other'))
    const look = async (on = fs) => [
      await Promise.all(['/', '/d', '/d/a', '/d/b', '/d/e', '/empty'].map((path) => on.lstat(path))),
      (await on.readdir('/')).map(({ name }) => name).sort(),
      (await on.readdir('/d')).map(({ name }) => name).sort(),
      await on.read('/d/a'),
      await on.usage(),
    ]
    const before = await look()
    fails = true
    const calls = [
      () => fs.write('/d/a', utf8('new and longer')),
      () => fs.write('/new', utf8('new')),
      () => fs.append('/d/a', utf8('more')),
      () => fs.mkdir('/new'),
      () => fs.symlink('d', '/l'),
      () => fs.copy('/d/a', '/d/b'),
      () => fs.rename('/d/a', '/d/b'),
      () => fs.rename('/d', '/empty'),
      () => fs.unlink('/d/a'),
      () => fs.rmdir('/d/e'),
      () => fs.rmTree('/d'),
      () => fs.setMeta('/d/a', { mode: 0o600, mtimeMs: 5 }),
    ]
    for (const call of calls.slice(0, 7)) await expect(call()).rejects.toThrow(refusal('EIO', 'the database failed'))
    // Concurrent calls share a transaction. Calls that would conflict with others were checked alone above.
    for (const result of await Promise.allSettled(calls.map((call) => call()))) expect(result.status).toBe('rejected')
    expect(await look()).toEqual(before)
    fails = false
    await fs.close()
    const again = indexedDbFs({ name })
    expect(await look(again)).toEqual(before)
  })

  it('fails with ENOSPC if the quota is exceeded', async () => {
    const fs = indexedDbFs({ indexedDB: watched((transaction) => void (transaction.mode === 'readwrite' && full(transaction))) })
    await expect(fs.write('/a', utf8('x'))).rejects.toThrow(refusal('ENOSPC', 'no more storage'))
    expect(await fs.readdir('/')).toEqual([])
  })

  // Chromium 140 words the error for a full disk like this. The browser closes the connection shortly afterwards.
  it('fails with ENOSPC on a full disk, as do all later calls until reopening', async () => {
    const name = newName()
    let error: DOMException | undefined
    const fs = indexedDbFs({ name, indexedDB: watched((made) => void (error && made.mode === 'readwrite' && full(made, error))) })
    await fs.write('/a', utf8('x'))
    error = new DOMException('Failed to write blobs (IOError)', 'DataError')
    await expect(fs.write('/b', utf8('x'))).rejects.toThrow(refusal('ENOSPC', 'full or broken'))
    expect(await fs.read('/a')).toEqual(utf8('x'))
    error = new DOMException('Connection is closing because of: IO error: .../000003.log: FILE_ERROR_NO_SPACE (8)', 'UnknownError')
    const calls = ['/b', '/c'].map((path) => fs.write(path, utf8('x')))
    for (const call of calls) await expect(call).rejects.toThrow(refusal('ENOSPC', 'the disk is full'))
    await expect(fs.read('/a')).rejects.toThrow(refusal('ENOSPC', 'the disk is full'))
    await fs.close()
    expect((await indexedDbFs({ name }).readdir('/')).map((entry) => entry.name)).toEqual(['a'])
  })

  it('a lack of space for the index still allows removal, and writes the index once there is space', async () => {
    const name = newName()
    let isFull = true
    const fs = indexedDbFs({ name, indexedDB: watched((transaction) => void (isFull && refuseToClear(transaction))) })
    await fs.write('/big', utf8('x'))
    for (let i = 0; i < 30; i++) await Promise.all(Array.from({ length: 100 }, (_, j) => fs.write(`/f${i}-${j}`, utf8('x'))))
    await fs.rmTree('/f0-0')
    for (let i = 1; i < 30; i++) await Promise.all(Array.from({ length: 100 }, (_, j) => fs.unlink(`/f${i}-${j}`)))
    await fs.unlink('/big')
    const before = [await fs.usage(), await fs.lstat('/')]
    isFull = false
    await fs.setMeta('/', { mtimeMs: 1 })
    await fs.close()
    expect(await journalRows(name)).toBe(100)
    const again = indexedDbFs({ name })
    expect([await again.usage(), await again.lstat('/')]).toEqual([before[0], { ...before[1], mtimeMs: 1 }])
  })

  it('rejects only the call that caused the failure', async () => {
    const poison = 666
    const fs = indexedDbFs({ indexedDB: watched((transaction) => void (transaction.mode === 'readwrite' && refuse(transaction, poison))) })
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => fs.write(`/f${i}`, new Uint8Array(i === 7 ? poison : 10))),
    )
    expect(results.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([7])
    expect(await fs.usage()).toEqual({ bytes: 190, files: 19 })
    await expect(fs.lstat('/f7')).rejects.toThrow(refusal('ENOENT', '/f7'))
  })
})

function full(transaction: IDBTransaction, error = new DOMException('full', 'QuotaExceededError')): void {
  abort(transaction)
  Object.defineProperty(transaction, 'error', { get: () => error })
}

function refuseToClear(transaction: IDBTransaction): void {
  const stores = transaction.objectStore.bind(transaction)
  transaction.objectStore = (name) => {
    const store = stores(name)
    store.clear = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    return store
  }
}

function refuse(transaction: IDBTransaction, size: number): void {
  const parts = transaction.objectStore.bind(transaction)
  transaction.objectStore = (name) => {
    const store = parts(name)
    const put = store.put.bind(store)
    store.put = (value, key) => {
      if (value instanceof Uint8Array && value.length === size) throw new DOMException('too large', 'DataError')
      return put(value, key)
    }
    return store
  }
}

describe('capabilities', () => {
  it('depend on the durability option', async () => {
    const durabilities: string[] = []
    const watch = watched((transaction) => void (transaction.mode === 'readwrite' && durabilities.push(transaction.durability)))
    const relaxed = indexedDbFs({ indexedDB: watch })
    expect(relaxed.can).toMatchObject({ persistence: 'best-effort', durableOnAck: false, atomicReplace: true })
    await relaxed.write('/a', utf8('x'))
    await relaxed.flush()
    await relaxed.flush()
    await relaxed.close()
    expect(durabilities.splice(0)).toEqual(['relaxed', 'strict'])
    const strict = indexedDbFs({ indexedDB: watch, durability: 'strict' })
    expect(strict.can.durableOnAck).toBe(true)
    await strict.write('/a', utf8('x'))
    await strict.flush()
    expect(durabilities).toEqual(['strict'])
  })
})
