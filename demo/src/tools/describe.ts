import { h } from '../dom.js'

/** A tool's description: its first line, and the lines after it to unfold. */
export function describe(text: string): HTMLElement[] {
  const [first = '', ...rest] = text.split('\n')
  if (rest.length === 0) return [h('p', {}, first)]
  return [h('p', {}, first), h('details', { class: 'tool-details' }, h('summary', {}, 'How it goes on'), h('pre', {}, rest.join('\n')))]
}
