// @module-tag playground
import { createWorkspace, type FsAdapter, FsError, type FsErrorCode } from 'toolport'
import { describe, expect, test, vi } from 'vitest'
import { choiceOf, type Home, type HomeKind } from '../../demo/src/homes/homes.js'
import { begunHomes, isKnown, knownHomes, lastHome, noteBegun } from '../../demo/src/homes/known-homes.js'
import { type OpenOptions, openSession, writeFiles } from '../../demo/src/homes/open-session.js'
import { beginFilling, clearUnfinished, deleteHome, empty, endFilling, isUnfinished } from '../../demo/src/homes/unfinished.js'
import type { Workspace } from '../../demo/src/session.js'
import { FILES, filesIn, filesOf, KEPT, keep, newHome, opened, put, useHomesPage, within } from './homes-page.js'

useHomesPage()

const MARK = '/.toolport-checkpoints/unfinished'

const REMOVING = ['unlink', 'rmdir', 'rmTree']

const namesIn = async (fs: FsAdapter): Promise<string[]> => (await fs.readdir('/')).map(({ name }) => name)

/** Leaves a half-filled workspace, as a page does that is closed while it fills one. */
async function keepHalf(home: Home): Promise<void> {
  await within(home, async (fs) => {
    await beginFilling(fs, home)
    await fs.write('/half.txt', new Uint8Array(3))
    await fs.flush()
  })
}

async function databasesOf({ name }: Home): Promise<unknown[]> {
  return (await indexedDB.databases()).filter((one) => one.name?.includes(name))
}

/** The error code that a storage call fails with; undefined if it succeeds. */
type Fails = (op: string, path: unknown) => FsErrorCode | undefined

/** A real storage, some calls of which fail before they reach it. */
function failing(fs: FsAdapter, fails: Fails): FsAdapter {
  return new Proxy(fs, {
    get(target, key) {
      const part: unknown = Reflect.get(target, key, target)
      if (typeof part !== 'function') return part
      return (...args: unknown[]): unknown => {
        const code = fails(String(key), args[0])
        return code ? Promise.reject(new FsError({ code, op: String(key), path: String(args[0] ?? '/') })) : part.apply(target, args)
      }
    },
  })
}

/** Makes the next storage of this kind that is created fail in this way. Later ones work. */
function failNext(kind: HomeKind, fails: Fails): void {
  const choice = choiceOf(kind)
  const { create } = choice
  vi.spyOn(choice, 'create').mockImplementationOnce(async (name) => failing(await create(name), fails))
}

describe('deleting a workspace', () => {
  test.each(KEPT)('deleting in %s works without space for its deletion mark', async (kind) => {
    const home = newHome(kind)
    await keep(home)
    failNext(kind, (op, path) => (op === 'write' && path === MARK ? 'ENOSPC' : undefined))
    await deleteHome(home)
    expect([...knownHomes(), ...begunHomes()]).toEqual([])
    expect(await within(home, namesIn)).toEqual([])
  })

  test.each(KEPT)('deleting in %s works without space for the folder of the mark', async (kind) => {
    const home = newHome(kind)
    await keep(home)
    failNext(kind, (op) => (op === 'mkdir' || op === 'write' ? 'ENOSPC' : undefined))
    await deleteHome(home)
    expect(knownHomes()).toEqual([])
    expect(await within(home, namesIn)).toEqual([])
  })

  describe.each(['mkdir', 'write', 'flush'])('deleting a workspace whose mark fails at %s', (failed) => {
    test.each(KEPT)('in %s keeps all its files', async (kind) => {
      const home = newHome(kind)
      await keep(home)
      const calls: string[] = []
      failNext(kind, (op) => {
        calls.push(op)
        return op === failed ? 'EIO' : undefined
      })
      await expect(deleteHome(home)).rejects.toMatchObject({ code: 'EIO' })
      expect(calls).toContain(failed)
      expect(calls.filter((op) => REMOVING.includes(op))).toEqual([])
      expect(await filesOf(home)).toEqual(FILES)
      expect(isKnown(home)).toBe(true)
      // The mark's folder without the mark does not count as unfinished.
      expect(await within(home, isUnfinished)).toBe(failed === 'flush')
      if (failed === 'flush') return
      await clearUnfinished()
      expect(begunHomes()).toEqual([])
      expect(await filesOf(home)).toEqual(FILES)
      expect(isKnown(home)).toBe(true)
    })
  })
})

