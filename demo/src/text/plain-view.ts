import { h } from '../dom.js'
import type { ChangedLines } from './changed-lines.js'
import { highlight } from './highlight.js'
import type { LoadedFile } from './load-file.js'
import { renderBytes, renderImage } from './render-bytes.js'
import { LINE_HEIGHT, renderLines } from './render-lines.js'

export interface PlainView {
  /** Goes into the box that scrolls. */
  readonly element: HTMLElement
  /** The first line that can be seen, 1-based. */
  readonly topLine: number
  /** The place in a file that is shown again is kept. */
  show(file: LoadedFile, changes: ChangedLines, fresh: ReadonlySet<number>, onImageSize: (size: string) => void): void
  /** Shows something that is no file. */
  say(...content: readonly Node[]): void
  /** Brings a line (1-based) into view. */
  reveal(line: number): void
}

/** A file as it is read only: pages of lines, a picture, or bytes. `box` scrolls. */
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

/** Room for the numbers of so many lines. */
export const digitsOf = (lines: number): number => Math.max(3, String(lines).length)
