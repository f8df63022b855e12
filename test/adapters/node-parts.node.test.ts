// @module-tag directory
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toFsError } from '../../adapters/node/faults.js'
import { checkPath } from '../../adapters/node/paths.js'
import { reserve } from '../../adapters/node/replace.js'
import { brief } from '../../adapters/node/short-syscalls.js'
import { createGate } from '../../adapters/node/storage.js'
import { cleanUp, freshRoot, nodeFs, onDisk, root } from './node-fixture.js'

describe('node fs', () => {
  beforeEach(freshRoot)
  afterEach(cleanUp)

  it('can.raceSafe is true only on Linux and without the opt-out', () => {
    expect(nodeFs().can.raceSafe).toBe(process.platform === 'linux')
    expect(nodeFs({ raceSafe: false }).can.raceSafe).toBe(false)
  })

  it.each([
    ['EPERM', 'EACCES'],
    ['EACCES', 'EACCES'],
    ['EROFS', 'EROFS'],
    ['ENAMETOOLONG', 'EINVAL'],
    ['EDQUOT', 'ENOSPC'],
    ['EMFILE', 'EBUSY'],
    ['ENFILE', 'EBUSY'],
    ['EOPNOTSUPP', 'ENOTSUP'],
    ['ESTALE', 'EIO'],
    ['EWHATEVER', 'EIO'],
  ])('maps %s of the system to %s', (errno, code) => {
    const cause = Object.assign(new Error(`${errno}: open '/host/path'`), { code: errno })
    const error = toFsError(cause, 'write', '/a', '/b')
    expect(error).toMatchObject({ code, path: '/a', dest: '/b', cause })
    expect(error.message).toMatch(new RegExp(`^${code}: Cannot write "/a" to "/b": `))
    expect(error.message).not.toContain('/host')
  })

  it('rejects names that Windows interprets differently, on Windows only', () => {
    for (const path of ['/a:b', '/a\\b', '/con', '/NUL.txt', '/dir/com1/x', '/a.', '/a /b', '/a?', '/a*', '/x/lpt9.log']) {
      expect(() => checkPath(path, true), path).toThrow('Windows')
      expect(() => checkPath(path, false), path).not.toThrow()
    }
    for (const path of ['/', '/a.b', '/.git/x', '/console', '/common', '/nul1', '/a b'])
      expect(() => checkPath(path, true), path).not.toThrow()
  })

  it('creates an exclusive file on a storage without hard links', async () => {
    const [temp, path] = [join(root, 'temp'), join(root, 'file')]
    writeFileSync(temp, 'new')
    await reserve(temp, path)
    expect(readdirSync(root)).toEqual(['file'])
    expect(onDisk('file')).toBe('new')
    writeFileSync(temp, 'newer')
    await expect(reserve(temp, path)).rejects.toMatchObject({ code: 'EEXIST' })
    expect(onDisk('file')).toBe('new')
    await expect(reserve(join(root, 'missing'), join(root, 'other'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(readdirSync(root).sort()).toEqual(['file', 'temp'])
  })

  it('a gate limits concurrent operations and keeps their order', async () => {
    const gate = createGate(3)
    const order: number[] = []
    let running = 0
    let most = 0
    const work = async (i: number): Promise<void> => {
      most = Math.max(most, ++running)
      order.push(i)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      if (i % 5 === 0) throw new Error('fails')
    }
    const results = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => gate.run(() => work(i))))
    expect(most).toBe(3)
    expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    await gate.run(async () => {})
  })

  it('yields to the event loop between calls that finish at once', async () => {
    const fs = nodeFs()
    writeFileSync(join(root, 'file'), 'x')
    let [turns, done] = [0, false]
    const count = (): void => {
      turns++
      if (!done) setImmediate(count)
    }
    setImmediate(count)
    for (let i = 0; i < 5000; i++) await fs.read('/file')
    done = true
    expect(turns).toBeGreaterThan(2)
  })

  it('moves calls to the thread pool if the storage blocks the event loop', async () => {
    const spin = (ms: number): string => {
      for (const end = performance.now() + ms; performance.now() < end; );
      return 'at once'
    }
    const later = async (): Promise<string> => 'later'
    let spins = 0
    while ((await brief(() => spin(20), later)) === 'at once') spins++
    // On a busy machine an earlier call may already have been slow.
    expect(spins).toBeLessThanOrEqual(3)
    // The adapter recovers, so that later tests of this process are not affected.
    await expect.poll(() => brief(() => 'at once', later)).toBe('at once')
  })
})
