// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type CallCard, createCallCard } from '../../demo/src/agent/call-card.js'
import { createNotice, type Notice } from '../../demo/src/notice.js'
import type { After } from '../../demo/src/pace.js'
import { createLoading, whileWorking } from '../../demo/src/while-working.js'
import { held } from './held.js'

afterEach(() => vi.restoreAllMocks())

/** Timers that fire when a test calls `pass`. */
function createTime(): { readonly after: After; readonly pass: () => void; readonly waiting: readonly number[] } {
  const bodies = new Map<() => void, number>()
  return {
    after(body, ms) {
      bodies.set(body, ms)
      return () => void bodies.delete(body)
    },
    pass() {
      const due = [...bodies.keys()]
      bodies.clear()
      for (const body of due) body()
    },
    get waiting() {
      return [...bodies.values()]
    },
  }
}

describe('a notice about running work', () => {
  let notice: Notice
  let box: HTMLElement
  let time: ReturnType<typeof createTime>

  beforeEach(() => {
    time = createTime()
    notice = createNotice(() => () => undefined)
    document.body.append(notice.element)
    box = notice.element.querySelector('.notice') as HTMLElement
  })

  afterEach(() => notice.element.remove())

  const words = (): string => box.querySelector('p')?.textContent ?? ''
  const buttons = (): (string | null)[] =>
    [...box.querySelectorAll('button')].map((one) => one.getAttribute('aria-label') ?? one.textContent)
  const work = (body: Parameters<typeof whileWorking>[2], stop?: AbortController): Promise<unknown> =>
    whileWorking(notice, 'Deleting “src”', body, { after: time.after, ...(stop && { stop }) })

  test('is not shown for quick work', async () => {
    const { free, release } = held()
    const done = work(() => free)
    expect(time.waiting).toEqual([300])
    expect(box.hidden).toBe(true)
    release()
    await done
    expect(time.waiting).toEqual([])
    expect(box.hidden).toBe(true)
  })

  test('is shown until long work ends, without a stop button', async () => {
    const { free, release } = held()
    const done = work(() => free)
    time.pass()
    expect(words()).toBe('Deleting “src”…')
    expect(box.closest('[role=status]')).not.toBeNull()
    expect(buttons()).toEqual(['Close this message'])
    release()
    await done
    expect(box.hidden).toBe(true)
    expect(words()).toBe('')
  })

  test('disappears if the work fails', async () => {
    const { free, release } = held()
    const done = work(async () => {
      await free
      throw new Error('It broke')
    })
    time.pass()
    release()
    await expect(done).rejects.toThrow('It broke')
    expect(box.hidden).toBe(true)
  })

  test('replaces an earlier notice, and does not remove a later one', async () => {
    notice.tell('Deleted a.ts', 'info', { label: 'Undo', run: () => undefined })
    const first = held()
    const one = work(() => first.free)
    expect(buttons()).toContain('Undo')
    time.pass()
    first.release()
    await one
    expect(box.hidden).toBe(true)
    expect(buttons()).not.toContain('Undo')

    const second = held()
    const other = work(() => second.free)
    time.pass()
    notice.tell('It broke.', 'error')
    second.release()
    await other
    expect(words()).toBe('It broke.')
    expect(box.hidden).toBe(false)
  })

  test('about loading does not replace a permanent notice', async () => {
    notice.tell('This is in memory.', 'error')
    const { free, release } = held()
    const loading = createLoading(notice, time.after)('the help', () => free)
    time.pass()
    expect(words()).toBe('This is in memory.')
    release()
    await loading
    expect(words()).toBe('This is in memory.')
  })

  test('about several loads stays until each is done', async () => {
    const load = createLoading(notice, time.after)
    const [help, dialog, quick] = [held(), held(), held()]
    const first = load('the help', () => help.free)
    time.pass()
    expect(words()).toBe('Loading the help…')
    const second = load('the workspaces', () => dialog.free)
    const again = load('the workspaces', () => dialog.free)
    time.pass()
    const third = load('the code', () => quick.free)
    expect(words()).toBe('Loading the help and the workspaces…')
    help.release()
    await first
    expect(words()).toBe('Loading the workspaces…')
    quick.release()
    await third
    expect(words()).toBe('Loading the workspaces…')
    dialog.release()
    await Promise.all([second, again])
    expect(box.hidden).toBe(true)
  })

  test('shows progress after its text, without announcing it to screen readers', async () => {
    const { free, release } = held()
    const done = work(async ({ tell }) => {
      tell('1 file')
      await free
      tell('2 files')
      await Promise.resolve()
    })
    time.pass()
    expect(words()).toBe('Deleting “src”… 1 file')
    const added: Node[] = []
    const observer = new MutationObserver((records) => added.push(...records.map(({ target }) => target)))
    observer.observe(box, { childList: true, characterData: true, subtree: true })
    release()
    await expect.poll(() => added.length).toBeGreaterThan(0)
    observer.disconnect()
    expect(added[0]).toMatchObject({ tagName: 'SPAN' })
    expect((added[0] as HTMLElement).getAttribute('aria-live')).toBe('off')
    await done
  })

  test('has a stop button if the work can be stopped, and shows “Stopping…” until the work ended', async () => {
    const stop = new AbortController()
    const { free, release } = held()
    const done = work(async ({ signal, tell }) => {
      await free
      tell('2 files')
      signal.throwIfAborted()
    }, stop)
    time.pass()
    expect(buttons()).toEqual(['Cancel', 'Close this message'])
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(stop.signal.aborted).toBe(true)
    expect(words()).toBe('Stopping…')
    expect(buttons()).toEqual(['Close this message'])
    release()
    await expect(done).rejects.toBe(stop.signal.reason)
    expect(box.hidden).toBe(true)
  })
})

