import { h } from '../dom.js'

/** Covers the page while the user drags files over it. */
export function createDropZone(target: HTMLElement, onDrop: (transfer: DataTransfer) => void): HTMLElement {
  const cover = h(
    'div',
    { class: 'drop-cover', hidden: true, 'aria-hidden': 'true' },
    h('p', {}, 'Drop a folder to open it, or files to add them'),
  )
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
  target.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    cover.hidden = false
  })
  target.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) cover.hidden = true
  })
  target.addEventListener('drop', (event) => {
    if (!hasFiles(event) || !event.dataTransfer) return
    event.preventDefault()
    cover.hidden = true
    onDrop(event.dataTransfer)
  })
  return cover
}
