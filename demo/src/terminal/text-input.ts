import type { Terminal } from '@xterm/xterm'

/**
 * Accepts text that arrives without a key press, such as dictation or an emoji picker. In screen reader mode xterm ignores such text,
 * because it only accepts keys and compositions.
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
