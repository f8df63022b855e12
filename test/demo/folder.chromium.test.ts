// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createCollector } from '../../demo/src/folder/collect.js'
import { readFileList } from '../../demo/src/folder/open-folder.js'
import { openPage, type TestPage } from './page.js'

let shown: TestPage | undefined

afterEach(async () => {
  await shown?.close()
  shown = undefined
})

function file(path: string, text: string): File {
  const made = new File([text], path.split('/').at(-1) ?? path)
  Object.defineProperty(made, 'webkitRelativePath', { value: path })
  return made
}

describe('a folder from the disk', () => {
  test('is read without .git and node_modules, with a note', async () => {
    const folder = await readFileList([
      file('project/src/a.ts', 'a'),
      file('project/.git/config', 'x'),
      file('project/src/node_modules/left/index.js', 'x'),
      file('project/__proto__', 'p'),
    ])
    expect(folder.name).toBe('project')
    expect(Object.keys(folder.files)).toEqual(['src/a.ts', '__proto__'])
    expect(folder.skipped).toEqual(['.git folders', 'node_modules folders'])
  })

  test('is read up to the limits', async () => {
    const collector = createCollector({ files: 2, bytes: 10, fileBytes: 5 })
    await collector.take('a', file('a', '123'))
    await collector.take('large', file('large', '123456'))
    await collector.take('b', file('b', '123'))
    expect(collector.full).toBe(false)
    await collector.take('c', file('c', '123'))
    expect(collector.full).toBe(true)
    const { files, skipped } = collector.finish('x')
    expect(Object.keys(files)).toEqual(['a', 'b'])
    expect(skipped).toEqual(['1 file over 5 B', 'everything after the first 2 files (6 B)'])
  })
})

describe('"Open a folder"', () => {
  const picker = Object.getOwnPropertyDescriptor(window, 'showDirectoryPicker')
  afterEach(() => {
    if (picker) Object.defineProperty(window, 'showDirectoryPicker', picker)
  })

  /** `pick` returns a real directory handle, from OPFS, because the browser's own dialog needs a person. */
  async function choose(pick: () => Promise<FileSystemDirectoryHandle>): Promise<HTMLElement> {
    Object.defineProperty(window, 'showDirectoryPicker', { configurable: true, value: pick })
    await shown?.close()
    shown = await openPage({ files: { 'old.md': '# Old\n' } })
    await page.getByRole('button', { name: 'Open a folder' }).click()
    return shown.root
  }

  test('opens a copy in a new workspace', async () => {
    const storage = await navigator.storage.getDirectory()
    const folder = await storage.getDirectoryHandle('chosen', { create: true })
    const inner = await folder.getDirectoryHandle('inner', { create: true })
    await folder.getDirectoryHandle('node_modules', { create: true })
    const handle = await inner.getFileHandle('new.md', { create: true })
    const writer = await handle.createWritable()
    await writer.write('# New\n')
    await writer.close()
    const root = await choose(async () => folder)
    await expect.element(page.getByText('Opened a copy of chosen. Left out: node_modules folders.')).toBeVisible()
    expect(root.querySelector('.workspace-name')?.textContent).toBe('chosen')
    await expect.element(page.getByRole('treeitem', { name: 'new.md' })).toBeVisible()
    expect(page.getByRole('treeitem', { name: 'old.md' }).elements()).toHaveLength(0)
    await storage.removeEntry('chosen', { recursive: true })
  })

  test('changes nothing without a choice, and reports a failure', async () => {
    const root = await choose(() => Promise.reject(new DOMException('The user aborted a request.', 'AbortError')))
    await expect.poll(() => root.querySelector<HTMLElement>('.notice')?.hidden).toBe(true)
    await expect.element(page.getByRole('treeitem', { name: 'old.md' })).toBeVisible()
    await choose(() => Promise.reject(new DOMException('Blocked here', 'SecurityError')))
    await expect.element(page.getByText('The folder could not be opened: Blocked here')).toBeVisible()
  })

  test('shows its progress and can be cancelled', async () => {
    let ended = false
    async function* values(): AsyncGenerator<object> {
      try {
        for (let at = 0; ; at++) {
          yield { kind: 'file', name: `${at}.txt`, getFile: async () => new File(['x'], `${at}.txt`) }
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      } finally {
        ended = true
      }
    }
    const root = await choose(async () => ({ kind: 'directory', name: 'endless', values }) as unknown as FileSystemDirectoryHandle)
    await expect.element(page.getByText(/^Reading the folder… [\d,]+ files$/)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => root.querySelector<HTMLElement>('.notice')?.hidden).toBe(true)
    await expect.element(page.getByRole('treeitem', { name: 'old.md' })).toBeVisible()
    await expect.poll(() => ended).toBe(true)
  })
})

describe('dropped files', () => {
  test('are added to the workspace, and the timeline reverts that', async () => {
    shown = await openPage({ files: { 'old.md': '# Old\n', 'notes.txt': 'mine\n' } })
    const { root } = shown
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['theirs\n'], 'notes.txt'))
    dataTransfer.items.add(new File(['one more\n'], 'more.txt'))
    root.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    await expect.element(page.getByText('2 files are in the workspace now. The timeline takes it back.')).toBeVisible()
    for (const name of ['old.md', /^notes.txt/, /^more.txt/]) await expect.element(page.getByRole('treeitem', { name })).toBeVisible()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('button', { name: /^Before 2 files were dropped here/ }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => page.getByRole('treeitem', { name: /^more.txt/ }).elements().length).toBe(0)
  })
})
