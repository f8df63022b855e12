import type { Terminal } from '@xterm/xterm'

/**
 * Takes text that comes without a key: dictated, or from a picker of emoji. xterm leaves it out in its mode for screen readers, where it
 * takes text from keys and compositions only.
 */
export function takeTextWithoutKeys(terminal: Terminal): void {
  let keyDown = false
  terminal.textarea?.addEventListener('keydown', () => {
    keyDown = true
  })
  terminal.textarea?.addEventListener('keyup', () => {
    keyDown = false
  })
  terminal.textarea?.addEventListener('input', (event) => {
    if (event instanceof InputEvent && event.inputType === 'insertText' && event.data && !keyDown) terminal.input(event.data)
  })
}
