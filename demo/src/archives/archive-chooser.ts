import { h } from '../dom.js'
import { ARCHIVES } from './archives.js'

/** Creates a hidden file input that a button clicks. The user can choose the same file again. */
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
