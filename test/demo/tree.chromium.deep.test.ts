// @module-tag playground
import '../../demo/src/styles/index.css'
import { FsError } from 'toolport'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { TreeEntry } from '../../demo/src/session.js'
import { createFileTree } from '../../demo/src/tree/file-tree.js'
import { holdCalls } from './held.js'
import {
  empty,
  exists,
  field,
  focus,
  focusedPath,
  here,
  nothing,
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

describe('renaming in the tree, in detail', () => {
  test('keeps the content of a directory', async () => {
    focus('src')
    await rename('lib')
    await expect.poll(() => exists('lib/lib/deep.ts')).toBe(true)
    expect(await exists('src')).toBe(false)
  })

  test.each(['README.md/', './README.md'])('renaming to the same name, as %j, changes nothing', async (name) => {
    focus('README.md')
    await userEvent.keyboard('{F2}')
    await userEvent.fill(field() as HTMLInputElement, name)
    await userEvent.keyboard('{Enter}')
    await expect.poll(field).toBeNull()
    expect(focusedPath()).toBe('README.md')
    expect(notice()).toBe('')
  })

  test('renaming to an invalid name is rejected with an explanation', async () => {
    const refused = [
      ['../../x.md', '“../../x.md” is outside of the workspace. Choose another name.'],
      ['.', '“.” cannot be used as a name. Choose another name.'],
      ['docs/.', '“docs/.” cannot be used as a name. Choose another name.'],
      ['/', '“/” cannot be used as a name. Choose another name.'],
      ['src/a.ts/x.md', 'A part of “src/a.ts/x.md” is a file, not a folder. Choose another name.'],
      ['a\\b', 'A name cannot hold “\\”: “/” goes between folders. Choose another name.'],
      ['x'.repeat(300), 'That name is too long. Choose another name.'],
      ['docs/guide.md', '“docs/guide.md” is there already. Choose another name.'],
    ] as const
    focus('README.md')
    await userEvent.keyboard('{F2}')
    for (const [name, words] of refused) {
      await userEvent.fill(field() as HTMLInputElement, name)
      await userEvent.keyboard('{Enter}')
      await expect.poll(problem).toBe(words)
      expect(field()?.value).toBe(name)
    }
  })

  test('renaming a folder into itself is rejected with an explanation', async () => {
    focus('src')
    await rename('src/lib/src')
    await expect.poll(problem).toBe('A folder cannot go into itself. Choose another name.')
  })

  test('a renaming that a rule forbids is reported at the field', async () => {
    const { workspace } = here.playground.session
    const move = vi.spyOn(workspace, 'move')
    onTestFinished(() => move.mockRestore())
    move.mockRejectedValueOnce(new FsError({ code: 'EACCES', op: 'move', path: '/workspace/README.md' }))
    focus('README.md')
    await rename('b.md')
    await expect.poll(problem).toBe('It may not be changed.')
    move.mockRejectedValueOnce(new Error('EOTHER: the plug was pulled'))
    await userEvent.keyboard('{Enter}')
    await expect.poll(problem).toBe('It did not work: the plug was pulled')
  })

  test('a renaming with a rejected name is cancelled by leaving the field twice', async () => {
    focus('README.md')
    await userEvent.keyboard('{F2}{Control>}a{/Control}docs')
    here.find('.terminal-switch').focus()
    await expect.poll(problem).toContain('is there already')
    expect(document.activeElement).toBe(field())
    here.find('.terminal-switch').focus()
    await expect.poll(field).toBeNull()
    expect(document.activeElement).toBe(here.find('.terminal-switch'))
    expect(await exists('README.md')).toBe(true)
  })

  test('a renaming that is rejected after its field disappeared is reported by a notice', async () => {
    const { workspace } = here.playground.session
    const move = vi.spyOn(workspace, 'move')
    onTestFinished(() => move.mockRestore())
    move.mockImplementationOnce(async () => {
      await page.getByRole('tab', { name: 'Timeline' }).click()
      throw new FsError({ code: 'EEXIST', op: 'move', path: '/workspace/README.md' })
    })
    focus('README.md')
    await rename('b.md')
    await expect.poll(notice).toBe('“b.md” is there already. Choose another name.')
  })

  test('stays open while the tree is redrawn', async () => {
    focus('README.md')
    await userEvent.keyboard('{F2}{Control>}a{/Control}mine')
    await here.playground.session.workspace.writeText('another.txt', 'x')
    await here.playground.openFile('docs/guide.md')
    expect(field()?.value).toBe('mine')
    field()?.focus()
    await userEvent.keyboard('.md{Enter}')
    await expect.poll(() => exists('mine.md')).toBe(true)
  })
})

describe('moving in the tree, in detail', () => {
  test('moving a folder into itself does nothing', async () => {
    await userEvent.dragAndDrop(row('src'), row('src/lib'))
    expect(await exists('src/a.ts')).toBe(true)
    expect(here.find('.notice').hidden).toBe(true)
  })
})

test('keys apply to the focused row, however it got the focus', async () => {
  focus('src/a.ts')
  await page.getByRole('treeitem', { name: 'README.md' }).click({ button: 'right' })
  expect(focusedPath()).toBe('README.md')
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => exists('README.md')).toBe(false)
  expect(await exists('src/a.ts')).toBe(true)
  await expect.poll(focusedPath).not.toBe('README.md')
  // A screen reader focuses a row directly.
  row('docs').focus()
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => exists('docs')).toBe(false)
  expect(await exists('src/a.ts')).toBe(true)
  expect(here.root.querySelectorAll('[role=treeitem][tabindex="0"]')).toHaveLength(1)
})

