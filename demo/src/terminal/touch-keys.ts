import type { Terminal } from '@xterm/xterm'
import { h } from '../dom.js'

export interface TouchKeys {
  readonly element: HTMLElement
  /** Filters the terminal's data: applies Ctrl to the next letter if the Ctrl button is pressed. */
  onData(take: (data: string) => void): void
}

interface TouchKey {
  readonly text: string
  readonly name: string
  readonly send: () => string
}

const LETTER = /^[a-z]$/i

/** Buttons for keys that on-screen keyboards lack. They send the same data as a keyboard and do not move the focus. */
export function createTouchKeys(terminal: Terminal): TouchKeys {
  const ctrl = h('button', { type: 'button', class: 'touch-key', 'aria-pressed': 'false', on: { click: pressCtrl } }, 'Ctrl')
  const keys: readonly TouchKey[] = [
    { text: 'Esc', name: 'Esc', send: () => '\u001b' },
    { text: 'Tab', name: 'Tab', send: () => '\t' },
    { text: '^C', name: 'Ctrl C', send: () => '\u0003' },
    { text: '←', name: 'Left', send: () => arrow('D') },
    { text: '↓', name: 'Down', send: () => arrow('B') },
    { text: '↑', name: 'Up', send: () => arrow('A') },
    { text: '→', name: 'Right', send: () => arrow('C') },
  ]
  const buttons = keys.map(({ text, name, send }) =>
    h('button', { type: 'button', class: 'touch-key', 'aria-label': name, on: { click: () => terminal.input(send()) } }, text),
  )
  buttons.splice(2, 0, ctrl)
  const element = h(
    'div',
    {
      class: 'touch-keys',
      role: 'toolbar',
      'aria-label': 'Keys',
      // Losing the focus would close the on-screen keyboard.
      on: { mousedown: (event) => event.preventDefault() },
    },
    ...buttons,
  )
  terminal.textarea?.addEventListener(
    'input',
    (event) => event instanceof InputEvent && event.isComposing && takeComposed(event.data ?? ''),
  )

  function isHeld(): boolean {
    return ctrl.ariaPressed === 'true'
  }

  function hold(held: boolean): void {
    ctrl.ariaPressed = String(held)
  }

  function pressCtrl(): void {
    hold(!isHeld())
    // The user types the letter on the on-screen keyboard, which needs the focus.
    terminal.focus()
  }

  function arrow(end: string): string {
    if (isHeld()) return `\u001b[1;5${end}`
    return `\u001b${terminal.modes.applicationCursorKeysMode ? 'O' : '['}${end}`
  }

  function withCtrl(data: string): string {
    if (!isHeld()) return data
    hold(false)
    return LETTER.test(data) ? String.fromCharCode(data.charCodeAt(0) & 31) : data
  }

  /** A composing keyboard would hold the letter back until the word ends, so the composition is ended here. */
  function takeComposed(text: string): void {
    const { textarea } = terminal
    if (!textarea || !isHeld() || !LETTER.test(text)) return
    textarea.value = ''
    textarea.blur()
    textarea.focus()
    terminal.input(text)
  }

  return {
    element,
    onData: (take) => void terminal.onData((data) => take(withCtrl(data))),
  }
}
