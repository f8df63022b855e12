// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCallCard } from '../../demo/src/agent/call-card.js'
import { renderDiff } from '../../demo/src/result/diff.js'
import { renderJson } from '../../demo/src/result/json-tree.js'
import { visible, visibleName, visibleNameText, visibleText } from '../../demo/src/visible.js'
import { COMMAND, LINES, marks, NAME } from './visible-page.js'

function shown(...content: (Node | string)[]): HTMLElement {
  const element = document.createElement('p')
  element.append(...content)
  document.body.append(element)
  onTestFinished(() => element.remove())
  return element
}

describe('invisible characters in a text', () => {
  test.each([
    ['plain', 'const a = 1\t// ü, 日本, עברית', undefined],
    ['lines', 'a\nb\r\nc', undefined],
    ['Persian text', 'می\u200cخواهم', undefined],
    ['Hindi text', 'क्\u200dष', undefined],
    ['emoji', '👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 👍🏽', undefined],
    ['an ideograph variant', '葛\u{e0100}', undefined],
    ['a bidirectional override', 'a\u202eb', 'a⟨U+202E⟩b'],
    ['bidirectional isolates', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['direction marks', 'a\u200e\u200f\u061cb', 'a⟨U+200E U+200F U+061C⟩b'],
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd', 'a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩d'],
    ['joiners between Latin letters', 'r\u200dm \u200c', 'r⟨U+200D⟩m ⟨U+200C⟩'],
    ['repeated joiners', '👩\u200d\u200d💻', '👩\u200d⟨U+200D⟩💻'],
    ['a variation selector after a Latin letter', 'a\ufe0f\u200d', 'a⟨U+FE0F U+200D⟩'],
    ['control characters', '\0a\x1b[1m\x85\x7f', '⟨U+0000⟩a⟨U+001B⟩[1m⟨U+0085 U+007F⟩'],
    ['an overwritten line', 'rm -rf /\recho', 'rm -rf /⟨U+000D⟩echo'],
    ['Unicode line separators', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['blank letters', 'a\u3164\u00adb', 'a⟨U+3164 U+00AD⟩b'],
    ['with a hidden message', `a${String.fromCodePoint(...[...'ignore'].map((one) => 0xe0000 + one.charCodeAt(0)))}`, undefined],
  ])('%s', (name, text, expected) => {
    const wanted = name === 'with a hidden message' ? 'a⟨U+E0069 U+E0067 U+E006E U+E006F … 6⟩' : (expected ?? text)
    expect(visibleText(text)).toBe(wanted)
    const element = shown(...visible(text))
    expect(element.textContent).toBe(text)
    expect(marks(element).length > 0).toBe(wanted !== text)
  })

  test('are copied unchanged', () => {
    const element = shown(...visible('a\u202eb\u200bc'))
    getSelection()?.selectAllChildren(element)
    expect(getSelection()?.toString()).toBe('a\u202eb\u200bc')
  })

  test('are shown in the written order', () => {
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

  test('are marked once per run in a text of any length', () => {
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

describe('invisible characters in a name', () => {
  test.each([
    ['plain', 'می\u200cخواهم 👩\u200d💻 日本.ts', 'می\u200cخواهم 👩\u200d💻 日本.ts'],
    ['a line break', 'a\nb.js', 'a⟨U+000A⟩b.js'],
    ['a CRLF line break', 'a\r\nb', 'a⟨U+000D U+000A⟩b'],
    ['a tab', '\ta\t', '⟨U+0009⟩a⟨U+0009⟩'],
    ['an override next to a line break', 'a\u202e\nb', 'a⟨U+202E U+000A⟩b'],
  ])('%s', (_, name, expected) => {
    expect(visibleNameText(name)).toBe(expected)
    const element = shown(...visibleName(name))
    expect(element.textContent).toBe(name)
    expect(marks(element).length > 0).toBe(expected !== name)
  })

  test('do not break its line, and are copied unchanged', () => {
    const plain = shown('ab')
    const element = shown(...visibleName('a\n\n\tb'))
    expect(element.getBoundingClientRect().height).toBe(plain.getBoundingClientRect().height)
    getSelection()?.selectAllChildren(element)
    expect(getSelection()?.toString()).toBe('a\n\n\tb')
  })
})

test('diffs and data mark invisible characters, except line ends', () => {
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

test('the card of a call marks them in its line, its question and its details', async () => {
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
  // The command in the approved call is unchanged.
  expect(input.command).toBe(COMMAND)
})
