// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type ExportKind, exportFile } from '../../demo/src/archives/archives.js'
import { choose, FILES, files, notice, openDialog, problem, shown, tarOf, useArchivesPage } from './archives-page.js'

useArchivesPage()

/** Clicks a button of the dialog and returns the file that the browser downloads. */
async function downloaded(button: string): Promise<{ readonly name: string; readonly blob: Blob }> {
  const made = new Map<string, Blob>()
  const { createObjectURL } = URL
  URL.createObjectURL = (blob: Blob) => {
    const address = createObjectURL.call(URL, blob)
    made.set(address, blob)
    return address
  }
  const { click } = HTMLAnchorElement.prototype
  try {
    return await new Promise((resolve) => {
      HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
        resolve({ name: this.download, blob: made.get(this.href) ?? new Blob() })
      }
      void openDialog().then(() => page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click())
    })
  } finally {
    URL.createObjectURL = createObjectURL
    HTMLAnchorElement.prototype.click = click
  }
}

describe('an archive', () => {
  test.each([
    ['.tar.gz', 'workspace.tar.gz', [0x1f, 0x8b]],
    ['.zip', 'workspace.zip', [0x50, 0x4b]],
    ['Snapshot', 'workspace.toolport', undefined],
  ] as const)('exported as %s gives the same files when it is imported', async (button, name, head) => {
    const made = await downloaded(button)
    expect(made.name).toBe(name)
    if (head) expect([...new Uint8Array(await made.blob.slice(0, 2).arrayBuffer())]).toEqual(head)
    await shown.playground.load('empty', { 'README.md': 'another\n', 'own.txt': 'stays\n' })
    await openDialog()
    choose(new File([made.blob], made.name))
    await expect.poll(notice).toContain(`3 files of ${name} are in the workspace now, 1 of them in the place of another.`)
    expect(await files()).toEqual({ ...FILES, 'own.txt': 'stays\n' })
    // The tree shows the imported files, and the timeline has a checkpoint from before the import.
    await expect.element(page.getByRole('treeitem', { name: /^bytes.bin/ })).toBeVisible()
    const before = (await shown.playground.session.workspace.checkpoints()).at(-1)
    await shown.playground.session.workspace.restore(before?.id ?? '')
    expect(await files()).toEqual({ 'README.md': 'another\n', 'own.txt': 'stays\n' })
  })

  test('an archive of an unknown format is rejected with a message and changes nothing', async () => {
    await openDialog()
    choose(new File(['no archive at all, whatever its name is'], 'odd.tar'))
    await expect
      .poll(() => shown.find('.dialog-problem').textContent)
      .toBe('odd.tar is no archive that can be read here: tar (also gzipped), zip and Toolport’s snapshots are.')
    choose(new File([], 'nothing.zip'))
    await expect.poll(() => shown.find('.dialog-problem').textContent).toBe('nothing.zip is empty.')
    await expect.element(page.getByRole('dialog', { name: 'Workspace' })).toBeVisible()
    expect(await files()).toEqual(FILES)
  })

  test('adds a timeline entry only if something was imported', async () => {
    const { workspace } = shown.playground.session
    const labels = async (): Promise<(string | undefined)[]> => (await workspace.checkpoints()).map(({ label }) => label)
    await workspace.writeText('own.txt', 'not kept yet\n')
    const before = await labels()
    await openDialog()
    choose(new File(['no archive at all'], 'odd.tar'))
    await expect.poll(problem).toContain('odd.tar is no archive')
    choose(await tarOf({ path: 'src', kind: 'file', size: 1, content: Uint8Array.of(1) }))
    await expect.poll(problem).toBe('It holds a file “src”, and a folder of that name is here.')
    expect(await labels()).toEqual(before)
    choose(await tarOf({ path: 'README.md', kind: 'file', size: 1, content: Uint8Array.of(65) }))
    await expect.poll(notice).toContain('1 file of made.tar is in the workspace now, in the place of another. The timeline')
    expect(await labels()).toEqual([...before, 'Before the import of made.tar'])
  })

  test('a damaged archive is rejected and leaves nothing behind', async () => {
    for (const kind of ['tar.gz', 'zip', 'snapshot'] as const satisfies readonly ExportKind[]) {
      const whole = new Uint8Array(await (await exportFile(shown.playground.session.workspace, kind)).arrayBuffer())
      await shown.playground.load('other', { 'own.txt': 'stays\n' })
      await openDialog()
      choose(new File([whole.slice(0, whole.length - 20)], `cut.${kind}`))
      await expect.poll(() => shown.find('.dialog-problem').textContent).not.toBe('')
      expect(await files()).toEqual({ 'own.txt': 'stays\n' })
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await shown.playground.load('first', FILES)
    }
  })

  test('dropped on the page is imported into the workspace', async () => {
    const zip = await exportFile(shown.playground.session.workspace, 'zip')
    await shown.playground.load('empty', {})
    const transfer = new DataTransfer()
    transfer.items.add(new File([zip], 'dropped.zip'))
    for (const type of ['dragenter', 'dragover', 'drop']) {
      shown.root.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }))
    }
    await expect.poll(notice).toContain('3 files of dropped.zip')
    expect(await files()).toEqual(FILES)
  })
})
