import { h, together } from '../dom.js'
import { formatDuration } from '../format.js'
import { icon } from '../icons.js'
import { visible, visibleText } from '../visible.js'
import { createProse, type Prose, type ProseOptions } from './prose.js'

/** What means something only by what is before it: a joiner, the look of an emoji. */
const JOINED = /^(?:\p{Join_C}|\ufe0e|\ufe0f|\u20e3|[\u{e0100}-\u{e01ef}])/u
const MOST_AGAIN = 1_000
/** Into which what does not show parts thoughts; behind them it is named in text. */
const MOST_PIECES = 4_000

/** What has been said and done, in order; its end stays in view until one scrolls away. */
export interface Transcript {
  readonly element: HTMLElement
  add(child: HTMLElement): void
  /** What the user said. */
  addUser(text: string): void
  /** A text of the model, to grow. */
  addProse(): Prose
  /** What the model thinks, to grow; folded. */
  addThinking(): { append(delta: string): void }
  /** A line of the page itself. */
  addNote(text: string): void
  /** What is waited for, at the end; undefined: nothing. */
  waitFor(text: string | undefined): void
  /** Something has grown. */
  follow(): void
  dispose(): void
}

/** Shown only for waits that are so long that one would wonder. */
const PATIENCE_MS = 300
/** So near to its end, somebody reads the end. */
const NEAR = 48

export function createTranscript(options: ProseOptions): Transcript {
  const list = h('div', { class: 'turns' })
  const waiting = h('div', { class: 'agent-waiting', hidden: true })
  const down = h(
    'button',
    { type: 'button', class: 'button small to-end', hidden: true, on: { click: toEnd } },
    icon('chevron'),
    'To the end',
  )
  const scroll = h('div', { class: 'agent-scroll', tabindex: 0, role: 'region', 'aria-label': 'Conversation' }, list, waiting)
  const element = h('div', { class: 'transcript' }, scroll, down)
  let stuck = true
  /** Where it was scrolled to when that was last looked at. */
  let top = 0
  let timer: ReturnType<typeof setInterval> | undefined
  scroll.addEventListener('scroll', () => {
    const isNear = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR
    // It may have grown since it was scrolled to its end: only who goes up goes away.
    if (isNear) stuck = true
    else if (scroll.scrollTop < top) stuck = false
    top = scroll.scrollTop
    down.hidden = stuck
  })
  const sizes = new ResizeObserver(follow)
  sizes.observe(scroll)
  sizes.observe(list)

  function toEnd(): void {
    stuck = true
    follow()
  }
  function follow(): void {
    if (stuck) scroll.scrollTop = scroll.scrollHeight
    top = scroll.scrollTop
  }
  function add(child: HTMLElement): void {
    list.append(child)
    follow()
  }

  return {
    element,
    add,
    addUser(text) {
      stuck = true
      add(h('div', { class: 'turn-user' }, h('span', { class: 'visually-hidden' }, 'You: '), together(visible(text))))
    },
    addProse() {
      const prose = createProse(options)
      add(prose.element)
      return prose
    },
    addThinking() {
      const text = h('div', { class: 'thinking-text' })
      add(h('details', { class: 'thinking' }, h('summary', {}, 'Thoughts'), text))
      let pieces = 0
      return {
        append(delta) {
          pieces += appendVisible(text, delta, pieces < MOST_PIECES)
        },
      }
    },
    addNote: (text) => add(h('p', { class: 'agent-note' }, text)),
    waitFor(text) {
      clearInterval(timer)
      waiting.hidden = text === undefined
      if (text === undefined) return
      const began = performance.now()
      const time = h('span', { class: 'waiting-time' })
      waiting.replaceChildren(h('span', { class: 'spinner', 'aria-hidden': 'true' }), text, time)
      timer = setInterval(() => {
        const passed = performance.now() - began
        if (passed >= PATIENCE_MS) time.textContent = formatDuration(passed)
      }, 200)
      follow()
    },
    follow,
    dispose() {
      clearInterval(timer)
      sizes.disconnect()
    },
  }
}

/** More of a text, of which any character may be the first. Gives how many pieces it was drawn in. */
function appendVisible(to: HTMLElement, delta: string, isMarked: boolean): number {
  const last = to.lastChild
  const isAgain = JOINED.test(delta) && last instanceof Text && last.length < MOST_AGAIN
  if (isAgain) last.remove()
  const text = isAgain ? last.data + delta : delta
  const pieces = isMarked ? visible(text) : [visibleText(text)]
  to.append(together(pieces))
  return pieces.length - 1
}
