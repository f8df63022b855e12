// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, edit, FILES, focusedName, HOSTILE_NAME, HOSTILE_TEXT, status, texts, treeItem } from './playground-page.js'
import { find, playground, root, withPlayground } from './terminal-page.js'

withPlayground(FILES, 900)

const names = (): (string | null)[] => texts('.tree-name')

describe('editing through the form', () => {
  test('marks the change in the tree and the changed lines in the view', async () => {
    await playground.openFile('src/greet.ts')
    await edit('src/greet.ts', 'Hello', 'Good morning')
    expect(await status()).toBe('ok')

    const row = treeItem('greet.ts, modified')
    await expect.element(row).toBeVisible()
    expect(row.element().querySelector<HTMLElement>('.tree-mark')?.dataset.mark).toBe('M')
    await expect.element(treeItem('src, holds changes')).toBeVisible()
    expect(find('.line.is-changed.is-fresh').textContent).toBe('  return `Good morning, ` + name')
    expect(texts('.line.is-changed')).toHaveLength(1)
    expect(find('.pane-files .pane-foot').textContent).toBe('1 change: 1 modified')
    expect(texts('.result-panel:not([hidden]) .diff-added')).toEqual(['+  return `Good morning, ` + name'])
    expect(texts('.result-panel:not([hidden]) .diff-removed')).toEqual(['-  return `Hello, ` + name'])
    const { text } = await playground.session.workspace.readText('src/greet.ts')
    expect(text).toContain('Good morning')
  })

  test('shows a failure at the field that caused it', async () => {
    await edit('src/lib/deep/leaf.ts', '= 1', '= 2')
    expect(await status()).toBe('invalid_input')
    expect(find('.failure-message').textContent).toContain('appears 2 times')
    expect(find('.failure-code').textContent).toBe('ambiguous_match')
    await edit('src/greet.ts', 'Goodbye', '')
    await expect.poll(() => find('.failure-code').textContent).toBe('no_match')
    expect(root.querySelector('.tree-mark')).toBeNull()
  })

  test('sends a list of edits, and repeats one from the history', async () => {
    await choose('edit_file')
    await page.getByLabelText('path', { exact: true }).fill('src/greet.ts')
    await page.getByRole('button', { name: 'Add to edits' }).click()
    await page.getByLabelText('old_string', { exact: true }).nth(0).fill('Hello')
    await page.getByLabelText('new_string', { exact: true }).nth(0).fill('Hi')
    await page.getByLabelText('old_string', { exact: true }).nth(1).fill('greet(')
    await page.getByLabelText('new_string', { exact: true }).nth(1).fill('hail(')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    expect(await status()).toBe('ok')
    await page.getByRole('tab', { name: 'Call' }).click()
    expect(JSON.parse(find('.result-panel:not([hidden]) pre').textContent ?? '')).toEqual({
      name: 'edit_file',
      input: {
        path: 'src/greet.ts',
        edits: [
          { old_string: 'Hello', new_string: 'Hi' },
          { old_string: 'greet(', new_string: 'hail(' },
        ],
      },
    })
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('tab', { name: 'History 1' }).click()
    await userEvent.click(find('.past-call'))
    await expect.element(page.getByLabelText('new_string', { exact: true }).nth(1)).toHaveValue('hail(')
  })
})

describe('the tool form', () => {
  test('shows invalid input at its field', async () => {
    await choose('read_file')
    await page.getByLabelText('path', { exact: true }).fill('README.md')
    await userEvent.click(find('.options > summary'))
    await page.getByLabelText('limit', { exact: true }).fill('0')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(await status()).toBe('invalid_input')
    const limit = page.getByLabelText('limit', { exact: true })
    await expect.element(limit).toHaveAttribute('aria-invalid', 'true')
    await expect.element(limit).toHaveFocus()
    expect(limit.element().closest('.field')?.querySelector('.field-problem')?.textContent).not.toBe('')
  })

  test('shows a result as data and model text, and opens the files in it', async () => {
    await choose('grep')
    await page.getByLabelText('pattern', { exact: true }).fill('export')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(await status()).toBe('ok')
    expect(texts('.result-panel:not([hidden]) .json-path')).toEqual(['src/greet.ts', 'src/lib/deep/leaf.ts', 'src/lib/deep/leaf.ts'])
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(find('.result-panel:not([hidden])').textContent).toContain('export const twig')
    await page.getByRole('tab', { name: 'Data' }).click()
    await page.getByRole('button', { name: 'src/lib/deep/leaf.ts' }).nth(1).click()
    await expect.poll(() => texts('.line.is-fresh')).toEqual(['export const twig = 1'])
  })
})

