// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { begunHomes, knownHomes } from '../../demo/src/homes/known-homes.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import {
  again,
  asksToLeave,
  choose,
  detail,
  dialogHasGone,
  FILES,
  forgetAfterwards,
  KEPT,
  newName,
  openDialog,
  problem,
  shown,
  useWorkspacesPage,
  writeNote,
} from './workspaces-page.js'

useWorkspacesPage()

describe('a persistent workspace', () => {
  test.each(KEPT)('a workspace in %s keeps files and changes over a reload', async (kind, label, place) => {
    const home = { kind, name: newName() }
    forgetAfterwards(home)
    await choose(label, home.name)
    await expect.poll(detail).toContain(place)
    expect(shown.find('.workspace-name').textContent).toBe(home.name)
    const { runtime } = shown.playground.session
    await runtime.call('write_file', { path: 'src/new.ts', content: 'export const b = 2\n' })
    await runtime.call('edit_file', { path: 'src/a.ts', edits: [{ old_string: '1', new_string: '3' }] })
    await again()
    expect(detail()).toBe(`4 files, ${41 + 7 + 3 - 3} B, ${place}`)
    const { workspace } = shown.playground.session
    expect(await workspace.files()).toEqual({ ...FILES, 'src/a.ts': 'export const a = 3\n', 'src/new.ts': 'export const b = 2\n' })
    // Checkpoints are stored too.
    expect((await workspace.checkpoints()).length).toBeGreaterThan(1)
  })

  test('is deleted after a second confirmation', async () => {
    const home = { kind: 'opfs', name: newName() } as const
    forgetAfterwards(home)
    await choose('Private file system', home.name)
    await expect.poll(detail).toContain('private file system')
    await shown.playground.load('other', { 'x.txt': 'x\n' })
    await openDialog()
    await page.getByRole('button', { name: `Delete ${home.name}` }).click()
    expect(knownHomes()).toHaveLength(1)
    await page.getByRole('button', { name: /for good/ }).click()
    await expect.poll(() => knownHomes().length).toBe(0)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await shown.playground.move(home)
    expect(Object.keys(await shown.playground.session.workspace.files())).toEqual(['x.txt'])
  })
})

describe('a temporary workspace', () => {
  test('can be left without a question until it changes', async () => {
    expect(asksToLeave()).toBe(false)
    await writeNote()
    expect(asksToLeave()).toBe(true)
    await page.getByRole('button', { name: /^Start over/ }).click()
    await expect.poll(asksToLeave).toBe(false)
  })

  test('cannot be left without a question while there is unsaved text', async () => {
    await shown.playground.openFile('src/a.ts')
    await page.getByRole('textbox', { name: 'Text of src/a.ts' }).click()
    await userEvent.keyboard('// not saved')
    await openDialog()
    await page.getByRole('button', { name: /^Open the sample A data-cleaning task/ }).click()
    await expect.element(page.getByText('1 text that is not saved will be gone')).toBeVisible()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await expect.element(page.getByRole('tab', { name: 'a.ts, not saved' })).toBeInTheDocument()
  })
})

describe('making a workspace persistent', () => {
  test('keeps the open files and their unsaved text', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await shown.playground.openFile('src/a.ts')
    await page.getByRole('textbox', { name: 'Text of src/a.ts' }).click()
    await userEvent.keyboard('{Control>}{Home}{/Control}// not saved{Enter}')
    await expect.element(page.getByRole('tab', { name: 'a.ts, not saved' })).toBeVisible()
    await choose('IndexedDB', home.name)
    await expect.poll(detail).toContain('in IndexedDB')
    await dialogHasGone()
    await expect.element(page.getByRole('tab', { name: 'a.ts, not saved' })).toBeVisible()
    await expect.poll(() => localStorage.getItem('toolport.drafts')).toContain(`indexeddb:${home.name}`)
    expect(localStorage.getItem('toolport.drafts')).not.toContain('memory:')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(page.getByRole('treeitem', { name: 'a.ts, modified' })).toBeVisible()
    expect((await shown.playground.session.workspace.readText('src/a.ts')).text).toBe('// not saved\nexport const a = 1\n')
  })
})

describe('a workspace that cannot be opened', () => {
  test('a workspace open in another tab is reported, and the current one stays', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    let end = (): void => undefined
    const held = new Promise<void>((resolve) => {
      void navigator.locks.request(`toolport:${home.name}`, () => {
        resolve()
        return new Promise<void>((release) => {
          end = release
        })
      })
    })
    await held
    await choose('IndexedDB', home.name)
    await expect.poll(problem).toContain('in another tab')
    expect(detail()).toContain('in memory')
    localStorage.setItem('toolport.workspaces', JSON.stringify({ known: [{ ...home, opened: 1 }], last: `indexeddb:${home.name}` }))
    await again()
    expect(detail()).toContain('in memory')
    await expect.element(page.getByText(/is open in another tab. Close that tab/)).toBeVisible()
    await expect(deleteHome(home)).rejects.toThrow()
    expect(begunHomes()).toEqual([])
    end()
    await again()
    await expect.poll(detail).toContain('in IndexedDB')
  })
})

describe('the workspace dialog', () => {
  test('takes the focus, returns it, and disables the page’s keys', async () => {
    const button = page.getByRole('button', { name: /^Workspace/ })
    button.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('dialog')).toBeVisible()
    expect(page.getByRole('dialog').element().contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(shown.texts('.pill')).toEqual([])
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => document.activeElement).toBe(button.element())
  })
})
