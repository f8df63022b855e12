import { h } from '../dom.js'
import { linkParts, type Place } from './links.js'

type Stream = 'stdout' | 'stderr' | 'note' | 'value'

export interface OutputOptions {
  readonly isPath: (text: string) => boolean
  readonly onOpenPath: (path: string, line?: number) => void
}

/** Shows the output of a program, coloured by stream. File locations become buttons. */
export interface OutputView {
  readonly element: HTMLElement
  print(stream: Stream, text: string): void
  /** Prints a message on a line of its own. */
  say(text: string, stream?: Stream): void
  /** Draws pending output immediately. */
  flush(): void
  clear(): void
}

/** Longer lines are not searched for links. */
const LONG_LINE = 2_000
const PACE_MS = 30

export function createOutputView({ isPath, onOpenPath }: OutputOptions): OutputView {
  const body = h('pre', {})
  const element = h('div', { class: 'run-output', tabindex: 0, role: 'region', 'aria-label': 'Output' }, body)
  /** The current run of output from one stream. */
  let part: { readonly stream: Stream; readonly element: HTMLElement } | undefined
  /** Output that is not drawn yet. */
  let waiting: { readonly stream: Stream; text: string }[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The current incomplete line. */
  let open: { text: string; readonly node: Text } | undefined

  function partOf(stream: Stream): HTMLElement {
    if (part?.stream === stream) return part.element
    finish()
    const next = h('span', { class: `is-${stream}` })
    body.append(next)
    part = { stream, element: next }
    return next
  }

  function put(line: string, parent: HTMLElement): void {
    const pieces = line.length > LONG_LINE ? [{ text: line }] : linkParts(line, isPath)
    for (const { text, place } of pieces as { text: string; place?: Place }[]) {
      const last = parent.lastChild
      if (place) parent.append(link(text, place))
      else if (last instanceof Text) last.appendData(text)
      else parent.append(text)
    }
  }

  function link(text: string, { path, line }: Place): HTMLElement {
    const press = (): void => onOpenPath(path, line)
    return h('button', { type: 'button', class: 'json-path', title: `Open ${path} at line ${line}`, on: { click: press } }, text)
  }

  /** Finishes the current line. */
  function finish(): void {
    if (!open || !part) return
    const { text, node } = open
    open = undefined
    node.remove()
    put(text, part.element)
  }

  /** Output is drawn in batches, because laying out each line would be slow. */
  function print(stream: Stream, text: string): void {
    if (text === '') return
    const last = waiting.at(-1)
    if (last?.stream === stream) last.text += text
    else waiting.push({ stream, text })
    timer ??= setTimeout(flush, PACE_MS)
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 30
    for (const { stream, text } of waiting) draw(stream, text)
    waiting = []
    if (isAtEnd) element.scrollTop = element.scrollHeight
  }

  function draw(stream: Stream, text: string): void {
    const parent = partOf(stream)
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) {
      const lines = (open?.text ?? '') + text.slice(0, end)
      open?.node.remove()
      open = undefined
      for (const line of lines.match(/[^\n]*\n/g) ?? []) put(line, parent)
    }
    const rest = (open?.text ?? '') + text.slice(end)
    open?.node.remove()
    open = undefined
    if (rest !== '') {
      const node = document.createTextNode(rest)
      parent.append(node)
      open = { text: rest, node }
    }
  }

  return {
    element,
    print,
    say(text, stream = 'note') {
      flush()
      finish()
      const said = body.textContent ?? ''
      print(stream, `${said === '' || said.endsWith('\n') ? '' : '\n'}${text}\n`)
      flush()
    },
    flush,
    clear() {
      clearTimeout(timer)
      timer = part = open = undefined
      waiting = []
      body.replaceChildren()
    },
  }
}
