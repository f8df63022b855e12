// @module-tag playground
import '../../demo/src/styles/index.css'
import { FsError } from 'toolport'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  empty,
  exists,
  FILES,
  field,
  focus,
  focusedPath,
  here,
  notice,
  offer,
  paths,
  problem,
  rename,
  row,
  tool,
  useTreePage,
} from './tree-page.js'

useTreePage()

describe('renaming in the tree', () => {
  test('works in place by keyboard, and the open file follows', async () => {
    await here.playground.openFile('src/a.ts')
    focus('src/a.ts')
    await userEvent.keyboard('{F2}')
    expect(field()?.value).toBe('a.ts')
    // Selects the name without its extension.
    expect([field()?.selectionStart, field()?.selectionEnd]).toEqual([0, 1])
    await userEvent.keyboard('other{Enter}')
    await expect.poll(() => exists('src/other.ts')).toBe(true)
    expect(await exists('src/a.ts')).toBe(false)
    await expect.poll(() => here.find('.file-title').textContent).toBe('src/other.ts')
    await expect.poll(focusedPath).toBe('src/other.ts')
    expect(notice()).toBe('Renamed a.ts to other.ts')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => exists('src/a.ts')).toBe(true)
    await expect.poll(() => here.find('.file-title').textContent).toBe('src/a.ts')
  })

  test('renaming to an existing name is rejected and can be corrected', async () => {
    focus('README.md')
    await rename('docs')
    await expect.poll(() => field()?.getAttribute('aria-invalid')).toBe('true')
    expect(problem()).toBe('“docs” is there already. Choose another name.')
    expect(field()?.value).toBe('docs')
    expect(document.activeElement).toBe(field())
    expect(here.find('.notice').hidden).toBe(true)
    expect(await exists('README.md')).toBe(true)
    await userEvent.keyboard('{End}2')
    expect(problem()).toBeUndefined()
    expect(field()?.hasAttribute('aria-invalid')).toBe(false)
    await userEvent.keyboard('{Control>}a{/Control}HOME.md{Enter}')
    await expect.poll(() => exists('HOME.md')).toBe(true)
    expect(field()).toBeNull()
  })

  test('is cancelled by Escape, and keys in the field belong to it', async () => {
    focus('README.md')
    await userEvent.keyboard('{F2}{Control>}a{/Control}{Delete}x{ArrowLeft}{Home}{Escape}')
    expect(field()).toBeNull()
    expect(focusedPath()).toBe('README.md')
    expect(await exists('README.md')).toBe(true)
  })
})

describe('moving in the tree', () => {
  test('works by cut and paste', async () => {
    focus('README.md')
    await userEvent.keyboard('{Control>}x{/Control}')
    expect(row('README.md').getAttribute('aria-label')).toBe('README.md, to be moved')
    focus('docs')
    await userEvent.keyboard('{Control>}v{/Control}')
    await expect.poll(() => exists('docs/README.md')).toBe(true)
    await expect.poll(focusedPath).toBe('docs/README.md')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => exists('README.md')).toBe(true)
  })

  test('works by dragging onto a directory and onto the root', async () => {
    await userEvent.dragAndDrop(row('README.md'), row('docs'))
    await expect.poll(() => exists('docs/README.md')).toBe(true)
    await expect.poll(paths).toContain('docs/README.md')
    await userEvent.dragAndDrop(row('docs/README.md'), here.find('.tree'), { targetPosition: { x: 100, y: 400 } })
    await expect.poll(() => exists('README.md')).toBe(true)
  })

  test('onto a folder with the same name is rejected with an explanation', async () => {
    await here.playground.session.workspace.writeText('docs/README.md', 'another\n')
    await userEvent.dragAndDrop(row('README.md'), row('docs'))
    await expect.poll(notice).toBe('“README.md” was not moved. “docs/README.md” is there already.')
    expect(await exists('README.md')).toBe(true)
  })

  test('works by editing the path', async () => {
    focus('src/a.ts')
    await tool('Move').click()
    expect(field()?.value).toBe('src/a.ts')
    await userEvent.keyboard('{Control>}a{/Control}new/place/a.ts{Enter}')
    await expect.poll(() => exists('new/place/a.ts')).toBe(true)
    await expect.poll(focusedPath).toBe('new/place/a.ts')
  })
})

