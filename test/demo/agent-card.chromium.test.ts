// @module-tag playground
import type { ToolResult } from 'toolport'
import { afterEach, describe, expect, test } from 'vitest'
import { type CallCard, createCallCard } from '../../demo/src/agent/call-card.js'
import '../../demo/src/styles/index.css'

afterEach(() => document.body.replaceChildren())

function show(tool: string, input: Readonly<Record<string, unknown>>): CallCard {
  const card = createCallCard(
    { id: 'call_1', tool, input },
    {
      about: '',
      relative: (path) => path.replace('/workspace/', ''),
      onOpenPath: () => undefined,
      onUndo: () => Promise.resolve(),
      onCompare: () => undefined,
    },
  )
  document.body.append(card.element)
  return card
}

const found = ({ element }: CallCard, selector: string): HTMLElement => {
  const one = element.querySelector<HTMLElement>(selector)
  if (!one) throw new Error(`${selector} is not there`)
  return one
}
const word = (card: CallCard): string | null => found(card, '.card-state').textContent
const mark = (card: CallCard): string | undefined => found(card, '.card-mark').querySelector('svg')?.getAttribute('class') ?? undefined
const command = (more: Readonly<Record<string, unknown>>): ToolResult => ({
  ok: true,
  output: { stdout: 'one\n', stderr: '', exit_code: 0, timed_out: false, aborted: false, ...more },
  content: [{ type: 'text', text: 'one' }],
})

describe('the outcome of a command', () => {
  test.each([
    [{}, 'done', 'check'],
    [{ exit_code: 1 }, 'exit 1', 'cross'],
    [{ exit_code: 124, timed_out: true }, 'timed out', 'cross'],
    [{ exit_code: 143, aborted: true }, 'stopped', 'cross'],
  ])('%o is shown as %s', (more, told, icon) => {
    const card = show('bash', { command: 'echo one' })
    card.running()
    card.done(command(more), 5, undefined)
    expect(word(card)).toBe(told)
    expect(mark(card)).toContain(icon)
    expect(card.element.getAttribute('aria-label')).toBe(`Call bash, ${told}`)
    expect(getComputedStyle(found(card, '.card-mark')).color === getComputedStyle(found(card, '.card-state')).color).toBe(icon === 'cross')
    // The output is shown, however the command ended.
    expect(found(card, '.card-box').textContent).toContain('one')
  })
})

describe('an approval question', () => {
  const nothing = Promise.resolve(undefined)
  /** Whether the card keeps a key event from the focused button. The event comes `after` milliseconds from now. */
  function isRefused(type: 'keydown' | 'keyup', key: string, { after = 0, repeat = false } = {}): boolean {
    const event = new KeyboardEvent(type, { key, repeat, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: performance.now() + after })
    document.activeElement?.dispatchEvent(event)
    return event.defaultPrevented
  }
  function ask(): void {
    const card = show('bash', { command: 'echo one' })
    void card.ask(undefined, nothing)
    found(card, '.card-answers .button').focus()
  }

  test.each(['Enter', ' '])('is not answered by %o pressed right after it appears', (key) => {
    ask()
    expect(isRefused('keydown', key)).toBe(true)
    expect(isRefused('keyup', key, { after: 1000 })).toBe(true)
    expect(isRefused('keydown', key, { after: 1000 })).toBe(false)
    expect(isRefused('keyup', key, { after: 1000 })).toBe(false)
  })

  test.each(['Enter', ' '])('is not answered by holding or releasing %o', (key) => {
    ask()
    expect(isRefused('keydown', key, { after: 60_000, repeat: true })).toBe(true)
    expect(isRefused('keyup', key, { after: 60_000 })).toBe(true)
  })

  test('does not capture other keys', () => {
    ask()
    for (const key of ['Tab', 'Escape', 'a']) expect(isRefused('keydown', key)).toBe(false)
  })
})

test('a denied call shows its planned change greyed out', async () => {
  const card = show('edit_file', { path: 'a.txt' })
  const answer = card.ask(undefined, Promise.resolve('@@ -1 +1 @@\n-one\n+two\n'))
  await expect.poll(() => card.element.querySelector('.diff-added')?.textContent).toBe('+two')
  const deny = [...card.element.querySelectorAll('button')].find(({ textContent }) => textContent === 'Deny')
  deny?.click()
  expect(await answer).toBe('deny')
  const output = { status: 'denied', code: 'denied', callId: 'call_1', tool: 'edit_file', recoverable: false } as const
  card.done({ ok: false, output, error: 'Denied' }, 5, undefined)
  expect(found(card, '.card-failure').textContent).toBe('You denied this.')
  expect(found(card, '.diff-added').textContent).toBe('+two')
  expect(getComputedStyle(found(card, '.card-box')).filter).toBe('grayscale(1)')
  expect(card.element.querySelector('.card-answers')).toBeNull()
})

describe('a narrow tool card', () => {
  function narrow({ element }: CallCard, width: number): void {
    element.style.width = `${width}px`
  }
  const heightOf = (element: Element): number => element.getBoundingClientRect().height

  test('scrolls its output sideways, and wraps the input of a question', () => {
    const long = 'word '.repeat(60)
    const card = show('bash', { command: long })
    narrow(card, 300)
    void card.ask(undefined, Promise.resolve(undefined))
    const asked = found(card, '.card-box')
    expect(asked.scrollWidth).toBe(asked.clientWidth)
    card.done({ ...command({}), content: [{ type: 'text', text: `${long}\n${long}` }] } as ToolResult, 5, undefined)
    const box = found(card, '.card-box')
    expect(box.scrollWidth).toBeGreaterThan(box.clientWidth)
    expect(heightOf(found(card, '.card-box > pre'))).toBeLessThan(50)
  })

  test('breaks no path while there is room', () => {
    const card = show('edit_file', { path: 'examples/lines.js' })
    narrow(card, 400)
    card.done(command({}), 5, { changes: [{ path: 'examples/lines.js', change: 'modified', kind: 'file' }], total: 1 })
    expect(heightOf(found(card, '.path-link'))).toBeLessThan(24)
  })
})
