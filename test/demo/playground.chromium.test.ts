// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { axeViolations } from './page.js'
import { find, playground, root, withPlayground } from './terminal-page.js'

const HOSTILE_NAME = '<img src=x onerror="globalThis.hacked=1">.md'
const HOSTILE_TEXT = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>\n'

const FILES = {
  'src/greet.ts': 'export function greet(name: string): string {\n  return `Hello, ` + name\n}\n',
  'src/lib/deep/leaf.ts': 'export const leaf = 1\nexport const twig = 1\n',
  'docs/guide.md': '# Guide\r\n\r\nText\r\n',
  'README.md': '# Read me\n',
  'data.bin': new Uint8Array([0, 1, 2, 255]),
  'dot.png': Uint8Array.from(
    atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='),
    (character) => character.charCodeAt(0),
  ),
  [HOSTILE_NAME]: HOSTILE_TEXT,
}

withPlayground(FILES, 900)

const texts = (selector: string): (string | null)[] => [...root.querySelectorAll(selector)].map((element) => element.textContent)
const treeItem = (name: string) => page.getByRole('treeitem', { name })
const names = (): (string | null)[] => texts('.tree-name')
const focusedName = (): string | null | undefined => document.activeElement?.querySelector('.tree-name')?.textContent

async function choose(tool: string): Promise<void> {
  const radio = page.getByRole('radio', { name: tool, exact: true })
  radio.element().focus()
  await userEvent.keyboard(' ')
  await expect.element(radio).toBeChecked()
}

async function edit(path: string, before: string, after: string): Promise<void> {
  await choose('edit_file')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await page.getByLabelText('old_string', { exact: true }).fill(before)
  await page.getByLabelText('new_string', { exact: true }).fill(after)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
}

async function status(): Promise<string> {
  // The first command loads the shell.
  await expect.poll(() => root.querySelector('.result .pill')?.textContent ?? '', { timeout: 30_000 }).not.toBe('')
  return find('.result .pill').textContent ?? ''
}