describe('the list of tools', () => {
  const chosen = () => page.getByRole('button', { name: /^Tool: / })

  test('is filtered by name, and collapses to the chosen tool', async () => {
    await userEvent.click(chosen())
    await expect.element(chosen()).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('patch{Enter}')
    await expect.element(chosen()).toHaveAttribute('aria-expanded', 'false')
    await expect.element(page.getByRole('button', { name: 'Tool: apply_patch' })).toHaveFocus()
  })
})

describe('the file tree', () => {
  test('works by keyboard', async () => {
    find('[role=treeitem][tabindex="0"]').focus()
    await userEvent.keyboard('{Home}')
    expect(focusedName()).toBe('docs')
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(focusedName()).toBe('guide.md')
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(focusedName()).toBe('docs')
    expect(names()).not.toContain('guide.md')
    await userEvent.keyboard('{*}')
    expect(names()).toEqual(expect.arrayContaining(['guide.md', 'greet.ts', 'lib']))
    await userEvent.keyboard('{End}')
    expect(focusedName()).toBe('README.md')
    await userEvent.keyboard('gre')
    expect(focusedName()).toBe('greet.ts')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => find('.file-title').textContent).toBe('src/greet.ts')
    expect(root.querySelectorAll('[role=treeitem][tabindex="0"]')).toHaveLength(1)
    expect(document.activeElement?.getAttribute('aria-level')).toBe('2')
  })
})

describe('the file view', () => {
  test('shows line ends, bytes of binary files, and images', async () => {
    await playground.openFile('docs/guide.md')
    expect(texts('.line')).toEqual(['# Guide', '', 'Text'])
    expect(texts('.meta li')).toEqual(['17 B', '3 lines', 'CRLF'])
    await playground.openFile('data.bin')
    expect(find('.bytes pre').textContent).toContain('00 01 02 ff')
    await playground.openFile('dot.png')
    await expect.poll(() => texts('.meta li')).toEqual(['70 B', 'image/png', '1 × 1'])
  })

  test('follows a moved file, and reports a deleted one', async () => {
    await playground.openFile('README.md')
    await choose('move_file')
    await page.getByLabelText('from', { exact: true }).fill('README.md')
    await page.getByLabelText('to', { exact: true }).fill('docs/READ.md')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(() => find('.file-title').textContent).toBe('docs/READ.md')
    await choose('delete_file')
    await page.getByLabelText('path', { exact: true }).fill('docs/READ.md')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.element(page.getByText('This file is gone')).toBeVisible()
    expect(find('.pane-files .pane-foot').textContent).toBe('1 change: 1 deleted')
  })

  test('"Start over" restores the files', async () => {
    await edit('src/greet.ts', 'Hello', 'Hi')
    await expect.element(treeItem('src, holds changes')).toBeVisible()
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.element(page.getByText('The files are as they were loaded.')).toBeVisible()
    expect(root.querySelector('.tree-mark')).toBeNull()
    const { text } = await playground.session.workspace.readText('src/greet.ts')
    expect(text).toContain('Hello')
  })
})

test('a running call can be cancelled', async () => {
  await choose('grep')
  await page.getByLabelText('pattern', { exact: true }).fill('export')
  find('.run-bar .primary').click()
  const cancel = page.getByRole('button', { name: 'Cancel' })
  cancel.element().dispatchEvent(new MouseEvent('click'))
  expect(await status()).toBe('aborted')
  expect(find('.failure-message').textContent).not.toBe('')
  await expect.element(page.getByRole('button', { name: 'Run', exact: true })).toHaveAttribute('aria-disabled', 'false')
  expect(cancel.elements()).toHaveLength(0)
})

test('file names and contents are never interpreted as HTML', async () => {
  await playground.openFile(HOSTILE_NAME)
  expect(texts('.line')).toEqual([HOSTILE_TEXT.trimEnd()])
  expect(names()).toContain(HOSTILE_NAME)
  await choose('read_file')
  await page.getByLabelText('path', { exact: true }).fill(HOSTILE_NAME)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await status()).toBe('ok')
  await page.getByRole('tab', { name: 'As the model reads it' }).click()
  expect(find('.result-panel:not([hidden])').textContent).toContain('<script>')
  expect(root.querySelectorAll('img, script')).toHaveLength(0)
  expect('hacked' in globalThis).toBe(false)
})

test('a phone shows one pane at a time', async () => {
  await page.viewport(390, 844)
  for (const pane of ['Files', 'View', 'Tools', 'Terminal']) {
    page.getByRole('radio', { name: pane, exact: true }).element().focus()
    await userEvent.keyboard(' ')
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  }
  expect([...root.querySelectorAll('.pane')].filter(({ clientHeight }) => clientHeight > 0)).toHaveLength(1)
})
