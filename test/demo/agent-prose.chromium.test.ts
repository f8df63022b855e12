// @module-tag playground
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createProse, type Prose } from '../../demo/src/agent/prose.js'
import { createTranscript } from '../../demo/src/agent/transcript.js'
import '../../demo/src/styles/index.css'
import { axeViolations } from './page.js'

const opened: string[] = []
const create = (): Prose => {
  const prose = createProse({ isPath: (text) => text === 'src/a.ts', onOpenPath: (path) => opened.push(path) })
  document.body.append(prose.element)
  return prose
}

afterEach(() => {
  opened.length = 0
  document.body.replaceChildren()
})

function all(text: string): HTMLElement {
  const prose = create()
  prose.append(text)
  prose.settle()
  return prose.element
}

/** A text of any length, of which each frame draws a part. */
async function slowly(text: string): Promise<HTMLElement> {
  const next = requestAnimationFrame.bind(window)
  const asked = vi.spyOn(window, 'requestAnimationFrame')
  const prose = create()
  prose.append(text)
  prose.settle()
  // As long as it asks for another frame.
  for (let count = 0; count < asked.mock.calls.length; ) {
    count = asked.mock.calls.length
    await new Promise((resolve) => next(resolve))
  }
  asked.mockRestore()
  return prose.element
}

const TEXT = `# What it does

It reads \`src/a.ts\` and **writes** it,
in two lines. A \`tag\`: <b>bold</b> & [link](javascript:alert(1)) ![x](y)

- one
  goes on
- two **strong**

1. first
2. second
~~~js
const a = '# no heading'

- no item
~~~
Behind it.`

test('paragraphs, headings, lists, code and emphasis are drawn, and nothing else of it means anything', () => {
  const element = all(TEXT)
  expect([...element.children].map((child) => child.className || child.tagName)).toEqual([
    ...['prose-heading', 'P', 'UL', 'OL', 'prose-code', 'P'],
  ])
  expect([...element.querySelectorAll('li')].map((item) => item.textContent)).toEqual(['one\ngoes on', 'two strong', 'first', 'second'])
  expect(element.querySelector('.prose-code')?.textContent).toBe("const a = '# no heading'\n\n- no item")
  expect([...element.querySelectorAll('strong')].map((one) => one.textContent)).toEqual(['writes', 'strong'])
  expect(element.querySelectorAll('b, a, img')).toHaveLength(0)
  expect(element.textContent).toContain('<b>bold</b> & [link](javascript:alert(1)) ![x](y)')
})

test('an item further in is text of its item, and another kind of item begins a list', () => {
  const element = all('1. one\n2. two\n   - nested\n3. three\n- four\n  1. five\n- six')
  expect([...element.children].map((list) => [list.tagName, [...list.children].map((item) => item.textContent)])).toEqual([
    ['OL', ['one', 'two\n- nested', 'three']],
    ['UL', ['four\n1. five', 'six']],
  ])
})

test('a file that is named in code is opened from there', () => {
  all(TEXT).querySelector('button')?.click()
  expect(opened).toEqual(['src/a.ts'])
})

test.each([1, 2, 7, 40])('it looks the same in the end when it comes %i characters at a time', (size) => {
  const prose = create()
  for (let at = 0; at < TEXT.length; at += size) {
    prose.append(TEXT.slice(at, at + size))
    prose.settle()
  }
  expect(prose.element.innerHTML).toBe(all(TEXT).innerHTML)
  expect(prose.text).toBe(TEXT)
})

