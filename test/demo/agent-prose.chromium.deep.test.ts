// @module-tag playground
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTranscript } from '../../demo/src/agent/transcript.js'
import '../../demo/src/styles/index.css'
import { all, create, marks, slowly, TABLE, TEXT, useAgentProsePage } from './agent-prose-page.js'

useAgentProsePage()

test.each([1, 2, 7, 40])('prose that arrives %i characters at a time has the same result', (size) => {
  const prose = create()
  for (let at = 0; at < TEXT.length; at += size) {
    prose.append(TEXT.slice(at, at + size))
    prose.settle()
  }
  expect(prose.element.innerHTML).toBe(all(TEXT).innerHTML)
  expect(prose.text).toBe(TEXT)
})

describe('invisible characters in prose', () => {
  test('do not include CRLF and characters that scripts need', () => {
    const element = all('می\u200cخواهم 👩\u200d💻\r\n\r\n- a\r\n- b\r\n\r\n| a |\r\n| - |\r\n| b |\r\n\r\n```\r\nc\r\nd\r\n```\r\n')
    expect(marks(element)).toEqual([])
    expect([...element.children].map((child) => child.className || child.tagName)).toEqual(['P', 'UL', 'prose-table', 'prose-code'])
    expect(element.querySelector('.prose-code')?.textContent).toBe('c\nd')
  })
})

