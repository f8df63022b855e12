import { createRuntime, searchTools } from 'toolport'
import { h, uniqueId } from '../dom.js'
import { formatCount, plural } from '../format.js'
import { icon } from '../icons.js'
import { messageOf } from '../notice.js'
import type { Session } from '../session.js'
import { visibleName, visibleNameText } from '../visible.js'
import { listFiles } from './files.js'
import { filesOf } from './query.js'
import { type Candidate, candidateOf, type Ranked, rank } from './rank.js'

export interface QuickOpen {
  /** Opens the dialog. If it is already open, selects the next file. */
  open(session: Session, recent: readonly string[]): void
  close(): void
}

export interface QuickOpenOptions {
  /** Container of the dialog. */
  readonly host: HTMLElement
  readonly onGo: (path: string, line?: number) => void
}

/** Maximum number of rows in the list. */
const MOST_SHOWN = 50
/** Maximum number of files searched. */
const MOST_FILES = 50_000
const PAGES = { first: 1000, most: 5000 }
const PAGE_STEP = 8

/** A dialog that opens a file by a part of its name. `name:12` jumps to line 12. */
export function createQuickOpen({ host, onGo }: QuickOpenOptions): QuickOpen {
  const list = h('ul', { class: 'quick-list', role: 'listbox', 'aria-label': 'Files', id: uniqueId('quick'), on: { click: onClick } })
  const field = h('input', {
    class: 'input quick-field',
    role: 'combobox',
    'aria-label': 'Open a file by its name',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
    placeholder: 'Name of a file, or name:line',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    on: { input: onInput, keydown: onKey },
  })
  const note = h('p', { class: 'quick-note', role: 'status' })
  const dialog = h(
    'dialog',
    { class: 'dialog quick-open', 'aria-label': 'Open a file', on: { close: onClose, click: onBackdrop } },
    field,
    list,
    note,
  )
  host.append(dialog)

  let candidates: Candidate[] = []
  let recent: readonly string[] = []
  let shown: readonly Ranked[] = []
  let chosen = 0
  let control = new AbortController()
  let state: 'looking' | 'all' | 'some' = 'looking'
  let problem: string | undefined

  /** Lists files page by page. */
  async function look({ workspace }: Session, { signal }: AbortController): Promise<void> {
    const runtime = createRuntime({ workspace, tools: searchTools() })
    try {
      for await (const paths of listFiles(
        runtime,
        filesOf({ include: '', exclude: '', everything: false }, workspace.root),
        PAGES,
        signal,
      )) {
        candidates.push(...paths.slice(0, MOST_FILES - candidates.length).map((path) => candidateOf(workspace.relative(path))))
        if (candidates.length === MOST_FILES) break
        show(true)
        await workspace.host.yield()
        signal.throwIfAborted()
      }
      state = candidates.length === MOST_FILES ? 'some' : 'all'
    } catch (error) {
      if (signal.aborted) return
      problem = messageOf(error)
    }
    show(true)
  }

  /** The typed name, and a line number after a colon. */
  function wanted(): { readonly name: string; readonly line?: number } {
    const [, name = '', line] = /^(.*?)(?::(\d*))?$/s.exec(field.value.trim().replaceAll('\\', '/')) ?? []
    return { name: name.replace(/^\.?\/+/, ''), ...(line && { line: Math.max(1, Number(line)) }) }
  }

  function show(keeps: boolean): void {
    const path = keeps ? shown[chosen]?.path : undefined
    shown = rank(candidates, wanted().name, recent, MOST_SHOWN)
    chosen = Math.max(0, path === undefined ? 0 : shown.findIndex((one) => one.path === path))
    list.replaceChildren(...shown.map(option))
    list.hidden = shown.length === 0
    field.setAttribute('aria-expanded', String(shown.length > 0))
    note.textContent = problem ?? noteOf()
    choose(chosen)
  }

  function noteOf(): string {
    if (shown.length === 0 && state === 'looking') return 'Looking for files…'
    if (candidates.length === 0) return 'There are no files.'
    if (shown.length === 0) return `No file has such a name. ${plural(candidates.length, 'file')} looked at.`
    if (state === 'some') return `Only the first ${formatCount(MOST_FILES)} files are looked at.`
    return shown.length === MOST_SHOWN ? `The best ${MOST_SHOWN}: type more to find others.` : ''
  }

  function option({ path, places }: Ranked, index: number): HTMLElement {
    const name = path.lastIndexOf('/') + 1
    return h(
      'li',
      { role: 'option', class: 'quick-option', id: `${list.id}-${index}`, 'data-index': index, title: visibleNameText(path) },
      icon('file'),
      h('span', { class: 'quick-name' }, ...marked(path, name, path.length, places)),
      h('span', { class: 'quick-folder' }, ...marked(path, 0, Math.max(0, name - 1), places)),
    )
  }

  function choose(index: number): void {
    chosen = index
    for (const [at, row] of [...list.children].entries()) row.setAttribute('aria-selected', String(at === index))
    const row = list.children[index]
    if (row) field.setAttribute('aria-activedescendant', row.id)
    else field.removeAttribute('aria-activedescendant')
    row?.scrollIntoView({ block: 'nearest' })
  }

  const step = (by: number): void => choose((chosen + by + shown.length) % Math.max(1, shown.length))
  const leap = (by: number): void => choose(Math.min(Math.max(0, shown.length - 1), Math.max(0, chosen + by)))

  function take(index: number): void {
    const path = shown[index]?.path
    if (path === undefined) return
    const { line } = wanted()
    dialog.close()
    onGo(path, line)
  }

  function onInput(): void {
    show(false)
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const { key } = event
    if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    else if (key === 'PageDown') leap(PAGE_STEP)
    else if (key === 'PageUp') leap(-PAGE_STEP)
    else if (key === 'Enter') take(chosen)
    else return
    event.preventDefault()
  }

  function onClick({ target }: MouseEvent): void {
    const row = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null
    if (row) take(Number(row.dataset.index))
  }

  /** Closes the dialog on a click on its backdrop. In the DOM, the backdrop belongs to the dialog. */
  function onBackdrop({ target, clientX, clientY }: MouseEvent): void {
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
    if (target === dialog && !isInside) dialog.close()
  }

  function onClose(): void {
    control.abort()
    candidates = []
    shown = []
    list.replaceChildren()
  }

  return {
    open(session, opened) {
      if (dialog.open) {
        step(1)
        return
      }
      control = new AbortController()
      recent = opened
      state = 'looking'
      problem = undefined
      field.value = ''
      show(false)
      dialog.showModal()
      field.focus()
      void look(session, control)
    },
    close: () => dialog.close(),
  }
}

/** A part of the path with highlighted matches. */
function marked(path: string, from: number, to: number, places: readonly number[]): (string | Node)[] {
  const parts: (string | Node)[] = []
  let at = from
  for (let index = 0; index < places.length; index += 1) {
    const start = places[index] ?? 0
    if (start < from || start >= to) continue
    let end = start + 1
    while (places[index + 1] === end && end < to) {
      end += 1
      index += 1
    }
    parts.push(...visibleName(path.slice(at, start)), h('mark', {}, ...visibleName(path.slice(start, end))))
    at = end
  }
  parts.push(...visibleName(path.slice(at, to)))
  return parts
}
