// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createNotice, type Notice, readingTime } from '../../demo/src/notice.js'

describe('a notice', () => {
  /** Pending timers with their delays. */
  let waiting: Set<{ readonly body: () => void; readonly ms: number }>
  let notice: Notice
  let box: HTMLElement

  beforeEach(() => {
    waiting = new Set()
    notice = createNotice((body, ms) => {
      const one = { body, ms }
      waiting.add(one)
      return () => void waiting.delete(one)
    })
    document.body.append(notice.element)
    box = notice.element.querySelector('.notice') as HTMLElement
  })

  afterEach(() => notice.element.remove())

  function passTime(): void {
    const all = [...waiting]
    waiting.clear()
    for (const { body } of all) body()
  }

  test('disappears after its reading time, which grows with its length', () => {
    notice.tell('Saved.')
    expect([...waiting].map(({ ms }) => ms)).toEqual([6000])
    passTime()
    expect(box.hidden).toBe(true)
    expect(box.textContent).toBe('')
    expect(readingTime('x'.repeat(200))).toBeGreaterThan(readingTime('x'.repeat(100)))
    expect(readingTime('x'.repeat(100))).toBeGreaterThan(6000)
  })

  test('has its whole time, whatever was shown before', () => {
    notice.tell('One.')
    notice.tell('Two.')
    expect(waiting.size).toBe(1)
    notice.clear()
    expect(waiting.size).toBe(0)
  })

  test('stays while the pointer is on it, and for its time afterwards', async () => {
    notice.tell('Saved.')
    await userEvent.hover(box)
    passTime()
    expect(box.hidden).toBe(false)
    await userEvent.unhover(box)
    await expect.poll(() => box.matches(':hover')).toBe(false)
    passTime()
    expect(box.hidden).toBe(true)
  })

  test('stays while it has the focus', () => {
    notice.tell('Saved.')
    box.querySelector('button')?.focus()
    passTime()
    expect(box.hidden).toBe(false)
    box.querySelector('button')?.blur()
    passTime()
    expect(box.hidden).toBe(true)
  })

  test('stays until it is closed if it is an error or has an action', async () => {
    notice.tell('It broke.', 'error')
    expect(waiting.size).toBe(0)
    notice.tell('Deleted a.ts', 'info', { label: 'Undo', run: () => undefined })
    expect(waiting.size).toBe(0)
    await page.getByRole('button', { name: 'Close this message' }).click()
    expect(box.hidden).toBe(true)
  })

  describe('closing a notice returns the focus', () => {
    let pane: HTMLElement
    let first: HTMLButtonElement
    let second: HTMLButtonElement

    beforeEach(() => {
      pane = document.createElement('div')
      pane.className = 'pane'
      first = document.createElement('button')
      second = document.createElement('button')
      pane.append(first, second)
      notice.element.before(pane)
      second.focus()
      notice.tell('Deleted a.ts', 'info', { label: 'Undo', run: () => undefined })
    })

    afterEach(() => pane.remove())

    test.each(['Undo', 'Close this message'])('%s', async (name) => {
      await userEvent.tab()
      if (name !== 'Undo') await userEvent.tab()
      expect(document.activeElement).toBe(page.getByRole('button', { name }).element())
      await userEvent.keyboard('{Enter}')
      expect(box.hidden).toBe(true)
      expect(document.activeElement).toBe(second)
    })

    test.each([
      ['gone', () => second.remove()],
      [
        'hidden',
        () => {
          second.hidden = true
        },
      ],
    ])('focus returns to the first control of the pane if the focused one is %s', async (_, lose) => {
      await userEvent.tab()
      lose()
      await userEvent.keyboard('{Enter}')
      expect(document.activeElement).toBe(first)
    })

    test('closing a notice does not scroll', async () => {
      pane.style.cssText = 'height: 40px; overflow: auto'
      pane.append(Object.assign(document.createElement('p'), { style: 'height: 500px; flex: none' }))
      await userEvent.tab()
      pane.scrollTop = 300
      expect(pane.scrollTop).toBe(300)
      await userEvent.keyboard('{Enter}')
      expect(document.activeElement).toBe(second)
      expect(pane.scrollTop).toBe(300)
    })

    test('focus returns after another notice in another place', async () => {
      await userEvent.tab()
      notice.tell('It broke.', 'error')
      expect(document.activeElement).toBe(page.getByRole('button', { name: 'Close this message' }).element())
      await userEvent.keyboard('{Enter}')
      expect(document.activeElement).toBe(second)
    })
  })

  test('progress is shown only while no other notice is shown', () => {
    const cancel = { label: 'Cancel', run: () => undefined }
    const reading = notice.follow('Reading…', cancel)
    reading.update('2 files')
    expect(box.querySelector('p')?.textContent).toBe('Reading… 2 files')
    notice.tell('It broke.', 'error')
    reading.update('3 files')
    reading.clear()
    expect(box.querySelector('p')?.textContent).toBe('It broke.')
    expect(box.hidden).toBe(false)
    notice.follow('Reading again…', cancel).clear()
    expect(box.hidden).toBe(true)
    reading.update('4 files')
    expect(box.querySelector('p')?.textContent).toBe('')
  })

  test('the notice uses an existing live region', () => {
    const [status, alert] = ['status', 'alert'].map((role) => notice.element.querySelector(`[role=${role}]`))
    expect(status?.checkVisibility()).toBe(true)
    expect(alert?.checkVisibility()).toBe(true)
    notice.tell('Saved.')
    expect([status?.textContent, alert?.textContent]).toEqual(['Saved.', ''])
    notice.tell('It broke.', 'error')
    expect([status?.textContent, alert?.textContent]).toEqual(['', 'It broke.'])
    notice.tell('Saved again.')
    expect([status?.textContent, alert?.textContent]).toEqual(['Saved again.', ''])
  })
})
