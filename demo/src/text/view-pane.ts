import { copyButton } from '../copy-button.js'
import { h } from '../dom.js'
import { formatBytes, plural } from '../format.js'
import { icon } from '../icons.js'
import { createRunPanel, isProgram, type RunPanelOptions } from '../run/run-panel.js'
import type { Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import { type ChangedLines, changedLines } from './changed-lines.js'
import { highlight } from './highlight.js'
import { splitLines } from './lines.js'
import { decode, type LoadedFile, type LoadedText, loadFile } from './load-file.js'
import { renderBytes, renderImage } from './render-bytes.js'
import { renderLines } from './render-lines.js'

export interface ViewPane {
  readonly element: HTMLElement
  /** Path relative to the root of the file that is shown. */
  readonly path: string | undefined
  use(session: Session): void
  /** Shows a file, at `line` (1-based) where one is given. */
  open(path: string, line?: number): Promise<void>
  /** Reads the open file again; lines that changed are lit and brought into view. */
  refresh(): Promise<void>
  /** Brings into view what could not be while the pane was hidden. */
  catchUp(): void
  /** Whether the open file is a program, which can be run. */
  readonly canRun: boolean
  /** Runs the open file, below it. */
  run(): Promise<void>
}

export type ViewPaneOptions = Omit<RunPanelOptions, 'onRunning' | 'onClose'>

const NOTHING: ReadonlySet<number> = new Set()

/** The read-only view of one file, with what the workspace knows about it. A program can be run. */
export function createViewPane(options: ViewPaneOptions): ViewPane {
  const title = h('h2', { id: 'view-heading', class: 'file-title' })
  const meta = h('ul', { class: 'meta', 'aria-label': 'About this file' })
  const body = h('div', { class: 'view-body', tabindex: 0, role: 'region', 'aria-label': 'Content of the file' })
  const copy = copyButton('Copy the text of this file', () => (shown?.kind === 'text' ? shown.lines.join('\n') : ''))
  const runButton = h(
    'button',
    {
      type: 'button',
      class: 'button small run-file',
      hidden: true,
      title: `Run this file (${/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} ↵ in this pane)`,
      'aria-label': 'Run this file',
      'aria-keyshortcuts': 'Control+Enter Meta+Enter',
      on: { click: () => void run() },
    },
    icon('run'),
    'Run',
  )
  const program = createRunPanel({
    ...options,
    onRunning: (running) => runButton.setAttribute('aria-disabled', String(running)),
    onClose: () => (runButton.hidden ? body : runButton).focus(),
  })
  const split = h('div', { class: 'view-split' })
  const handle = createSplitHandle(split, 'Room for the file')
  split.append(body, handle, program.element)
  const element = h(
    'main',
    { class: 'pane pane-view', 'aria-labelledby': 'view-heading' },
    h('div', { class: 'pane-head' }, title, h('div', { class: 'head-actions' }, runButton, copy)),
    split,
    h('div', { class: 'pane-foot' }, meta),
  )
  let session: Session | undefined
  let path: string | undefined
  let shown: LoadedFile | undefined
  let reading = 0
  /** A line to bring into view when the pane is shown again. */
  let waiting: number | undefined

  function message(heading: string, text: string): void {
    shown = undefined
    copy.hidden = runButton.hidden = true
    meta.replaceChildren()
    body.replaceChildren(h('div', { class: 'empty' }, h('strong', {}, heading), h('p', {}, text)))
  }

  async function run(): Promise<void> {
    if (path !== undefined && isProgram(path) && shown) await program.run(path)
  }

  function close(): void {
    path = undefined
    program.follow(undefined)
    title.textContent = 'No file open'
    message('Choose a file', 'Pick one in the tree. Changes that a tool makes to it are lit here, line by line.')
  }

  function show(file: LoadedFile, original: Uint8Array | undefined, fresh: ReadonlySet<number>): void {
    shown = file
    copy.hidden = file.kind !== 'text'
    runButton.hidden = file.kind !== 'text' || !isProgram(file.path)
    const facts = [formatBytes(file.size)]
    if (file.kind === 'text') {
      const changes = sinceLoaded(file, original)
      facts.push(...aboutText(file))
      const code = h('div', { class: 'code' })
      code.style.setProperty('--digits', String(Math.max(3, String(file.lines.length).length)))
      renderLines(code, { lines: file.lines, tokens: highlight(file.path, file.lines), changes, fresh })
      body.replaceChildren(file.lines.length ? code : h('div', { class: 'empty' }, h('strong', {}, 'This file is empty')))
      if (changes.changed.size) facts.push(`${plural(changes.changed.size, 'line')} changed`)
    } else if (file.kind === 'image') {
      facts.push(file.mediaType)
      body.replaceChildren(renderImage(file, (size) => meta.append(h('li', {}, size))))
    } else {
      facts.push('binary')
      body.replaceChildren(renderBytes(file))
    }
    meta.replaceChildren(...facts.map((fact) => h('li', {}, fact)))
  }

  function reveal(line: number, light: boolean): void {
    waiting = body.clientHeight === 0 ? line : undefined
    const target = body.querySelector(`[data-line="${line}"]`)
    target?.scrollIntoView({ block: 'center', inline: 'nearest' })
    if (light) target?.classList.add('is-fresh')
  }

  /** Reads and shows; the answer of a read that another one overtook is dropped. */
  async function read(wanted: string, after: (file: LoadedFile, original: Uint8Array | undefined) => void): Promise<void> {
    if (!session) return
    reading += 1
    const mine = reading
    try {
      const own = session
      const file = await loadFile(own.workspace, wanted)
      // A beginning that is not kept any more marks nothing.
      const original = file.kind === 'text' ? await own.original(wanted).catch(() => undefined) : undefined
      if (mine === reading) after(file, original)
    } catch (error) {
      if (mine !== reading) return
      const text = error instanceof Error ? error.message : String(error)
      message(text.startsWith('ENOENT') ? 'This file is gone' : 'This file cannot be shown', text)
    }
  }

  async function open(wanted: string, line?: number): Promise<void> {
    path = wanted
    program.follow(wanted)
    const slash = wanted.lastIndexOf('/') + 1
    title.replaceChildren(h('span', { class: 'file-dir' }, wanted.slice(0, slash)), wanted.slice(slash))
    title.title = wanted
    await read(wanted, (file, original) => {
      show(file, original, NOTHING)
      body.scrollTo(0, 0)
      if (line !== undefined) reveal(line, true)
    })
  }

  async function refresh(): Promise<void> {
    if (path === undefined || !session) return
    const before = shown
    await read(path, (file, original) => {
      if (before?.version === file.version) return
      const { scrollTop, scrollLeft } = body
      const fresh =
        before?.kind === 'text' && file.kind === 'text'
          ? changedLines(before.lines, file.lines)
          : { changed: NOTHING, removedBefore: NOTHING }
      show(file, original, fresh.changed)
      body.scrollTo(scrollLeft, scrollTop)
      const first = Math.min(...fresh.changed, ...fresh.removedBefore)
      if (Number.isFinite(first)) reveal(first + 1, false)
    })
  }

  close()
  return {
    element,
    get path() {
      return path
    },
    use(next) {
      session = next
      program.use(next)
      close()
    },
    open,
    refresh,
    catchUp() {
      if (waiting !== undefined) reveal(waiting, false)
    },
    get canRun() {
      return !runButton.hidden
    },
    run,
  }
}

function aboutText({ lines, eol, bom, finalNewline, cut }: LoadedText): string[] {
  const facts = [`${plural(lines.length, 'line')}${cut ? ' shown, the file goes on' : ''}`]
  if (eol !== 'none') facts.push(eol === 'mixed' ? 'mixed line endings' : eol)
  if (bom) facts.push('byte order mark')
  if (lines.length && !finalNewline && !cut) facts.push('no final newline')
  return facts
}

function sinceLoaded({ lines }: LoadedText, original: Uint8Array | undefined): ChangedLines {
  const before = original && decode(original)
  return before === undefined ? { changed: NOTHING, removedBefore: NOTHING } : changedLines(splitLines(before).lines, lines)
}
