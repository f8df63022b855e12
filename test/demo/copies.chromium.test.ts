// @module-tag playground
import '../../demo/src/styles/index.css'
import type { FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { copyWorkspace, HistoryError } from '../../demo/src/homes/copy-workspace.js'
import { createLeaving } from '../../demo/src/homes/leaving.js'
import { openCopy } from '../../demo/src/homes/open-copy.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import { forgetAfterwards, newHome, sessionOn } from './copies-page.js'
import { openPage } from './page.js'

describe('a copy of a workspace', () => {
  test('continues with its checkpoints: earlier changes are undone there, not in the original', async () => {
    const from = sessionOn({ 'a.txt': 'one' })
    await from.snapshot()
    await from.runtime.call('write_file', { path: 'a.txt', content: 'two' })
    await from.runtime.call('write_file', { path: 'b.txt', content: 'new' })
    const home = newHome('indexeddb')
    forgetAfterwards(home)
    const { next: to } = await openCopy(home, from, { onlyNew: true, packages: undefined, task: undefined })
    onTestFinished(() => to.close())
    // The copy has the original's changes since the first checkpoint too.
    expect([...(await to.snapshot()).changes]).toEqual([
      ['a.txt', 'modified'],
      ['b.txt', 'added'],
    ])
    const before = (await to.checkpoints()).find(({ label }) => label === 'Before write_file b.txt')
    await to.workspace.restore(before?.id ?? '')
    expect(await to.workspace.files()).toEqual({ 'a.txt': 'two' })
    await to.startOver()
    expect(await to.workspace.files()).toEqual({ 'a.txt': 'one' })
    expect(await from.workspace.files()).toEqual({ 'a.txt': 'two', 'b.txt': 'new' })
  })
})

test('a copy without earlier checkpoints asks before the user leaves it', () => {
  const [first, second, third] = [sessionOn({}), sessionOn({}), sessionOn({})]
  let current = first
  let changed = 1
  const leaving = createLeaving({
    host: document.body,
    current: () => current,
    changed: () => changed,
    look: async () => undefined,
    unsaved: () => 0,
    lacking: () => 0,
    isOpenedAgain: () => false,
    isRunning: () => false,
  })
  const asks = (): boolean => {
    const event = new Event('beforeunload', { cancelable: true })
    leaving.onUnload(event)
    return event.defaultPrevented
  }
  leaving.goesOn(second, false)
  ;[current, changed] = [second, 0]
  expect(asks()).toBe(true)
  leaving.goesOn(third, true)
  current = third
  expect(asks()).toBe(true)
  // A copy that has the original's first checkpoint finds the changes itself.
  ;[current, changed] = [sessionOn({}), 1]
  const fourth = sessionOn({})
  leaving.goesOn(fourth, true)
  ;[current, changed] = [fourth, 0]
  expect(asks()).toBe(false)
})

/** A storage that cannot store checkpoints. */
function withoutRoomForCheckpoints(fs: FsAdapter): FsAdapter {
  return new Proxy(fs, {
    get(target, key) {
      if (key === 'checkpoint') return async () => Promise.reject(new Error('There is no room'))
      const part: unknown = Reflect.get(target, key, target)
      return typeof part === 'function' ? part.bind(target) : part
    },
  })
}

describe('checkpoints that cannot be copied', () => {
  test('make a copy with them fail, and one without has the files', async () => {
    const from = sessionOn({ 'a.txt': 'one' })
    await from.runtime.call('write_file', { path: 'a.txt', content: 'two' })
    const fs = withoutRoomForCheckpoints(createMemoryFs({}))
    const to = sessionOn({}, fs)
    await expect(copyWorkspace(from, to.workspace)).rejects.toThrow(HistoryError)
    const other = sessionOn({}, withoutRoomForCheckpoints(createMemoryFs({})))
    const copy = await copyWorkspace(from, other.workspace, { history: false })
    await from.workspace.writeText('b.txt', 'later')
    expect(await copy.follow()).toBe(true)
    expect(await copy.follow()).toBe(false)
    expect(await other.workspace.files()).toEqual({ 'a.txt': 'two', 'b.txt': 'later' })
    expect(copy.moments.size).toBe(0)
  })

  test('are left behind with a note', async () => {
    const shown = await openPage({ files: { 'a.txt': 'one' }, remember: true })
    const home = newHome('indexeddb')
    onTestFinished(async () => {
      await shown.close()
      await deleteHome(home)
      localStorage.removeItem('toolport.workspaces')
    })
    const { session } = shown.playground
    await session.runtime.call('write_file', { path: 'a.txt', content: 'two' })
    // The contents of the checkpoints are lost.
    const diff = session.workspace.diff.bind(session.workspace)
    session.workspace.diff = async (a, b) => {
      const found = await diff(a, b)
      return { ...found, changes: found.changes, read: async () => Promise.reject(new Error('what is kept of it is gone')) }
    }
    await shown.playground.move(home)
    await expect.element(page.getByText('The moments of the timeline could not be taken along: what is kept of it is gone')).toBeVisible()
    expect(await shown.playground.session.workspace.files()).toEqual({ 'a.txt': 'two' })
    expect(await shown.playground.session.checkpoints()).toHaveLength(1)
  })
})
