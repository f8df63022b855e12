import { textButton } from './button.js'
import { h } from './dom.js'

/** A button that copies the result of `text()` and shows whether that worked. */
export function copyButton(label: string, text: () => string): HTMLElement {
  const word = h('span', { 'aria-live': 'polite' }, 'Copy')
  const button = textButton(word, () => void copy(), { icon: 'copy', class: 'small quiet', 'aria-label': label, title: label })
  let timer: ReturnType<typeof setTimeout> | undefined

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text())
      word.textContent = 'Copied'
    } catch {
      word.textContent = 'Not allowed'
    }
    clearTimeout(timer)
    timer = setTimeout(() => {
      word.textContent = 'Copy'
    }, 1600)
  }
  return button
}
