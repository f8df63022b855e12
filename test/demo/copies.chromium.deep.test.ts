// @module-tag playground
import '../../demo/src/styles/index.css'
import { type Checkpoint, createWorkspace } from 'toolport'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { copyWorkspace } from '../../demo/src/homes/copy-workspace.js'
import { choiceOf, type Home, type HomeKind } from '../../demo/src/homes/homes.js'
import { begunHomes, knownHomes } from '../../demo/src/homes/known-homes.js'
import { openCopy } from '../../demo/src/homes/open-copy.js'
import { writeFiles } from '../../demo/src/homes/open-session.js'
import type { Task } from '../../demo/src/homes/task-bar.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import { KEPT_CHECKPOINTS, type Session, type Workspace } from '../../demo/src/session.js'
import { forgetAfterwards, newHome, sessionOn } from './copies-page.js'
import { openPage, type TestPage } from './page.js'

const KEPT = ['indexeddb', 'opfs', 'lightning-fs', 'memfs', 'memory'] as const satisfies readonly HomeKind[]

/** The workspace's content at a checkpoint: the current content with the differences reverted. */
async function contentAt(workspace: Workspace, checkpoint: string): Promise<Readonly<Record<string, string>>> {
  const content = new Map<string, string>()
  for await (const run of workspace.walk(workspace.root, { ignore: false })) {
    for (const { path, kind } of run) {
      const text = kind === 'file' ? (await workspace.readText(path)).text : kind === 'symlink' ? await workspace.readlink(path) : ''
      content.set(path, `${kind} ${text}`)
    }
  }
  const diff = await workspace.diff(checkpoint)
  for (const { path, before } of diff.changes) {
    if (!before) content.delete(path)
    else if (before.kind === 'file') content.set(path, `file ${new TextDecoder().decode(await diff.read(path, 'before'))}`)
    else content.set(path, `${before.kind} ${before.target ?? ''}`)
  }
  return Object.fromEntries([...content].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const timesOf = (kept: readonly Checkpoint[]) => kept.map(({ label, time }) => ({ label, time }))

/** Expects checkpoints with the same labels, times and contents in both sessions. */
async function expectSameHistory(from: Session, to: Session): Promise<void> {
  const [theirs, ours] = [await from.checkpoints(), await to.checkpoints()]
  expect(timesOf(ours)).toEqual(timesOf(theirs))
  for (const [at, { id }] of theirs.entries()) {
    expect(await contentAt(to.workspace, ours[at]?.id ?? '')).toEqual(await contentAt(from.workspace, id))
  }
}

/** Mulberry32, a random number generator with a seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const PLACES = ['a', 'b', 'a/b', 'a/b/c', 'b/d', 'e', 'e/f.txt']
/** More files than are copied at once. */
const MANY = Array.from({ length: 320 }, (_, at) => `many/${at}.txt`)

/** Makes one random change. A change that fails is skipped. */
async function changeAny({ workspace }: Session, next: (below: number) => number): Promise<void> {
  const places = next(3) === 0 ? MANY : PLACES
  const place = places[next(places.length)] ?? 'a'
  const other = PLACES[next(PLACES.length)] ?? 'b'
  const kinds = [
    () => workspace.writeText(place, `text ${next(4)}`),
    () => workspace.mkdir(place),
    () => workspace.remove(place, { recursive: true }),
    () => workspace.move(place, other),
    () => (workspace.fs.symlink ? workspace.symlink(`to-${next(3)}`, place) : workspace.writeText(place, 'no link')),
  ]
  // The change may replace an entry of another kind.
  if (next(3) === 0) await workspace.remove(place, { recursive: true }).catch(() => undefined)
  await kinds[next(kinds.length)]?.().catch(() => undefined)
}

describe('a copy of a workspace', () => {
  test.each(KEPT)('has every checkpoint of the original, with name and time (%s)', async (kind) => {
    const next = numbersFrom(7)
    const from = sessionOn({ 'a/b/c': 'first', 'README.md': 'same all the time', 'old.txt': 'old' })
    for (let moment = 0; moment < 12; moment++) {
      await from.workspace.checkpoint(moment === 3 ? {} : { label: `moment ${moment}` })
      for (let changes = next(4); changes > 0; changes--) await changeAny(from, next)
    }
    const home = newHome(kind)
    forgetAfterwards(home)
    const { next: to, copy, lost } = await openCopy(home, from, { onlyNew: true, packages: undefined, task: undefined })
    onTestFinished(() => to.close())
    expect(lost).toBeUndefined()
    // OPFS has no symlinks.
    if (to.workspace.fs.symlink) await expectSameHistory(from, to)
    else expect(timesOf(await to.checkpoints())).toEqual(timesOf(await from.checkpoints()))
    for (const { id } of await from.checkpoints()) expect(copy?.moments.get(id)).toBeDefined()
  })

  test.each(Array.from({ length: 12 }, (_, seed) => seed))('includes changes made before and during copying (%i)', async (seed) => {
    const next = numbersFrom(1000 + seed)
    const files = { 'a/x.txt': 'x', ...Object.fromEntries(MANY.map((path) => [path, path])) }
    const from = sessionOn(files, seed % 3 === 0 ? await choiceOf('memfs').create('copied') : undefined)
    if (seed % 3 === 0) await writeFiles(from.workspace, files)
    for (let moment = next(6); moment > 0; moment--) {
      await from.workspace.checkpoint({ label: `moment ${moment}` })
      for (let changes = next(5); changes > 0; changes--) await changeAny(from, next)
    }
    const to = sessionOn({}, await choiceOf(seed % 2 === 0 ? 'memory' : 'memfs').create('copy'))
    let meanwhile = 6
    const work: Promise<void>[] = []
    const copy = await copyWorkspace(from, to.workspace, {
      tell: () => {
        if (meanwhile-- > 0) work.push(changeAny(from, next))
      },
    })
    await Promise.all(work)
    await changeAny(from, next)
    while (await copy.follow());
    await expectSameHistory(from, to)
    expect(await from.workspace.diff((await from.checkpoints()).at(-1)?.id ?? '')).toMatchObject({ changes: [] })
  })

  test('keeps executable modes', async () => {
    const from = sessionOn({ 'run.sh': 'echo', 'note.txt': 'x' })
    await from.workspace.checkpoint()
    await from.workspace.setMeta('run.sh', { mode: 0o755 })
    const to = sessionOn({})
    await copyWorkspace(from, to.workspace)
    const modes = async (workspace: Workspace) => [(await workspace.lstat('run.sh')).mode, (await workspace.lstat('note.txt')).mode]
    expect(await modes(to.workspace)).toEqual(await modes(from.workspace))
    const [first] = await to.checkpoints()
    await to.workspace.restore(first?.id ?? '')
    expect((await to.workspace.lstat('run.sh')).mode).toBe((await to.workspace.lstat('note.txt')).mode)
  })

  test('stops on abort, and does not copy the files alone', async () => {
    const from = sessionOn({ 'a.txt': 'one' })
    for (let at = 0; at < 5; at++) await from.runtime.call('write_file', { path: 'a.txt', content: `${at}` })
    const home = newHome('indexeddb')
    forgetAfterwards(home)
    const stop = new AbortController()
    const tell = (howFar: string): void => {
      if (howFar.startsWith('moment 2 of')) stop.abort(new Error('stopped'))
    }
    await expect(openCopy(home, from, { onlyNew: true, packages: undefined, task: { signal: stop.signal, tell } })).rejects.toThrow(
      'stopped',
    )
    expect([...knownHomes(), ...begunHomes()]).toEqual([])
    await expect.poll(async () => (await indexedDB.databases()).filter(({ name }) => name?.includes(home.name))).toEqual([])
  })
})

describe('a copy of a workspace in use', () => {
  test('is completed if it can no longer be stopped', async () => {
    const from = sessionOn({ 'a.txt': 'one' })
    const to = sessionOn({})
    const stop = new AbortController()
    const copy = await copyWorkspace(from, to.workspace, { signal: stop.signal })
    stop.abort(new Error('too late'))
    await from.workspace.writeText('a.txt', 'two')
    expect(await copy.follow()).toBe(true)
    expect(await to.workspace.files()).toEqual({ 'a.txt': 'two' })
  })

  test('has the current checkpoints if each new one drops the oldest', async () => {
    const from = sessionOn({ 'a.txt': 'first', ...Object.fromEntries(MANY.map((path) => [path, path])) })
    await from.snapshot()
    for (let at = 1; at < KEPT_CHECKPOINTS; at++) {
      await from.workspace.writeText('a.txt', `${at}`)
      await from.workspace.checkpoint({ label: `${at}` })
    }
    const work: Promise<unknown>[] = []
    const change = async (at: number): Promise<void> => {
      await from.workspace.writeText('b.txt', `${at}`)
      await from.workspace.checkpoint({ label: `later ${at}` })
    }
    const tell = (): void => {
      if (work.length < 10) work.push(change(work.length))
    }
    // IndexedDB is slow enough that changes happen during the copy.
    const home = newHome('indexeddb')
    forgetAfterwards(home)
    const task = { signal: new AbortController().signal, tell }
    const { next: to, copy, lost } = await openCopy(home, from, { onlyNew: true, packages: undefined, task })
    onTestFinished(() => to.close())
    await Promise.all(work)
    await copy?.follow()
    expect(lost).toBeUndefined()
    const [theirs, ours] = [await from.checkpoints(), await to.checkpoints()]
    expect(ours.length).toBeGreaterThan(KEPT_CHECKPOINTS / 2)
    const last = -KEPT_CHECKPOINTS / 2
    expect(
      timesOf(ours)
        .slice(last)
        .map(({ time }) => time),
    ).toEqual(
      timesOf(theirs)
        .slice(last)
        .map(({ time }) => time),
    )
    expect(await to.workspace.files()).toEqual(await from.workspace.files())
    expect((await to.snapshot()).changes.get('a.txt')).toBe('modified')
  })
})

describe('moving the workspace of the page', () => {
  let shown: TestPage
  afterEach(async () => {
    await shown.close()
    localStorage.removeItem('toolport.workspaces')
  })
  const labels = (): (string | null)[] => shown.texts('.moment-label')
  const home = newHome('indexeddb')

  test.each(['in a terminal', 'in the background'])(
    'includes what a program %s wrote before it was stopped for the move',
    async (where) => {
      shown = await openPage({ files: { 'README.md': '# Kept\n' }, remember: true })
      const other = newHome('indexeddb')
      onTestFinished(() => deleteHome(other))
      const { session } = shown.playground
      const readCount = async (of: Session): Promise<string> => (await of.workspace.readText('count.txt')).text
      const command = 'i=0; while true; do i=$((i+1)); echo $i > count.txt; sleep 0.01; done'
      if (where === 'in a terminal') {
        await userEvent.keyboard('{Control>}`{/Control}')
        await expect.poll(() => shown.find('.xterm-rows').textContent).toContain('workspace')
        await userEvent.keyboard(`${command}{Enter}`)
      } else await session.runtime.call('bash', { command, run_in_background: true })
      await expect.poll(() => session.workspace.exists('count.txt')).toBe(true)
      let last = ''
      const { close } = session
      Object.assign(session, {
        async close() {
          last = await readCount(session)
          await close()
        },
      })
      const moved = shown.playground.move(other)
      await page.getByRole('button', { name: 'Stop it and go on' }).click()
      await moved
      expect(await readCount(shown.playground.session)).toBe(last)
    },
  )

  /** Moves as the dialog does, which can abort the move. */
  const moveTo = (to: Home, task: Task): Promise<boolean> => (shown.playground.move as (to: Home, task: Task) => Promise<boolean>)(to, task)

  test('is complete if it is stopped too late', async () => {
    shown = await openPage({ files: { 'README.md': '# Kept\n' }, remember: true })
    const other = newHome('indexeddb')
    onTestFinished(() => deleteHome(other))
    const { session } = shown.playground
    const stop = new AbortController()
    const detail = new MutationObserver(() => {
      if (stop.signal.aborted || !shown.root.querySelector('.workspace-detail')?.textContent.includes('in IndexedDB')) return
      stop.abort(new Error('stopped'))
      void session.workspace.writeText('late.txt', 'late')
    })
    detail.observe(shown.root, { subtree: true, childList: true, characterData: true })
    onTestFinished(() => detail.disconnect())
    expect(await moveTo(other, { signal: stop.signal, tell: () => undefined })).toBe(true)
    expect(stop.signal.aborted).toBe(true)
    expect(await shown.playground.session.workspace.files()).toEqual({ 'README.md': '# Kept\n', 'late.txt': 'late' })
    expect(knownHomes()).toMatchObject([other])
  })

  test('is kept if another workspace is opened before the last changes arrive', async () => {
    shown = await openPage({ files: { 'README.md': '# Kept\n' }, remember: true })
    const other = newHome('indexeddb')
    onTestFinished(() => deleteHome(other))
    const { session } = shown.playground
    const moved = shown.playground.move(other)
    const { settle } = session
    // The page has switched to the copy, and copies the last changes.
    await new Promise<void>((resolve) => {
      Object.assign(session, {
        async settle() {
          await shown.playground.load('another', { 'b.txt': 'b' })
          await session.workspace.writeText('last.txt', 'x')
          resolve()
          await settle()
        },
      })
    })
    await moved
    await expect.element(page.getByText(`This goes on in “${other.name}”, but what was changed last could not be put there`)).toBeVisible()
    expect(shown.playground.session.name).toBe('another')
    expect(knownHomes().map(({ name }) => name)).toContain(other.name)
    await shown.playground.move(other)
    expect(await shown.playground.session.workspace.files()).toEqual({ 'README.md': '# Kept\n' })
  })

  const recording = () => page.getByRole('button', { name: 'Play the recorded conversation' })

  /** Calls `act` when the page lists the original's checkpoints for the last time before it switches to the copy. */
  function inLastLook(act: () => Promise<void>): { readonly isOver: boolean } {
    const { session } = shown.playground
    const { checkpoints } = session
    const state = { looks: 0, isOver: false }
    Object.assign(session, {
      async checkpoints() {
        const kept = await checkpoints()
        if (++state.looks === 4) {
          await act()
          state.isOver = true
        }
        return kept
      },
    })
    return state
  }

  test('is cancelled if another workspace is opened, where the conversation continues', async () => {
    shown = await openPage({ files: { 'README.md': '# Kept\n' }, remember: true, work: 'agent' })
    await page.getByLabelText('What the agent may do').selectOptions('Ask first')
    const other = newHome('indexeddb')
    const look = inLastLook(async () => {
      await shown.playground.load('another', { 'b.txt': 'b' })
      await recording().click()
      await expect.element(page.getByRole('button', { name: 'Approve' })).toBeVisible()
    })
    await expect(shown.playground.move(other)).rejects.toThrow('Another workspace has been opened meanwhile')
    expect(look.isOver).toBe(true)
    expect(shown.playground.session.name).toBe('another')
    expect([...knownHomes(), ...begunHomes()]).toEqual([])
    await expect.element(page.getByRole('button', { name: 'Approve' })).toBeVisible()
    expect(shown.root.textContent).not.toContain('Stopped.')
  })

  test('includes what the agent started last', async () => {
    shown = await openPage({ files: { 'README.md': '# Kept\n' }, remember: true, work: 'agent' })
    await page.getByLabelText('What the agent may do').selectOptions('Ask first')
    const other = newHome('indexeddb')
    onTestFinished(() => deleteHome(other))
    const { session } = shown.playground
    const look = inLastLook(async () => {
      await recording().click()
      await expect.element(page.getByRole('button', { name: 'Approve' })).toBeVisible()
      Object.assign(session, { settle: async () => Promise.reject(new Error('It does not end')) })
    })
    await shown.playground.move(other)
    expect(look.isOver).toBe(true)
    await expect.element(page.getByText('what was changed last could not be put there: It does not end')).toBeVisible()
    expect(await shown.playground.session.workspace.exists('examples/lines.js')).toBe(true)
    await expect.element(page.getByText('Stopped. What was done so far stays')).toBeVisible()
  })

  test('succeeds, and a later failure is reported', async () => {
    shown = await openPage({ files: { 'README.md': '# Kept\n' } })
    const { session } = shown.playground
    const { close } = session
    Object.assign(session, { close: async () => Promise.reject(new Error('It is in use')) })
    await shown.playground.load('another', { 'b.txt': 'b' })
    await close()
    await expect.element(page.getByText('“another” is open now, but the one before could not be closed: It is in use')).toBeVisible()
    await expect.element(page.getByRole('treeitem', { name: 'b.txt' })).toBeVisible()
  })

  test('stays in the old workspace, with the agent’s changes, if the last changes do not fit', async () => {
    shown = await openPage({ files: { 'README.md': '# Kept\n' }, remember: true, work: 'agent' })
    const other = newHome('indexeddb')
    onTestFinished(() => deleteHome(other))
    await page.getByLabelText('What the agent may do').selectOptions('Ask first')
    await page.getByRole('button', { name: 'Play the recorded conversation' }).click()
    await expect.element(page.getByRole('button', { name: 'Approve' })).toBeVisible()
    const { session } = shown.playground
    const whenStopped = new MutationObserver(() => {
      whenStopped.disconnect()
      void session.workspace.writeText('late.txt', 'late')
      session.workspace.diff = async () => Promise.reject(new Error('There is no room'))
    })
    whenStopped.observe(shown.find('.agent'), { attributeFilter: ['data-busy'] })
    const moved = shown.playground.move(other)
    const refused = expect(moved).rejects.toThrow('There is no room')
    await page.getByRole('button', { name: 'Stop it and go on' }).click()
    await refused
    Reflect.deleteProperty(session.workspace, 'diff')
    expect(shown.playground.session).toBe(session)
    expect([...knownHomes(), ...begunHomes()]).toEqual([])
    expect(shown.root.textContent).not.toContain('This goes on in')
    await expect.element(page.getByText('Stopped. What was done so far stays')).toBeVisible()
    // The abandoned copy was deleted, so this move starts from the beginning.
    expect(await shown.playground.move(other)).toBe(true)
    await expect.element(page.getByText(`This goes on in “${other.name}”, in IndexedDB.`)).toBeVisible()
    expect(await shown.playground.session.workspace.exists('late.txt')).toBe(true)
  })

  test('reports calls whose checkpoint was not copied', async () => {
    shown = await openPage({ files: { 'README.md': '# Kept\n' }, work: 'agent' })
    await page.getByLabelText('What the agent may do').selectOptions('Allow all')
    await page.getByRole('button', { name: 'Play the recorded conversation' }).click()
    const compare = page.getByRole('region', { name: 'Conversation' }).getByRole('button', { name: 'Timeline' }).first()
    await expect.element(compare).toBeVisible()
    await expect.poll(() => shown.root.querySelector('.agent[data-busy]')).toBeNull()
    const { workspace } = shown.playground.session
    const diff = workspace.diff.bind(workspace)
    workspace.diff = async (a, b) => {
      const found = await diff(a, b)
      return { changes: found.changes, read: async () => Promise.reject(new Error('it is gone')) }
    }
    await shown.playground.move({ kind: 'memory', name: 'copy' })
    await compare.click()
    await expect.element(page.getByText('This is not in the timeline: its checkpoint is not kept any more.')).toBeVisible()
  })

  test('keeps the timeline, the conversation and the undo of calls', async () => {
    shown = await openPage({ files: { 'README.md': '# Kept\n' }, remember: true, work: 'agent' })
    onTestFinished(() => deleteHome(home))
    await page.getByLabelText('What the agent may do').selectOptions('Allow all')
    await page.getByRole('button', { name: 'Play the recorded conversation' }).click()
    await expect.poll(() => shown.root.querySelector('.agent[data-busy]')).not.toBeNull()
    await expect.poll(() => shown.root.querySelector('.agent[data-busy]')).toBeNull()
    const [said, calls] = [shown.texts('.turns .prose'), shown.texts('.turns .call-card .card-name')]
    await page.getByRole('tab', { name: 'Timeline' }).click()
    // Drops the oldest checkpoint, so that checkpoints have other ids in the copy.
    const { workspace: left } = shown.playground.session
    const kept = await left.checkpoints()
    await createWorkspace({ fs: left.fs, checkpoints: { keep: kept.length } }).checkpoint({ label: 'One more' })
    const before = ['One more', ...labels().slice(0, -1)]
    expect(before).toContain('Before the recording')
    await shown.playground.move(home)
    await expect.poll(() => shown.find('.workspace-detail').textContent).toContain('in IndexedDB')
    expect(labels()).toEqual(before)
    expect(shown.texts('.turns .prose')).toEqual(said)
    expect(shown.texts('.turns .call-card .card-name')).toEqual(calls)
    await expect.element(page.getByText(`This goes on in “${home.name}”, in IndexedDB.`)).toBeVisible()
    // Undoes the call that edited the file.
    const { workspace } = shown.playground.session
    const edited = (await workspace.readText('examples/lines.js')).text
    await page.getByRole('button', { name: /^Undo/ }).first().click()
    await expect.poll(async () => (await workspace.readText('examples/lines.js')).text).not.toBe(edited)
    await page.getByRole('button', { name: /^Before the recording/ }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => workspace.files()).toEqual({ 'README.md': '# Kept\n' })
    await userEvent.keyboard('{Escape}')
  })
})