describe('what does not show', () => {
  const marks = (element: Element): (string | null)[] =>
    [...element.querySelectorAll('.hidden-character')].map((mark) => mark.getAttribute('aria-label'))

  test('is marked in prose, in code, in emphasis and in tables, and copied as it was', () => {
    const text = 'a\u202eb\n\n# c\u200b\n\n- `d\u2066`\n- **e\u200b**\n\n| f\u200b |\n| - |\n| \ufeffg |\n\n```\nif (a\u202e) {\u2069\n```'
    const element = all(text)
    expect(marks(element)).toEqual(['202E', '200B', '2066', '200B', '200B', 'FEFF', '202E', '2069'].map((code) => `⟨U+${code}⟩`))
    const code = element.querySelector('.prose-code') as HTMLElement
    getSelection()?.selectAllChildren(code)
    expect(getSelection()?.toString()).toBe('if (a\u202e) {\u2069')
  })

  test('is marked on a path, which is opened as it is', () => {
    const prose = createProse({ isPath: () => true, onOpenPath: (path) => opened.push(path) })
    prose.append('`a\u202eb.ts`')
    prose.settle()
    const button = prose.element.querySelector('button')
    expect(button?.title).toBe('Open a⟨U+202E⟩b.ts')
    expect(marks(prose.element)).toEqual(['⟨U+202E⟩'])
    button?.click()
    expect(opened).toEqual(['a\u202eb.ts'])
  })

  test('is no end of a line with two characters, nor what writing needs', () => {
    const element = all('می\u200cخواهم 👩\u200d💻\r\n\r\n- a\r\n- b\r\n\r\n| a |\r\n| - |\r\n| b |\r\n\r\n```\r\nc\r\nd\r\n```\r\n')
    expect(marks(element)).toEqual([])
    expect([...element.children].map((child) => child.className || child.tagName)).toEqual(['P', 'UL', 'prose-table', 'prose-code'])
    expect(element.querySelector('.prose-code')?.textContent).toBe('c\nd')
  })

  test('is marked in thoughts, wherever they are parted, and in what the user said', () => {
    const transcript = createTranscript({ isPath: () => false, onOpenPath: () => undefined })
    onTestFinished(transcript.dispose)
    const thoughts = transcript.addThinking()
    for (const delta of ['می', '\u200c', 'خوا', 'a', '\u200d', '👩', '\u200d💻']) thoughts.append(delta)
    expect(transcript.element.querySelector('.thinking-text')?.textContent).toBe('می\u200cخواa\u200d👩\u200d💻')
    expect(marks(transcript.element)).toEqual(['⟨U+200D⟩'])
    transcript.addUser('b\u202e')
    expect(marks(transcript.element)).toEqual(['⟨U+200D⟩', '⟨U+202E⟩'])
  })
})

const TABLE = `These are they:
| Name | Size | |
|:-----|:----:|--:|
| \`src/a.ts\` | **1** | a \\| b |
| \`x | y\` | <b>2</b>
| one | two | three | four |
no pipe
| \`a \\| b\` || last

Behind \`it\`: a | b.

a | b
-|-
c | d
- no row

| x | y |
|---|---|
# Over`

const rowsOf = (table: Element | null | undefined): string[][] =>
  [...(table?.querySelectorAll('tr') ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent))

