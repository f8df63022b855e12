// @module-tag durable-object
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createDurableObjectFs, type DurableStorageLike, type SqlValue } from 'toolport/adapters/cloudflare'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../adapters/cloudflare/schema.js'
import { count, inside, refusal, utf8 } from './durable-object-support.workerd.js'

const unused = {} as DurableObjectStorage

describe('createDurableObjectFs', () => {
  inside('accepts the storage of a real Durable Object', async (storage) => {
    const fs = createDurableObjectFs({ storage: storage satisfies DurableStorageLike })
    await fs.open()
    expect(fs.can).toMatchObject({ persistence: 'durable', durableOnAck: true, dirRename: true })
  })

  inside('creates its tables at the first call and leaves other tables unchanged', async (storage) => {
    storage.sql.exec('CREATE TABLE mine (a)')
    const fs = createDurableObjectFs({ storage })
    const tables = (): SqlValue[] =>
      storage.sql
        .exec(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name`)
        .toArray()
        .map((row) => row.name as SqlValue)
    expect(tables()).toEqual(['mine'])
    expect(await fs.readdir('/')).toEqual([])
    expect(tables()).toEqual(['mine', 'toolport_chunks', 'toolport_fs', 'toolport_nodes'])
  })

  inside('takes every time from the given clock', async (storage) => {
    let time = 1000
    const fs = createDurableObjectFs({ storage, now: () => time })
    await fs.mkdir('/d')
    await fs.write('/d/a', utf8('1'))
    expect((await fs.lstat('/d/a')).mtimeMs).toBe(1000)
    time = 2000.5
    await fs.write('/d/a', utf8('2'))
    expect((await fs.lstat('/d/a')).mtimeMs).toBe(2000.5)
    expect((await fs.lstat('/d')).mtimeMs).toBe(1000)
    time = 3000
    await fs.unlink('/d/a')
    expect((await fs.lstat('/d')).mtimeMs).toBe(3000)
  })

  inside('two adapters at once show the same tree and never repeat a version', async (storage) => {
    const [one, two] = [createDurableObjectFs({ storage }), createDurableObjectFs({ storage })]
    const versions: (string | undefined)[] = []
    for (const fs of [one, two, one, two]) {
      await fs.write('/a', utf8('same'))
      versions.push((await one.lstat('/a')).version)
      await two.unlink('/a')
    }
    expect(new Set(versions).size).toBe(4)
    await one.mkdir('/d')
    await two.rename('/d', '/e')
    await expect(one.lstat('/d')).rejects.toThrow(refusal('ENOENT', '"/d"'))
    await one.close()
    expect((await two.lstat('/e')).kind).toBe('dir')
  })

  inside('keeps filesystems with different prefixes separate', async (storage) => {
    const [one, two] = [createDurableObjectFs({ storage }), createDurableObjectFs({ storage, prefix: 'two' })]
    await one.write('/a', utf8('one'))
    await two.mkdir('/a')
    expect((await one.lstat('/a')).kind).toBe('file')
    expect(await two.usage()).toEqual({ bytes: 0, files: 1 })
  })

  it.each(['', 'A', '1a', 'a-b', 'a b', 'a;--', 'a"', 'sqlite', 'sqlite_a', `a${'b'.repeat(32)}`, '_cf'])(
    'rejects the prefix "%s"',
    (prefix) => {
      expect(() => createDurableObjectFs({ storage: unused, prefix })).toThrow(TypeError)
    },
  )

  it('fails with ENOTSUP in a Durable Object without SQLite and names the missing migration', async () => {
    await runInDurableObject(env.KEY_VALUE_AGENT.getByName('kv'), async (_, state) => {
      const fs = createDurableObjectFs({ storage: state.storage })
      await expect(fs.open()).rejects.toThrow(refusal('ENOTSUP', 'new_sqlite_classes'))
      await expect(fs.read('/a')).rejects.toThrow(refusal('ENOTSUP', '"/a"'))
    })
  })
})

describe('initial files', () => {
  const files = { 'src/a.ts': 'grün', '/src/deep/b.bin': Uint8Array.of(0, 255), ['__proto__']: 'x' }

  inside('are written only when the filesystem is created', async (storage) => {
    const fs = createDurableObjectFs({ storage, files })
    expect(await fs.read('/src/a.ts')).toEqual(utf8('grün'))
    expect(await fs.read('/src/deep/b.bin')).toEqual(Uint8Array.of(0, 255))
    expect(await fs.usage()).toEqual({ bytes: 8, files: 5 })
    await fs.rmTree('/src')
    expect(await createDurableObjectFs({ storage, files }).readdir('/')).toEqual([{ name: '__proto__', kind: 'file', size: 1 }])
  })

  for (const [path, code] of [
    ['a//b', 'EINVAL'],
    ['../a', 'EINVAL'],
    ['a/', 'EINVAL'],
    ['', 'EINVAL'],
    ['/good', 'EEXIST'],
    ['good/a', 'EEXIST'],
  ] as const) {
    inside(`an invalid or conflicting path such as "${path}" is ${code} and creates nothing`, async (storage) => {
      const fs = createDurableObjectFs({ storage, files: { good: 'x', [path]: 'y' } })
      await expect(fs.open()).rejects.toThrow(refusal(code, `"${path}"`))
      await expect(fs.lstat('/')).rejects.toThrow(refusal(code, `"${path}"`))
      expect(await createDurableObjectFs({ storage }).readdir('/')).toEqual([])
    })
  }
})

describe('table version', () => {
  inside('a version newer than this library is rejected, and nothing changes', async (storage) => {
    await createDurableObjectFs({ storage, files: { a: 'x' } }).open()
    storage.sql.exec('UPDATE toolport_fs SET schema = 99')
    const fs = createDurableObjectFs({ storage })
    await expect(fs.open()).rejects.toThrow(
      refusal('ENOTSUP', 'its tables have version 99, this version of the library knows up to 1: update it'),
    )
    await expect(fs.unlink('/a')).rejects.toThrow(refusal('ENOTSUP', 'version 99'))
    expect(count(storage, 'toolport_nodes')).toBe(2)
    storage.sql.exec('UPDATE toolport_fs SET schema = 1')
    expect(await fs.read('/a')).toEqual(utf8('x'))
  })

  inside('an older version is migrated step by step, once', async (storage) => {
    await createDurableObjectFs({ storage, files: { a: 'x' } }).open()
    const ran: string[] = []
    const never = (): void => expect.unreachable('it ran before')
    const steps = [never, () => void ran.push('second'), () => void ran.push('third')]
    expect(migrate(storage.sql, 'toolport', 0, steps)).toBe(false)
    expect(migrate(storage.sql, 'toolport', 0, steps)).toBe(false)
    expect(ran).toEqual(['second', 'third'])
    expect(storage.sql.exec('SELECT schema FROM toolport_fs').one().schema).toBe(3)
  })

  inside('foreign tables with the same names stay unchanged', async (storage) => {
    storage.sql.exec('CREATE TABLE toolport_fs (schema TEXT)')
    storage.sql.exec(`INSERT INTO toolport_fs VALUES ('theirs')`)
    await expect(createDurableObjectFs({ storage }).open()).rejects.toThrow(refusal('ENOTSUP', 'version'))
    storage.sql.exec('CREATE TABLE p_nodes (a)')
    await expect(createDurableObjectFs({ storage, prefix: 'p' }).open()).rejects.toThrow(refusal('EIO', 'p_nodes already exists'))
    expect(storage.sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'p_fs'`).toArray()).toEqual([])
  })
})
