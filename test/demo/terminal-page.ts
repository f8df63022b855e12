import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mountPlayground, type Playground } from '../../demo/src/playground.js'

const FILES = { 'src/greet.ts': 'export const greeting = "Hello"\n', 'README.md': '# Read me\n' }

/** The shell is loaded with the first command, and machines may be slow. */
export const PATIENCE = { timeout: 30_000 }

export let root: HTMLElement
export let playground: Playground

/** A playground on two files for every test of the file. */
export function withPlayground(): void {
  beforeEach(async () => {
    await page.viewport(1300, 800)
    document.documentElement.lang = 'en'
    document.title = 'Toolport playground'
    root = document.createElement('div')
    document.body.append(root)
    playground = await mountPlayground(root, { files: FILES, name: 'test files' })
  })

  afterEach(async () => {
    await playground.dispose()
    root.remove()
    delete document.documentElement.dataset.theme
  })
}

export const find = (selector: string): HTMLElement => {
  const element = root.querySelector(selector)
  if (!(element instanceof HTMLElement)) throw new Error(`Nothing fits ${selector}`)
  return element
}

/** The rows of the screen that is shown, down to the last one with text on it. */
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
  await expect.poll(lastRow, PATIENCE).toBe(`${where} $`)
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
