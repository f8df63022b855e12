// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { chooseTool, openPage, paste, type TestPage } from './page.js'
import { COMMAND, LINES, marks, NAME } from './visible-page.js'

describe('invisible characters on the page', () => {
  let here: TestPage
  const find = (selector: string): Element | null => here.root.querySelector(selector)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  async function open(): Promise<void> {
    here = await openPage({ files: { [NAME]: `needle(\u202e\u2066)\n`, 'a.txt': 'a\n' }, name: 'hostile' })
  }

  afterEach(async () => {
    await here.close()
  })

  test.each([
    [NAME, 'rtl⟨U+202E⟩gnp.js', 'U+202E'],
    [LINES, 'read⟨U+000A⟩me.txt', 'U+000A'],
  ])('are marked for %j in the tree, its tab, the search, the quick open list and a notice', async (name, told, mark) => {
    here = await openPage({ files: { [name]: 'needle(\u202e\u2066)\n' }, name: 'hostile' })
    const row = page.getByRole('treeitem', { name: told })
    await row.click()
    expect(row.element().querySelector('.tree-name')?.textContent).toBe(told)
    await expect.poll(() => find('.editor-tab-name')?.textContent).toBe(told)
    expect(find('.editor-tab')?.getAttribute('title')).toBe(told)
    await expect.poll(() => marks(find('.file-title'))).toEqual([mark])
    await expect.poll(() => find('.cm-content')?.getAttribute('aria-label')).toBe(`Text of ${told}`)
    await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
    const field = page.getByRole('textbox', { name: 'Search the text of files' })
    await expect.element(field).toHaveFocus()
    await field.fill('needle')
    await expect.poll(() => marks(find('.found-name'))).toEqual([mark])
    expect(marks(find('.found-text'))).toEqual(['U+202E U+2066'])
    expect(find('.found-line')?.getAttribute('title')).toBe('needle(⟨U+202E U+2066⟩)')
    await userEvent.keyboard('{Control>}p{/Control}')
    await expect.poll(() => marks(find('.quick-list'))).toEqual([mark])
    expect(find('.quick-option')?.getAttribute('title')).toBe(told)
    await userEvent.keyboard('{Escape}')
    await page.getByRole('tab', { name: 'Files' }).click()
    await row.click()
    ;(row.element() as HTMLElement).focus()
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => find('.notice p')?.textContent).toBe(`Deleted ${told}`)
  })

  test('are marked in the approval and history of a command, which runs unchanged', async () => {
    await open()
    await page.getByRole('combobox', { name: 'Which calls run' }).selectOptions('Ask first')
    await chooseTool('write_file')
    await page.getByLabelText('path', { exact: true }).fill('out.sh')
    paste(find('.tool-form textarea'), COMMAND)
    await button('Run').click()
    await expect.poll(() => marks(find('.approval .card-ask .diff-added'))).toEqual(['U+202E', 'U+2066', 'U+2069'])
    await button('Approve').click()
    const { workspace } = here.playground.session
    await expect.poll(() => workspace.exists('out.sh')).toBe(true)
    expect((await workspace.readText('out.sh')).text).toBe(COMMAND)
    await expect.poll(() => marks(find('.past-call .call-summary'))).toEqual(['U+202E', 'U+2066', 'U+2069'])
    expect(find('.run-again')?.getAttribute('aria-label')).toContain('⟨U+202E⟩')
  })

  test('are marked in the name of a checkpoint', async () => {
    await open()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('textbox', { name: 'What the checkpoint is for' }).fill(NAME)
    await button('Checkpoint').click()
    await expect.poll(() => marks(find('.moment-label'))).toEqual(['U+202E'])
    await page.getByRole('button', { name: /^rtl/ }).click()
    await expect.poll(() => marks(find('.pane-moment .file-title'))).toEqual(['U+202E'])
  })
})