describe('deleting in the tree', () => {
  test('a file can be undone by its button', async () => {
    await here.playground.openFile('src/a.ts')
    focus('src/a.ts')
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => exists('src/a.ts')).toBe(false)
    await expect.poll(notice).toBe('Deleted a.ts')
    expect(paths()).not.toContain('src/a.ts')
    await expect.poll(focusedPath).toBe('src/lib')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => exists('src/a.ts')).toBe(true)
    await expect.poll(paths).toContain('src/a.ts')
    expect((await here.playground.session.workspace.readText('src/a.ts')).text).toBe(FILES['src/a.ts'])
  })

  test('a deletion that fails, or cannot be undone, is reported', async () => {
    const { workspace } = here.playground.session
    const remove = vi.spyOn(workspace, 'remove')
    onTestFinished(() => remove.mockRestore())
    remove.mockRejectedValueOnce(new FsError({ code: 'EBUSY', op: 'remove', path: '/workspace/README.md' }))
    focus('README.md')
    await userEvent.keyboard('{Delete}')
    await expect.poll(notice).toBe('“README.md” was not deleted. It is in use. Try again in a moment.')
    await expect.poll(focusedPath).toBe('README.md')
    await rename('HOME.md')
    await expect.poll(notice).toBe('Renamed README.md to HOME.md')
    await workspace.writeText('README.md', 'another\n')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(notice).toBe('Not taken back: Renamed README.md to HOME.md. “README.md” is there already.')
  })

  test('a directory can be undone by keyboard, with exactly its content', async () => {
    focus('src')
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => exists('src')).toBe(false)
    await here.playground.session.workspace.writeText('since.txt', 'kept\n')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => exists('src/lib/deep.ts')).toBe(true)
    expect(await exists('since.txt')).toBe(true)
    await expect.poll(notice).toBe('Taken back: Deleted src')
  })
})

describe('creating in the tree', () => {
  test('a file happens at the focused place and opens it', async () => {
    focus('src/a.ts')
    await tool('New file').click()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Name of the new file')
    await userEvent.keyboard('fresh/new.ts{Enter}')
    await expect.poll(() => exists('src/fresh/new.ts')).toBe(true)
    await expect.poll(() => here.find('.file-title').textContent).toBe('src/fresh/new.ts')
    await expect.element(page.getByRole('treeitem', { name: 'new.ts, added, just now' })).toBeVisible()
  })

  test('a folder rejects a used name', async () => {
    focus('README.md')
    await tool('New folder').click()
    await userEvent.keyboard('docs{Enter}')
    await expect.poll(problem).toBe('“docs” is there already. Choose another name.')
    await userEvent.keyboard('{Control>}a{/Control}empty{Enter}')
    await expect.poll(() => exists('empty')).toBe(true)
    await expect.poll(focusedPath).toBe('empty')
    await tool('New file').click()
    await userEvent.keyboard('{Escape}')
    expect(field()).toBeNull()
    expect(paths().filter((path) => path?.includes('\0'))).toEqual([])
  })
})

test('the last change is marked in addition to all changes since the start', async () => {
  const { workspace } = here.playground.session
  const label = (path: string): string | null => row(path).getAttribute('aria-label')
  focus('README.md')
  await rename('HOME.md')
  await expect.poll(() => label('HOME.md')).toBe('HOME.md, added, just now')
  expect(label('src')).toBe('src')
  await workspace.writeText('src/a.ts', 'export const a = 2\n')
  await workspace.writeText('src/lib/deep.ts', 'export const deep = 2\n')
  focus('HOME.md')
  await rename('LAST.md')
  await expect.poll(() => label('src')).toBe('src, holds changes, just now')
  expect(label('docs')).toBe('docs')
  focus('LAST.md')
  await rename('END.md')
  await expect.poll(() => label('src')).toBe('src, holds changes')
})

describe('a workspace without files', () => {
  test('offers a new file in the tree and the view, and returns if it gets no name', async () => {
    await empty()
    expect(here.find('.tree').hidden).toBe(true)
    await offer('.pane-view', 'New file').click()
    await expect.poll(() => document.activeElement).toBe(field())
    await userEvent.keyboard('{Escape}')
    expect(field()).toBeNull()
    expect(document.activeElement).toBe(offer('.pane-files', 'New file').element())
    await userEvent.keyboard('{Enter}')
    await userEvent.keyboard('first.md{Enter}')
    await expect.poll(() => here.find('.file-title').textContent).toBe('first.md')
    expect(here.texts('.offers:not([hidden]) strong')).toEqual([])
    // The offers return when the last file is deleted.
    focus('first.md')
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => document.activeElement?.closest('.offers')).toBe(here.find('.pane-files .offers'))
    await userEvent.click(here.find('.editor-tab-close'))
    expect(here.texts('.offers:not([hidden]) strong')).toEqual(['No files yet', 'No files yet'])
  })

  test('offers a folder and the samples', async () => {
    await empty()
    const picker = vi.fn(() => Promise.reject(new DOMException('The user aborted a request.', 'AbortError')))
    vi.stubGlobal('showDirectoryPicker', picker)
    onTestFinished(() => void vi.unstubAllGlobals())
    await offer('.pane-files', 'Open a folder').click()
    await expect.poll(() => picker.mock.calls.length).toBe(1)
    await offer('.pane-view', 'Open a sample').click()
    await expect.element(page.getByRole('button', { name: 'Open the sample A data-cleaning task' })).toBeVisible()
  })
})
