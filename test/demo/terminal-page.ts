import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Playground } from '../../demo/src/playground.js'
import { openPage, type TestPage } from './page.js'

const FILES = { 'src/greet.ts': 'export const greeting = "Hello"\n', 'README.md': '# Read me\n' }

export let root: HTMLElement
export let playground: Playground
export let find: TestPage['find']
let shown: TestPage

/** Opens a playground with these files for every test of the file. */
export function withPlayground(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = FILES, height = 800): void {
  beforeEach(async () => {
    shown = await openPage({ files, name: 'test files' })
    ;({ root, playground, find } = shown)
    await page.viewport(1300, height)
  })

  afterEach(async () => {
    await shown.close()
    delete document.documentElement.dataset.theme
  })
}

/** The rows of the visible screen, up to the last row with text. */
export function rows(): string[] {
  const all = [...root.querySelectorAll('.terminal-panel:not([hidden]) .xterm-rows > div')].map((row) =>
    (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd(),
  )
  return all.slice(0, all.findLastIndex((row) => row !== '') + 1)
}
export const lastRow = (): string => rows().at(-1) ?? ''

export async function open(): Promise<void> {
  await userEvent.keyboard('{Control>}`{/Control}')
  await prompt('workspace')
}

export async function prompt(where: string): Promise<void> {
  await expect.poll(lastRow).toBe(`${where} $`)
}

export async function type(text: string): Promise<void> {
  await userEvent.keyboard(text.replace(/[[{]/g, '$&$&'))
}

/** Types a command and waits for the next prompt. */
export async function enter(command: string, where = 'workspace'): Promise<void> {
  await type(command)
  await userEvent.keyboard('{Enter}')
  await prompt(where)
}

export const isOpen = (): boolean => find('.pane-terminal').classList.contains('is-open')