describe('a table', () => {
  test('has heads and cells with prose in them, as many as the head has', () => {
    const element = all(TABLE)
    const kinds = [...element.children].map((child) => child.className || child.tagName)
    expect(kinds).toEqual(['P', 'prose-table', 'P', 'prose-table', 'UL', 'prose-table', 'prose-heading'])
    const [first, second, third] = element.querySelectorAll('table')
    expect(rowsOf(first)).toEqual([
      ['Name', 'Size', ''],
      ['src/a.ts', '1', 'a | b'],
      ['x | y', '<b>2</b>', ''],
      ['one', 'two', 'three | four'],
      ['no pipe', ''],
      ['a | b', '', 'last'],
    ])
    expect([...(first?.querySelectorAll('th') ?? [])].map(({ scope, textContent }) => [scope, textContent])).toEqual([
      ['col', 'Name'],
      ['col', 'Size'],
    ])
    const [name, size, last] = first?.rows[1]?.cells ?? []
    expect(name?.querySelector('button')?.title).toBe('Open src/a.ts')
    expect(size?.querySelector('strong')?.textContent).toBe('1')
    expect([name, size, last].map((cell) => cell && getComputedStyle(cell).textAlign)).toEqual(['left', 'center', 'right'])
    expect(first?.rows[4]?.cells[1]?.colSpan).toBe(2)
    expect(element.querySelector('b')).toBeNull()
    expect(rowsOf(second)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(rowsOf(third)).toEqual([['x', 'y']])
  })

  test.each([1, 2, 7, 40])('looks the same in the end when it comes %i characters at a time', (size) => {
    const prose = create()
    for (let at = 0; at < TABLE.length; at += size) {
      prose.append(TABLE.slice(at, at + size))
      prose.settle()
    }
    expect(prose.element.innerHTML).toBe(all(TABLE).innerHTML)
  })

  test.each([
    ['a head of its own', '| a | b |'],
    ['no columns', '|\n|'],
    ['more dashes than heads', '| a |\n|---|---|'],
    ['dashes without a pipe', 'a | b\n---'],
    ['other signs among the dashes', '| a | b |\n|---|-x-|'],
    ['more columns than anybody reads', `${'|a'.repeat(101)}\n${'|-'.repeat(101)}`],
  ])('is none: %s', async (_, text) => {
    const element = await slowly(text)
    expect(element.querySelector('table')).toBeNull()
    expect(element.textContent).toBe(text)
  })

  test('shows no pipes while it comes, and is text again where it was none', async () => {
    const prose = create()
    const shown = async (text: string): Promise<Element> => {
      prose.append(text)
      // Drawn with the next frame, as before this one.
      await new Promise((resolve) => requestAnimationFrame(resolve))
      return prose.element
    }
    for (const character of 'Text\n| a | b |\n|---|:-:|\n| c |') {
      const element = await shown(character)
      expect(element.textContent).not.toMatch(/[|]|:-|--/)
    }
    expect(rowsOf(prose.element)).toEqual([
      ['a', 'b'],
      ['c', ''],
    ])
    // It may be a row, or code.
    expect(rowsOf(await shown('\n``'))).toHaveLength(2)
    expect(rowsOf(await shown('`\n'))).toHaveLength(2)
    await shown('```\n\n|x| is a number')
    expect(rowsOf(prose.element).at(-1)).toEqual(['x', 'is a number'])
    await shown('\nand more')
    expect(prose.element.lastElementChild?.outerHTML).toBe('<p>|x| is a number\nand more</p>')
    await shown('\n\n|end')
    expect(prose.element.lastElementChild?.className).toBe('prose-table')
    prose.settle()
    expect(prose.element.lastElementChild?.outerHTML).toBe('<p>|end</p>')
  })

  test('of any length is one table, whose rows are drawn once', () => {
    const prose = create()
    const row = '| some text | more text |\n'
    prose.append('| a | b |\n|---|--:|\n')
    let first: Element | null = null
    for (let count = 0; count < 600; count += 1) {
      for (const part of [row.slice(0, 9), row.slice(9)]) {
        prose.append(part)
        prose.settle()
      }
      if (count === 500) first = prose.element.querySelector('tbody tr')
    }
    expect(first?.isConnected).toBe(true)
    prose.append('\nBehind it.')
    prose.settle()
    expect([...prose.element.children].map((child) => child.className || child.tagName)).toEqual(['prose-table', 'P'])
    const rows = [...prose.element.querySelectorAll('tbody tr')]
    expect(rows).toHaveLength(600)
    expect(new Set(rows.map((one) => one.outerHTML))).toEqual(new Set(['<tr><td>some text</td><td class="is-right">more text</td></tr>']))
  })

  test.each([
    ['pipes', '|'.repeat(10_000)],
    ['pipes below pipes', `${'|'.repeat(10_000)}\n${'|-'.repeat(10_000)}\n${'|'.repeat(10_000)}`],
    ['escapes', `|a|b|\n|-|-|\n|${'\\|'.repeat(100_000)}`],
    ['code spans that do not end', `|a|b|\n|-|-|\n|${'`|``'.repeat(100_000)}`],
    ['rows', `|a|b|\n|-|-|\n${'|\n'.repeat(200_000)}`],
    ['blanks', `|a|b|\n|-|-|\n|${' '.repeat(200_000)}x${' '.repeat(200_000)}|`],
    ['dashes', `|a|b|\n|${'-'.repeat(200_000)}x|-|`],
    ['short rows of many columns', `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|\n'.repeat(3_000)}`],
  ])('of %s is drawn in time that grows with its length', async (_, text) => {
    // Work that grows with the square of it takes minutes.
    const element = await slowly(`${text}\n\nEnd.`)
    expect(element.lastElementChild?.textContent).toMatch(/(?:^|\n\n)End\.$/)
    expect(element.querySelectorAll('td').length).toBeLessThanOrEqual(element.querySelectorAll('tr').length + 100)
  })

  test('is moved sideways by itself, and has no violation', async () => {
    onTestFinished(() => {
      delete document.documentElement.dataset.theme
    })
    const cells = Array.from({ length: 12 }, (_, index) => `column${index}`).join(' | ')
    const prose = create()
    prose.element.style.width = '340px'
    prose.append(`Text.\n\n| ${cells} |\n|${'---|'.repeat(12)}\n| ${cells} |`)
    prose.settle()
    const holder = prose.element.querySelector('.prose-table') as HTMLElement
    expect(prose.element.scrollWidth).toBeLessThanOrEqual(340)
    expect(holder.scrollWidth).toBeGreaterThan(holder.clientWidth)
    expect(holder.tabIndex).toBe(0)
    for (const theme of ['light', 'dark']) {
      document.documentElement.dataset.theme = theme
      expect(await axeViolations()).toEqual([])
    }
  })
})

test('it is drawn by itself, soon after it came', async () => {
  const prose = create()
  prose.append('Hello.')
  await expect.poll(() => prose.element.textContent).toBe('Hello.')
})

test('of a text without end nothing is lost, and code stays code', () => {
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

test('the end of a conversation stays in view while it grows, until one scrolls up', async () => {
  const transcript = createTranscript({ isPath: () => false, onOpenPath: () => undefined })
  onTestFinished(transcript.dispose)
  transcript.element.style.height = '300px'
  document.body.append(transcript.element)
  const scroll = transcript.element.querySelector('.agent-scroll') as HTMLElement
  const fromEnd = (): number => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight
  const block = document.createElement('div')
  // Its own height is to count.
  block.style.flex = 'none'
  block.style.height = '600px'
  const scrolled = (): Promise<unknown> => new Promise((resolve) => scroll.addEventListener('scroll', resolve, { once: true }))
  const grow = (height: number): void => {
    block.style.height = `${height}px`
  }
  // It grows before the page hears that it was scrolled to its end.
  const first = scrolled()
  transcript.add(block)
  grow(900)
  await first
  await expect.poll(fromEnd).toBeLessThan(2)
  const up = scrolled()
  scroll.scrollTop -= 200
  await up
  const { scrollTop } = scroll
  grow(1200)
  transcript.follow()
  expect(scroll.scrollTop).toBe(scrollTop)
  transcript.element.querySelector<HTMLElement>('.to-end')?.click()
  await expect.poll(fromEnd).toBeLessThan(2)
  grow(1500)
  await expect.poll(fromEnd).toBeLessThan(2)
})

describe('a text that comes at once and is long', () => {
  test('is drawn over several frames, to its end, which is then as it is', async () => {
    const prose = create()
    const words = `${'some words '.repeat(20)}\n\n`
    prose.append(`${words.repeat(200)}| a |`)
    prose.settle()
    const first = prose.element.textContent.length
    expect(first).toBeGreaterThan(5_000)
    expect(first).toBeLessThanOrEqual(10_000)
    await expect.poll(() => prose.element.lastElementChild?.textContent).toBe('| a |')
    expect(prose.element.textContent.replaceAll('\n', '')).toBe(`${'some words '.repeat(20).repeat(200)}| a |`)
    expect(prose.element.children).toHaveLength(201)
  })

  test('is parted between words, and between characters', async () => {
    const parts = async (text: string): Promise<string[]> => [...(await slowly(text)).children].map((child) => child.textContent)
    for (const text of ['word '.repeat(5_000), '👍'.repeat(12_000), `a${'👍'.repeat(12_000)}`]) {
      const shown = await parts(text)
      expect(shown.join('')).toBe(text)
      expect(shown.length).toBeGreaterThan(1)
      for (const part of shown) expect(/^\p{Cs}|^ord|\p{Cs}$/u.test(part)).toBe(false)
    }
  })

  test('has a limited number of marks, and names the rest', async () => {
    const element = await slowly('\u200b\u200ca'.repeat(30_000))
    expect(element.querySelectorAll('*').length).toBeLessThan(4_000)
    expect(element.textContent).toMatch(/U\+200C⟩a$/)
  })

  test('goes on as another table below the same heads', async () => {
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
  ])('is shown as it was written behind very many %s, and says so; nothing of it is lost', async (_, before, one) => {
    const pieces = Array.from({ length: 6_000 }, (_, index) => one(index))
    const element = await slowly(`${before}${pieces.join('')}**End**`)
    expect(element.querySelectorAll('*').length).toBeLessThan(4_000)
    expect(element.querySelectorAll('.agent-note')).toHaveLength(1)
    const numbers = [...element.textContent.matchAll(/row ?(\d+)/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(pieces.map((_, index) => index))
    expect(element.lastElementChild?.textContent).toMatch(/\*\*End\*\*$/)
    expect(element.textContent.endsWith(`${one(5_999)}**End**`)).toBe(true)
  })

  test('of which more comes than a frame draws is not drawn by each word that it is waited for', () => {
    const prose = create()
    prose.append('some words '.repeat(5_000))
    prose.settle()
    const { length } = prose.element.textContent
    // As for each part of a call that is being written.
    for (let count = 0; count < 10; count += 1) prose.settle()
    expect(prose.element.textContent).toHaveLength(length)
  })

  test('goes on behind a whole line where a list grows beyond one', () => {
    const prose = create()
    const items = Array.from({ length: 500 }, (_, index) => `${index + 1}. item ${index} ${'x'.repeat(30)}`)
    for (const part of items.join('\n').match(/[\s\S]{1,7}/g) ?? []) {
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

test('an ordered list begins with the number that it was given', () => {
  const lists = [...all('1. one\n\nThen:\n\n2. two\n3. three\n- a\n').querySelectorAll('ol')]
  expect(lists.map(({ start, childElementCount }) => [start, childElementCount])).toEqual([
    [1, 1],
    [2, 2],
  ])
})

test('thoughts have a limited number of marks', () => {
  const transcript = createTranscript({ isPath: () => false, onOpenPath: () => undefined })
  onTestFinished(transcript.dispose)
  const thoughts = transcript.addThinking()
  for (let count = 0; count < 100; count += 1) thoughts.append('a\u200b'.repeat(100))
  expect(transcript.element.querySelectorAll('.hidden-character').length).toBeLessThan(2_500)
  expect(transcript.element.querySelector('.thinking-text')?.lastChild?.textContent).toBe('a⟨U+200B⟩'.repeat(100))
})

describe('where a long text goes on as another block', () => {
  test('code that ends there leaves no empty box behind it', async () => {
    const code = `${'x'.repeat(99)}\n`.repeat(119)
    const element = await slowly(`\`\`\`\n${code}\`\`\`\n\nDone`)
    const boxes = [...element.querySelectorAll('pre')].map(({ textContent }) => textContent)
    expect(boxes.filter((text) => text.trim() === '')).toEqual([])
    expect(boxes.join('').replace(/\s/g, '')).toBe(code.replace(/\s/g, ''))
    expect(element.lastElementChild?.textContent).toBe('Done')
  })

  test('code that begins there leaves no empty box behind it', async () => {
    const element = await slowly(`${'- item\n'.repeat(397)}\n\`\`\`\ncode\n\`\`\`\n\n${'words '.repeat(2_000)}`)
    expect([...element.querySelectorAll('pre')].map(({ textContent }) => textContent)).toEqual(['code'])
  })

  test.each(['# Head', '- item'])('a table that ends there with no blank line leaves no empty one behind it: %s', async (line) => {
    const head = '| a | b |\n|---|---|\n'
    // One of them ends where it is parted.
    for (let rows = 740; rows < 756; rows += 1) {
      const element = await slowly(`${head}${'| word word word word | b |\n'.repeat(rows)}${line}\n`)
      const bodies = [...element.querySelectorAll('tbody')].map(({ childElementCount }) => childElementCount)
      expect(bodies).not.toContain(0)
      expect(bodies.reduce((sum, count) => sum + count)).toBe(rows)
      element.remove()
    }
  })

  test.each(['-', '#', '1.', '```', '|', ' -', '  1.', '  ```'])('no word is taken for a sign of a new line: %s', async (sign) => {
    const text = `words ${`${sign} word `.repeat(6_000)}`
    const element = await slowly(text)
    expect(element.querySelectorAll('ul, ol, .prose-heading, pre, table')).toHaveLength(0)
    // It says that it is long, where it has many elements.
    element.querySelector('.agent-note')?.remove()
    const squeezed = (given: string): string => given.replace(/[\s`]/g, '')
    expect(squeezed(element.textContent)).toBe(squeezed(text))
  })

  test('nothing is parted or said of a rest when there is none', async () => {
    const prose = create()
    const items = Array.from({ length: 199 }, (_, index) => `- item ${index}`).join('\n')
    prose.append(items)
    // All of it is drawn by then.
    await expect.poll(() => prose.element.querySelectorAll('li').length).toBe(199)
    prose.settle()
    expect(prose.element.querySelectorAll('.agent-note')).toHaveLength(0)
    expect(prose.element.querySelectorAll('ul')).toHaveLength(1)
  })
})
