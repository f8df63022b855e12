import { h } from '../dom.js'
import { formatBytes } from '../format.js'
import { visibleNameText } from '../visible.js'
import type { LoadedBytes } from './load-file.js'

const SHOWN = 4096
const WIDTH = 16

/** A hex dump of the first bytes: `offset  hex  characters`. */
export function renderBytes({ bytes, size }: LoadedBytes): HTMLElement {
  const rows: string[] = []
  for (let at = 0; at < Math.min(bytes.length, SHOWN); at += WIDTH) {
    const part = [...bytes.subarray(at, at + WIDTH)]
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('')
    rows.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(WIDTH * 3 - 1)}  ${text}`)
  }
  const note = size > SHOWN ? `The first ${formatBytes(SHOWN)} of ${formatBytes(size)}.` : 'All of its bytes.'
  return h('div', { class: 'bytes' }, h('p', { class: 'note' }, `Not UTF-8 text. ${note}`), h('pre', {}, rows.join('\n')))
}

/** Shows an image through a blob URL, which is revoked after loading. */
export function renderImage({ path, bytes, mediaType }: LoadedBytes, onSize: (size: string) => void): HTMLElement {
  const address = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
  const holder = h('div', { class: 'picture' })
  const image = h('img', {
    src: address,
    alt: `The picture ${visibleNameText(path)}`,
    on: {
      load: () => {
        URL.revokeObjectURL(address)
        onSize(`${image.naturalWidth} × ${image.naturalHeight}`)
      },
      error: () => {
        URL.revokeObjectURL(address)
        holder.replaceChildren(h('p', { class: 'note' }, 'This picture cannot be shown: its data is damaged or of another kind.'))
      },
    },
  })
  holder.append(image)
  return holder
}
