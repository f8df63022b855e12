import { h } from '../dom.js'
import type { ChangedLines } from './changed-lines.js'
import { highlight } from './highlight.js'
import type { LoadedFile } from './load-file.js'
import { renderBytes, renderImage } from './render-bytes.js'
import { LINE_HEIGHT, renderLines } from './render-lines.js'

export interface PlainView {
  /** Goes into the scroll container. */
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
