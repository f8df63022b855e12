import { afterEach, beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { chooseTool, openPage, type TestPage } from './page.js'

export const FILES = { 'README.md': '# Read me\nSome words about it.\n', 'src/a.ts': 'export const a = 1\n' }
export const FILE = '.toolport/tools/double.mjs'
export const TOOL = `export default {
  name: 'double',
  description: 'Doubles a number.',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  run: ({ n }) => 2 * n,
}
`

export let shown: TestPage

export async function open(files: Readonly<Record<string, string>> = FILES, remember = false): Promise<void> {
  shown = await openPage({ files, remember })
}

export const row = (label: string): (string | null)[] => {
  const found = [...shown.root.querySelectorAll('.tool-row')].find((one) => one.querySelector('.tool-row-label')?.textContent === label)
  return [...(found?.querySelectorAll('code') ?? [])].map((code) => code.textContent)
}

export const yours = (): (string | null)[] => row('Yours').filter((name) => name !== 'create_persistent_tool')
export const outcome = (): string => shown.root.querySelector('.result-outcome')?.textContent ?? ''
export const data = (): string => shown.find('.result-panel').textContent ?? ''
export const notice = (): string => shown.find('.notice').textContent ?? ''
export const run = (): Promise<void> => page.getByRole('button', { name: 'Run', exact: true }).click()

export async function write(path: string, content: string): Promise<void> {
  await chooseTool('write_file')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await page.getByLabelText('content', { exact: true }).fill(content)
  await run()
  await expect.poll(outcome).toContain('write_file')
}

export async function double(n: number): Promise<void> {
  await chooseTool('double')
  await page.getByLabelText('n', { exact: true }).fill(String(n))
  await run()
}

/** Registers hooks that clear the list of workspaces before and after each test, and close the page after it. */
export function useOwnToolsPage(): void {
  beforeEach(() => localStorage.removeItem('toolport.workspaces'))

  afterEach(async () => {
    await shown.close()
    localStorage.removeItem('toolport.workspaces')
    history.replaceState(null, '', location.pathname + location.search)
  })
}
