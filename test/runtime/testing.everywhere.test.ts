// @module-tag testing
import { expect, test } from 'vitest'
import { createTestHost, createTestWorkspace } from '../../src/entries/testing.js'
import { turns } from './support.js'

test('the clock of createTestHost stands still until it is advanced', async () => {
  const host = createTestHost()
  expect(new Date(host.now()).toISOString()).toBe('2025-01-01T00:00:00.000Z')
  await host.yield()
  await turns()
  expect(host.now()).toBe(Date.UTC(2025, 0, 1))
  await host.advance(500)
  expect(host.now()).toBe(Date.UTC(2025, 0, 1) + 500)
  expect(createTestHost({ now: 7 }).now()).toBe(7)
})

test('sleepers wake in order at their times, also repeated ones', async () => {
  const host = createTestHost({ now: 0 })
  const woken: [string, number][] = []
  const sleeper = async (name: string, ...naps: number[]): Promise<void> => {
    for (const ms of naps) {
      await host.sleep(ms)
      woken.push([name, host.now()])
    }
  }
  void sleeper('b', 20, 10, 500)
  void sleeper('a', 10, 10, 10)
  expect(host.sleeping).toBe(2)
  await host.advance(100)
  expect(woken).toEqual([
    ['a', 10],
    ['b', 20],
    ['a', 20],
    ['b', 30],
    ['a', 30],
  ])
  expect(host.now()).toBe(100)
  expect(host.sleeping).toBe(1)
})

test('a sleep ends on abort, and one of 0 ms at once', async () => {
  const host = createTestHost()
  const controller = new AbortController()
  const sleeping = host.sleep(1000, controller.signal)
  controller.abort()
  await sleeping
  await host.sleep(1000, controller.signal)
  await host.sleep(0)
  await host.sleep(-5)
  expect(host.sleeping).toBe(0)
})

test('random numbers of createTestHost are reproducible and spread over [0, 1)', () => {
  const draw = (seed?: number): number[] => {
    const { random } = createTestHost({ seed })
    return Array.from({ length: 1000 }, random)
  }
  expect(draw()).toEqual(draw(1))
  expect(draw(1)).not.toEqual(draw(2))
  expect(draw().slice(0, 3)).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522])
  expect(draw().every((number) => number >= 0 && number < 1)).toBe(true)
  const mean = draw().reduce((sum, number) => sum + number, 0) / 1000
  expect(mean).toBeGreaterThan(0.45)
  expect(mean).toBeLessThan(0.55)
})

test('createTestWorkspace creates files and returns them', async () => {
  const given = { 'src/a.ts': 'export const a = 1\n', 'logo.png': new Uint8Array([0x89, 0x50, 0xff]), empty: '' }
  const { workspace, files, host } = createTestWorkspace({ files: given })
  expect(workspace.root).toBe('/workspace')
  expect(await files()).toEqual(given)
  await host.advance(5)
  await workspace.writeText('src/b.ts', 'b')
  await workspace.remove('empty')
  expect(await files()).toEqual({ 'src/a.ts': given['src/a.ts'], 'src/b.ts': 'b', 'logo.png': given['logo.png'] })
  expect((await workspace.stat('src/b.ts')).mtimeMs).toBe(Date.UTC(2025, 0, 1) + 5)
})

test('createTestWorkspace accepts every workspace option', async () => {
  const { workspace } = createTestWorkspace({ files: { 'a/b': 'x' }, cwd: '/w/a', root: '/w', policy: { readOnly: true } })
  expect((await workspace.readText('b')).path).toBe('/w/a/b')
  await expect(workspace.writeText('c', 'x')).rejects.toThrow()
})
