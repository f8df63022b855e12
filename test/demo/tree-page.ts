import { afterEach, beforeEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openPage, type TestPage } from './page.js'

export const FILES = {
  'README.md': '# Read me\n',
  'docs/guide.md': '# Guide\n',
  'src/a.ts': 'export const a = 1\n',
  'src/lib/deep.ts': 'export const deep = 1\n',
}

export let here: TestPage

export const paths = (): (string | undefined)[] =>
  [...here.root.querySelectorAll<HTMLElement>('[role=treeitem]')].map((row) => row.dataset.path)

export const row = (path: string): HTMLElement => {
  const found = [...here.root.querySelectorAll<HTMLElement>('[role=treeitem]')].find((one) => one.dataset.path === path)
  if (!found) throw new Error(`${path} is not shown`)
  return found
}

export const focusedPath = (): string | undefined =>
  document.activeElement instanceof HTMLElement ? document.activeElement.dataset.path : undefined

export const exists = (path: string): Promise<boolean> => here.playground.session.workspace.exists(path)
export const field = (): HTMLInputElement | null => here.root.querySelector('.tree-field')
/** The error message of the name field, if it is visible. */
export const problem = (): string | undefined => {
  const words = document.getElementById(field()?.getAttribute('aria-describedby') ?? '')
  return words?.checkVisibility() ? (words.textContent ?? '') : undefined
}

export const notice = (): string => here.find('.notice p').textContent ?? ''
export const tool = (name: string) => page.getByRole('toolbar', { name: 'Change files' }).getByRole('button', { name, exact: true })
/** Focuses the row like a click, but without opening it. */
export function focus(path: string): void {
  // Moves by arrow keys, because these move the tab stop too.
  here.find('[role=treeitem][tabindex="0"]').focus()
  for (let steps = 0; focusedPath() !== path && steps < 50; steps += 1) {
    const down = paths().indexOf(path) > paths().indexOf(focusedPath())
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: down ? 'ArrowDown' : 'ArrowUp', bubbles: true }))
  }
  expect(focusedPath()).toBe(path)
}

export async function rename(to: string): Promise<void> {
  await userEvent.keyboard('{F2}')
  await expect.poll(() => document.activeElement).toBe(field())
  await userEvent.keyboard('{Control>}a{/Control}')
  await userEvent.keyboard(`${to}{Enter}`)
}

export const offers = (pane: string) => page.elementLocator(here.find(`${pane} .offers:not([hidden])`))
export const offer = (pane: string, name: string) => offers(pane).getByRole('button', { name })

export async function empty(): Promise<void> {
  await here.playground.load('empty', {})
  await expect.poll(() => here.texts('.offers:not([hidden]) strong')).toEqual(['No files yet', 'No files yet'])
}

export const nothing = async (): Promise<undefined> => undefined
/** Registers hooks that open the page before each test and close it afterwards. */
export function useTreePage(): void {
  beforeEach(async () => {
    here = await openPage({ files: FILES, name: 'tree' })
    await page.getByRole('treeitem', { name: 'src' }).click()
  })

  afterEach(async () => {
    await here.close()
    delete document.documentElement.dataset.theme
  })
}
