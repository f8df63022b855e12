import { createGit } from 'toolport/adapters/git'
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import type { Home } from '../../demo/src/homes/homes.js'
import { forgetHome } from '../../demo/src/homes/known-homes.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import { service } from '../service.js'
import { openPage, type TestPage } from './page.js'

export const { origin, main, topic } = await service('git')
export const FILES = { 'src/a.ts': 'export const a = 1\n', 'README.md': '# Open now\n', 'bytes.bin': Uint8Array.of(0, 1, 255) }

export let shown: TestPage

export async function open(): Promise<void> {
  shown = await openPage({ files: FILES, name: 'open now', remember: true })
}

export const newName = (): string => `test-${crypto.randomUUID()}`
export const dialog = () => page.getByRole('dialog', { name: 'Workspace' })
export const detail = (): string => shown.find('.workspace-detail').textContent ?? ''
export const nameShown = (): string | null => shown.find('.workspace-name').textContent
export const problem = (): string => shown.find('.dialog-problem').textContent ?? ''
export const notice = (): string => shown.find('.notice').textContent ?? ''
export const files = (): Promise<Record<string, unknown>> => shown.playground.session.workspace.files()
export const button = (name: string) => dialog().getByRole('button', { name, exact: true })
export const isOpen = (): boolean => shown.root.querySelector('dialog[aria-labelledby]')?.hasAttribute('open') ?? false

export async function openDialog(): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  // The dialog's part for new workspaces is loaded when the dialog first opens.
  await expect.element(dialog().getByLabelText('Lives in')).toBeVisible()
}

export async function target({ kind, name }: Home): Promise<void> {
  await dialog().getByLabelText('Lives in').selectOptions(kind)
  await dialog().getByLabelText('Called').fill(name)
}

export function forgetAfterwards(home: Home): void {
  onTestFinished(async () => {
    await shown.close()
    await deleteHome(home)
    forgetHome(home)
  })
}

/** Opens the page again, as a reload does. */
export async function again(): Promise<void> {
  await shown.close()
  await open()
}

export async function databases(): Promise<(string | undefined)[]> {
  return (await indexedDB.databases()).map(({ name }) => name)
}

export async function stays(): Promise<void> {
  expect(nameShown()).toBe('open now')
  expect(await files()).toEqual(FILES)
}

export async function fillIn(fields: Readonly<Record<string, string>>): Promise<void> {
  await openDialog()
  if (
    !page
      .getByLabelText('Address')
      .elements()
      .some((field) => field.checkVisibility())
  )
    await button('Git repository').click()
  for (const [label, text] of Object.entries(fields)) await dialog().getByLabelText(label).fill(text)
}

export const clone = (): Promise<void> => button('Clone').click()
export const depthOf = async (): Promise<number> => (await createGit({ workspace: shown.playground.session.workspace }).log()).length

export function choose(file: File): void {
  const input = shown.find('input[aria-label="Archive for a new workspace"]') as HTMLInputElement
  const transfer = new DataTransfer()
  transfer.items.add(file)
  input.files = transfer.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Registers hooks that open the page before each test and close it afterwards. */
export function useImportsPage(): void {
  beforeEach(async () => {
    localStorage.removeItem('toolport.workspaces')
    await open()
  })

  afterEach(async () => {
    await shown.close()
    localStorage.removeItem('toolport.workspaces')
  })
}
