// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createSearchButton, type SearchButton } from '../../demo/src/web-search/search-button.js'
import { createSearchSource } from '../../demo/src/web-search/search-source.js'

let pane: HTMLElement
let shown: SearchButton
let problems: string[]

beforeEach(() => {
  problems = []
  pane = document.createElement('section')
  shown = createSearchButton({
    loading: (_, load) => load(),
    source: createSearchSource(false),
    onUsed: () => undefined,
    onProblem: (text) => void problems.push(text),
  })
  pane.append(shown.element)
  document.body.append(pane)
  shown.show(true)
})

afterEach(() => document.body.replaceChildren())

const button = () => page.getByRole('button', { name: 'Give a search proxy…' })
const ask = (): void => shown.element.querySelector('button')?.click()
/** Undefined until the dialog's code has loaded. */
const isOpen = (): boolean | undefined => shown.element.querySelector('dialog')?.open

test('the search proxy button opens the dialog once its code is loaded', async () => {
  await button().click()
  await expect.element(page.getByRole('dialog', { name: 'Search proxy' })).toBeVisible()
  expect(problems).toEqual([])
})

test('the search proxy dialog does not open while the button is hidden, and opens on the next click', async () => {
  ask()
  // The code loads asynchronously, even if the page has it in its cache.
  shown.show(false)
  await expect.poll(isOpen).toBe(false)
  shown.show(true)
  pane.hidden = true
  ask()
  await import('../../demo/src/web-search/proxy-dialog.js')
  expect(isOpen()).toBe(false)
  pane.hidden = false
  await button().click()
  await expect.poll(isOpen).toBe(true)
})

test('the search proxy dialog closes when no tool searches the web any more', async () => {
  await button().click()
  await expect.poll(isOpen).toBe(true)
  shown.show(true)
  expect(isOpen()).toBe(true)
  shown.show(false)
  expect(isOpen()).toBe(false)
  // No modal dialog blocks the page.
  expect(document.querySelector(':modal')).toBeNull()
})