describe('a table in prose', () => {
  test.each([1, 2, 7, 40])('a table that arrives %i characters at a time has the same result', (size) => {
    const prose = create()
    for (let at = 0; at < TABLE.length; at += size) {
      prose.append(TABLE.slice(at, at + size))
      prose.settle()
    }
    expect(prose.element.innerHTML).toBe(all(TABLE).innerHTML)
  })

  test('a table of any length is one table whose rows are drawn once', () => {
    const prose = create()
    const row = '| some text | more text |\n'
    prose.append('| a | b |\n|---|--:|\n')
    let first: Element | null = null
    for (let count = 0; count < 300; count += 1) {
      for (const part of [row.slice(0, 9), row.slice(9)]) {
        prose.append(part)
        prose.settle()
      }
      if (count === 200) first = prose.element.querySelector('tbody tr')
    }
    expect(first?.isConnected).toBe(true)
    prose.append('\nBehind it.')
    prose.settle()
    expect([...prose.element.children].map((child) => child.className || child.tagName)).toEqual(['prose-table', 'P'])
    const rows = [...prose.element.querySelectorAll('tbody tr')]
    expect(rows).toHaveLength(300)
    expect(new Set(rows.map((one) => one.outerHTML))).toEqual(new Set(['<tr><td>some text</td><td class="is-right">more text</td></tr>']))
  })

  test.each([
    ['pipes', '|'.repeat(10_000)],
    ['rows of many pipes', `${'|'.repeat(10_000)}\n${'|-'.repeat(10_000)}\n${'|'.repeat(10_000)}`],
    ['escapes', `|a|b|\n|-|-|\n|${'\\|'.repeat(100_000)}`],
    ['unclosed code spans', `|a|b|\n|-|-|\n|${'`|``'.repeat(100_000)}`],
    ['rows', `|a|b|\n|-|-|\n${'|\n'.repeat(200_000)}`],
    ['blanks', `|a|b|\n|-|-|\n|${' '.repeat(200_000)}x${' '.repeat(200_000)}|`],
    ['dashes', `|a|b|\n|${'-'.repeat(200_000)}x|-|`],
    ['short rows of many columns', `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|\n'.repeat(3_000)}`],
  ])('a table of %s is drawn in linear time', async (_, text) => {
    // With quadratic time, this would take minutes.
    const element = await slowly(`${text}\n\nEnd.`)
    expect(element.lastElementChild?.textContent).toMatch(/(?:^|\n\n)End\.$/)
    expect(element.querySelectorAll('td').length).toBeLessThanOrEqual(element.querySelectorAll('tr').length + 100)
  })
})

test('endless prose loses no text, and code stays code', () => {
  const prose = create()
  const line = `${'x'.repeat(99)}\n`
  prose.append('```\n')
  for (let count = 0; count < 500; count += 1) {
    prose.append(line)
    prose.settle()
  }
  prose.append('```')
  prose.settle()
  prose.append('\nAfter it.')
  prose.settle()
  expect(prose.element.textContent.replace(/\n/g, '')).toBe(`${'x'.repeat(99 * 500)}After it.`)
  const kinds = [...prose.element.children].map((child) => child.className || child.tagName)
  expect(kinds.at(-1)).toBe('P')
  expect(new Set(kinds.slice(0, -1))).toEqual(new Set(['prose-code']))
  expect(kinds.length).toBeGreaterThan(3)
})

describe('a long text that arrives at once', () => {
  test('is split between words and characters', async () => {
    const parts = async (text: string): Promise<string[]> => [...(await slowly(text)).children].map((child) => child.textContent)
    for (const text of ['word '.repeat(5_000), '👍'.repeat(12_000), `a${'👍'.repeat(12_000)}`]) {
      const shown = await parts(text)
      expect(shown.join('')).toBe(text)
      expect(shown.length).toBeGreaterThan(1)
      for (const part of shown) expect(/^\p{Cs}|^ord|\p{Cs}$/u.test(part)).toBe(false)
    }
  })

  test('has a limited number of marks, and escapes the rest', async () => {
    const element = await slowly('\u200b\u200ca'.repeat(30_000))
    expect(element.querySelectorAll('*').length).toBeLessThan(4_000)
    expect(element.textContent).toMatch(/U\+200C⟩a$/)
  })

  test('continues a table in a second one with the same headings', async () => {
    const rows = Array.from({ length: 900 }, (_, index) => `| row ${index} | text |`)
    const element = await slowly(`| \`a|b\` \\| c | d |\n|---|--:|\n${rows.join('\n')}`)
    const tables = [...element.querySelectorAll('table')]
    expect(tables.length).toBeGreaterThan(1)
    for (const table of tables) expect([...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.textContent)).toEqual(['a|b | c', 'd'])
    const drawn = [...element.querySelectorAll('tbody tr')].map((row) => row.firstElementChild?.textContent)
    expect(drawn).toEqual(rows.map((_, index) => `row ${index}`))
  })

  test.each([
    ['rows', '| a | b |\n|---|---|\n', (index: number) => `| row ${index} | text |\n`],
    ['items', '', (index: number) => `- row ${index}\n`],
    ['paragraphs', '', (index: number) => `row ${index}\n\n`],
    ['lines of code', '```\n', (index: number) => `const row${index} = ${'1 + '.repeat(20)}1\n`],
  ])('is shown as plain text after very many %s, with a note and without loss', async (_, before, one) => {
    const pieces = Array.from({ length: 6_000 }, (_, index) => one(index))
    const element = await slowly(`${before}${pieces.join('')}**End**`)
    expect(element.querySelectorAll('*').length).toBeLessThan(4_000)
    expect(element.querySelectorAll('.agent-note')).toHaveLength(1)
    const numbers = [...element.textContent.matchAll(/row ?(\d+)/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(pieces.map((_, index) => index))
    expect(element.lastElementChild?.textContent).toMatch(/\*\*End\*\*$/)
    expect(element.textContent.endsWith(`${one(5_999)}**End**`)).toBe(true)
  })

  test('is not redrawn for each word while it waits for the next frame', () => {
    const prose = create()
    prose.append('some words '.repeat(5_000))
    prose.settle()
    const { length } = prose.element.textContent
    // `settle` is called for each piece of a call that the model is writing.
    for (let count = 0; count < 10; count += 1) prose.settle()
    expect(prose.element.textContent).toHaveLength(length)
  })

  test('continues a long list after a whole line', () => {
    const prose = create()
    const items = Array.from({ length: 500 }, (_, index) => `${index + 1}. item ${index} ${'x'.repeat(30)}`)
    for (const part of items.join('\n').match(/[\s\S]{1,57}/g) ?? []) {
      prose.append(part)
      prose.settle()
    }
    const lists = [...prose.element.children].map((list) => (list instanceof HTMLOListElement ? list : undefined))
    expect(lists.length).toBeGreaterThan(1)
    let next = 1
    for (const list of lists) {
      expect(list?.start).toBe(next)
      next += list?.childElementCount ?? 0
    }
    expect([...prose.element.querySelectorAll('li')].map((item, index) => `${index + 1}. ${item.textContent}`)).toEqual(items)
  })
})

test('limits the marks in thoughts', () => {
  const transcript = createTranscript({ isPath: () => false, onOpenPath: () => undefined })
  onTestFinished(transcript.dispose)
  const thoughts = transcript.addThinking()
  for (let count = 0; count < 100; count += 1) thoughts.append('a\u200b'.repeat(100))
  expect(transcript.element.querySelectorAll('.hidden-character').length).toBeLessThan(2_500)
  expect(transcript.element.querySelector('.thinking-text')?.lastChild?.textContent).toBe('a⟨U+200B⟩'.repeat(100))
})

describe('a long text split into blocks', () => {
  test('has no empty box after code that ends at the split', async () => {
    const code = `${'x'.repeat(99)}\n`.repeat(119)
    const element = await slowly(`\`\`\`\n${code}\`\`\`\n\nDone`)
    const boxes = [...element.querySelectorAll('pre')].map(({ textContent }) => textContent)
    expect(boxes.filter((text) => text.trim() === '')).toEqual([])
    expect(boxes.join('').replace(/\s/g, '')).toBe(code.replace(/\s/g, ''))
    expect(element.lastElementChild?.textContent).toBe('Done')
  })

  test('has no empty box before code that starts at the split', async () => {
    const element = await slowly(`${'- item\n'.repeat(397)}\n\`\`\`\ncode\n\`\`\`\n\n${'words '.repeat(2_000)}`)
    expect([...element.querySelectorAll('pre')].map(({ textContent }) => textContent)).toEqual(['code'])
  })

  test.each(['# Head', '- item'])('has no empty table after one that ends at the split without a blank line: %s', async (line) => {
    const head = '| a | b |\n|---|---|\n'
    // One of these tables ends exactly where the text is split.
    for (let rows = 740; rows < 756; rows += 1) {
      const element = await slowly(`${head}${'| word word word word | b |\n'.repeat(rows)}${line}\n`)
      const bodies = [...element.querySelectorAll('tbody')].map(({ childElementCount }) => childElementCount)
      expect(bodies).not.toContain(0)
      expect(bodies.reduce((sum, count) => sum + count)).toBe(rows)
      element.remove()
    }
  })

  test.each(['-', '#', '1.', '```', '|', ' -', '  1.', '  ```'])('does not treat a word at the split as markup: %s', async (sign) => {
    const text = `words ${`${sign} word `.repeat(6_000)}`
    const element = await slowly(text)
    expect(element.querySelectorAll('ul, ol, .prose-heading, pre, table')).toHaveLength(0)
    // A text with many elements has a note that it is long.
    element.querySelector('.agent-note')?.remove()
    const squeezed = (given: string): string => given.replace(/[\s`]/g, '')
    expect(squeezed(element.textContent)).toBe(squeezed(text))
  })
})
