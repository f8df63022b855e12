// @module-tag playground
import '../../demo/src/styles/index.css'
import { FsError } from 'toolport'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { TreeEntry } from '../../demo/src/session.js'
import { joined } from '../../demo/src/tree/commands.js'
import { createFileTree } from '../../demo/src/tree/file-tree.js'
import { holdCalls } from './held.js'
import { axeViolations, openPage, type TestPage } from './page.js'

const FILES = {
  'README.md': '# Read me\n',
  'docs/guide.md': '# Guide\n',
  'src/a.ts': 'export const a = 1\n',
  'src/lib/deep.ts': 'export const deep = 1\n',
}

let here: TestPage

beforeEach(async () => {
  here = await openPage({ files: FILES, name: 'tree' })
  await page.getByRole('treeitem', { name: 'src' }).click()
})

afterEach(async () => {
  await here.close()
  delete document.documentElement.dataset.theme
})

const paths = (): (string | undefined)[] => [...here.root.querySelectorAll<HTMLElement>('[role=treeitem]')].map((row) => row.dataset.path)
const row = (path: string): HTMLElement => {
  const found = [...here.root.querySelectorAll<HTMLElement>('[role=treeitem]')].find((one) => one.dataset.path === path)
  if (!found) throw new Error(`${path} is not shown`)
  return found
}
const focusedPath = (): string | undefined =>
  document.activeElement instanceof HTMLElement ? document.activeElement.dataset.path : undefined
const exists = (path: string): Promise<boolean> => here.playground.session.workspace.exists(path)
const field = (): HTMLInputElement | null => here.root.querySelector('.tree-field')
/** What is said to be wrong with the name, where the field says it. */
const problem = (): string | undefined => {
  const words = document.getElementById(field()?.getAttribute('aria-describedby') ?? '')
  return words?.checkVisibility() ? (words.textContent ?? '') : undefined
}
const notice = (): string => here.find('.notice p').textContent ?? ''
const tool = (name: string) => page.getByRole('toolbar', { name: 'Change files' }).getByRole('button', { name, exact: true })

/** Gives the row the focus, as a click on it would, and opens nothing. */
function focus(path: string): void {
  // The tab stop is moved by keys: a type-ahead finds it.
  here.find('[role=treeitem][tabindex="0"]').focus()
  for (let steps = 0; focusedPath() !== path && steps < 50; steps += 1) {
    const down = paths().indexOf(path) > paths().indexOf(focusedPath())
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: down ? 'ArrowDown' : 'ArrowUp', bubbles: true }))
  }
  expect(focusedPath()).toBe(path)
}

async function rename(to: string): Promise<void> {
  await userEvent.keyboard('{F2}')
  await expect.poll(() => document.activeElement).toBe(field())
  await userEvent.keyboard('{Control>}a{/Control}')
  await userEvent.keyboard(`${to}{Enter}`)
}

