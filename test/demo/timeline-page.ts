import { afterEach, beforeEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openPage, type TestPage } from './page.js'

export const FILES = { 'src/a.ts': 'export const a = 1\n', 'README.md': '# Title\n', 'bytes.bin': Uint8Array.of(0, 1, 255) }

export let shown: TestPage

/** Writes a file with a tool, by the page's Run button. */
export async function write(path: string, content: string): Promise<void> {
  page.getByRole('radio', { name: 'write_file', exact: true }).element().focus()
  await userEvent.keyboard(' ')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await page.getByLabelText('content', { exact: true }).fill(content)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.poll(() => shown.root.querySelector('.pill')?.textContent).toBe('ok')
  await expect.poll(async () => (await shown.playground.session.workspace.readText(path)).text).toBe(content)
}

export const openTimeline = (): Promise<void> => page.getByRole('tab', { name: 'Timeline' }).click()
export const labels = (): (string | null)[] => shown.texts('.moment-label')
export const moment = (name: string | RegExp) => page.getByRole('button', { name })
export const text = async (path: string): Promise<string> => (await shown.playground.session.workspace.readText(path)).text
/** Registers hooks that open the page before each test and close it afterwards. */
export function useTimelinePage(): void {
  beforeEach(async () => {
    shown = await openPage({ files: FILES })
  })

  afterEach(() => shown.close())
}
