import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createProse, type Prose } from '../../demo/src/agent/prose.js'
import { createTranscript } from '../../demo/src/agent/transcript.js'
import '../../demo/src/styles/index.css'

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
