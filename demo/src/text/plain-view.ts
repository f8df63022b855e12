import { h } from '../dom.js'
import { formatBytes } from '../format.js'
import { visibleNameText } from '../visible.js'
import type { ChangedLines } from './changed-lines.js'
import { highlight } from './highlight.js'
import type { LoadedBytes, LoadedFile } from './load-file.js'
import { LINE_HEIGHT, renderLines } from './render-lines.js'

export interface PlainView {
  /** The element to put into the scroll container. */
  readonly element: HTMLElement
  /** First visible line, 1-based. */
  readonly topLine: number
  /** Shows a file. Keeps the scroll position if the same file is shown again. */
  show(file: LoadedFile, changes: ChangedLines, fresh: ReadonlySet<number>, onImageSize: (size: string) => void): void
  /** Shows a message instead of a file. */
  say(...content: readonly Node[]): void
  /** Scrolls a line (1-based) into view. */
  reveal(line: number): void
}

/** A read-only view of a file: pages of lines, an image, or a hex dump. `box` is the scroll container. */
export function createPlainView(box: HTMLElement): PlainView {
  const element = h('div', { class: 'plain-view' })
  let shown: string | undefined

  return {
    element,
    get topLine() {
      return Math.floor(box.scrollTop / LINE_HEIGHT) + 1
    },
    show(file, changes, fresh, onImageSize) {
      const { scrollTop, scrollLeft } = box
      if (file.kind === 'text') element.replaceChildren(renderText(file.path, file.lines, changes, fresh))
      else element.replaceChildren(file.kind === 'image' ? renderImage(file, onImageSize) : renderBytes(file))
      if (shown === file.path) box.scrollTo(scrollLeft, scrollTop)
      else box.scrollTo(0, 0)
      shown = file.path
    },
    say(...content) {
      shown = undefined
      element.replaceChildren(...content)
    },
    reveal(line) {
      element.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'center', inline: 'nearest' })
    },
  }
}

function renderText(path: string, lines: readonly string[], changes: ChangedLines, fresh: ReadonlySet<number>): HTMLElement {
  if (lines.length === 0) return h('div', { class: 'empty' }, h('strong', {}, 'This file is empty'))
  const code = h('div', { class: 'code' })
  code.style.setProperty('--digits', String(digitsOf(lines.length)))
  renderLines(code, { lines, tokens: highlight(path, lines), changes, fresh })
  return code
}

/** Number of digits for the line numbers. */
export const digitsOf = (lines: number): number => Math.max(3, String(lines).length)

const SHOWN = 4096
const WIDTH = 16

/** A hex dump of the first bytes: `offset  hex  characters`. */
function renderBytes({ bytes, size }: LoadedBytes): HTMLElement {
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
function renderImage({ path, bytes, mediaType }: LoadedBytes, onSize: (size: string) => void): HTMLElement {
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
