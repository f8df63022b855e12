import { type ToolResult, toModelText } from 'toolport'
import { h } from '../dom.js'
import { visible } from '../visible.js'
import { hasDiff, renderDiff } from './diff.js'

const SHOWN = 200_000

/** Renders what the model receives: the text of the result and its images. */
export function renderModelView(result: ToolResult): HTMLElement {
  const text = toModelText(result)
  const shown = text.slice(0, SHOWN)
  const body = hasDiff(shown) ? renderDiff(shown) : h('pre', { class: 'model-text' }, ...visible(shown))
  return h(
    'div',
    { class: 'model-view' },
    text === '' ? h('p', { class: 'note' }, 'The model reads an empty answer.') : body,
    text.length > SHOWN && h('p', { class: 'note' }, 'Only the beginning is shown here.'),
    ...pictures(result),
  )
}

function pictures(result: ToolResult): HTMLElement[] {
  const parts = result.ok ? (result.content ?? []) : []
  return parts.flatMap((part) => {
    if (part.type !== 'image') return []
    const bytes = Uint8Array.from(atob(part.data), (character) => character.charCodeAt(0))
    const address = URL.createObjectURL(new Blob([bytes], { type: part.mediaType }))
    const release = (): void => URL.revokeObjectURL(address)
    return [
      h('img', {
        class: 'model-picture',
        src: address,
        alt: `A picture (${part.mediaType}) for the model`,
        on: { load: release, error: release },
      }),
    ]
  })
}
