import type { Checkpoint, ToolResult } from 'toolport'
import { textButton } from '../button.js'
import { h } from '../dom.js'
import { plural } from '../format.js'
import { icon } from '../icons.js'
import type { Session } from '../session.js'
import { visibleName } from '../visible.js'
import { titleOf } from './timeline.js'

export interface MomentPane {
  readonly element: HTMLElement
  readonly isShown: boolean
  /** Shows the changes since a checkpoint. */
  open(session: Session, checkpoint: Checkpoint): Promise<void>
  /** Refreshes the comparison if it is visible. */
  refresh(): Promise<void>
  close(): void
}

export interface MomentPaneOptions {
  readonly onRestore: (checkpoint: Checkpoint) => Promise<void>
  readonly onClose: () => void
  readonly onOpenPath: (path: string) => void
  readonly relative: (path: string) => string
}

interface Change {
  readonly path: string
  readonly change: string
  readonly kind: string
}

type RenderDiff = (diff: string) => HTMLElement

/** Loads the diff view on first use. If that fails, the list of changes is still shown. */
async function loadDiff(): Promise<RenderDiff> {
  try {
    return (await import('../result/diff.js')).renderDiff
  } catch {
    return () => h('p', { class: 'note' }, 'The lines that differ cannot be shown: a part of the page could not be loaded.')
  }
}

/** Maximum number of changes shown. */
const LIMIT = 200

/** Shows the difference between a checkpoint and now, as reported by the tool `diff_checkpoint`. */
export function createMomentPane({ onRestore, onClose, onOpenPath, relative }: MomentPaneOptions): MomentPane {
  const title = h('h2', { class: 'file-title', tabindex: -1 })
  const body = h('div', { class: 'view-body', tabindex: 0, role: 'region', 'aria-label': 'What has changed since' })
  const restore = textButton('Restore', () => void run(), { icon: 'reset', class: 'small primary' })
  const close = h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': 'Close the comparison', on: { click: () => hide() } },
    icon('cross'),
  )
  const foot = h('p', { class: 'pane-foot', 'aria-live': 'polite' })
  const element = h(
    'section',
    { class: 'pane pane-view pane-moment', 'aria-label': 'Comparison with a checkpoint', hidden: true },
    h('div', { class: 'pane-head' }, title, h('div', { class: 'head-actions' }, restore, close)),
    body,
    foot,
  )
  let shown: { readonly session: Session; readonly checkpoint: Checkpoint } | undefined
  let looks = 0

  function hide(): void {
    if (element.hidden) return
    element.hidden = true
    shown = undefined
    onClose()
  }

  async function run(): Promise<void> {
    if (!shown || restore.getAttribute('aria-disabled') === 'true') return
    restore.setAttribute('aria-disabled', 'true')
    try {
      await onRestore(shown.checkpoint)
    } finally {
      restore.removeAttribute('aria-disabled')
    }
  }

  async function look(): Promise<void> {
    if (!shown) return
    const mine = ++looks
    const { session, checkpoint } = shown
    body.setAttribute('aria-busy', 'true')
    const [result, renderDiff] = await Promise.all([
      session.runtime.execute({ name: 'diff_checkpoint', input: { checkpoint: checkpoint.id, limit: LIMIT } }),
      loadDiff(),
    ])
    if (mine !== looks || !shown) return
    body.removeAttribute('aria-busy')
    draw(result, renderDiff)
  }

  function draw(result: ToolResult, renderDiff: RenderDiff): void {
    if (!result.ok) {
      restore.hidden = true
      foot.textContent = ''
      body.replaceChildren(h('div', { class: 'empty', role: 'alert' }, h('strong', {}, 'It cannot be compared'), h('p', {}, result.error)))
      return
    }
    const { changes, total, diff = '' } = result.output as unknown as { changes: Change[]; total: number; diff?: string }
    restore.hidden = total === 0
    foot.textContent = total === 0 ? 'Nothing has changed since' : `${plural(total, 'change')} since`
    if (total === 0) {
      body.replaceChildren(
        h('div', { class: 'empty' }, h('strong', {}, 'Nothing has changed since'), h('p', {}, 'The workspace is as it was then.')),
      )
      return
    }
    const rest = total - changes.length
    body.replaceChildren(
      h('ul', { class: 'moment-changes' }, ...changes.map(drawChange), rest > 0 && h('li', {}, `and ${plural(rest, 'more change')}`)),
      renderDiff(diff),
    )
  }

  function drawChange({ path, change, kind }: Change): HTMLElement {
    const name = relative(path)
    const shownName =
      change !== 'deleted' && kind === 'file'
        ? h('button', { type: 'button', class: 'path-link', on: { click: () => onOpenPath(name) } }, ...visibleName(name))
        : h('span', { class: 'mono' }, ...visibleName(name))
    return h('li', { class: `is-${change}` }, h('span', { class: 'moment-change' }, change), shownName)
  }

  return {
    element,
    get isShown() {
      return !element.hidden
    },
    async open(session, checkpoint) {
      shown = { session, checkpoint }
      title.replaceChildren('Since “', ...visibleName(titleOf(checkpoint)), '”')
      title.title = `${checkpoint.id}, ${new Date(checkpoint.time).toLocaleString('en')}`
      body.replaceChildren(h('p', { class: 'empty' }, 'Comparing…'))
      element.hidden = false
      await look()
    },
    refresh: look,
    close: hide,
  }
}
