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

describe('how a command ended', () => {
  test.each([
    [{}, 'done', 'check'],
    [{ exit_code: 1 }, 'exit 1', 'cross'],
    [{ exit_code: 124, timed_out: true }, 'timed out', 'cross'],
    [{ exit_code: 143, aborted: true }, 'stopped', 'cross'],
  ])('%o is told as %s', (more, told, icon) => {
    const card = show('bash', { command: 'echo one' })
    card.running()
    card.done(command(more), 5, undefined)
    expect(word(card)).toBe(told)
    expect(mark(card)).toContain(icon)
    expect(card.element.getAttribute('aria-label')).toBe(`Call bash, ${told}`)
    expect(getComputedStyle(found(card, '.card-mark')).color === getComputedStyle(found(card, '.card-state')).color).toBe(icon === 'cross')
    // What it has printed is shown however it ended.
    expect(found(card, '.card-box').textContent).toContain('one')
  })
})
