import { h } from '../dom.js'
import { renderDiff } from '../result/diff.js'
import { visibleName, visibleNameText } from '../visible.js'
import type { FileDiff } from './file-diffs.js'

const KINDS = { add: 'New', update: 'Changed', delete: 'Deleted', move: 'Renamed', copy: 'Copied' } as const
const MARKS = { add: 'added', update: 'modified', delete: 'deleted', move: 'modified', copy: 'added' } as const

/** One file of a patch: its change, and its lines, which are drawn when it is expanded. */
export function renderFile(file: FileDiff, isOpen: boolean, relative: (path: string) => string): HTMLElement {
  const body = h('div', { class: 'patch-body' })
  const details = h('details', { class: 'patch-file' }, summary(file, relative), body)
  details.addEventListener('toggle', draw)
  details.open = isOpen
  draw()
  return details

  function draw(): void {
    if (details.open && !body.hasChildNodes()) body.append(...content(file))
  }
}

function summary(file: FileDiff, relative: (path: string) => string): HTMLElement {
  const { kind, path, from, added, removed, cut } = file
  const name = [
    ...(from === undefined ? [] : [...pathParts(relative(from)), h('span', { class: 'patch-arrow' }, ' → ')]),
    ...pathParts(relative(path)),
  ]
  return h(
    'summary',
    {},
    h('span', { class: `patch-kind is-${MARKS[kind]}` }, KINDS[kind]),
    h('code', { class: 'patch-path', title: visibleNameText(relative(path)) }, ...name),
    h('span', { class: 'patch-count' }, ...(cut ? [h('span', { class: 'note' }, 'not shown whole')] : counts(added, removed))),
  )
}

/** `+3 −1`. */
export function counts(added: number, removed: number): HTMLElement[] {
  return [
    ...(added ? [h('span', { class: 'is-added', 'aria-label': `${added} added` }, `+${added}`)] : []),
    ...(removed ? [h('span', { class: 'is-removed', 'aria-label': `${removed} removed` }, `−${removed}`)] : []),
  ]
}

function pathParts(path: string): (Node | string)[] {
  const slash = path.lastIndexOf('/') + 1
  return [h('span', { class: 'file-dir' }, ...visibleName(path.slice(0, slash))), ...visibleName(path.slice(slash))]
}

function content({ kind, diff, cut, replaced, levels }: FileDiff): HTMLElement[] {
  const notes = [
    replaced && (kind === 'add' || kind === 'move' || kind === 'copy') ? 'It takes the place of a file that is there.' : '',
    levels.length ? `Some lines were found only with tolerance: ${levels.join(', ')}.` : '',
    diff === '' ? withoutLines(kind, cut) : '',
  ].filter(Boolean)
  return [
    ...notes.map((note) => h('p', { class: 'patch-note' }, note)),
    ...(diff ? [h('div', { class: 'patch-lines', tabindex: 0, role: 'group', 'aria-label': 'Lines that change' }, renderDiff(diff))] : []),
  ]
}

function withoutLines(kind: FileDiff['kind'], cut: boolean): string {
  if (cut) return 'The diff of this file is left out, because the tool shows 32 KiB of it at the most.'
  if (kind === 'add') return 'An empty file.'
  if (kind === 'delete') return 'A file without lines to show: it is empty, binary or a link.'
  return kind === 'update' ? 'No line changes.' : 'The content stays as it is.'
}