describe('undoing a call', () => {
  let time: ReturnType<typeof createTime>
  let card: CallCard
  let undone: ReturnType<typeof held>
  let problem: Error | undefined

  beforeEach(() => {
    time = createTime()
    undone = held()
    problem = undefined
    card = createCallCard(
      { id: 'call_1', tool: 'edit_file', input: { path: 'a.txt' } },
      {
        about: '',
        relative: (path) => path,
        onOpenPath: () => undefined,
        async onUndo() {
          await undone.free
          if (problem) throw problem
        },
        onCompare: () => undefined,
        after: time.after,
      },
    )
    document.body.append(card.element)
    card.done({ ok: true, output: {} }, 5, { changes: [{ path: 'a.txt', change: 'modified', kind: 'file' }], total: 1 })
  })

  afterEach(() => card.element.remove())

  const told = (): string | null | undefined => card.element.querySelector('.card-told')?.textContent
  const undo = (): HTMLButtonElement => page.getByRole('button', { name: 'Undo', includeHidden: true }).element() as HTMLButtonElement

  test('shows that it takes long', async () => {
    undo().focus()
    undo().click()
    expect([undo().disabled, undo().getAttribute('aria-busy')]).toEqual([true, 'true'])
    expect(told()).toBe('')
    time.pass()
    expect(told()).toBe('Undoing…')
    undone.release()
    await expect.poll(told).toBe('Undone')
    expect(undo().hasAttribute('aria-busy')).toBe(false)
    expect(document.activeElement).toBe(card.element)
  })

  test.each([undefined, new Error('it is gone')])('does not move the focus from elsewhere: %s', async (fails) => {
    problem = fails
    undo().focus()
    undo().click()
    const elsewhere = document.createElement('input')
    document.body.append(elsewhere)
    elsewhere.focus()
    undone.release()
    await expect.poll(told).toContain('undone'.slice(1))
    expect(document.activeElement).toBe(elsewhere)
    elsewhere.remove()
  })

  test('shows nothing if it is quick, and can be retried if it fails', async () => {
    problem = new Error('its checkpoint is not kept any more')
    undo().focus()
    undo().click()
    undone.release()
    await expect.poll(told).toBe('It was not undone: its checkpoint is not kept any more')
    expect(time.waiting).toEqual([])
    expect([undo().disabled, undo().hasAttribute('aria-busy')]).toEqual([false, false])
    expect(document.activeElement).toBe(undo())
  })
})
