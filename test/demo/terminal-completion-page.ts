import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'
import { find, lastRow, type } from './terminal-page.js'

export const input = (): HTMLElement => find('.terminal-panel:not([hidden]) .xterm-helper-textarea')
export const tab = (): Promise<void> => userEvent.keyboard('{Tab}')
/** Types, presses Tab, and types a mark that shows the cursor's position. Returns the line. */
export async function completed(text: string, mark = '_'): Promise<string> {
  await type(text)
  const isThere = (): boolean => lastRow().endsWith(` ${text}`)
  await expect.poll(isThere).toBe(true)
  await tab()
  // A key that is pressed before the completion arrives would drop the completion.
  await expect.poll(isThere).toBe(false)
  await type(mark)
  await expect.poll(lastRow).toMatch(/_/)
  const row = lastRow().replace(/^\S+ \$ /, '')
  await userEvent.keyboard('{Control>}c{/Control}')
  await expect.poll(lastRow).toMatch(/^\S+ \$$/)
  return row
}

/** Dispatches a key event within the page, so that nothing can happen between two keys. */
export function press(key: string, keyCode: number, ctrlKey = false): void {
  input().dispatchEvent(new KeyboardEvent('keydown', { key, keyCode, ctrlKey, bubbles: true, cancelable: true }))
}
