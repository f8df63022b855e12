import { h, uniqueId } from '../dom.js'
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

interface Row {
  readonly input: HTMLInputElement
  readonly element: HTMLElement
}

/** What is to be cloned, and how far it is. */
export function createGitForm(clone: Clone): GitForm {
  const rows: Readonly<Record<CloneField, Row>> = {
    address: row('Address', { placeholder: 'https://git.example.com/ada/project', inputmode: 'url' }),
    branch: row('Branch or tag', { placeholder: 'the one that the server names' }),
    depth: row('Commits', { value: '1', inputmode: 'numeric' }, 'The newest ones of its history. Empty: all of them.'),
    proxy: row(
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
    for (const { input, element: at } of Object.values(rows)) mark(input, at, '')
    const value = (field: CloneField): string => rows[field].input.value
    try {
      return readWish({ address: value('address'), branch: value('branch'), depth: value('depth'), proxy: value('proxy') })
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      const { input, element: at } = rows[error.field]
      mark(input, at, error.message)
      input.focus()
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

function row(label: string, attributes: Readonly<Record<string, string>>, about?: string): Row {
  const input = h('input', {
    class: 'input',
    id: uniqueId('git'),
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    ...attributes,
  })
  const note = about === undefined ? undefined : h('p', { class: 'dialog-note', id: uniqueId('git-note') }, about)
  const problem = h('p', { class: 'git-problem', id: uniqueId('git-problem') })
  input.setAttribute('aria-describedby', [note?.id, problem.id].filter(Boolean).join(' '))
  const element = h('div', { class: 'git-row' }, h('label', { for: input.id }, label), h('div', {}, input, note, problem))
  return { input, element }
}

function mark(input: HTMLInputElement, at: HTMLElement, problem: string): void {
  const place = at.querySelector('.git-problem')
  if (place) place.textContent = problem
  if (problem === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}
