// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, edit, FILES, focusedName, status, texts, treeItem } from './playground-page.js'
import { find, playground, root, withPlayground } from './terminal-page.js'

withPlayground(FILES, 900)

describe('the page header', () => {
  test.each([1300, 1200, 1100, 1024, 900, 700, 390])('fills the width and shows all its content, %i wide', async (width) => {
    await page.viewport(width, 844)
    const { right } = find('.header').getBoundingClientRect()
    const end = find('.header-actions').getBoundingClientRect().right
    expect(right - end).toBeGreaterThan(0)
    expect(right - end).toBeLessThanOrEqual(16)
    const detail = find('.workspace-detail')
    expect(detail.scrollWidth).toBeLessThanOrEqual(detail.clientWidth)
  })
})

describe('editing through the form', () => {
  test('unmarks a file when the change is reverted', async () => {
    await edit('src/greet.ts', 'Hello', 'Good morning')
    await expect.element(treeItem('src, holds changes')).toBeVisible()
    await edit('src/greet.ts', 'Good morning', 'Hello')
    await expect.poll(() => find('.pane-files .pane-foot').textContent).toBe('No changes since it was loaded')
    expect(root.querySelector('.tree-mark')).toBeNull()
  })
})

describe('the tool form', () => {
  test('names missing fields', async () => {
    await choose('grep')
    await page.getByRole('button', { name: 'Clear' }).click()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(await status()).toBe('invalid_input')
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveFocus()
  })

  /** Label of an example whose program fails or is stopped -> its expected outcome. */
  const ENDS = new Map([
    ['A failing command', /^exit 3$/],
    ['A package (install it first)', /^exit 1$/],
    ['An error', /^exit 1$/],
    ['One that has to be stopped', /^timed out$/],
  ])

  test('has runnable examples for every tool', async () => {
    for (const { name } of playground.session.runtime.registry.getModelManifest()) {
      await choose(name)
      for (const chip of root.querySelectorAll('.chip')) {
        find('.result').querySelector('.pill')?.remove()
        await userEvent.click(chip)
        await userEvent.keyboard('{Control>}{Enter}{/Control}')
        const ends = ENDS.get(chip.textContent ?? '') ?? /^(ok|error|invalid_input|denied|unsupported)$/
        expect(await status(), `${name}: ${chip.textContent}`).toMatch(ends)
        expect(texts('.form-problems p'), `${name}: ${chip.textContent}`).toEqual([])
      }
    }
    await expect.poll(() => find('.pane-files .pane-foot').textContent).toContain('added')
  }, 240_000)
})

describe('the list of tools', () => {
  const chosen = () => page.getByRole('button', { name: /^Tool: / })

  test('collapses to the clicked tool', async () => {
    await userEvent.click(chosen())
    await userEvent.click(page.getByText('glob', { exact: true }))
    await expect.element(page.getByRole('button', { name: 'Tool: glob' })).toHaveAttribute('aria-expanded', 'false')
    await expect.element(page.getByRole('button', { name: 'Tool: glob' })).toHaveFocus()
    await expect.element(page.getByRole('form', { name: 'Call a tool' }).getByLabelText('pattern', { exact: true })).toBeVisible()
  })

  test('is walked through by arrow keys', async () => {
    await choose('glob')
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(page.getByRole('button', { name: 'Tool: grep' })).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('button', { name: 'Tool: grep' })).toHaveAttribute('aria-expanded', 'false')
  })

  test.each([
    [1300, 850],
    [1024, 700],
    [390, 844],
  ])('leaves room for a filled example and the result, at %i × %i', async (width, height) => {
    await page.viewport(width, height)
    if (width < 861) {
      page.getByRole('radio', { name: 'Tools', exact: true }).element().focus()
      await userEvent.keyboard(' ')
    }
    await choose('bash')
    await page.getByRole('button', { name: 'Longest files' }).click()
    const box = (selector: string): DOMRect => find(selector).getBoundingClientRect()
    const first = find('.tool-form .input').getBoundingClientRect()
    expect(first.top).toBeGreaterThan(box('.form-scroll').top)
    // At least the first line of the form is above the buttons; the pane can be made higher.
    expect(first.top + 30).toBeLessThan(box('.run-bar').top)
    expect(box('.result').height).toBeGreaterThan(150)
    await choose('apply_patch')
    expect(box('.run-bar').height).toBeLessThan(60)
  })
})

describe('the file tree', () => {
  test('keeps few rows in the document for any number of files', async () => {
    const files = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`big/file-${index}.txt`, `${index}\n`]))
    await playground.load('many', files)
    expect(find('.workspace-detail').textContent).toContain('6,000 files')
    await playground.openFile('big/file-5999.txt')
    expect(root.querySelectorAll('[role=treeitem]').length).toBeLessThan(120)
    expect(find('[role=treeitem][aria-selected=true]').getAttribute('aria-posinset')).toBe('6000')
    find('[role=treeitem][aria-selected=true]').focus()
    await userEvent.keyboard('{Home}{ArrowDown}')
    expect(focusedName()).toBe('file-0.txt')
  })
})

test('the splitter between form and result is moved by keys', async () => {
  const handle = page.getByRole('separator', { name: 'Room for the form' })
  handle.element().focus()
  await userEvent.keyboard('{Home}')
  const small = find('.call-form').clientHeight
  await userEvent.keyboard('{End}')
  await expect.element(handle).toHaveAttribute('aria-valuenow', '80')
  expect(find('.call-form').clientHeight).toBeGreaterThan(small * 2)
})