describe('the header', () => {
  test.each([1300, 1200, 1100, 1024, 900, 700, 390])('reaches from one end to the other and shows all of it, %i wide', async (width) => {
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
  test('shows the change in the tree and the lines in the view', async () => {
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

  test('unmarks a file that is changed back', async () => {
    await edit('src/greet.ts', 'Hello', 'Good morning')
    await expect.element(treeItem('src, holds changes')).toBeVisible()
    await edit('src/greet.ts', 'Good morning', 'Hello')
    await expect.poll(() => find('.pane-files .pane-foot').textContent).toBe('No changes since it was loaded')
    expect(root.querySelector('.tree-mark')).toBeNull()
  })

  test('shows what failed, at the field it is about', async () => {
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

describe('the form', () => {
  test('shows bad input at its field', async () => {
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

  test('names what is missing', async () => {
    await choose('grep')
    await page.getByRole('button', { name: 'Clear' }).click()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(await status()).toBe('invalid_input')
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveFocus()
  })

  test('gives a result as data, as text for the model, and opens the files it names', async () => {
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

  /** Examples of what a program ends with when it does not go well. */
  const ENDS = new Map([
    ['A failing command', /^exit 3$/],
    ['A package (install it first)', /^exit 1$/],
    ['An error', /^exit 1$/],
    ['One that has to be stopped', /^timed out$/],
  ])

  test('has examples that run, for every tool', async () => {
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

describe('the tools', () => {
  const chosen = () => page.getByRole('button', { name: /^Tool: / })

  test('are found by a part of their name, and fold to the chosen one', async () => {
    await userEvent.click(chosen())
    await expect.element(chosen()).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('patch{Enter}')
    await expect.element(chosen()).toHaveAttribute('aria-expanded', 'false')
    await expect.element(page.getByRole('button', { name: 'Tool: apply_patch' })).toHaveFocus()
  })

  test('fold to the one that is pointed at', async () => {
    await userEvent.click(chosen())
    await userEvent.click(page.getByText('glob', { exact: true }))
    await expect.element(page.getByRole('button', { name: 'Tool: glob' })).toHaveAttribute('aria-expanded', 'false')
    await expect.element(page.getByRole('button', { name: 'Tool: glob' })).toHaveFocus()
    await expect.element(page.getByRole('form', { name: 'Call a tool' }).getByLabelText('pattern', { exact: true })).toBeVisible()
  })

  test('are walked through by arrow keys', async () => {
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
  ])('leave room for what an example fills, and for the result, at %i × %i', async (width, height) => {
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
    // Its first line; it may be made higher.
    expect(first.top + 30).toBeLessThan(box('.run-bar').top)
    expect(box('.result').height).toBeGreaterThan(150)
    await choose('apply_patch')
    expect(box('.run-bar').height).toBeLessThan(60)
  })
})

describe('the tree', () => {
  test('is walked with the keyboard alone', async () => {
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

  test('keeps few rows in the document, however many files there are', async () => {
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

describe('the view', () => {
  test('tells line endings, shows bytes of what is no text, and pictures', async () => {
    await playground.openFile('docs/guide.md')
    expect(texts('.line')).toEqual(['# Guide', '', 'Text'])
    expect(texts('.meta li')).toEqual(['17 B', '3 lines', 'CRLF'])
    await playground.openFile('data.bin')
    expect(find('.bytes pre').textContent).toContain('00 01 02 ff')
    await playground.openFile('dot.png')
    await expect.poll(() => texts('.meta li')).toEqual(['70 B', 'image/png', '1 × 1'])
  })

  test('follows a file that is moved, and says when it is gone', async () => {
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

  test('starts over', async () => {
    await edit('src/greet.ts', 'Hello', 'Hi')
    await expect.element(treeItem('src, holds changes')).toBeVisible()
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.element(page.getByText('The files are as they were loaded.')).toBeVisible()
    expect(root.querySelector('.tree-mark')).toBeNull()
    const { text } = await playground.session.workspace.readText('src/greet.ts')
    expect(text).toContain('Hello')
  })
})

test('a call is cancelled', async () => {
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

test('the border between form and result moves by keys', async () => {
  const handle = page.getByRole('separator', { name: 'Room for the form' })
  handle.element().focus()
  await userEvent.keyboard('{Home}')
  const small = find('.call-form').clientHeight
  await userEvent.keyboard('{End}')
  await expect.element(handle).toHaveAttribute('aria-valuenow', '80')
  expect(find('.call-form').clientHeight).toBeGreaterThan(small * 2)
})

test('files never become markup', async () => {
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

describe('accessibility', () => {
  test.each(['light', 'dark'])('no violation, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    await playground.openFile('src/greet.ts')
    expect(await axeViolations()).toEqual([])
    await edit('src/greet.ts', 'Hello', 'Hi')
    expect(await status()).toBe('ok')
    expect(await axeViolations()).toEqual([])
    await edit('src/greet.ts', 'Goodbye', 'Hi')
    await expect.poll(() => find('.pill').textContent).toBe('invalid_input')
    expect(await axeViolations()).toEqual([])
    await choose('read_file')
    await userEvent.click(find('.options > summary'))
    await page.getByRole('tab', { name: 'History' }).click()
    expect(await axeViolations()).toEqual([])
  })

  test('one pane at a time on a phone, nothing wider than it', async () => {
    await page.viewport(390, 844)
    expect(await axeViolations()).toEqual([])
    for (const pane of ['Files', 'View', 'Tools', 'Terminal']) {
      page.getByRole('radio', { name: pane, exact: true }).element().focus()
      await userEvent.keyboard(' ')
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    }
    expect([...root.querySelectorAll('.pane')].filter((pane) => pane.clientHeight > 0)).toHaveLength(1)
  })
})
