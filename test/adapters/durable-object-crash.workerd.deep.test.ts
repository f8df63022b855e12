// @module-tag durable-object
import { createDurableObjectFs, type DurableStorageLike } from 'toolport/adapters/cloudflare'
import { describe, expect } from 'vitest'
import { inside, pattern, refusal, utf8, watched } from './durable-object-support.workerd.js'

describe('a call that fails in the middle', () => {
  const TREE = { 'd/a': 'old', 'd/e/b': 'x'.repeat(600_000), c: 'c', 'empty/x': '' }
  const CALLS: Readonly<Record<string, (fs: ReturnType<typeof createDurableObjectFs>) => Promise<unknown>>> = {
    'write of a new file': (fs) => fs.write('/d/new', pattern(600_000)),
    'write over a file': (fs) => fs.write('/d/a', pattern(600_000)),
    'write of shorter content': (fs) => fs.write('/d/e/b', utf8('short')),
    append: (fs) => fs.append('/d/e/b', pattern(600_000)),
    'copy to a new file': (fs) => fs.copy('/d/e/b', '/new'),
    'copy over a file': (fs) => fs.copy('/c', '/d/e/b'),
    mkdir: (fs) => fs.mkdir('/d/new'),
    symlink: (fs) => fs.symlink('a', '/d/new'),
    unlink: (fs) => fs.unlink('/d/e/b'),
    rmTree: (fs) => fs.rmTree('/d'),
    'rename over a file': (fs) => fs.rename('/c', '/d/e/b'),
    'rename of a directory': (fs) => fs.rename('/d', '/empty/d'),
    setMeta: (fs) => fs.setMeta('/d/a', { mode: 0o600 }),
  }

  /** All rows of all tables. */
  const dump = (storage: DurableObjectStorage): unknown =>
    ['fs', 'nodes', 'chunks'].map((table) => {
      const rows = storage.sql.exec(`SELECT * FROM toolport_${table} ORDER BY 1, 2`).toArray()
      return rows.map((row) =>
        Object.values(row).map((value) => (value instanceof ArrayBuffer ? [...new Uint8Array(value)].join() : value)),
      )
    })

  for (const [what, call] of Object.entries(CALLS)) {
    inside(`${what}: leaves every row unchanged, whichever statement fails`, async (storage) => {
      let failing = Number.POSITIVE_INFINITY
      let message = ''
      const faulty = watched(storage, (query) => {
        if (!query.startsWith('SELECT') && --failing < 0) throw new Error(message)
      })
      let time = 1
      const fs = createDurableObjectFs({ storage: faulty, files: TREE, now: () => time++ })
      await fs.open()
      const before = dump(storage)
      let refused = 0
      for (; refused < 50; refused++) {
        failing = refused
        message = refused % 2 ? 'database or disk is full: SQLITE_FULL' : 'the machine is gone'
        const error: unknown = await call(fs).catch((reason: unknown) => reason)
        if (error === undefined) break
        expect(error).toEqual(
          refused % 2 ? refusal('ENOSPC', "the Durable Object's storage is full") : refusal('EIO', 'the machine is gone'),
        )
        expect(dump(storage)).toEqual(before)
      }
      expect(refused).toBeGreaterThan(0)
      expect(refused).toBeLessThan(50)
      expect(dump(storage)).not.toEqual(before)
    })
  }

  inside('a failure while creating the tables leaves none, and the next call creates them', async (storage) => {
    for (let statement = 0; ; statement++) {
      expect(statement).toBeLessThan(50)
      let left = statement
      let failed = false
      const faulty = watched(storage, () => {
        if (left-- !== 0) return
        failed = true
        throw new Error('the machine is gone')
      })
      const fs = createDurableObjectFs({ storage: faulty, files: { 'd/a': 'x' }, prefix: `p${statement}` })
      const error: unknown = await fs.open().catch((reason: unknown) => reason)
      if (!failed) break
      expect(error).toEqual(refusal('EIO', 'the machine is gone'))
      expect(storage.sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', `p${statement}_fs`).toArray()).toEqual([])
      expect(await fs.read('/d/a')).toEqual(utf8('x'))
    }
  })

  inside('a rolled back outer transaction reverts the call, and no version is repeated', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    const versions: (string | undefined)[] = []
    // The first round includes the very first call, which creates the tables.
    for (let round = 0; round < 3; round++) {
      await storage
        .transaction(async () => {
          await fs.write('/a', utf8(`round ${round}`))
          versions.push((await fs.lstat('/a')).version)
          throw new Error('roll back')
        })
        .catch(() => undefined)
      expect(await fs.readdir('/')).toEqual([])
    }
    await fs.write('/a', utf8('stays'))
    versions.push((await fs.lstat('/a')).version)
    expect(new Set(versions).size).toBe(4)
    expect(await fs.usage()).toEqual({ bytes: 5, files: 1 })
  })

  inside('after deleteAll() the filesystem is created again', async (storage) => {
    const fs = createDurableObjectFs({ storage, files: { a: 'first' } })
    await fs.write('/b', utf8('x'))
    await storage.deleteAll()
    expect((await fs.readdir('/')).map(({ name }) => name)).toEqual(['a'])
    await storage.deleteAll()
    await fs.write('/c', utf8('y'))
    expect(await fs.usage()).toEqual({ bytes: 6, files: 2 })
  })

  inside('a failed flush is EIO', async (storage) => {
    const broken: DurableStorageLike = { ...watched(storage, () => undefined), sync: () => Promise.reject(new Error('no disk')) }
    const fs = createDurableObjectFs({ storage: broken })
    await fs.write('/a', utf8('x'))
    await expect(fs.flush()).rejects.toThrow(refusal('EIO', 'no disk'))
  })
})