describe('a rename', () => {
  test('is done in place by keys, and what is open goes with it', async () => {
    await here.playground.openFile('src/a.ts')
    focus('src/a.ts')
    await userEvent.keyboard('{F2}')
    expect(field()?.value).toBe('a.ts')
    // The name without what says its kind.
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

  test('of a directory keeps what is below it', async () => {
    focus('src')
    await rename('lib')
    await expect.poll(() => exists('lib/lib/deep.ts')).toBe(true)
    expect(await exists('src')).toBe(false)
  })

  test('to what is there already is refused, and can be corrected', async () => {
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

  test.each(['README.md/', './README.md'])('to what it has, as %j, changes nothing', async (name) => {
    focus('README.md')
    await userEvent.keyboard('{F2}')
    await userEvent.fill(field() as HTMLInputElement, name)
    await userEvent.keyboard('{Enter}')
    await expect.poll(field).toBeNull()
    expect(focusedPath()).toBe('README.md')
    expect(notice()).toBe('')
  })

  test.each([
    ['../../x.md', '“../../x.md” is outside of the workspace. Choose another name.'],
    ['.', '“.” cannot be used as a name. Choose another name.'],
    ['docs/.', '“docs/.” cannot be used as a name. Choose another name.'],
    ['/', '“/” cannot be used as a name. Choose another name.'],
    ['src/a.ts/x.md', 'A part of “src/a.ts/x.md” is a file, not a folder. Choose another name.'],
    ['a\\b', 'A name cannot hold “\\”: “/” goes between folders. Choose another name.'],
    ['x'.repeat(300), 'That name is too long. Choose another name.'],
    ['docs/guide.md', '“docs/guide.md” is there already. Choose another name.'],
  ])('to %j is refused in plain words', async (name, words) => {
    focus('README.md')
    await userEvent.keyboard('{F2}')
    await userEvent.fill(field() as HTMLInputElement, name)
    await userEvent.keyboard('{Enter}')
    await expect.poll(problem).toBe(words)
    expect(field()?.value).toBe(name)
  })

  test('of a folder into itself is refused in plain words', async () => {
    focus('src')
    await rename('src/lib/src')
    await expect.poll(problem).toBe('A folder cannot go into itself. Choose another name.')
  })

  test('that a rule forbids says so at the field', async () => {
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

  test('that is refused is given up by going elsewhere twice', async () => {
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

  test('that is refused when its field is not seen any more is told by a message', async () => {
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

  test('is left by Escape, and keys in the field are its own', async () => {
    focus('README.md')
    await userEvent.keyboard('{F2}{Control>}a{/Control}{Delete}x{ArrowLeft}{Home}{Escape}')
    expect(field()).toBeNull()
    expect(focusedPath()).toBe('README.md')
    expect(await exists('README.md')).toBe(true)
  })

  test('stays open while the tree is drawn anew', async () => {
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

describe('a move', () => {
  test('by cutting and pasting', async () => {
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

  test('by dragging onto a directory, and onto the root', async () => {
    await userEvent.dragAndDrop(row('README.md'), row('docs'))
    await expect.poll(() => exists('docs/README.md')).toBe(true)
    await expect.poll(paths).toContain('docs/README.md')
    await userEvent.dragAndDrop(row('docs/README.md'), here.find('.tree'), { targetPosition: { x: 100, y: 400 } })
    await expect.poll(() => exists('README.md')).toBe(true)
  })

  test('onto a folder that has such a name is refused in plain words', async () => {
    await here.playground.session.workspace.writeText('docs/README.md', 'another\n')
    await userEvent.dragAndDrop(row('README.md'), row('docs'))
    await expect.poll(notice).toBe('“README.md” was not moved. “docs/README.md” is there already.')
    expect(await exists('README.md')).toBe(true)
  })

  test('into itself is no move', async () => {
    await userEvent.dragAndDrop(row('src'), row('src/lib'))
    expect(await exists('src/a.ts')).toBe(true)
    expect(here.find('.notice').hidden).toBe(true)
  })

  test('by its path', async () => {
    focus('src/a.ts')
    await tool('Move').click()
    expect(field()?.value).toBe('src/a.ts')
    await userEvent.keyboard('{Control>}a{/Control}new/place/a.ts{Enter}')
    await expect.poll(() => exists('new/place/a.ts')).toBe(true)
    await expect.poll(focusedPath).toBe('new/place/a.ts')
  })

  test.each([
    ['src', 'b.ts', 'src/b.ts'],
    ['src', '../b.ts', 'b.ts'],
    ['src', '/b.ts', 'b.ts'],
    ['src', './x//b.ts', 'src/x/b.ts'],
    ['', 'b', 'b'],
    ['src', '../../b', undefined],
    ['src', '..', ''],
    ['', '..', undefined],
  ])('from %j to %j leads to %j', (directory, name, expected) => {
    expect(joined(directory, name)).toBe(expected)
  })
})

describe('deleting', () => {
  test('a file is undone by its button', async () => {
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

  test('that fails, and what cannot be taken back, is told in plain words', async () => {
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

  test('a directory is undone by keys, with all that is in it and nothing else', async () => {
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

test('keys are for what has the focus, however it came there', async () => {
  focus('src/a.ts')
  await page.getByRole('treeitem', { name: 'README.md' }).click({ button: 'right' })
  expect(focusedPath()).toBe('README.md')
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => exists('README.md')).toBe(false)
  expect(await exists('src/a.ts')).toBe(true)
  await expect.poll(focusedPath).not.toBe('README.md')
  // As what reads the page out gives it.
  row('docs').focus()
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => exists('docs')).toBe(false)
  expect(await exists('src/a.ts')).toBe(true)
  expect(here.root.querySelectorAll('[role=treeitem][tabindex="0"]')).toHaveLength(1)
})

test('whoever is at work in the tree stays there, whatever else is shown meanwhile', async () => {
  focus('docs')
  await here.playground.openFile('src/a.ts')
  expect(focusedPath()).toBe('docs')
  expect(row('src/a.ts').getAttribute('aria-selected')).toBe('true')
  // From elsewhere, the tab stop goes along.
  here.find('.terminal-switch').focus()
  await here.playground.openFile('README.md')
  expect(row('README.md').tabIndex).toBe(0)
})

test('whoever has gone on elsewhere is not taken back when something ends', async () => {
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

test('whoever has chosen something else in the tree stays there when a name is taken, also with the keys', async () => {
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

test('a name that is being typed is left alone when something ends', async () => {
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

test('a name that is asked for while another one is taken stays', async () => {
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

test('a file that is chosen by its name is shown in the tree, also from there', async () => {
  focus('docs')
  await userEvent.keyboard('{Control>}p{/Control}')
  await expect.element(page.getByRole('dialog', { name: 'Open a file' })).toBeVisible()
  await userEvent.keyboard('deep')
  await expect.element(page.getByRole('option', { name: /deep/ }).first()).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(paths).toContain('src/lib/deep.ts')
  await expect.poll(() => row('src/lib/deep.ts').tabIndex).toBe(0)
})

describe('what is new', () => {
  test('a file is made where the focus is, and opened', async () => {
    focus('src/a.ts')
    await tool('New file').click()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Name of the new file')
    await userEvent.keyboard('fresh/new.ts{Enter}')
    await expect.poll(() => exists('src/fresh/new.ts')).toBe(true)
    await expect.poll(() => here.find('.file-title').textContent).toBe('src/fresh/new.ts')
    await expect.element(page.getByRole('treeitem', { name: 'new.ts, added, just now' })).toBeVisible()
  })

  test('a folder; a name that is taken is refused', async () => {
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

test('what the last change did is marked beside what has changed since the beginning', async () => {
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

test('where what has the focus goes, what is beside it has it, and its folder last', () => {
  const nothing = async (): Promise<undefined> => undefined
  const tree = createFileTree({
    onOpen: () => undefined,
    actions: { create: nothing, move: nothing, remove: nothing, undo: nothing, tell: () => undefined },
  })
  document.body.append(tree.element)
  onTestFinished(() => tree.element.remove())
  const show = (...files: string[]): void => {
    const entries = files.map((path): TreeEntry => ({ path, kind: 'file', size: 1 }))
    tree.show({ entries: [{ path: 'dir', kind: 'dir', size: 0 }, ...entries], changes: new Map(), latest: new Set() })
  }
  show('dir/a', 'dir/b', 'dir/c', 'z')
  tree.select('dir/b')
  tree.element.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  const left: (string | undefined)[] = []
  for (const files of [['dir/a', 'dir/c', 'z'], ['dir/a', 'z'], ['z']]) {
    show(...files)
    left.push(focusedPath())
  }
  expect(left).toEqual(['dir/c', 'dir/a', 'dir'])
})

const nothing = async (): Promise<undefined> => undefined
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

test('where a folder goes with what has the focus, what is beside the folder has it', () => {
  const { element, select, show } = treeOf(() => undefined)
  show('a/', 'b/', 'b/c/', 'b/c/d', 'e/', 'f')
  select('b/c/d')
  element.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  show('a/', 'e/', 'f')
  expect(focusedPath()).toBe('e')
})

test('a click is for the row on which it has begun, wherever that is when it ends', async () => {
  const opened: string[] = []
  const { element, show } = treeOf((path) => opened.push(path))
  element.style.height = '300px'
  show('b', 'c', 'd')
  element.addEventListener('pointerdown', () => show('a', 'b', 'c', 'd'))
  const before = [...element.querySelectorAll('[role=treeitem]')]
  await page.elementLocator(before[1] as Element).click()
  expect(opened).toEqual(['c'])
  expect(focusedPath()).toBe('c')
  // What is shown still is not made anew.
  expect([...element.querySelectorAll('[role=treeitem]')].slice(1)).toEqual(before)
})

test.each(['rename', 'new file'])('a name that was left as it is takes nothing from a press elsewhere in the tree: %s', async (what) => {
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

test('what the toolbar is for stays what was chosen, whatever else is shown meanwhile', async () => {
  focus('src/a.ts')
  tool('Delete').element().focus()
  await here.playground.openFile('docs/guide.md')
  await userEvent.keyboard('{Enter}')
  await expect.poll(notice).toBe('Deleted a.ts')
  expect(await exists('docs/guide.md')).toBe(true)
})

test('what is taken back has the focus', async () => {
  focus('README.md')
  await rename('HOME.md')
  await expect.poll(notice).toBe('Renamed README.md to HOME.md')
  await expect.poll(focusedPath).toBe('HOME.md')
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(notice).toBe('Taken back: Renamed README.md to HOME.md')
  await expect.poll(focusedPath).toBe('README.md')
})

test('a name that is typed for what is gone meanwhile goes with it, and does not come back', async () => {
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

test('what has the focus then is beside it also where that is a folder that is open', async () => {
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

test('a tree of 50,000 entries has the rows in the document that can be seen, at both its ends', async () => {
  const opened: string[] = []
  const nothing = async (): Promise<undefined> => undefined
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
  // Scrolled by hand, the tab stop stays.
  tree.element.scrollTop = 20_000 * 26
  await expect.poll(() => rows().some(({ dataset }) => dataset.path === 'file-19000.txt')).toBe(true)
  expect(rows().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
  expect(rows().length).toBeLessThan(70)
})

test.each(['light', 'dark'])('no violation, %s', async (theme) => {
  document.documentElement.dataset.theme = theme
  focus('src/a.ts')
  await userEvent.keyboard('{Control>}x{/Control}')
  expect(await axeViolations()).toEqual([])
  await userEvent.keyboard('{F2}')
  expect(await axeViolations()).toEqual([])
  await userEvent.keyboard('{Control>}a{/Control}lib{Enter}')
  await expect.poll(problem).toBe('“lib” is there already. Choose another name.')
  expect(await axeViolations()).toEqual([])
  await userEvent.keyboard('{Control>}a{/Control}b.ts{Enter}')
  await expect.poll(notice).toBe('Renamed a.ts to b.ts')
  expect(await axeViolations()).toEqual([])
})

describe('a workspace without files', () => {
  const offers = (pane: string) => page.elementLocator(here.find(`${pane} .offers:not([hidden])`))
  const offer = (pane: string, name: string) => offers(pane).getByRole('button', { name })

  async function empty(): Promise<void> {
    await here.playground.load('empty', {})
    await expect.poll(() => here.texts('.offers:not([hidden]) strong')).toEqual(['No files yet', 'No files yet'])
  }

  test('offers a new file, in the tree and where files are shown, and is back when its name is not given', async () => {
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
    // And again when the last one is gone.
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

  test('is told apart from one where no file is open, which can be found by its name', async () => {
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

  test.each(['light', 'dark'])('has no violation, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    await empty()
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 800)
    for (const pane of ['files', 'view']) {
      here.find(`.pane-option input[value=${pane}]`).click()
      expect(await axeViolations()).toEqual([])
    }
  })
})