describe('emptying a storage', () => {
  /** Fails the removing call with the index `step`. With `ends`, also fails all later calls, as if the page had closed. */
  function failingAt(step: number, ends: boolean): Fails {
    let steps = 0
    return (op) => {
      if (REMOVING.includes(op)) steps += 1
      else if (!ends) return undefined
      return steps === step + 1 || (ends && steps > step) ? 'EIO' : undefined
    }
  }

  /** The storage without `rmTree`: `empty` then removes entries one by one, and any entry may be the last. */
  const stepwise = (fs: FsAdapter): FsAdapter =>
    new Proxy(fs, { get: (target, key) => (key === 'rmTree' ? undefined : Reflect.get(target, key, target)) })
  const asItIs = (fs: FsAdapter): FsAdapter => fs

  test.each([
    ['indexeddb', 'in one step', asItIs],
    ['indexeddb', 'entry by entry', stepwise],
    ['opfs', 'in one step', asItIs],
    ['lightning-fs', 'in one step', asItIs],
  ] as const)('%s, folders %s: stays unfinished until nothing is left, wherever it fails or the page ends', async (kind, _, removing) => {
    const home = newHome(kind)
    for (const ends of [false, true]) {
      let steps = 0
      for (let isDone = false; !isDone; ) {
        await within(home, async (fs) => {
          expect(await namesIn(fs)).toEqual([])
          // With a checkpoint, because checkpoints are stored beside the mark.
          await put(fs)
          await createWorkspace({ fs }).checkpoint({ label: 'kept' })
          await beginFilling(fs, home)
          isDone = await empty(failing(removing(fs), failingAt(steps, ends))).then(
            () => true,
            () => false,
          )
          if (isDone) expect(await namesIn(fs)).toEqual([])
          else expect({ steps, ends, unfinished: await isUnfinished(fs) }).toEqual({ steps, ends, unfinished: true })
        })
        await clearUnfinished()
        expect([...begunHomes(), ...knownHomes()]).toEqual([])
        steps += 1
      }
      // One step each for at least README.md, src, the checkpoint, and the mark's folder.
      expect(steps).toBeGreaterThan(4)
    }
  })

  test.each(KEPT)('an interrupted emptying in %s is not assumed if only the folder of the mark exists', async (kind) => {
    const home = newHome(kind)
    await within(home, async (fs) => {
      const fails: Fails = (op, path) => (op === 'write' && path === MARK ? 'EIO' : undefined)
      await expect(beginFilling(failing(fs, fails), home)).rejects.toMatchObject({ code: 'EIO' })
    })
    const session = await openSession(home, { onlyNew: true, fill: (workspace) => writeFiles(workspace, FILES), packages: undefined })
    expect(await session.workspace.files()).toEqual(FILES)
    await session.close()
  })

  test.each(KEPT)('an emptying in %s is not assumed if only checkpoints are left, because they contain the files', async (kind) => {
    const home = newHome(kind)
    await within(home, async (fs) => {
      await put(fs)
      const workspace = createWorkspace({ fs })
      await workspace.checkpoint({ label: 'kept' })
      await Promise.all(['README.md', 'src'].map((path) => workspace.remove(path, { recursive: true })))
      expect(await namesIn(fs)).toHaveLength(1)
    })
    noteBegun(home)
    await clearUnfinished()
    expect(isKnown(home)).toBe(true)
    const session = await openSession(home, { fill: () => Promise.reject(new Error('It holds nothing')), packages: undefined })
    const [kept] = await session.workspace.checkpoints()
    await session.workspace.restore(kept?.id ?? '')
    expect(await session.workspace.files()).toEqual(FILES)
    await session.close()
  })
})

describe('leftovers of an earlier visit', () => {
  test.each(KEPT)('in %s: an unfinished workspace is removed, a complete one listed, and one open in another tab skipped', async (kind) => {
    const [half, bare, whole, open, openHalf] = [newHome(kind), newHome(kind), newHome(kind), newHome(kind), newHome(kind)]
    await keepHalf(half)
    noteBegun(bare)
    await within(whole, async (fs) => {
      await beginFilling(fs, whole)
      await put(fs)
      await endFilling(fs)
    })
    await keepHalf(openHalf)
    noteBegun(open)
    const [others, othersHalf] = [await opened(open), await opened(openHalf)]
    await put(others)
    expect(begunHomes()).toHaveLength(5)
    await clearUnfinished()
    expect(await within(half, namesIn)).toEqual([])
    expect(knownHomes()).toEqual([{ ...whole, opened: expect.any(Number) }])
    // `whole` was found, not opened, so the page starts with another workspace.
    expect(lastHome()).toBeUndefined()
    expect(await filesOf(whole)).toEqual(FILES)
    expect(begunHomes()).toEqual([openHalf, open])
    expect(await filesIn(others)).toEqual(FILES)
    expect(await namesIn(othersHalf)).toContain('half.txt')
    await Promise.all([others.close(), othersHalf.close()])
    // The other tabs have closed the workspaces.
    await clearUnfinished()
    expect(begunHomes()).toEqual([])
    expect(isKnown(open)).toBe(true)
    expect(isKnown(openHalf)).toBe(false)
    expect(await filesOf(open)).toEqual(FILES)
    expect(await within(openHalf, namesIn)).toEqual([])
  })

  test('are checked again after a storage failure, which does not affect others', async () => {
    const [first, second] = [newHome('indexeddb'), newHome('indexeddb')]
    await keepHalf(first)
    await keepHalf(second)
    failNext('indexeddb', (op) => (op === 'readdir' ? 'EIO' : undefined))
    await clearUnfinished()
    expect(begunHomes()).toEqual([first])
    expect(await within(second, namesIn)).toEqual([])
    expect(await within(first, isUnfinished)).toBe(true)
    await clearUnfinished()
    expect(begunHomes()).toEqual([])
    expect(await within(first, namesIn)).toEqual([])
  })
})

