import { textButton } from '../button.js'
import { h, together } from '../dom.js'
import { formatDuration } from '../format.js'
import { visible, visibleText } from '../visible.js'
import { createProse, type Prose, type ProseOptions } from './prose.js'

/** Characters that only have a meaning after another character: joiners, variation selectors. */
const JOINED = /^(?:\p{Join_C}|\ufe0e|\ufe0f|\u20e3|[\u{e0100}-\u{e01ef}])/u
const MOST_AGAIN = 1_000
/** Maximum number of elements that mark invisible characters in the model's thoughts. Further marks are plain text. */
const MOST_PIECES = 4_000

/** The messages and calls of a conversation, in order. Stays scrolled to the end until the user scrolls up. */
export interface Transcript {
  readonly element: HTMLElement
  add(child: HTMLElement): void
  /** Adds a user message. */
  addUser(text: string): void
  /** Adds a growing text of the model. */
  addProse(): Prose
  /** Adds a collapsed text for the model's thoughts. The text grows with `append`. */
  addThinking(): { append(delta: string): void }
  /** Adds a message of the page itself. */
  addNote(text: string): void
  /** Shows what the agent waits for, at the end. Undefined: nothing. */
  waitFor(text: string | undefined): void
  /** Scrolls to the end after content has grown, unless the user has scrolled up. */
  follow(): void
  dispose(): void
}

/** Milliseconds before the transcript shows that the agent waits. */
const PATIENCE_MS = 300
/** Distance in pixels from the end that still counts as the end. */
const NEAR = 48

export function createTranscript(options: ProseOptions): Transcript {
  const list = h('div', { class: 'turns' })
  const waiting = h('div', { class: 'agent-waiting', hidden: true })
  const down = textButton('To the end', toEnd, { icon: 'chevron', class: 'small to-end', hidden: true })
  const scroll = h('div', { class: 'agent-scroll', tabindex: 0, role: 'region', 'aria-label': 'Conversation' }, list, waiting)
  const element = h('div', { class: 'transcript' }, scroll, down)
  let stuck = true
  /** Scroll position at the last scroll event. */
  let top = 0
  let timer: ReturnType<typeof setInterval> | undefined
  scroll.addEventListener('scroll', () => {
    const isNear = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR
    // The content may have grown since the user reached the end, so only scrolling up counts as leaving the end.
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

/** Appends text; its first character may combine with the previous one. Returns the number of pieces drawn. */
function appendVisible(to: HTMLElement, delta: string, isMarked: boolean): number {
  const last = to.lastChild
  const isAgain = JOINED.test(delta) && last instanceof Text && last.length < MOST_AGAIN
  if (isAgain) last.remove()
  const text = isAgain ? last.data + delta : delta
  const pieces = isMarked ? visible(text) : [visibleText(text)]
  to.append(together(pieces))
  return pieces.length - 1
}
