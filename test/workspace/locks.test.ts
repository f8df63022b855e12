// @module-tag paths
import { createWorkspace, type FsAdapter, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { PathLocks } from '../../src/workspace/locks.js'
import { slowFs } from './slow-fs.js'

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

describe('PathLocks', () => {
  it('gives a path to one holder at a time, in the order of requests', async () => {
    const locks = new PathLocks()
    const log: number[] = []
    let holders = 0
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const release = await locks.acquire(['/a/b'])
        expect(++holders).toBe(1)
        await turn()
        log.push(i)
        holders--
        release()
      }),
    )
    expect(log).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })

  it('does not block siblings, and a directory waits for everything below it', async () => {
    const locks = new PathLocks()
    const [a, b] = [await locks.acquire(['/d/a']), await locks.acquire(['/d/b'])]
    const seen: string[] = []
    const take = async (path: string): Promise<() => void> => {
      const release = await locks.acquire([path])
      seen.push(path)
      return release
    }
    const [whole, later] = [take('/d'), take('/d/c')]
    await turn()
    expect(seen, 'one that came later does not overtake the directory').toEqual([])
    a()
    await turn()
    expect(seen).toEqual([])
    b()
    const release = await whole
    await turn()
    expect(seen).toEqual(['/d'])
    release()
    ;(await later)()
    expect(seen).toEqual(['/d', '/d/c'])
  })

  it('accepts a directory and its content in one set', async () => {
    const locks = new PathLocks()
    const release = await locks.acquire(['/a/b', '/a', '/', '/a/b', '/c'])
    let done = false
    const next = locks.acquire(['/z']).finally(() => {
      done = true
    })
    await turn()
    expect(done).toBe(false)
    release()
    ;(await next)()
  })

  it('never deadlocks with 500 random sets', async () => {
    const locks = new PathLocks()
    const names = ['', 'a', 'b', 'c']
    const random = seeded(7)
    const pick = (): string =>
      `/${[0, 1, 2]
        .map(() => names[Math.floor(random() * 4)])
        .filter(Boolean)
        .join('/')}`
    const held = new Map<string, number>()
    const overlaps: string[] = []
    let finished = 0
    const run = async (): Promise<void> => {
      const paths = [...new Set(Array.from({ length: 1 + Math.floor(random() * 4) }, pick))]
      const release = await locks.acquire(paths)
      for (const path of paths) {
        for (const [other, count] of held) if (count > 0 && (within(other, path) || within(path, other))) overlaps.push(`${path} ${other}`)
      }
      for (const path of paths) held.set(path, (held.get(path) ?? 0) + 1)
      if (random() < 0.5) await turn()
      for (const path of paths) held.set(path, (held.get(path) ?? 0) - 1)
      release()
      finished++
    }
    await Promise.all(Array.from({ length: 500 }, run))
    expect(finished).toBe(500)
    expect(overlaps).toEqual([])
  })
})

describe('concurrent writers', () => {
  it('append everything', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs()) })
    await Promise.all(Array.from({ length: 30 }, (_, i) => workspace.writeText('log', `${i}\n`, { mode: 'append' })))
    const lines = (await workspace.readText('log')).text.trim().split('\n')
    expect(lines.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i))
  })

  it('concurrent writers of one new file with mode "create": one succeeds', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs()) })
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => workspace.writeText('d/x', `${i}`, { mode: 'create' })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'EEXIST' })
  })

  it('concurrent writers with the same expected version: one succeeds, the others are stale', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs({ files: { x: '0' } })) })
    const { version } = await workspace.readText('x')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => workspace.writeText('x', `${i + 1}`, { expect: version })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ESTALE' })
  })

  it('concurrent writers through a link and by the real path exclude each other', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs({ files: { 'd/x': '' } })) })
    await workspace.symlink('d', 'link')
    await workspace.symlink('link/x', 'x')
    const names = ['d/x', 'link/x', 'x']
    const add = (path: string): Promise<unknown> =>
      workspace.locked([path], async (locked) => {
        const { text } = await locked.readText(path)
        await turn()
        return locked.writeText(path, `${text}+`)
      })
    await Promise.all(Array.from({ length: 30 }, (_, i) => add(names[i % 3] as string)))
    expect((await workspace.readText('d/x')).text).toBe('+'.repeat(30))
  })

  it('concurrent writers and a removal of the directory leave a consistent tree', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs()) })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        i % 4 === 3 ? workspace.remove('d', { recursive: true }) : workspace.writeText(`d/e${i}/f`, 'x'),
      ),
    )
    outcomes.forEach((outcome, i) => {
      if (i % 4 !== 3) expect(outcome.status).toBe('fulfilled')
    })
  })

  it('concurrent writers that swap directories by two moves do not deadlock', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs({ files: { 'a/x': '', 'b/y': '' } })) })
    await Promise.all([workspace.move('a/x', 'b/x'), workspace.move('b/y', 'a/y'), workspace.copy('b', 'c'), workspace.copy('a', 'd')])
    expect(await workspace.exists('b/x')).toBe(true)
  })
})

describe('locked()', () => {
  it('gives access to the named paths and everything below, and to no others', async () => {
    const { workspace } = createTestWorkspace({ files: { 'a/x': 'x', b: 'b' } })
    await workspace.locked(['a', 'new/file'], async (locked) => {
      await locked.writeText('a/y', 'y')
      await locked.writeText('new/file', 'n')
      expect((await locked.readText('b')).text, 'reading is free').toBe('b')
      await expect(locked.writeText('b', 'no')).rejects.toThrow('Cannot use "/workspace/b": it is not one of the locked paths')
      await expect(locked.move('a/x', 'c')).rejects.toThrow('not one of the locked paths')
      await locked.locked(['a/y'], async (inner) => inner.remove('a/y'))
      await expect(locked.locked(['b'], async () => undefined)).rejects.toThrow('not one of the locked paths')
    })
    expect(await workspace.files()).toEqual({ 'a/x': 'x', b: 'b', 'new/file': 'n' })
  })

  it('releases its locks when the body throws', async () => {
    const { workspace } = createTestWorkspace({ files: { a: '' } })
    await expect(workspace.locked(['a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await workspace.writeText('a', 'free')
  })

  it('holds the right paths when links change while it waits', async () => {
    const fs = createMemoryFs({ files: { one: '1', two: '2' } })
    const workspace = createWorkspace({ fs })
    await workspace.symlink('one', 'link')
    let swap = (): void => undefined
    const swapped = new Promise<void>((resolve) => {
      swap = resolve
    })
    const first = workspace.locked(['link', 'one'], async (locked) => {
      await swapped
      await locked.remove('link')
      await locked.symlink('two', 'link')
    })
    await turn()
    const second = workspace.locked(['link'], (locked) => locked.writeText('link', 'written'))
    await turn()
    swap()
    await Promise.all([first, second])
    expect(await workspace.files()).toEqual({ one: '1', two: 'written' })
  })

  it('isolates edits of one file while others continue', async () => {
    const workspace: Workspace = createWorkspace({ fs: slowFs(createMemoryFs({ files: { n: '0', m: '0' } })) as FsAdapter })
    const add = (path: string): Promise<unknown> =>
      workspace.locked([path], async (locked) => locked.writeText(path, String(Number((await locked.readText(path)).text) + 1)))
    await Promise.all(Array.from({ length: 40 }, (_, i) => add(i % 2 ? 'n' : 'm')))
    expect(await workspace.files()).toEqual({ n: '20', m: '20' })
  })
})

function within(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
