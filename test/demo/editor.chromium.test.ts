// @module-tag playground
import '../../demo/src/styles/index.css'
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createDraftStore } from '../../demo/src/editor/drafts.js'
import { createSession } from '../../demo/src/session.js'
import {
  again,
  bar,
  button,
  change,
  edit,
  FILES,
  here,
  lines,
  noticed,
  paneOn,
  read,
  said,
  save,
  tabs,
  typeAt,
  useEditorPage,
  workspace,
} from './editor-page.js'

useEditorPage()

const shownTab = (): string | undefined => here.root.querySelector<HTMLElement>('.editor-tab[aria-selected=true]')?.dataset.path

describe('editor tabs', () => {
  test('contain the open files, and can be selected and closed by keyboard', async () => {
    await edit('src/a.ts')
    await edit('src/b.ts')
    expect(tabs()).toEqual(['a.ts', 'b.ts'])
    here.find('.editor-tab[tabindex="0"]').focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(shownTab()).toBe('src/a.ts')
    await expect.poll(() => lines()[0]).toBe('export const a = 1')
    await userEvent.keyboard('{ArrowLeft}')
    expect(shownTab()).toBe('src/b.ts')
    await userEvent.keyboard('{Home}{Delete}')
    await expect.poll(tabs).toEqual(['b.ts'])
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('b.ts')
    await userEvent.keyboard('{Delete}')
    await expect.element(page.getByText('Choose a file')).toBeVisible()
    expect(here.root.querySelector('[role=treeitem][aria-selected=true]')).toBeNull()
  })

  test('show unsaved text, and ask before they close', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await expect.poll(tabs).toEqual(['a.ts, not saved'])
    await userEvent.click(here.find('.editor-tab-close'))
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(tabs()).toEqual(['a.ts, not saved'])
    await userEvent.click(here.find('.editor-tab-close'))
    await page.getByRole('dialog', { name: 'Save a.ts?' }).getByRole('button', { name: 'Save' }).click()
    await expect.poll(tabs).toEqual([])
    expect(await read('src/a.ts')).toContain('export const a = 1 // mine\n')

    await edit('src/a.ts')
    await typeAt(1, ' again')
    await userEvent.click(here.find('.editor-tab-close'))
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await expect.poll(tabs).toEqual([])
    expect(await read('src/a.ts')).not.toContain('again')
  })
})

describe('saving in the editor', () => {
  test('writes the text, reports it, marks the line, and can be undone from the timeline', async () => {
    await edit('src/a.ts')
    await typeAt(2, ' // mine')
    await save()
    await expect.poll(said).toBe('Saved src/a.ts')
    expect(await read('src/a.ts')).toBe(FILES['src/a.ts'].replace('b = 2', 'b = 2 // mine'))
    await expect.element(page.getByRole('treeitem', { name: 'a.ts, modified' })).toBeVisible()
    expect(here.texts('.line.is-changed')).toEqual(['export const b = 2 // mine'])
    await expect.poll(tabs).toEqual(['a.ts'])
    await typeAt(2, ' again')
    await save()
    await expect.poll(() => read('src/a.ts')).toContain('again')
    const kept = (await workspace().checkpoints()).find(({ label }) => label === 'Before saving src/a.ts')
    await workspace().restore(kept?.id ?? '')
    expect(await read('src/a.ts')).toBe(FILES['src/a.ts'].replace('b = 2', 'b = 2 // mine'))
  })

  test.each([
    ['crlf.txt', '\ufeffone!\r\ntwo\r\n'],
    ['mixed.txt', 'one\r\ntwo\nthree\r\n'.replace('two', 'two!')],
  ])('keeps line ends and byte order mark: %s', async (path, expected) => {
    await edit(path)
    await typeAt(path === 'crlf.txt' ? 1 : 2, '!')
    await save()
    await expect.poll(said).toBe(`Saved ${path}`)
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode((await workspace().readBytes(path)).bytes)).toBe(expected)
  })

  test('does not overwrite unseen changes', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await workspace().writeText('src/a.ts', 'theirs\n')
    await save()
    await expect.poll(said).toContain('Not saved')
    expect(await read('src/a.ts')).toBe('theirs\n')
    await expect.poll(bar).toContain('1 place was changed by both')
    await expect.element(button('Save the merge')).toBeVisible()
  })
})

