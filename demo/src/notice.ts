import { textButton } from './button.js'
import { h } from './dom.js'
import { icon } from './icons.js'
import { type After, afterMs } from './pace.js'
import { visible } from './visible.js'

export interface NoticeAction {
  readonly label: string
  readonly run: () => void
  /** Whether the action disappears with the next call, because it would do something else then. */
  readonly passing?: boolean
}

type Kind = 'info' | 'error'

/** A shown message. Its methods do nothing once another message is shown. */
export interface Told {
  /** Appends the progress to the message. Screen readers do not announce the progress. */
  update(howFar: string): void
  clear(): void
}

export interface Notice {
  readonly element: HTMLElement
  /** Shows a message. `action`: an action for the user, until the next message. */
  tell(text: string, kind?: Kind, action?: NoticeAction): void
  /** Shows a message about running work, which stays until the work is over. */
  follow(text: string, action?: NoticeAction): Told
  clear(): void
  /** Whether the current message stays until it is closed. */
  readonly keeps: boolean
  /** Called after every call: removes an action that is no longer valid. */
  called(): void
}

const READ_MS = 6000
/** Number of characters that a slow reader reads in `READ_MS`. */
const SHORT = 60
const CHARACTER_MS = 70

/** Milliseconds that a message stays visible before it disappears. */
export const readingTime = (text: string): number => READ_MS + Math.max(0, text.length - SHORT) * CHARACTER_MS

/** Elements that can receive the focus. */
const CONTROL = ':is(button, input, select, textarea, summary, a[href], [tabindex="0"]):not([tabindex="-1"])'

/** A toast for messages. Messages disappear after their reading time. Errors and messages with an action stay until closed. */
export function createNotice(after: After = afterMs): Notice {
  const text = h('p', {})
  const step = h('span', { 'aria-live': 'off' })
  const close = h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': 'Close this message', on: { click: clear } },
    icon('cross'),
  )
  const actions = h('div', { class: 'notice-actions' }, close)
  const box = h(
    'div',
    { class: 'notice', hidden: true, on: { pointerleave: waitAnew, focusin: noteOrigin, focusout: waitAnew } },
    text,
    actions,
  )
  // The live regions exist from the start, because screen readers announce changes inside a region but not a new region.
  const places = {
    info: h('div', { role: 'status', 'aria-atomic': 'false' }, box),
    error: h('div', { role: 'alert', 'aria-atomic': 'false' }),
  }
  let passing = false
  let stays = true
  let shown: Told | undefined
  let stop = (): void => undefined
  /** The element that had the focus before the toast, and its pane. */
  let origin: Element | undefined
  let pane: Element | null | undefined

  const hasFocus = (): boolean => box.contains(document.activeElement)

  function noteOrigin({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Element) || box.contains(relatedTarget)) return
    origin = relatedTarget
    pane = relatedTarget.closest('.pane')
  }

  /** Returns the focus. The original element may be gone or hidden, so its pane's controls are fallbacks. */
  function giveFocusBack(): void {
    const others = [pane, box.closest('.panes')].flatMap((part) => [...(part?.querySelectorAll(CONTROL) ?? [])])
    for (const one of [origin, ...others]) {
      if (!(one instanceof HTMLElement)) continue
      one.focus({ preventScroll: true })
      if (document.activeElement === one) return
    }
  }

  function actionButton({ label, run }: NoticeAction): HTMLElement {
    const onClick = (): void => {
      clear()
      run()
    }
    return textButton(label, onClick, { class: 'small' })
  }

  function clear(): void {
    stop()
    stays = true
    shown = undefined
    const hadFocus = hasFocus()
    box.hidden = true
    text.textContent = ''
    if (hadFocus) giveFocusBack()
    origin = undefined
    pane = undefined
  }

  /** Whether the user points at or focuses the toast, or the page is hidden. */
  const isHeld = (): boolean => box.matches(':hover, :focus-within') || document.hidden

  function waitAnew(): void {
    stop()
    if (stays) return
    stop = after(() => (isHeld() ? waitAnew() : clear()), readingTime(text.textContent))
  }

  function show(message: string, kind: Kind = 'info', action?: NoticeAction, goesOn = false): void {
    passing = action?.passing === true
    stays = kind === 'error' || action !== undefined || goesOn
    const hadFocus = hasFocus()
    box.className = `notice is-${kind}`
    if (box.parentElement !== places[kind]) places[kind].append(box)
    box.hidden = false
    text.replaceChildren(...visible(message))
    actions.replaceChildren(...(action ? [actionButton(action)] : []), close)
    // Moving an element drops its focus.
    if (hadFocus) close.focus()
    waitAnew()
    shown = undefined
  }

  function follow(message: string, action?: NoticeAction): Told {
    show(message, 'info', action, true)
    step.textContent = ''
    text.append(step)
    const told: Told = {
      update(howFar) {
        if (shown === told && howFar !== '') step.replaceChildren(' ', ...visible(howFar))
      },
      clear() {
        if (shown === told) clear()
      },
    }
    shown = told
    return told
  }

  return {
    element: h('div', { class: 'notices' }, places.info, places.error),
    clear,
    get keeps() {
      return !box.hidden && stays
    },
    called() {
      if (passing) clear()
    },
    tell: (message, kind, action) => show(message, kind, action),
    follow,
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
