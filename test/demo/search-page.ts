import { afterEach, beforeEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Files } from '../../demo/src/session.js'
import { openPage, type TestPage } from './page.js'

export const HOSTILE = '<img src=x onerror="globalThis.hacked = true"> needle'
export const FILES = {
  'README.md': '# Read me\n\nA needle in the docs.\n',
  'src/a.ts': 'export const needle = 1\nexport const other = 2\n\tconst Needles = needle + needle\n',
  'src/lib/deep.ts': 'export const deep = 1\n// needle\n',
  'src/page.html': `${HOSTILE}\n`,
  'node_modules/pack/index.js': 'needle()\n',
  'build/out.js': 'needle()\n',
  '.gitignore': 'build\n',
  '.env': 'KEY=needle\n',
}

export let here: TestPage

export async function start(files: Files = FILES): Promise<void> {
  await here?.close()
  here = await openPage({ files, name: 'searched' })
}

export const field = () => page.getByRole('textbox', { name: 'Search the text of files' })
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const rows = (): HTMLElement[] => [...here.root.querySelectorAll<HTMLElement>('.found [role=treeitem]')]
/** The text of a result row. */
export function wordsOf(row: Element | null | undefined): string | undefined {
  const part = (name: string): string => row?.querySelector(`.found-${name}`)?.textContent ?? ''
  if (row?.matches('.found-file')) return `${[part('folder'), part('name')].filter(Boolean).join('/')}, ${part('count')}`
  return row?.matches('.found-line') ? `${part('number')}: ${part('text')}` : undefined
}

export const labels = (): (string | undefined)[] => rows().map(wordsOf)
export const files = (): (string | undefined)[] => labels().filter((label) => !label?.startsWith('Line '))
export const count = (): string | null => here.find('.search-count').textContent
/** The text that replaces an empty list of results. */
export const empty = (): string => (isShown('.search > .empty') ? here.find('.search > .empty').textContent : '')
export const isShown = (selector: string): boolean => here.root.querySelector<HTMLElement>(selector)?.checkVisibility() === true
export const isBusy = (): boolean => here.find('.found').getAttribute('aria-busy') === 'true'
export const title = (): string | null => here.find('.file-title').textContent
export const callSearch = (): Promise<void> => userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
export const focused = (): string | null | undefined =>
  wordsOf(document.activeElement) ?? document.activeElement?.getAttribute('aria-label')

export async function openSearch(): Promise<void> {
  await callSearch()
  await expect.element(field()).toHaveFocus()
}

/** Searches for a text and waits for the end. */
export async function search(text: string): Promise<void> {
  if (!isShown('.search-form')) await openSearch()
  await field().fill(text)
  await expect.poll(() => isShown('.search-state') && !isBusy()).toBe(true)
}

/** Writes a file with a tool, after which the page looks for changes. */
export async function write(path: string, content: string): Promise<void> {
  page.getByRole('radio', { name: 'write_file', exact: true }).element().focus()
  await userEvent.keyboard(' ')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await page.getByLabelText('content', { exact: true }).fill(content)
  await button('Run').click()
  await expect.poll(() => here.playground.session.workspace.exists(path)).toBe(true)
}

export const quick = (): HTMLElement => here.find('.quick-open')
export const options = (): (string | null)[] => [...quick().querySelectorAll('[role=option]')].map((one) => one.getAttribute('title'))
export const chosen = (): string | null | undefined => quick().querySelector('[aria-selected=true]')?.getAttribute('title')

export async function ask(): Promise<void> {
  await userEvent.keyboard('{Control>}p{/Control}')
  await expect.element(page.getByRole('combobox', { name: 'Open a file by its name' })).toHaveFocus()
  await expect.poll(options).not.toEqual([])
}

/** Registers hooks that open the page before each test and close it afterwards. */
export function useSearchPage(): void {
  beforeEach(() => start())

  afterEach(async () => {
    vi.restoreAllMocks()
    await here.close()
    delete document.documentElement.dataset.theme
  })
}
