import { afterEach, beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import { openPage, type TestPage } from './page.js'

export const KEYS = ['toolport.files-width', 'toolport.work-width']

export let shown: TestPage

/** Opens the page again, as a second visit does: stored settings are kept. */
export async function again(): Promise<void> {
  await shown.close()
  shown = await openPage({ files: { 'a.txt': 'a\n' }, remember: true })
}

export const forget = (): void => {
  for (const key of KEYS) localStorage.removeItem(key)
}

export const width = (pane: string): number => shown.find(`.pane-${pane}`).getBoundingClientRect().width
export const handle = (name: string): HTMLElement => page.getByRole('separator', { name }).element() as HTMLElement
export const files = (): HTMLElement => handle('Room for the files')
export const work = (): HTMLElement => handle('Room beside the agent and the tools')
/** Registers hooks that open the page before each test and close it afterwards. */
export function useColumnsPage(): void {
  beforeEach(async () => {
    forget()
    shown = await openPage({ files: { 'a.txt': 'a\n' }, remember: true })
  })

  afterEach(async () => {
    await shown.close()
    forget()
  })
}
