// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { openPage, type TestPage } from './page.js'

const KEY = 'toolport.terminal-height'

let shown: TestPage

/** Opens the page again, as a second visit does: stored settings are kept. */
async function visit(): Promise<void> {
  shown = await openPage({ files: { 'a.txt': 'a\n' }, remember: true })
  await userEvent.click(shown.find('.terminal-switch'))
  // The terminal takes the focus when it has loaded.
  await expect.poll(() => document.activeElement?.className).toContain('xterm-helper-textarea')
}
async function again(): Promise<void> {
  await shown.close()
  await visit()
}

const height = (): number => shown.find('.pane-terminal').getBoundingClientRect().height
const handle = (): HTMLElement => shown.find('.pane-terminal .split-handle')

beforeEach(async () => {
  localStorage.removeItem(KEY)
  await visit()
})

afterEach(async () => {
  await shown.close()
  localStorage.removeItem(KEY)
})

test('the terminal can be dragged higher, and keeps its height for the next visit', async () => {
  const first = height()
  await userEvent.dragAndDrop(handle(), shown.find('.pane-view .pane-head'))
  const dragged = height()
  expect(dragged).toBeGreaterThan(first + 50)
  await again()
  expect(height()).toBeCloseTo(dragged, -1)
})

test('the terminal can be made lower by keys, and keeps its height for the next visit', async () => {
  const first = height()
  handle().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  const lower = height()
  expect(lower).toBeLessThan(first)
  await again()
  expect(height()).toBeCloseTo(lower, -1)
})

test('a double click resets the height of the terminal', async () => {
  const first = height()
  handle().focus()
  await userEvent.keyboard('{Home}')
  expect(height()).toBeGreaterThan(first)
  await userEvent.dblClick(handle())
  expect(height()).toBeCloseTo(first, -1)
  await again()
  expect(height()).toBeCloseTo(first, -1)
})

test('the splitter of the terminal reports its position to screen readers', () => {
  handle().focus()
  const share = 1 - height() / shown.find('.panes').getBoundingClientRect().height
  expect(Math.abs(Number(handle().getAttribute('aria-valuenow')) - share * 100)).toBeLessThan(2)
})

test('an invalid stored height is ignored', async () => {
  const first = height()
  localStorage.setItem(KEY, 'high')
  await again()
  expect(height()).toBeCloseTo(first, -1)
  localStorage.setItem(KEY, '1000')
  await again()
  expect(height()).toBeGreaterThan(100)
})