describe('a change of an open file', () => {
  test('is merged with unsaved text, place by place', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await change('src/a.ts', 'e = 5', 'e = 50')
    await noticed()
    await expect.poll(tabs).toEqual(['a.ts, not saved, changed underneath'])
    await button('Merge').click()
    expect(bar()).toContain('Both changes fit together')
    expect(lines()).toEqual(expect.arrayContaining(['export const a = 1 // mine', 'export const e = 50']))
    await button('Save the merge').click()
    await expect.poll(said).toContain('Saved src/a.ts')
    expect(await read('src/a.ts')).toBe(FILES['src/a.ts'].replace('a = 1', 'a = 1 // mine').replace('e = 5', 'e = 50'))
    await expect.poll(bar).toBeUndefined()
  })

  test('a conflicting change can be resolved place by place', async () => {
    await edit('src/a.ts')
    // The buttons stay visible, however long the lines are.
    await typeAt(1, ' // mine, ')
    document.execCommand('insertText', false, 'long '.repeat(50))
    await change('src/a.ts', 'a = 1', 'a = 100')
    await noticed()
    await button('Merge').click()
    expect(bar()).toContain('1 place was changed by both')
    const pane = here.find('.editor-host').getBoundingClientRect()
    for (const name of ['Keep mine', 'Take theirs']) {
      const { left, right } = here.find(`.chunk-${name === 'Keep mine' ? 'accept' : 'reject'}`).getBoundingClientRect()
      expect(left >= pane.left && right <= pane.right, name).toBe(true)
    }
    expect(here.find('.cm-deletedChunk').textContent).toContain('export const a = 100')
    await button('Take theirs').click()
    expect(here.root.querySelector('.cm-deletedChunk')).toBeNull()
    await button('Save the merge').click()
    await expect.poll(tabs).toEqual(['a.ts'])
    expect(await read('src/a.ts')).toContain('export const a = 100\n')
  })

  test('a change that deletes the file keeps the unsaved text, which can be saved again', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await workspace().remove('src/a.ts')
    await noticed()
    await expect.poll(bar).toContain('This file was deleted')
    expect(lines()[0]).toBe('export const a = 1 // mine')
    await button('Save it again').click()
    await expect.poll(said).toBe('Saved src/a.ts')
    expect(await read('src/a.ts')).toContain('// mine')
    await expect.poll(bar).toBeUndefined()
  })
})

describe('an unsaved draft', () => {
  beforeEach(again)

  test('is offered after a reload, and restored', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await again()
    await expect.poll(bar).toBe('Not saved when this page was left: a.ts.')
    await button('Open').click()
    await expect.poll(() => lines()[0]).toBe('export const a = 1 // mine')
    expect(tabs()).toContain('a.ts, not saved')
    await save()
    await expect.poll(said).toBe('Saved src/a.ts')
    await again()
    expect(bar()).toBeUndefined()
  })

  test('is merged if the file changed', async () => {
    const store = createDraftStore('toolport.drafts')
    const base = FILES['src/a.ts'].replace('e = 5', 'e = before')
    store.put('memory:edited', { path: 'src/a.ts', text: base.replace('a = 1', 'a = 7'), base, time: Date.now(), visit: 'before' })
    await again()
    await button('Open').click()
    await expect.poll(bar).toContain('changed underneath')
    await button('Merge').click()
    await button('Save the merge').click()
    await expect.poll(() => read('src/a.ts')).toBe(FILES['src/a.ts'].replace('a = 1', 'a = 7'))
  })

  test('is kept until the user decides, whatever is typed meanwhile', async () => {
    const draft = { path: 'src/a.ts', text: 'from before\n', time: Date.now(), visit: 'before' }
    createDraftStore('toolport.drafts').put('memory:edited', draft)
    await again()
    await edit('src/a.ts')
    await typeAt(1, ' // since')
    await again()
    expect(createDraftStore('toolport.drafts').list('memory:edited')).toEqual([
      draft,
      expect.objectContaining({ text: expect.stringContaining('// since') }),
    ])
    await edit('src/a.ts')
    await typeAt(1, ' // now')
    await button('Open').click()
    // The latest draft; the text that was typed now is one undo away.
    await expect.poll(() => lines()[0]).toBe('export const a = 1 // since')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => lines()[0]).toBe('export const a = 1 // now')
  })
})

describe('read-only views', () => {
  test('a read-only workspace shows “read-only” and rejects typing', async () => {
    const fs = createMemoryFs()
    await createWorkspace({ fs }).writeText('a.txt', 'fixed\n')
    const session = { ...createSession('fixed', {}), workspace: createWorkspace({ fs, policy: { readOnly: true } }) }
    const { element, open, save: tryToSave } = await paneOn(session)
    await open('a.txt')
    await expect.poll(() => element.querySelector('.cm-content')?.getAttribute('aria-readonly')).toBe('true')
    expect(element.querySelector('.editor-bar:not([hidden])')?.textContent).toContain('read-only')
    await userEvent.click(element.querySelector('.cm-line') as Element)
    await userEvent.keyboard('x')
    expect(element.querySelector('.cm-line')?.textContent).toBe('fixed')
    expect(await tryToSave()).toBe(false)
    await session.close()
  })
})

describe('the text of the editor', () => {
  test('can be searched', async () => {
    await edit('src/a.ts')
    here.find('.cm-content').focus()
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.keyboard('const')
    await expect.poll(() => here.root.querySelectorAll('.cm-searchMatch').length).toBe(5)
    await userEvent.keyboard('{Enter}{Enter}{Escape}')
    expect(here.find('.editor-place').textContent).toBe('Line 2, column 13')
  })
})