test('the focus stays in the tree while other files are shown', async () => {
  focus('docs')
  await here.playground.openFile('src/a.ts')
  expect(focusedPath()).toBe('docs')
  expect(row('src/a.ts').getAttribute('aria-selected')).toBe('true')
  // When the focus is elsewhere, the tab stop moves to the opened file.
  here.find('.terminal-switch').focus()
  await here.playground.openFile('README.md')
  expect(row('README.md').tabIndex).toBe(0)
})

test('the focus elsewhere is not moved when a change ends', async () => {
  const elsewhere = here.find('.terminal-switch')
  focus('README.md')
  await userEvent.keyboard('{F2}{Control>}a{/Control}HOME.md')
  elsewhere.focus()
  await expect.poll(notice).toBe('Renamed README.md to HOME.md')
  await expect.poll(paths).toContain('HOME.md')
  expect(document.activeElement).toBe(elsewhere)
  const release = holdCalls(here.playground.session.workspace, 'remove')
  focus('HOME.md')
  await userEvent.keyboard('{Delete}')
  elsewhere.focus()
  release()
  await expect.poll(notice).toBe('Deleted HOME.md')
  await expect.poll(paths).not.toContain('HOME.md')
  expect(document.activeElement).toBe(elsewhere)
})

test('another selection in the tree stays when a rename ends', async () => {
  const release = holdCalls(here.playground.session.workspace, 'move')
  focus('README.md')
  await userEvent.keyboard('{F2}{Control>}a{/Control}HOME.md')
  await page.getByRole('treeitem', { name: 'a.ts', exact: true }).click()
  release()
  await expect.poll(notice).toBe('Renamed README.md to HOME.md')
  await expect.poll(paths).toContain('HOME.md')
  expect(focusedPath()).toBe('src/a.ts')
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => exists('src/a.ts')).toBe(false)
  expect(await exists('HOME.md')).toBe(true)
})

test('a name being typed is kept when another change ends', async () => {
  const release = holdCalls(here.playground.session.workspace, 'remove')
  focus('README.md')
  await userEvent.keyboard('{Delete}')
  focus('src/a.ts')
  await userEvent.keyboard('{F2}fo')
  release()
  await expect.poll(notice).toBe('Deleted README.md')
  await expect.poll(paths).not.toContain('README.md')
  expect(document.activeElement).toBe(field())
  await userEvent.keyboard('o{Enter}')
  await expect.poll(() => exists('src/foo.ts')).toBe(true)
})

test('a rename started during another one stays open', async () => {
  const release = holdCalls(here.playground.session.workspace, 'move')
  focus('README.md')
  await rename('HOME.md')
  await page.getByRole('treeitem', { name: 'a.ts', exact: true }).click({ button: 'right' })
  await userEvent.keyboard('{F2}fo')
  release()
  await expect.poll(notice).toBe('Renamed README.md to HOME.md')
  await expect.poll(paths).toContain('HOME.md')
  expect(document.activeElement).toBe(field())
  await userEvent.keyboard('o{Enter}')
  await expect.poll(() => exists('src/foo.ts')).toBe(true)
})

