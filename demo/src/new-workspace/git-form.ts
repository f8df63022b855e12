import { createDialogRow, type DialogRow } from '../dialog-row.js'
import { h } from '../dom.js'
import type { Cloning } from './clone.js'
import { type CloneField, type CloneWish, FieldError, readWish } from './clone-wish.js'
import { createProgress } from './progress.js'

export interface GitForm {
  readonly element: HTMLFormElement
  /** Stops what is under way. */
  stop(): void
}

/** Rejects with what is to be told. */
type Clone = (wish: CloneWish, cloning: Cloning) => Promise<void>

/** What is to be cloned, and how far it is. */
export function createGitForm(clone: Clone): GitForm {
  const rows: Readonly<Record<CloneField, DialogRow>> = {
    address: createDialogRow('Address', { placeholder: 'https://git.example.com/ada/project', inputmode: 'url' }),
    branch: createDialogRow('Branch or tag', { placeholder: 'the one that the server names' }),
    depth: createDialogRow('Commits', { value: '1', inputmode: 'numeric' }, 'The newest ones of its history. Empty: all of them.'),
    proxy: createDialogRow(
      'CORS proxy',
      { placeholder: 'none', inputmode: 'url' },
      'Most git servers let no page of another site ask them. A proxy asks in its place: it sees what is cloned and by whom, and could change it. Give one that you trust.',
    ),
  }
  const progress = createProgress(() => stop())
  const go = h('button', { type: 'submit', class: 'button primary' }, 'Clone')
  const element = h(
    'form',
    { class: 'git-form', novalidate: true, hidden: true, 'aria-label': 'Clone a git repository', on: { submit: onSubmit } },
    ...Object.values(rows).map((one) => one.element),
    h('div', { class: 'dialog-actions' }, go),
    progress.element,
  )
  let under: AbortController | undefined

  function stop(): void {
    under?.abort(new Error('Stopped. Nothing was cloned.'))
  }

  /** Undefined: a field has to be filled in otherwise, which is told there. */
  function read(): CloneWish | undefined {
    for (const row of Object.values(rows)) row.mark('')
    const value = (field: CloneField): string => rows[field].input.value
    try {
      return readWish({ address: value('address'), branch: value('branch'), depth: value('depth'), proxy: value('proxy') })
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      rows[error.field].mark(error.message)
      rows[error.field].input.focus()
      return undefined
    }
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const wish = under ? undefined : read()
    if (wish) void run(wish)
  }

  async function run(wish: CloneWish): Promise<void> {
    const mine = new AbortController()
    under = mine
    go.setAttribute('aria-disabled', 'true')
    try {
      await clone(wish, { signal: mine.signal, onStep: progress.show })
    } finally {
      under = undefined
      // Whoever waits on the button that goes is taken back. What went wrong is told at the top, and stays in sight.
      const waits = progress.element.contains(document.activeElement)
      progress.show(undefined)
      go.removeAttribute('aria-disabled')
      if (waits) go.focus({ preventScroll: true })
    }
  }

  return { element, stop }
}
