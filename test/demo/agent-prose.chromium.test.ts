// @module-tag playground
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProse } from '../../demo/src/agent/prose.js'
import { createTranscript } from '../../demo/src/agent/transcript.js'
import '../../demo/src/styles/index.css'
import { all, create, marks, opened, slowly, TABLE, TEXT, useAgentProsePage } from './agent-prose-page.js'

useAgentProsePage()

test('prose renders paragraphs, headings, lists, code and emphasis, and nothing else', () => {
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

test('a nested item is text of its item, and another kind of item starts a new list', () => {
  const element = all('1. one\n2. two\n   - nested\n3. three\n- four\n  1. five\n- six')
  expect([...element.children].map((list) => [list.tagName, [...list.children].map((item) => item.textContent)])).toEqual([
    ['OL', ['one', 'two\n- nested', 'three']],
    ['UL', ['four\n1. five', 'six']],
  ])
})

test('a file named in code can be opened', () => {
  all(TEXT).querySelector('button')?.click()
  expect(opened).toEqual(['src/a.ts'])
})

describe('invisible characters in prose', () => {
  test('are marked in text, code, emphasis and tables, and copied unchanged', () => {
    const text = 'a\u202eb\n\n# c\u200b\n\n- `d\u2066`\n- **e\u200b**\n\n| f\u200b |\n| - |\n| \ufeffg |\n\n```\nif (a\u202e) {\u2069\n```'
    const element = all(text)
    expect(marks(element)).toEqual(['202E', '200B', '2066', '200B', '200B', 'FEFF', '202E', '2069'].map((code) => `⟨U+${code}⟩`))
    const code = element.querySelector('.prose-code') as HTMLElement
    getSelection()?.selectAllChildren(code)
    expect(getSelection()?.toString()).toBe('if (a\u202e) {\u2069')
  })

  test('are marked in a path, which opens unchanged', () => {
    const prose = createProse({ isPath: () => true, onOpenPath: (path) => opened.push(path) })
    prose.append('`a\u202eb.ts`')
    prose.settle()
    const button = prose.element.querySelector('button')
    expect(button?.title).toBe('Open a⟨U+202E⟩b.ts')
    expect(marks(prose.element)).toEqual(['⟨U+202E⟩'])
    button?.click()
    expect(opened).toEqual(['a\u202eb.ts'])
  })

  test('are marked in thoughts, wherever they are split, and in user messages', () => {
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

const rowsOf = (table: Element | null | undefined): string[][] =>
  [...(table?.querySelectorAll('tr') ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent))

describe('a table in prose', () => {
  test('has headings and cells with inline prose, as many as headings', () => {
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

  test.each([
    ['only a header row', '| a | b |'],
    ['no columns', '|\n|'],
    ['more delimiter cells than header cells', '| a |\n|---|---|'],
    ['a delimiter row without a pipe', 'a | b\n---'],
    ['other characters in the delimiter row', '| a | b |\n|---|-x-|'],
    ['more than 100 columns', `${'|a'.repeat(101)}\n${'|-'.repeat(101)}`],
  ])('is plain text: %s', async (_, text) => {
    const element = await slowly(text)
    expect(element.querySelector('table')).toBeNull()
    expect(element.textContent).toBe(text)
  })

  test('shows no pipes while it arrives, and becomes text again if it is not a table', async () => {
    const prose = create()
    const shown = async (text: string): Promise<Element> => {
      prose.append(text)
      // The text is drawn in a frame that was requested before this one.
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
    // Two backticks may still become a row of the table, or a code fence.
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

  test('scrolls sideways', () => {
    const cells = Array.from({ length: 12 }, (_, index) => `column${index}`).join(' | ')
    const prose = create()
    prose.element.style.width = '340px'
    prose.append(`Text.\n\n| ${cells} |\n|${'---|'.repeat(12)}\n| ${cells} |`)
    prose.settle()
    const holder = prose.element.querySelector('.prose-table') as HTMLElement
    expect(prose.element.scrollWidth).toBeLessThanOrEqual(340)
    expect(holder.scrollWidth).toBeGreaterThan(holder.clientWidth)
    expect(holder.tabIndex).toBe(0)
  })
})

test('prose is drawn soon after it arrives, without a further call', async () => {
  const prose = create()
  prose.append('Hello.')
  await expect.poll(() => prose.element.textContent).toBe('Hello.')
})

test('a conversation scrolls to its end while it grows, until the user scrolls up', async () => {
  const transcript = createTranscript({ isPath: () => false, onOpenPath: () => undefined })
  onTestFinished(transcript.dispose)
  transcript.element.style.height = '300px'
  document.body.append(transcript.element)
  const scroll = transcript.element.querySelector('.agent-scroll') as HTMLElement
  const fromEnd = (): number => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight
  const block = document.createElement('div')
  // Keeps the flex container from shrinking the block.
  block.style.flex = 'none'
  block.style.height = '600px'
  const scrolled = (): Promise<unknown> => new Promise((resolve) => scroll.addEventListener('scroll', resolve, { once: true }))
  const grow = (height: number): void => {
    block.style.height = `${height}px`
  }
  // The block grows before the scroll event of the first scroll to the end.
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

describe('a long text that arrives at once', () => {
  test('is drawn over several frames', async () => {
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
})

test('an ordered list starts with its own number', () => {
  const lists = [...all('1. one\n\nThen:\n\n2. two\n3. three\n- a\n').querySelectorAll('ol')]
  expect(lists.map(({ start, childElementCount }) => [start, childElementCount])).toEqual([
    [1, 1],
    [2, 2],
  ])
})

describe('a long text split into blocks', () => {
  test('is not split and has no note if nothing remains', async () => {
    const prose = create()
    const items = Array.from({ length: 199 }, (_, index) => `- item ${index}`).join('\n')
    prose.append(items)
    // The whole text has been drawn by then.
    await expect.poll(() => prose.element.querySelectorAll('li').length).toBe(199)
    prose.settle()
    expect(prose.element.querySelectorAll('.agent-note')).toHaveLength(0)
    expect(prose.element.querySelectorAll('ul')).toHaveLength(1)
  })
})
