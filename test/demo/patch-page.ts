import { afterEach, beforeEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { chooseTool, openPage, paste, type TestPage } from './page.js'

export const FILES = {
  'src/greet.ts': 'export function greet(name: string): string {\n  return `Hello, ` + name\n}\n',
  'src/twice.ts': 'one\nsame\ntwo\nsame\n',
  'docs/old.md': '# Old\n',
  'docs/move me.md': 'first\nsecond\n',
  'gone.txt': 'bye\n',
  'data.bin': new Uint8Array([0, 1, 2, 255]),
}

export const envelope = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
export const CHANGE = envelope('*** Update File: src/greet.ts', '@@', '-  return `Hello, ` + name', '+  return `Good morning, ` + name')

export let here: TestPage

export async function begin(preset = 'standard'): Promise<void> {
  history.replaceState(null, '', preset === 'standard' ? location.pathname + location.search : `#preset=${preset}`)
  here = await openPage({ files: FILES, name: 'test files' })
  await chooseTool('apply_patch')
}

export const field = (): Element | null => here.root.querySelector('.tool-form textarea')
export const status = (): string => here.root.querySelector('.patch-view:not([hidden]) .result-outcome')?.textContent ?? ''
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const read = async (path: string): Promise<string> => (await here.playground.session.workspace.readText(path)).text
export const outcome = (): string => here.root.querySelector('.result:not(.patch-view):not([hidden]) .result-outcome')?.textContent ?? ''

export async function preview(patch: string): Promise<string> {
  paste(field(), patch)
  await userEvent.click(here.find('.pane-tools [aria-keyshortcuts*=Shift]'))
  await expect.poll(status).not.toBe('')
  await expect.element(button('Run')).toHaveAttribute('aria-disabled', 'false')
  return status()
}

/** Registers hooks that open the page before each test and close it afterwards. */
export function usePatchPage(): void {
  beforeEach(() => begin())

  afterEach(async () => {
    await here.close()
    history.replaceState(null, '', location.pathname + location.search)
  })
}
