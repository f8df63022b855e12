import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { find, root } from './terminal-page.js'

export const HOSTILE_NAME = '<img src=x onerror="globalThis.hacked=1">.md'
export const HOSTILE_TEXT = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>\n'
export const FILES = {
  'src/greet.ts': 'export function greet(name: string): string {\n  return `Hello, ` + name\n}\n',
  'src/lib/deep/leaf.ts': 'export const leaf = 1\nexport const twig = 1\n',
  'docs/guide.md': '# Guide\r\n\r\nText\r\n',
  'README.md': '# Read me\n',
  'data.bin': new Uint8Array([0, 1, 2, 255]),
  'dot.png': Uint8Array.from(
    atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='),
    (character) => character.charCodeAt(0),
  ),
  [HOSTILE_NAME]: HOSTILE_TEXT,
}

export const texts = (selector: string): (string | null)[] => [...root.querySelectorAll(selector)].map((element) => element.textContent)
export const treeItem = (name: string) => page.getByRole('treeitem', { name })
export const focusedName = (): string | null | undefined => document.activeElement?.querySelector('.tree-name')?.textContent

export async function choose(tool: string): Promise<void> {
  const radio = page.getByRole('radio', { name: tool, exact: true })
  radio.element().focus()
  await userEvent.keyboard(' ')
  await expect.element(radio).toBeChecked()
}

export async function edit(path: string, before: string, after: string): Promise<void> {
  await choose('edit_file')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await page.getByLabelText('old_string', { exact: true }).fill(before)
  await page.getByLabelText('new_string', { exact: true }).fill(after)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
}

export async function status(): Promise<string> {
  // The first command waits until the shell has loaded.
  await expect.poll(() => root.querySelector('.result .pill')?.textContent ?? '').not.toBe('')
  return find('.result .pill').textContent ?? ''
}
