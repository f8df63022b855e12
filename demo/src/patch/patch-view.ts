import { iconButton, textButton } from '../button.js'
import { h } from '../dom.js'
import { formatCount, plural } from '../format.js'
import { type FileDiff, fileDiffs } from './file-diffs.js'
import type { Preview } from './rehearse.js'
import { type FailureOptions, renderFailure } from './render-failure.js'
import { counts, renderFile } from './render-file.js'

export interface PatchView {
  readonly element: HTMLElement
  /** The shown preview. Undefined: the view is closed. */
  readonly preview: Preview | undefined
  show(preview: Preview): void
  /** Marks the preview as stale if the patch or the workspace has changed since. */
  check(patch: string, revision: number): void
  close(): void
}

export interface PatchViewOptions extends FailureOptions {
  readonly onApply: () => void
  readonly onAgain: () => void
  readonly onClose: () => void
}

/** Number of files drawn at once. */
const PAGE = 100
/** Number of lines drawn initially. Files after that are collapsed. */
const OPEN_LINES = 600

/** The preview of a patch, file by file. */
export function createPatchView(options: PatchViewOptions): PatchView {
  const outcome = h('div', { class: 'result-outcome', role: 'status' })
  const apply = textButton('Apply', options.onApply, { icon: 'check', class: 'small primary' })
  const again = textButton('Preview again', options.onAgain, { icon: 'reset', class: 'small' })
  const close = iconButton('Close the preview', 'cross', options.onClose)
  const body = h('div', { class: 'patch-scroll', tabindex: 0, role: 'region', 'aria-label': 'What the patch would do' })
  const head = h('div', { class: 'patch-head' }, h('h3', {}, 'Preview'), outcome, h('div', { class: 'patch-actions' }, apply, again, close))
  const element = h('section', { class: 'result patch-view', 'aria-label': 'Preview of the patch', hidden: true }, head, body)
  let preview: Preview | undefined
  let files: readonly FileDiff[] = []
  let state = ''

  function tell(next: 'ready' | 'failed' | 'patch' | 'files'): void {
    // Screen readers would announce an unchanged status again if it were rewritten.
    if (state === next) return
    state = next
    const isStale = next === 'patch' || next === 'files'
    element.classList.toggle('is-stale', isStale)
    apply.hidden = next !== 'ready'
    again.hidden = !isStale
    outcome.replaceChildren(...(isStale ? staleWords(next) : next === 'failed' ? failedWords(preview) : readyWords(files)))
  }

  return {
    element,
    get preview() {
      return preview
    },
    show(next) {
      preview = next
      state = ''
      const { result } = next
      files = result.ok ? fileDiffs(result.output, options.relative) : []
      body.replaceChildren(...(result.ok ? drawFiles(files, next, options) : renderFailure(next, result, options)))
      tell(result.ok ? 'ready' : 'failed')
      element.hidden = false
      body.scrollTo(0, 0)
    },
    check(patch, revision) {
      if (!preview) return
      if (patch !== preview.patch) tell('patch')
      else if (revision !== preview.revision) tell('files')
      else tell(preview.result.ok ? 'ready' : 'failed')
    },
    close() {
      preview = undefined
      files = []
      element.hidden = true
      body.replaceChildren()
      outcome.replaceChildren()
    },
  }
}

const pill = (kind: string, text: string): HTMLElement => h('span', { class: `pill is-${kind}` }, text)
const facts = (...content: (HTMLElement | string)[]): HTMLElement => h('span', { class: 'result-facts' }, ...content)

function readyWords(files: readonly FileDiff[]): HTMLElement[] {
  const sum = (key: 'added' | 'removed'): number => files.reduce((total, file) => total + file[key], 0)
  const isWhole = files.every(({ cut }) => !cut)
  const lines = isWhole ? counts(sum('added'), sum('removed')) : []
  return [
    pill('ok', 'fits'),
    facts(plural(files.length, 'file')),
    ...(lines.length ? [h('span', { class: 'patch-count' }, ...lines)] : []),
    facts('Nothing is changed yet.'),
  ]
}

function failedWords(preview: Preview | undefined): HTMLElement[] {
  const code = preview && !preview.result.ok ? preview.result.output.code : ''
  const isMismatch = code === 'no_match' || code === 'ambiguous_match'
  return [pill('failed', isMismatch ? 'does not fit' : 'cannot be applied'), facts('Nothing is changed.')]
}

function staleWords(why: 'patch' | 'files'): HTMLElement[] {
  const words = why === 'patch' ? 'The patch was edited.' : 'Files have changed.'
  return [pill('stale', 'out of date'), facts(words)]
}

function drawFiles(files: readonly FileDiff[], preview: Preview, options: PatchViewOptions): HTMLElement[] {
  const notes = [
    preview.byStandard ? standardNote(preview) : '',
    files.some(({ cut }) => cut) ? 'The tool shows a diff up to 32 KiB, so some lines are left out here. All of the patch is applied.' : '',
  ].filter(Boolean)
  const list = h('div', { class: 'patch-files' })
  let lines = 0
  page(list, files, (file) => {
    const isOpen = lines < OPEN_LINES
    lines += file.added + file.removed
    return renderFile(file, isOpen, options.relative)
  })
  return [...notes.map((note) => h('p', { class: 'patch-note' }, note)), list]
}

function standardNote({ preset }: Preview): string {
  const hunks = `It refuses a hunk that fits several places, where ${preset} takes the first`
  return `Tried with the standard apply_patch. ${hunks}, and does not add a last line break that a changed file lacks, as ${preset} does.`
}

/** Draws a page of files and a button for the next page. */
function page(list: HTMLElement, files: readonly FileDiff[], draw: (file: FileDiff) => HTMLElement): void {
  list.append(...files.slice(0, PAGE).map(draw))
  const rest = files.slice(PAGE)
  if (rest.length === 0) return
  const next = (): void => {
    more.remove()
    page(list, rest, draw)
  }
  const label = `Show ${formatCount(Math.min(PAGE, rest.length))} more of ${formatCount(rest.length)} files`
  const more = textButton(label, next, { class: 'small more' })
  list.append(more)
}
