// @module-tag playground
import { type ArchiveEntry, collectBytes, writeTar } from 'toolport/archive'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type ExportKind, exportFile, importFile } from '../../demo/src/archives/archives.js'
import { formatBytes } from '../../demo/src/format.js'
import { openPage, type TestPage } from './page.js'

const FILES = { 'src/a.ts': 'export const a = 1\n', 'README.md': '# Kept\n', 'bytes.bin': Uint8Array.of(0, 1, 255) }

let shown: TestPage

beforeEach(async () => {
  shown = await openPage({ files: FILES })
})

afterEach(() => shown.close())

async function openDialog(): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Workspace' })).toBeVisible()
}

/** As the user's choice of a file. */
function choose(file: File): void {
  const input = shown.find('input[aria-label="Archive to import"]') as HTMLInputElement
  const transfer = new DataTransfer()
  transfer.items.add(file)
  input.files = transfer.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** A tar of these, by the name of `made.tar`. */
async function tarOf(...entries: readonly ArchiveEntry[]): Promise<File> {
  return new File([(await collectBytes(writeTar(entries))) as Uint8Array<ArrayBuffer>], 'made.tar')
}

const problem = (): string | null => shown.find('.dialog-problem').textContent
const notice = (): string => shown.find('.notice').textContent ?? ''
const files = (): Promise<Record<string, unknown>> => shown.playground.session.workspace.files()

/** What a click on a button of the dialog gives to the browser's downloads. */
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
  ] as const)('that was exported as %s gives the same files when it is imported', async (button, name, head) => {
    const made = await downloaded(button)
    expect(made.name).toBe(name)
    if (head) expect([...new Uint8Array(await made.blob.slice(0, 2).arrayBuffer())]).toEqual(head)
    await shown.playground.load('empty', { 'README.md': 'another\n', 'own.txt': 'stays\n' })
    await openDialog()
    choose(new File([made.blob], made.name))
    await expect.poll(notice).toContain(`3 files of ${name} are in the workspace now, 1 of them in the place of another.`)
    expect(await files()).toEqual({ ...FILES, 'own.txt': 'stays\n' })
    // It is in the tree, and the timeline knows the moment before.
    await expect.element(page.getByRole('treeitem', { name: /^bytes.bin/ })).toBeVisible()
    const before = (await shown.playground.session.workspace.checkpoints()).at(-1)
    await shown.playground.session.workspace.restore(before?.id ?? '')
    expect(await files()).toEqual({ 'README.md': 'another\n', 'own.txt': 'stays\n' })
  })

  test('that is none is refused in words, and nothing changes', async () => {
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

  test('leaves a moment in the timeline only when something was imported', async () => {
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

  test('that is not wanted any more while it is written leaves none', async () => {
    const { workspace } = shown.playground.session
    await workspace.checkpoint()
    const before = await workspace.checkpoints()
    const stop = new AbortController()
    const keep = () => workspace.checkpoint({ label: 'before', reuse: true })
    const archive = new File([await exportFile(workspace, 'tar.gz')], 'all.tar.gz')
    await expect(importFile(workspace, archive, { signal: stop.signal, tell: () => stop.abort(new Error('stop')) }, keep)).rejects.toThrow(
      'stop',
    )
    expect(await workspace.checkpoints()).toEqual(before)
    expect(await files()).toEqual(FILES)
  })

  test('comes in without the links that lead out of it, which is said', async () => {
    const { workspace } = shown.playground.session
    const link = (path: string, target: string) => ({ path, kind: 'symlink', size: 0, target }) as const
    await openDialog()
    choose(
      await tarOf(
        { path: 'new/x.txt', kind: 'file', size: 1, content: Uint8Array.of(65) },
        link('new/in', '../README.md'),
        link('new/absolute', '/etc/passwd'),
        link('new/up', '../../x'),
        link('new/winding', 'a/../../b'),
      ),
    )
    await expect
      .poll(notice)
      .toContain('1 file and 1 link of made.tar are in the workspace now. The timeline takes it back. Left out: 3 links that lead out')
    expect((await workspace.list('new')).map(({ name }) => name).sort()).toEqual(['in', 'x.txt'])
  })

  test('that has only links is not said to hold nothing', async () => {
    await openDialog()
    choose(await tarOf({ path: 'new/in', kind: 'symlink', size: 0, target: '../README.md' }))
    await expect.poll(notice).toBe('1 link of made.tar is in the workspace now. The timeline takes it back.')
  })

  test('fails in the words of what had to be done before it was written', async () => {
    const full = Object.assign(new Error('No room for a checkpoint'), { code: 'ENOSPC' })
    const made = await tarOf({ path: 'a.txt', kind: 'file', size: 1, content: Uint8Array.of(65) })
    await expect(importFile(shown.playground.session.workspace, made, {}, () => Promise.reject(full))).rejects.toBe(full)
  })

  test('is told of by its name, in which nothing is hidden', async () => {
    await openDialog()
    choose(new File(['no archive at all'], 'a\u202ezip.tar'))
    await expect.poll(problem).toContain('zip.tar is no archive')
    for (const place of ['.dialog-problem', '.task-step']) {
      expect(shown.find(`${place} .hidden-character`).getAttribute('aria-label')).toBe('⟨U+202E⟩')
    }
  })

  test('that holds what the timeline keeps is refused in the page’s words', async () => {
    await openDialog()
    choose(await tarOf({ path: '.toolport-checkpoints/x', kind: 'file', size: 1, content: Uint8Array.of(65) }))
    await expect.poll(problem).toBe('It holds “.toolport-checkpoints/x”: that name is reserved here, for what the timeline keeps.')
  })

  test('that is damaged is refused, and nothing of it stays', async () => {
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

  test('tells how far it is, each way, and ends when it is not wanted any more', async () => {
    const { workspace } = shown.playground.session
    for (const kind of ['tar.gz', 'zip', 'snapshot'] as const) {
      const told: string[] = []
      const archive = await exportFile(workspace, kind, { tell: (howFar) => void told.push(howFar) })
      expect(told.at(-1), kind).toBe(formatBytes(archive.size))
      const signal = AbortSignal.abort(new Error('not wanted'))
      await expect(exportFile(workspace, kind, { signal }), kind).rejects.toThrow('not wanted')
      const file = new File([archive], `all.${kind}`)
      await expect(importFile(workspace, file, { signal }), kind).rejects.toThrow('not wanted')
      told.length = 0
      await importFile(workspace, file, { tell: (howFar) => void told.push(howFar) })
      expect(told.at(-1), kind).toBe('3 files')
    }
    expect(await files()).toEqual(FILES)
  })

  test('that is dropped on the page goes into the workspace', async () => {
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
