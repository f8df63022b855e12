// @module-tag playground
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDraftKeeper, type DraftKeeper } from '../../demo/src/editor/draft-keeper.js'
import { createDraftStore, type Draft } from '../../demo/src/editor/drafts.js'
import { newFile, type OpenFile } from '../../demo/src/editor/open-file.js'
import type { Home } from '../../demo/src/homes/homes.js'

const KEY = 'toolport.drafts-tested'
const MEMORY: Home = { kind: 'memory', name: 'm' }
const MEMFS: Home = { kind: 'memfs', name: 'm' }
const KEPT: Home = { kind: 'indexeddb', name: 'k' }

let files: OpenFile[]
const store = createDraftStore(KEY)
const texts = (workspace: string): string[] => store.list(workspace).map(({ text }) => text)
const earlier = (path: string): Draft => ({ path, text: `of ${path}`, base: 'old', time: 1, visit: 'earlier/1' })

function keeperOf(home: Home): DraftKeeper {
  const keeper = createDraftKeeper(store, () => files)
  onTestFinished(() => keeper.dispose())
  keeper.use({ home })
  return keeper
}

function asksToLeave(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

beforeEach(() => {
  localStorage.removeItem(KEY)
  files = []
})

test('a restored draft whose tab was not shown is copied with the workspace', async () => {
  store.put('memory:m', earlier('a.txt'))
  const keeper = keeperOf(MEMORY)
  const one: OpenFile = { ...newFile('a.txt'), draft: earlier('a.txt') }
  files = [one]
  keeper.adopt(one, earlier('a.txt'))
  await keeper.goOn({ home: KEPT })
  expect([texts('memory:m'), texts('indexeddb:k')]).toEqual([[], ['of a.txt']])
  keeper.forget(one)
  expect(texts('indexeddb:k')).toEqual([])
})

test('an offered draft is copied with the workspace and can be discarded there', async () => {
  store.put('memory:m', earlier('a.txt'))
  const keeper = keeperOf(MEMORY)
  await keeper.goOn({ home: KEPT })
  expect(texts('memory:m')).toEqual([])
  const [offered] = await keeper.left()
  expect(offered?.text).toBe('of a.txt')
  keeper.discard(offered as Draft)
  expect(localStorage.getItem(KEY)).toBe('{}')
})

test('a persistent workspace keeps its drafts if its copy disappears with the tab', async () => {
  store.put('indexeddb:k', earlier('a.txt'))
  await keeperOf(KEPT).goOn({ home: MEMFS })
  expect([texts('indexeddb:k'), texts('memfs:m')]).toEqual([['of a.txt'], ['of a.txt']])
})

test('drafts without space are counted before and after a copy, and leaving asks', async () => {
  const keeper = keeperOf(MEMORY)
  const buffer = { isDirty: true, text: 'x'.repeat(2_000_001) } as OpenFile['buffer']
  files = [{ ...newFile('a.txt'), buffer }]
  keeper.note(files[0] as OpenFile)
  expect(keeper.lacking()).toBe(1)
  await keeper.goOn({ home: KEPT })
  expect(keeper.lacking()).toBe(1)
  expect(asksToLeave()).toBe(true)
})

/** A file with unsaved text. */
const edited = (path: string, text: string): OpenFile => ({ ...newFile(path), buffer: { isDirty: true, text } as OpenFile['buffer'] })

test('text typed while drafts are looked up is copied with the workspace', async () => {
  store.put('memory:m', earlier('a.txt'))
  const keeper = keeperOf(MEMORY)
  const going = keeper.goOn({ home: KEPT })
  const one = edited('b.txt', 'typed meanwhile')
  files = [one]
  keeper.note(one)
  await going
  window.dispatchEvent(new Event('pagehide'))
  expect(texts('indexeddb:k').toSorted()).toEqual(['of a.txt', 'typed meanwhile'])
})

test('a workspace opened during a copy keeps its own drafts', async () => {
  store.put('memory:m', earlier('a.txt'))
  const keeper = keeperOf(MEMORY)
  const going = keeper.goOn({ home: KEPT })
  keeper.use({ home: MEMFS })
  const one = edited('b.txt', 'of another workspace')
  files = [one]
  keeper.note(one)
  await going
  window.dispatchEvent(new Event('pagehide'))
  expect([texts('memfs:m'), texts('indexeddb:k')]).toEqual([['of another workspace'], ['of a.txt']])
})

test('a stored draft is not reported as lacking space because of an earlier one of the same file', async () => {
  store.put('indexeddb:k', { ...earlier('a.txt'), text: 'x'.repeat(1_200_000) })
  const keeper = keeperOf(KEPT)
  files = [edited('a.txt', 'mine')]
  keeper.note(files[0] as OpenFile)
  await keeper.goOn({ home: MEMFS })
  expect(keeper.lacking()).toBe(0)
  expect([texts('memfs:m'), texts('indexeddb:k')]).toEqual([['mine'], ['x'.repeat(1_200_000), 'mine']])
})
