import { type ArchiveEntry, collectBytes, writeTar } from 'toolport/archive'
import { afterEach, beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { openPage, type TestPage } from './page.js'

export const FILES = { 'src/a.ts': 'export const a = 1\n', 'README.md': '# Kept\n', 'bytes.bin': Uint8Array.of(0, 1, 255) }

export let shown: TestPage

export async function openDialog(): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Workspace' })).toBeVisible()
}

/** Chooses a file, as a user does in the file dialog. */
export function choose(file: File): void {
  const input = shown.find('input[aria-label="Archive to import"]') as HTMLInputElement
  const transfer = new DataTransfer()
  transfer.items.add(file)
  input.files = transfer.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** A tar file of these entries, named `made.tar`. */
export async function tarOf(...entries: readonly ArchiveEntry[]): Promise<File> {
  return new File([(await collectBytes(writeTar(entries))) as Uint8Array<ArrayBuffer>], 'made.tar')
}

export const problem = (): string | null => shown.find('.dialog-problem').textContent
export const notice = (): string => shown.find('.notice').textContent ?? ''
export const files = (): Promise<Record<string, unknown>> => shown.playground.session.workspace.files()
/** Registers hooks that open the page before each test and close it afterwards. */
export function useArchivesPage(): void {
  beforeEach(async () => {
    shown = await openPage({ files: FILES })
  })

  afterEach(() => shown.close())
}
