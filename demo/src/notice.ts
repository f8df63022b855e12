import { h } from './dom.js'
import { icon } from './icons.js'
import { type After, afterMs } from './pace.js'
import { visible } from './visible.js'

export interface NoticeAction {
  readonly label: string
  readonly run: () => void
  /** Gone with the next call, after which it would do something else. */
  readonly passing?: boolean
}

type Kind = 'info' | 'error'

/** One message. Nothing happens once another is shown. */
export interface Told {
  /** How far what was told is by now, in words that stand behind it. Screen readers read them only when they are asked to. */
  update(howFar: string): void
  clear(): void
}

export interface Notice {
  readonly element: HTMLElement
  /** `action`: what can be done about it, until something else is told. */
  tell(text: string, kind?: Kind, action?: NoticeAction): void
  /** The same of what goes on: it stays until it is over. */
  follow(text: string, action?: NoticeAction): Told
  clear(): void
  /** Something is shown that does not leave by itself. */
  readonly keeps: boolean
  /** Something has been called: what was to be done before that is over. */
  called(): void
}

const READ_MS = 6000
/** As many characters are read in that time, by a slow reader. */
const SHORT = 60
const CHARACTER_MS = 70

/** How long a text is shown that leaves by itself. */
export const readingTime = (text: string): number => READ_MS + Math.max(0, text.length - SHORT) * CHARACTER_MS

/** What can have the focus without a script. */
const CONTROL = ':is(button, input, select, textarea, summary, a[href], [tabindex="0"]):not([tabindex="-1"])'

/**
 * A few words over the page that say what happened. They leave when they have been read; until they are closed stays what went wrong, and
 * what something can be done about.
 */
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
  // They are there before there is something to tell: screen readers tell what changes in them, not that they come.
  const places = {
    info: h('div', { role: 'status', 'aria-atomic': 'false' }, box),
    error: h('div', { role: 'alert', 'aria-atomic': 'false' }),
  }
  let passing = false
  let stays = true
  let shown: Told | undefined
  let stop = (): void => undefined
  /** What had the focus before the box, and the pane that it was in. */
  let origin: Element | undefined
  let pane: Element | null | undefined

  const hasFocus = (): boolean => box.contains(document.activeElement)

  function noteOrigin({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Element) || box.contains(relatedTarget)) return
    origin = relatedTarget
    pane = relatedTarget.closest('.pane')
  }

  /** Where it came from may be gone by now, or not seen any more: such a one does not take it. */
  function giveFocusBack(): void {
    const others = [pane, box.closest('.panes')].flatMap((part) => [...(part?.querySelectorAll(CONTROL) ?? [])])
    for (const one of [origin, ...others]) {
      if (!(one instanceof HTMLElement)) continue
      // Whoever has scrolled away from it stays there.
      one.focus({ preventScroll: true })
      if (document.activeElement === one) return
    }
  }

  function actionButton({ label, run }: NoticeAction): HTMLElement {
    const onClick = (): void => {
      clear()
      run()
    }
    return h('button', { type: 'button', class: 'button small', on: { click: onClick } }, label)
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

  /** Somebody is at it, or nobody looks. */
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
    // What is moved loses it.
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
