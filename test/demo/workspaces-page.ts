import { afterEach, beforeEach, expect, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import type { Home, HomeKind } from '../../demo/src/homes/homes.js'
import { forgetHome } from '../../demo/src/homes/known-homes.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import { chooseTool, openPage, type TestPage } from './page.js'

export const FILES = { 'src/a.ts': 'export const a = 1\n', 'README.md': '# Kept\n', 'bytes.bin': Uint8Array.of(0, 1, 255) }
export const KEPT = [
  ['indexeddb', 'IndexedDB', 'in IndexedDB'],
  ['opfs', 'Private file system', 'in the private file system'],
  ['lightning-fs', 'lightning-fs', 'in lightning-fs'],
] as const satisfies readonly (readonly [HomeKind, string, string])[]

export let shown: TestPage

export const newName = (): string => `test-${crypto.randomUUID()}`

export async function open(): Promise<TestPage> {
  shown = await openPage({ files: FILES, remember: true })
  return shown
}

/** Opens the page again, as a reload does: stored state is kept. */
export async function again(): Promise<TestPage> {
  await shown.close()
  return open()
}

export async function openDialog(): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Workspace' })).toBeVisible()
}

export async function choose(label: string, name: string): Promise<void> {
  await openDialog()
  await page.getByRole('radio', { name: label }).click()
  await page.getByLabelText('Name', { exact: true }).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Keep here' }).click()
}

export const detail = (): string => shown.find('.workspace-detail').textContent ?? ''
export const problem = (): string => shown.find('.dialog-problem').textContent ?? ''

export function forgetAfterwards(home: Home): void {
  onTestFinished(async () => {
    await shown.close()
    await deleteHome(home)
    forgetHome(home)
  })
}

/** Whether the browser would ask before leaving the page. */
export function asksToLeave(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

/** Waits until the dialog has closed, because until then it receives all keys. */
export const dialogHasGone = () => expect.element(page.getByRole('dialog', { name: 'Workspace' })).not.toBeInTheDocument()
/** Creates a file with a tool of the page. */
export async function writeNote(): Promise<void> {
  await dialogHasGone()
  await chooseTool('write_file')
  await page.getByLabelText('path', { exact: true }).fill('note.txt')
  await page.getByLabelText('content', { exact: true }).fill('note')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.element(page.getByRole('treeitem', { name: 'note.txt, added' })).toBeVisible()
}

/** Registers hooks that open the page before each test and close it afterwards. */
export function useWorkspacesPage(): void {
  beforeEach(async () => {
    localStorage.removeItem('toolport.workspaces')
    localStorage.removeItem('toolport.drafts')
    await open()
  })

  afterEach(async () => {
    await shown.close()
    localStorage.removeItem('toolport.workspaces')
  })
}
