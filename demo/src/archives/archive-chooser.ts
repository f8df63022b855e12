import { h } from '../dom.js'
import { ARCHIVES } from './archives.js'

/** Asks for an archive in the browser's own dialog; stands unseen beside the button that clicks it. The same one can be chosen again. */
export function createArchiveChooser(label: string, onFile: (file: File) => void): HTMLInputElement {
  const chooser = h('input', {
    type: 'file',
    accept: ARCHIVES,
    class: 'visually-hidden',
    tabindex: -1,
    'aria-label': label,
    on: { change: onChange },
  })
  function onChange(): void {
    const [file] = chooser.files ?? []
    chooser.value = ''
    if (file) onFile(file)
  }
  return chooser
}
