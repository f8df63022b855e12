import { createDialogRow, type DialogRow } from '../dialog-row.js'
import { h } from '../dom.js'
import type { Cloning } from './clone.js'
import { type CloneField, type CloneWish, FieldError, readWish } from './clone-wish.js'
import { createProgress } from './progress.js'

export interface GitForm {
  readonly element: HTMLFormElement
  /** Cancels the running clone. */
  stop(): void
}

/** Rejects with a message for the user. */
type Clone = (wish: CloneWish, cloning: Cloning) => Promise<void>

/** The clone form with its progress. */
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

  /** Returns undefined, after marking the field, if a field is invalid. */
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
      // Moves the focus back if the Cancel button had it. Does not scroll, so that an error message at the top stays visible.
      const waits = progress.element.contains(document.activeElement)
      progress.show(undefined)
      go.removeAttribute('aria-disabled')
      if (waits) go.focus({ preventScroll: true })
    }
  }

  return { element, stop }
}
