// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createCallCard } from '../../demo/src/agent/call-card.js'
import { renderDiff } from '../../demo/src/result/diff.js'
import { renderJson } from '../../demo/src/result/json-tree.js'
import { visible, visibleName, visibleNameText, visibleText } from '../../demo/src/visible.js'
import { axeViolations, chooseTool, openPage, paste, type TestPage } from './page.js'

/** Shown as they are, they read `echo safe #  && rm -rf srchello; rm -rf src`, and `rtlsj.png`. */
const COMMAND = 'echo safe # \u202e crs fr- mr ;olleh \u2066 && rm -rf src \u2069'
const NAME = 'rtl\u202egnp.js'

/** Shown as it is, it reads like the name of another file. */
const LINES = 'read\nme.txt'

const marks = (element: Element | null | undefined): (string | undefined)[] =>
  [...(element?.querySelectorAll('.hidden-character') ?? [])].map((mark) => mark.ariaLabel?.slice(1, -1))

function shown(...content: (Node | string)[]): HTMLElement {
  const element = document.createElement('p')
  element.append(...content)
  document.body.append(element)
  onTestFinished(() => element.remove())
  return element
}

describe('a text', () => {
  test.each([
    ['plain', 'const a = 1\t// ü, 日本, עברית', undefined],
    ['lines', 'a\nb\r\nc', undefined],
    ['of Persian', 'می\u200cخواهم', undefined],
    ['of Hindi', 'क्\u200dष', undefined],
    ['with emoji', '👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 👍🏽', undefined],
    ['with a variant of an ideograph', '葛\u{e0100}', undefined],
    ['with an override', 'a\u202eb', 'a⟨U+202E⟩b'],
    ['with isolates', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['with marks of direction', 'a\u200e\u200f\u061cb', 'a⟨U+200E U+200F U+061C⟩b'],
    ['with what has no width', 'a\u200bb\u2060c\ufeffd', 'a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩d'],
    ['with joiners between Latin letters', 'r\u200dm \u200c', 'r⟨U+200D⟩m ⟨U+200C⟩'],
    ['with more than one joiner', '👩\u200d\u200d💻', '👩\u200d⟨U+200D⟩💻'],
    ['with a look for a Latin letter', 'a\ufe0f\u200d', 'a⟨U+FE0F U+200D⟩'],
    ['with control characters', '\0a\x1b[1m\x85\x7f', '⟨U+0000⟩a⟨U+001B⟩[1m⟨U+0085 U+007F⟩'],
    ['with a line that is written over', 'rm -rf /\recho', 'rm -rf /⟨U+000D⟩echo'],
    ['with other ends of lines', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['with letters that are blank', 'a\u3164\u00adb', 'a⟨U+3164 U+00AD⟩b'],
    ['with a hidden message', `a${String.fromCodePoint(...[...'ignore'].map((one) => 0xe0000 + one.charCodeAt(0)))}`, undefined],
  ])('%s', (name, text, expected) => {
    const wanted = name === 'with a hidden message' ? 'a⟨U+E0069 U+E0067 U+E006E U+E006F … 6⟩' : (expected ?? text)
    expect(visibleText(text)).toBe(wanted)
    const element = shown(...visible(text))
    expect(element.textContent).toBe(text)
    expect(marks(element).length > 0).toBe(wanted !== text)
  })

  test('that is chosen and copied is as it was', () => {
    const element = shown(...visible('a\u202eb\u200bc'))
    getSelection()?.selectAllChildren(element)
    expect(getSelection()?.toString()).toBe('a\u202eb\u200bc')
  })

  test('stands in the order in which it is written', () => {
    for (const text of [COMMAND, NAME, '\u2067a\u2069b', '\u2069\u202ea\u2069b\u202c']) {
      const element = shown(...visible(text))
      element.style.whiteSpace = 'nowrap'
      const pieces = [...element.childNodes].filter(({ textContent }) => textContent !== '')
      const lefts = pieces.map((node) => {
        const range = document.createRange()
        range.selectNode(node)
        return range.getBoundingClientRect().left
      })
      expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
      const [mark] = element.getElementsByClassName('hidden-character')
      expect(mark?.getBoundingClientRect().width).toBeGreaterThan(30)
    }
  })

  test('of any length is marked once for each run', () => {
    expect(visible('a'.repeat(1_000_000))).toHaveLength(1)
    expect(visible('\u200b'.repeat(1_000_000))).toHaveLength(3)
    expect(visible('می\u200c'.repeat(100_000))).toHaveLength(1)
    expect(visible('👩\u200d'.repeat(100_000))).toHaveLength(1)
    expect(visible('a\u200b'.repeat(500))).toHaveLength(1_001)
    const pieces = visible('a\u200b'.repeat(100_000))
    expect(pieces).toHaveLength(1_001)
    expect(pieces.at(-1)).toBe('a⟨U+200B⟩'.repeat(99_500))
  })
})

describe('a name', () => {
  test.each([
    ['plain', 'می\u200cخواهم 👩\u200d💻 日本.ts', 'می\u200cخواهم 👩\u200d💻 日本.ts'],
    ['with a line break', 'a\nb.js', 'a⟨U+000A⟩b.js'],
    ['with the end of a line of two characters', 'a\r\nb', 'a⟨U+000D U+000A⟩b'],
    ['with a tab', '\ta\t', '⟨U+0009⟩a⟨U+0009⟩'],
    ['with an override beside a line break', 'a\u202e\nb', 'a⟨U+202E U+000A⟩b'],
  ])('%s', (_, name, expected) => {
    expect(visibleNameText(name)).toBe(expected)
    const element = shown(...visibleName(name))
    expect(element.textContent).toBe(name)
    expect(marks(element).length > 0).toBe(expected !== name)
  })

  test('stays on its line, and is copied as it was', () => {
    const plain = shown('ab')
    const element = shown(...visibleName('a\n\n\tb'))
    expect(element.getBoundingClientRect().height).toBe(plain.getBoundingClientRect().height)
    getSelection()?.selectAllChildren(element)
    expect(getSelection()?.toString()).toBe('a\n\n\tb')
  })
})

test('diffs and data mark what does not show, and leave ends of lines alone', () => {
  const diff = renderDiff('@@ -1,2 +1,2 @@\n-if (isAdmin) {\r\n+if (isAdmin\u202e \u2066// check\u2069 \u2066) {\r\n a\u200bb\n')
  expect(marks(diff)).toEqual(['U+202E', 'U+2066', 'U+2069', 'U+2066', 'U+200B'])
  expect([...diff.children].map((line) => marks(line).length)).toEqual([0, 0, 4, 1])
  const data = renderJson(
    { name: NAME, text: `${NAME}\n`, list: [NAME] },
    { isPath: () => false, relative: (path) => path, onOpenPath: () => undefined },
  )
  expect(marks(data)).toEqual(['U+202E', 'U+202E', 'U+202E'])
  const paths = renderJson(
    { entries: [LINES, 'b\nc'].map((path) => ({ path, text: 'd\te' })) },
    { isPath: (text) => text === LINES, relative: (path) => path, onOpenPath: () => undefined },
  )
  expect(marks(paths)).toEqual(['U+000A', 'U+000A'])
  expect(paths.querySelector('button')?.title).toBe('Open read⟨U+000A⟩me.txt')
})

test('the card of a call marks it: in its line, in the question, and in what unfolds', async () => {
  const input = { command: COMMAND }
  const card = createCallCard(
    { id: 'one', tool: `bash\u200b`, input },
    {
      about: 'Runs\u202e',
      relative: (path) => path,
      onOpenPath: () => undefined,
      onUndo: async () => undefined,
      onCompare: () => undefined,
    },
  )
  shown(card.element)
  const all = ['U+202E', 'U+2066', 'U+2069']
  void card.ask(`It wants to run: ${COMMAND}`, Promise.resolve(undefined))
  const part = (selector: string): Element | null => card.element.querySelector(selector)
  expect(marks(part('.card-tool'))).toEqual(['U+200B'])
  expect(marks(part('.card-summary'))).toEqual(all)
  expect(marks(part('.card-about'))).toEqual(all)
  expect(marks(part('.card-box'))).toEqual(all)
  expect(card.element.getAttribute('aria-label')).toBe('Call bash⟨U+200B⟩, needs approval')
  const details = part('.card-raw') as HTMLDetailsElement
  details.open = true
  await expect.poll(() => marks(part('.card-raw-body pre'))).toEqual(all)
  expect(marks(part('.card-raw-body .note'))).toEqual(['U+202E'])
  // What is answered for is what was asked: nothing of it is changed.
  expect(input.command).toBe(COMMAND)
})

describe('the page', () => {
  let here: TestPage
  const find = (selector: string): Element | null => here.root.querySelector(selector)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  async function open(): Promise<void> {
    here = await openPage({ files: { [NAME]: `needle(\u202e\u2066)\n`, 'a.txt': 'a\n' }, name: 'hostile' })
  }

  afterEach(async () => {
    await here.close()
    delete document.documentElement.dataset.theme
  })

  test('names no file otherwise than it is called: in the tree, on its tab, in the search, where it is opened by name', async () => {
    await open()
    const row = page.getByRole('treeitem', { name: 'rtl⟨U+202E⟩gnp.js' })
    await row.click()
    expect(row.element().querySelector('.tree-name')?.textContent).toBe('rtl⟨U+202E⟩gnp.js')
    await expect.poll(() => find('.editor-tab-name')?.textContent).toBe('rtl⟨U+202E⟩gnp.js')
    expect(find('.editor-tab')?.getAttribute('title')).toBe('rtl⟨U+202E⟩gnp.js')
    await expect.poll(() => marks(find('.file-title'))).toEqual(['U+202E'])
    await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
    const field = page.getByRole('textbox', { name: 'Search the text of files' })
    await expect.element(field).toHaveFocus()
    await field.fill('needle')
    await expect.poll(() => marks(find('.found-name')), { timeout: 30_000 }).toEqual(['U+202E'])
    expect(marks(find('.found-text'))).toEqual(['U+202E U+2066'])
    expect(find('.found-line')?.getAttribute('title')).toBe('needle(⟨U+202E U+2066⟩)')
    await userEvent.keyboard('{Control>}p{/Control}')
    await expect.poll(() => marks(find('.quick-list')), { timeout: 30_000 }).toEqual(['U+202E'])
    await userEvent.keyboard('{Escape}')
  })

  test('marks a line break in a name: in the tree, on its tab, in the search, where it is opened by name, in what is told', async () => {
    here = await openPage({ files: { [LINES]: 'needle\tone\n' }, name: 'hostile' })
    const told = 'read⟨U+000A⟩me.txt'
    const row = page.getByRole('treeitem', { name: told })
    await row.click()
    expect(row.element().querySelector('.tree-name')?.textContent).toBe(told)
    await expect.poll(() => find('.editor-tab-name')?.textContent).toBe(told)
    expect(find('.editor-tab')?.getAttribute('title')).toBe(told)
    await expect.poll(() => marks(find('.file-title'))).toEqual(['U+000A'])
    await expect.poll(() => find('.cm-content')?.getAttribute('aria-label'), { timeout: 30_000 }).toBe(`Text of ${told}`)
    await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
    const field = page.getByRole('textbox', { name: 'Search the text of files' })
    await expect.element(field).toHaveFocus()
    await field.fill('needle')
    await expect.poll(() => marks(find('.found-name')), { timeout: 30_000 }).toEqual(['U+000A'])
    expect(marks(find('.found-text'))).toEqual([])
    await userEvent.keyboard('{Control>}p{/Control}')
    await expect.poll(() => marks(find('.quick-list')), { timeout: 30_000 }).toEqual(['U+000A'])
    expect(find('.quick-option')?.getAttribute('title')).toBe(told)
    await userEvent.keyboard('{Escape}')
    await page.getByRole('tab', { name: 'Files' }).click()
    await row.click()
    ;(row.element() as HTMLElement).focus()
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => find('.notice p')?.textContent).toBe(`Deleted ${told}`)
  })

  test('asks about a command as it will run, runs it as it was given, and lists it so', async () => {
    await open()
    await page.getByRole('combobox', { name: 'Which calls run' }).selectOptions('Ask first')
    await chooseTool('write_file')
    await page.getByLabelText('path', { exact: true }).fill('out.sh')
    paste(find('.tool-form textarea'), COMMAND)
    await button('Run').click()
    await expect.poll(() => marks(find('.approval .card-ask .diff-added')), { timeout: 60_000 }).toEqual(['U+202E', 'U+2066', 'U+2069'])
    for (const theme of ['light', 'dark']) {
      document.documentElement.dataset.theme = theme
      expect(await axeViolations()).toEqual([])
    }
    await button('Approve').click()
    const { workspace } = here.playground.session
    await expect.poll(() => workspace.exists('out.sh'), { timeout: 30_000 }).toBe(true)
    expect((await workspace.readText('out.sh')).text).toBe(COMMAND)
    await expect.poll(() => marks(find('.past-call .call-summary'))).toEqual(['U+202E', 'U+2066', 'U+2069'])
    expect(find('.run-again')?.getAttribute('aria-label')).toContain('⟨U+202E⟩')
  })

  test('names a checkpoint as it is called', async () => {
    await open()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('textbox', { name: 'What the checkpoint is for' }).fill(NAME)
    await button('Checkpoint').click()
    await expect.poll(() => marks(find('.moment-label'))).toEqual(['U+202E'])
    await page.getByRole('button', { name: /^rtl/ }).click()
    await expect.poll(() => marks(find('.pane-moment .file-title'))).toEqual(['U+202E'])
  })
})
