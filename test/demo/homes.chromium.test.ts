// @module-tag playground
import { describe, expect, test, vi } from 'vitest'
import { isBusy } from '../../demo/src/homes/failures.js'
import type { Home } from '../../demo/src/homes/homes.js'
import {
  addHome,
  begunHomes,
  forgetHome,
  isKnown,
  knownHomes,
  lastHome,
  noteBegun,
  rememberHome,
} from '../../demo/src/homes/known-homes.js'
import { deleteHome, isUnfinished } from '../../demo/src/homes/unfinished.js'
import { FILES, filesIn, filesOf, KEPT, KEY, keep, newHome, opened, useHomesPage, within } from './homes-page.js'

useHomesPage()

describe('deleting a workspace', () => {
  test.each(KEPT)('deleting in %s changes nothing while another tab has it open', async (kind) => {
    const home = newHome(kind)
    await keep(home)
    const other = newHome(kind)
    rememberHome(other, 2)
    const stored = localStorage.getItem(KEY)
    const fs = await opened(home)
    const refused: unknown = await deleteHome(home).catch((error: unknown) => error)
    expect(isBusy(refused)).toBe(true)
    expect(localStorage.getItem(KEY)).toBe(stored)
    expect(knownHomes().map(({ name }) => name)).toEqual([other.name, home.name])
    expect(begunHomes()).toEqual([])
    // The other tab can go on with its work.
    expect(await filesIn(fs)).toEqual(FILES)
    await fs.write('/later.txt', new Uint8Array())
    await fs.close()
    expect(await filesOf(home)).toEqual({ ...FILES, 'later.txt': '' })
    expect(await within(home, isUnfinished)).toBe(false)
  })
})

describe('the list of workspaces', () => {
  const A: Home = { kind: 'indexeddb', name: 'a' }
  const B: Home = { kind: 'indexeddb', name: 'b' }
  const C: Home = { kind: 'indexeddb', name: 'c' }

  function refuse(...methods: readonly ('getItem' | 'setItem')[]): void {
    const errors = { getItem: 'SecurityError', setItem: 'QuotaExceededError' }
    for (const method of methods) {
      vi.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new DOMException('refused', errors[method])
      })
    }
  }

  /** Simulates a browser that blocks all site data: even reading `localStorage` throws. */
  function refuseAll(): void {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError')
    })
  }

  const names = (homes: readonly Home[]): string[] => homes.map(({ name }) => name)
  const stored = (): unknown => JSON.parse(localStorage.getItem(KEY) ?? 'null')

  test.each([
    ['reject writes', () => refuse('setItem')],
    ['reject reads and writes', () => refuse('getItem', 'setItem')],
    ['be inaccessible', refuseAll],
  ])('is kept for the page if storing may %s, and stored later', (_, refuseIt) => {
    rememberHome(A, 1)
    refuseIt()
    const before = names(knownHomes())
    rememberHome(B, 2)
    expect(names(knownHomes())).toEqual(['b', ...before])
    expect(lastHome()).toMatchObject(B)
    noteBegun(C)
    expect(begunHomes()).toEqual([C])
    addHome(C)
    expect(begunHomes()).toEqual([])
    expect(names(knownHomes())).toEqual(['b', ...before, 'c'])
    expect(isKnown(C)).toBe(true)
    noteBegun(A)
    forgetHome(A)
    expect(isKnown(A)).toBe(false)
    expect(begunHomes()).toEqual([])
    rememberHome({ kind: 'memory', name: 'gone' }, 3)
    expect(lastHome()).toBeUndefined()
    noteBegun(A)
    vi.restoreAllMocks()
    // The next change stores everything noted so far.
    rememberHome(C, 4)
    const now = {
      known: [
        { ...C, opened: 4 },
        { ...B, opened: 2 },
      ],
      begun: [A],
      last: 'indexeddb:c',
    }
    expect(stored()).toEqual(now)
    expect({ known: knownHomes(), begun: begunHomes(), last: 'indexeddb:c' }).toEqual(now)
    // From then on, the stored state is used.
    localStorage.removeItem(KEY)
    expect([...knownHomes(), ...begunHomes()]).toEqual([])
  })
})
