import { h } from '../dom.js'

/** About two lines of a narrow pane, characters. */
const SHORT = 110

/** A tool's description: its first lines, and the rest expandable. */
export function describe(text: string): HTMLElement[] {
  const [first = '', ...rest] = text.split('\n')
  const paragraph = h('p', {}, first)
  if (rest.length === 0 && first.length <= SHORT) return [paragraph]
  const more = h('pre', { hidden: true }, rest.join('\n'))
  const button = h('button', { type: 'button', class: 'tool-more', 'aria-expanded': 'false', on: { click: toggle } }, 'More')

  function toggle(): void {
    const unfolded = paragraph.classList.toggle('is-unfolded')
    more.hidden = !unfolded || rest.length === 0
    button.textContent = unfolded ? 'Less' : 'More'
    button.setAttribute('aria-expanded', String(unfolded))
  }

  return [paragraph, more, button]
}
