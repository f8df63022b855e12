// @module-tag durable-object
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe, expect } from 'vitest'
import { count, inside, isSame, MIB, pattern, refusal, utf8, watched } from './durable-object-support.workerd.js'

describe('contents in chunks', () => {
  inside('another adapter reads back 12 MB completely and in ranges', async (storage) => {
    const bytes = pattern(12_000_000)
    await createDurableObjectFs({ storage }).write('/big', bytes)
    await storage.sync()
    const fs = createDurableObjectFs({ storage })
    expect((await fs.lstat('/big')).size).toBe(bytes.length)
    expect(isSame(await fs.read('/big'), bytes)).toBe(true)
    for (const [offset, length] of [
      [0, 1],
      [262_143, 2],
      [262_144, 262_144],
      [1_000_000, 3_000_001],
      [11_999_999, 10],
    ] as const) {
      expect(isSame(await fs.read('/big', { offset, length }), bytes.subarray(offset, offset + length))).toBe(true)
    }
    await fs.copy('/big', '/copy')
    await fs.rename('/copy', '/other')
    await fs.unlink('/big')
    expect(isSame(await fs.read('/other'), bytes)).toBe(true)
  })

  inside('no row is larger than 1 MiB', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    await fs.write('/big', pattern(3 * MIB + 1))
    await fs.append('/big', pattern(2 * MIB))
    const { most, sum } = storage.sql.exec('SELECT max(length(bytes)) AS most, sum(length(bytes)) AS sum FROM toolport_chunks').one()
    expect(most).toBeLessThanOrEqual(MIB)
    expect(sum).toBe(5 * MIB + 1)
  })

  inside('reading a range reads only its chunks', async (storage) => {
    const read: unknown[] = []
    const fs = createDurableObjectFs({ storage: watched(storage, (query, bindings) => query.includes('substr') && read.push(bindings)) })
    await fs.write('/big', pattern(4 * MIB))
    await fs.read('/big', { offset: 2 * MIB + 10, length: 100 })
    expect(read).toHaveLength(1)
    expect(read[0]).toEqual([11, 100, expect.any(Number)])
    await fs.read('/big', { offset: 2 * MIB - 10, length: 20 })
    expect(read).toHaveLength(3)
    await fs.read('/big', { offset: 4 * MIB, length: 20 })
    expect(read).toHaveLength(3)
  })

  inside('no chunks of truncated, replaced or removed content remain', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    await fs.write('/a', pattern(3 * MIB))
    await fs.write('/a', pattern(MIB / 2))
    expect(isSame(await fs.read('/a'), pattern(MIB / 2))).toBe(true)
    expect(count(storage, 'toolport_chunks')).toBe(2)
    await fs.write('/a', new Uint8Array(0))
    expect(count(storage, 'toolport_chunks')).toBe(0)
    await fs.mkdir('/d')
    for (const name of ['x', 'y']) await fs.write(`/d/${name}`, pattern(MIB))
    await fs.rename('/d/x', '/d/y')
    expect(count(storage, 'toolport_chunks')).toBe(4)
    await fs.copy('/a', '/d/y')
    expect(count(storage, 'toolport_chunks')).toBe(0)
    await fs.write('/d/z', pattern(MIB))
    await fs.rmTree('/d')
    expect(count(storage, 'toolport_chunks')).toBe(0)
    expect(count(storage, 'toolport_nodes')).toBe(2)
  })

  inside('an append continues across chunk boundaries', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    const whole = pattern(1_500_000)
    await fs.write('/a', whole.subarray(0, 262_143))
    for (let at = 262_143, step = 1; at < whole.length; at += step, step = step * 5 + 1) {
      await fs.append('/a', whole.subarray(at, at + step))
    }
    expect(isSame(await fs.read('/a'), whole)).toBe(true)
  })

  inside('a missing chunk is EIO, not zeros', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    await fs.write('/a', pattern(MIB))
    storage.sql.exec('DELETE FROM toolport_chunks WHERE id % 65536 = 2')
    await expect(fs.read('/a')).rejects.toThrow(refusal('EIO', '"/a"'))
    expect((await fs.read('/a', { length: 100 })).length).toBe(100)
  })
})

describe('names and trees', () => {
  const HOSTILE = [
    `'); DROP TABLE toolport_nodes; --`,
    `' OR '1'='1`,
    '";--',
    '?',
    '?1',
    ':a',
    '$a',
    '%_',
    '__proto__',
    'constructor',
    '\u0001',
    '\ufffd',
    '🙂',
    'e\u0301',
    'é',
    'a\u2028b',
    'toolport_nodes',
  ]

  inside('names that look like SQL stay distinct names', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    for (const name of HOSTILE) {
      await fs.mkdir(`/${name}`)
      for (const inner of HOSTILE) await fs.write(`/${name}/${inner}`, utf8(name + inner))
      await fs.symlink(name, `/${name}/link`)
    }
    for (const name of HOSTILE) {
      for (const inner of HOSTILE) expect(await fs.read(`/${name}/${inner}`)).toEqual(utf8(name + inner))
      expect(await fs.readlink(`/${name}/link`)).toBe(name)
      expect((await fs.readdir(`/${name}`)).map((entry) => entry.name).sort()).toEqual([...HOSTILE, 'link'].sort())
    }
    expect(await fs.usage()).toMatchObject({ files: HOSTILE.length * (HOSTILE.length + 2) })
    for (const name of HOSTILE) await fs.rmTree(`/${name}`)
    expect(await fs.usage()).toEqual({ bytes: 0, files: 0 })
  })

  inside('text that SQLite would change is rejected', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    await expect(fs.write('/a\ud800', utf8('x'))).rejects.toThrow(refusal('EINVAL', 'Unicode'))
    await expect(fs.mkdir('/\udc00b')).rejects.toThrow(refusal('EINVAL', 'Unicode'))
    await expect(fs.lstat('/a\0b')).rejects.toThrow(refusal('EINVAL', 'NUL'))
    await expect(fs.symlink('a\ud800', '/l')).rejects.toThrow(refusal('EINVAL', 'the target'))
    expect(await fs.readdir('/')).toEqual([])
  })

  inside('moving a directory writes the same number of rows for 1 file as for 500', async (storage) => {
    // The clock moves, so that every update of a time changes a row.
    let time = 0
    const fs = createDurableObjectFs({ storage, now: () => time++ })
    const moves: number[] = []
    await fs.mkdir('/to')
    for (const files of [1, 500]) {
      await fs.mkdir('/from')
      for (let i = 0; i < files; i++) await fs.write(`/from/${i}`, utf8('x'))
      const before = storage.sql.exec('SELECT total_changes() AS n').one().n as number
      await fs.rename('/from', `/to/${files}`)
      moves.push((storage.sql.exec('SELECT total_changes() AS n').one().n as number) - before)
    }
    expect(moves[1]).toBe(moves[0])
    expect((await fs.readdir('/to/500')).length).toBe(500)
  })

  inside('a tree deeper than any valid path can be removed', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    await fs.mkdir('/tree')
    for (let i = 0; i < 2000; i++) {
      await fs.mkdir('/next')
      await fs.rename('/tree', '/next/d')
      await fs.rename('/next', '/tree')
    }
    expect(await fs.usage()).toEqual({ bytes: 0, files: 2001 })
    await fs.rmTree('/tree')
    expect(await fs.usage()).toEqual({ bytes: 0, files: 0 })
    expect(count(storage, 'toolport_nodes')).toBe(1)
  })
})