test('a file opened by name is shown in the tree', async () => {
  focus('docs')
  await userEvent.keyboard('{Control>}p{/Control}')
  await expect.element(page.getByRole('dialog', { name: 'Open a file' })).toBeVisible()
  await userEvent.keyboard('deep')
  await expect.element(page.getByRole('option', { name: /deep/ }).first()).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(paths).toContain('src/lib/deep.ts')
  await expect.poll(() => row('src/lib/deep.ts').tabIndex).toBe(0)
})

function treeOf(onOpen: (path: string) => void): {
  element: HTMLElement
  select: (path: string) => void
  show: (...paths: string[]) => void
  rename: () => void
} {
  const tree = createFileTree({
    onOpen,
    actions: { create: nothing, move: nothing, remove: nothing, undo: nothing, tell: () => undefined },
  })
  document.body.append(tree.element)
  onTestFinished(() => tree.element.remove())
  const show = (...paths: string[]): void => {
    const entries = paths.map(
      (path): TreeEntry => (path.endsWith('/') ? { path: path.slice(0, -1), kind: 'dir', size: 0 } : { path, kind: 'file', size: 1 }),
    )
    tree.show({ entries, changes: new Map(), latest: new Set() })
  }
  return { element: tree.element, select: tree.select, show, rename: tree.rename }
}

test('after the focused entry is removed, its neighbour has the focus, and its folder last', () => {
  const { element, select, show } = treeOf(() => undefined)
  show('dir/', 'dir/a', 'dir/b', 'dir/c', 'z')
  select('dir/b')
  element.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  const left: (string | undefined)[] = []
  for (const files of [['dir/a', 'dir/c', 'z'], ['dir/a', 'z'], ['z']]) {
    show('dir/', ...files)
    left.push(focusedPath())
  }
  expect(left).toEqual(['dir/c', 'dir/a', 'dir'])
})

test('after the focused entry’s folder is removed, the folder’s neighbour has the focus', () => {
  const { element, select, show } = treeOf(() => undefined)
  show('a/', 'b/', 'b/c/', 'b/c/d', 'e/', 'f')
  select('b/c/d')
  element.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  show('a/', 'e/', 'f')
  expect(focusedPath()).toBe('e')
})

test('a click applies to the row on which it started', async () => {
  const opened: string[] = []
  const { element, show } = treeOf((path) => opened.push(path))
  element.style.height = '300px'
  show('b', 'c', 'd')
  element.addEventListener('pointerdown', () => show('a', 'b', 'c', 'd'))
  const before = [...element.querySelectorAll('[role=treeitem]')]
  await page.elementLocator(before[1] as Element).click()
  expect(opened).toEqual(['c'])
  expect(focusedPath()).toBe('c')
  // Rows that stay visible keep their elements.
  expect([...element.querySelectorAll('[role=treeitem]')].slice(1)).toEqual(before)
})

test.each(['rename', 'new file'])('an unchanged name field does not swallow a click elsewhere in the tree: %s', async (what) => {
  const ask = async (): Promise<void> => {
    focus('README.md')
    if (what === 'rename') await userEvent.keyboard('{F2}')
    else await tool('New file').click()
    await expect.poll(() => document.activeElement).toBe(field())
  }
  await ask()
  await page.getByRole('treeitem', { name: 'a.ts', exact: true }).click()
  await expect.poll(() => here.find('.file-title').textContent).toBe('src/a.ts')
  expect(focusedPath()).toBe('src/a.ts')
  expect(field()).toBe(null)
  await ask()
  await page.getByRole('treeitem', { name: 'docs', exact: true }).click({ button: 'right' })
  expect(focusedPath()).toBe('docs')
})

test('the toolbar applies to the selected row, whatever else is shown', async () => {
  focus('src/a.ts')
  tool('Delete').element().focus()
  await here.playground.openFile('docs/guide.md')
  await userEvent.keyboard('{Enter}')
  await expect.poll(notice).toBe('Deleted a.ts')
  expect(await exists('docs/guide.md')).toBe(true)
})