describe('a workspace that fails to open', () => {
  const fill = (workspace: Workspace): Promise<void> => writeFiles(workspace, FILES)

  interface Step {
    readonly fails?: (state: { readonly filled: boolean; readonly unmarked: boolean }, op: string, path: unknown) => boolean
    readonly after?: () => Promise<void>
    readonly aborts?: boolean
  }

  const STEPS: Readonly<Record<string, Step>> = {
    'its mark cannot be created': { fails: (_, op, path) => op === 'write' && path === MARK },
    'its mark cannot be stored': { fails: ({ filled }, op) => op === 'flush' && !filled },
    'its first files fail': { after: () => Promise.reject(new Error('EIO: no more files')) },
    'its files cannot be stored': { fails: ({ filled, unmarked }, op) => op === 'flush' && filled && !unmarked },
    'its files cannot be listed': { fails: ({ filled }, op) => op === 'readdir' && filled },
    'it is aborted after writing its files': { aborts: true },
    'its mark cannot be removed': { fails: ({ filled }, op, path) => op === 'unlink' && filled && path === MARK },
    'the removal of its mark cannot be stored': { fails: ({ unmarked }, op) => op === 'flush' && unmarked },
  }

  describe.each(KEPT)('in %s', (kind) => {
    test.each(Object.entries(STEPS))('because %s leaves nothing behind and can be opened at once', async (_, { fails, after, aborts }) => {
      const home = newHome(kind)
      const state = { filled: false, unmarked: false }
      const stop = new AbortController()
      let storage: FsAdapter | undefined
      const choice = choiceOf(kind)
      const { create } = choice
      vi.spyOn(choice, 'create').mockImplementationOnce(async (name) => {
        storage = await create(name)
        return failing(storage, (op, path) => {
          if (op === 'unlink' && path === MARK) state.unmarked = true
          return fails?.(state, op, path) ? 'EIO' : undefined
        })
      })
      const options: OpenOptions = {
        fill: async (workspace) => {
          await fill(workspace)
          state.filled = true
          expect(begunHomes()).toEqual([home])
          if (aborts) stop.abort(new Error('EIO: stopped'))
          await after?.()
        },
        packages: undefined,
        signal: stop.signal,
      }
      await expect(openSession(home, options)).rejects.toThrow('EIO')
      expect([...knownHomes(), ...begunHomes()]).toEqual([])
      await expect(storage?.readdir('/')).rejects.toMatchObject({ code: 'EIO' })
      await expect.poll(() => databasesOf(home)).toEqual([])
      // The storage is free again: neither the failed opening nor its clean-up has it open.
      const session = await openSession(home, { fill, onlyNew: true, packages: undefined })
      expect(await session.workspace.files()).toEqual(FILES)
      await session.close()
    })
  })

  test.each(KEPT)('a workspace in %s that existed before is unchanged', async (kind) => {
    const home = newHome(kind)
    await keep(home)
    const options: OpenOptions = { fill, onlyNew: true, packages: undefined }
    await expect(openSession(home, options)).rejects.toThrow('already')
    for (const op of ['flush', 'readdir']) {
      failNext(kind, (one) => (one === op ? 'EIO' : undefined))
      await expect(openSession(home, { fill, packages: undefined })).rejects.toMatchObject({ code: 'EIO' })
      expect(await filesOf(home)).toEqual(FILES)
    }
    await expect(openSession(home, { fill, packages: undefined, signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    )
    expect(await filesOf(home)).toEqual(FILES)
    expect(isKnown(home)).toBe(true)
    expect(begunHomes()).toEqual([])
  })

  test.each(['memory', 'memfs'] as const)('a workspace in %s that fails to open releases its storage', async (kind) => {
    let closed = 0
    failNext(kind, (op) => {
      if (op === 'close') closed += 1
      return undefined
    })
    const failed = openSession({ kind, name: 'x' }, { fill: () => Promise.reject(new Error('no files')), packages: undefined })
    await expect(failed).rejects.toThrow('no files')
    expect(closed).toBe(1)
    expect([...knownHomes(), ...begunHomes()]).toEqual([])
  })
})