test('a restored entry has the focus', async () => {
  focus('README.md')
  await rename('HOME.md')
  await expect.poll(notice).toBe('Renamed README.md to HOME.md')
  await expect.poll(focusedPath).toBe('HOME.md')
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(notice).toBe('Taken back: Renamed README.md to HOME.md')
  await expect.poll(focusedPath).toBe('README.md')
})

test('a name being typed for a removed entry disappears with it', async () => {
  const { element, select, show, rename: ask } = treeOf(() => undefined)
  show('a', 'b', 'c')
  select('b')
  element.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  ask()
  expect(document.activeElement?.className).toBe('tree-field')
  await userEvent.keyboard('HO')
  show('a', 'c')
  expect(focusedPath()).toBe('c')
  show('a', 'b', 'c')
  expect(element.querySelector('.tree-field')).toBe(null)
  expect(focusedPath()).toBe('c')
})

test('the neighbour that gets the focus may be an open folder', async () => {
  focus('src/lib')
  await userEvent.keyboard('{ArrowRight}')
  expect(paths()).toContain('src/lib/deep.ts')
  focus('src/a.ts')
  await userEvent.keyboard('{Delete}')
  await expect.poll(notice).toBe('Deleted a.ts')
  await expect.poll(focusedPath).toBe('src/lib')
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => exists('src/lib')).toBe(false)
  expect(await exists('src')).toBe(true)
})

test('a tree of 50,000 entries has only visible rows in the document, at both ends', async () => {
  const opened: string[] = []
  const tree = createFileTree({
    onOpen: (path) => opened.push(path),
    actions: { create: nothing, move: nothing, remove: nothing, undo: nothing, tell: () => undefined },
  })
  const holder = document.createElement('div')
  holder.style.cssText = 'display: flex; height: 600px; width: 250px'
  holder.append(tree.element)
  document.body.append(holder)
  onTestFinished(() => holder.remove())
  const entries: TreeEntry[] = Array.from({ length: 49_000 }, (_, index) => ({ path: `file-${index}.txt`, kind: 'file', size: 1 }))
  entries.push({ path: 'dir', kind: 'dir', size: 0 })
  for (let index = 0; index < 999; index += 1) entries.push({ path: `dir/below-${index}`, kind: 'file', size: 1 })
  tree.show({ entries, changes: new Map([['dir/below-998', 'added']]), latest: new Set(['dir/below-998']) })
  const rows = (): HTMLElement[] => [...tree.element.querySelectorAll<HTMLElement>('[role=treeitem]')]
  expect(rows().length).toBeLessThan(70)
  expect(rows()[0]?.getAttribute('aria-label')).toBe('dir, holds changes, just now')
  rows()[0]?.focus()
  await userEvent.keyboard('{End}')
  expect(document.activeElement?.getAttribute('data-path')).toBe('file-48999.txt')
  expect(document.activeElement?.getAttribute('aria-setsize')).toBe('49001')
  expect(rows().length).toBeLessThan(70)
  await userEvent.keyboard('{ArrowUp}{Enter}')
  expect(opened).toEqual(['file-48998.txt'])
  await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}')
  expect(document.activeElement?.getAttribute('data-path')).toBe('dir/below-0')
  // Scrolling does not move the tab stop.
  tree.element.scrollTop = 20_000 * 26
  await expect.poll(() => rows().some(({ dataset }) => dataset.path === 'file-19000.txt')).toBe(true)
  expect(rows().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
  expect(rows().length).toBeLessThan(70)
})

describe('a workspace without files, in detail', () => {
  test('differs from one in which no file is open', async () => {
    await here.playground.openFile('README.md')
    await userEvent.click(here.find('.editor-tab-close'))
    expect(here.texts('.offers:not([hidden]) strong')).toEqual(['Choose a file'])
    await offer('.pane-view', 'Find a file').click()
    await expect.element(page.getByRole('dialog').getByRole('combobox')).toHaveFocus()
  })

  test('offers a new file on a phone too', async () => {
    await empty()
    await page.viewport(390, 800)
    here.find('.pane-option input[value=view]').click()
    await offer('.pane-view', 'New file').click()
    await expect.poll(() => document.activeElement).toBe(field())
    await userEvent.keyboard('first.md{Enter}')
    await expect.poll(() => here.find('.panes').dataset.pane).toBe('view')
    expect(here.find('.file-title').textContent).toBe('first.md')
  })
})
