import type { Checkpoint } from 'toolport'
import { h } from '../dom.js'
import { plural } from '../format.js'
import { icon } from '../icons.js'
import type { Session } from '../session.js'
import { visibleName } from '../visible.js'

export interface Timeline {
  readonly element: HTMLElement
  use(session: Session): void
  /** Refreshes the list. */
  refresh(): Promise<void>
  /** Marks the shown checkpoint. Undefined: none. */
  mark(id: string | undefined): void
}

export interface TimelineOptions {
  readonly onOpen: (checkpoint: Checkpoint) => void
  /** Called when a checkpoint cannot be created. */
  readonly onProblem: (text: string) => void
}

const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })

/** The list of checkpoints, newest first. */
export function createTimeline({ onOpen, onProblem }: TimelineOptions): Timeline {
  const list = h('ol', { class: 'moments', 'aria-label': 'Checkpoints, the newest first' })
  const empty = h('p', { class: 'empty' }, 'A checkpoint is made before each call that writes. There is none yet.')
  const label = h('input', {
    class: 'input',
    'aria-label': 'What the checkpoint is for',
    placeholder: 'Before the big change',
    maxlength: 80,
  })
  const form = h(
    'form',
    { class: 'moment-form', on: { submit: onSubmit } },
    label,
    h('button', { type: 'submit', class: 'button small' }, icon('plus'), 'Checkpoint'),
  )
  const foot = h('p', { class: 'pane-foot', 'aria-live': 'polite' })
  const element = h('div', { class: 'timeline' }, form, list, empty, foot)

  let session: Session | undefined
  let marked: string | undefined

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    void make(label.value.trim() || 'Made by hand')
  }

  async function make(text: string): Promise<void> {
    try {
      await session?.workspace.checkpoint({ label: text })
      label.value = ''
      await refresh()
    } catch (error) {
      onProblem(`No checkpoint was made: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async function refresh(): Promise<void> {
    const own = session
    const kept = (await own?.checkpoints()) ?? []
    if (own !== session) return
    list.replaceChildren(...kept.toReversed().map(draw))
    list.hidden = kept.length === 0
    empty.hidden = kept.length > 0
    foot.textContent = plural(kept.length, 'checkpoint')
    mark(marked)
  }

  function draw(checkpoint: Checkpoint): HTMLElement {
    const made = new Date(checkpoint.time)
    const button = h(
      'button',
      { type: 'button', class: 'moment', 'data-id': checkpoint.id, on: { click: () => onOpen(checkpoint) } },
      h('span', { class: 'moment-label' }, ...visibleName(titleOf(checkpoint))),
      h('span', { class: 'moment-time' }, `${isToday(made) ? '' : `${day.format(made)}, `}${time.format(made)}`),
    )
    return h('li', {}, button)
  }

  function mark(id: string | undefined): void {
    marked = id
    for (const button of list.querySelectorAll<HTMLElement>('.moment')) {
      if (button.dataset.id === id) button.setAttribute('aria-current', 'true')
      else button.removeAttribute('aria-current')
    }
  }

  return {
    element,
    use(next) {
      session = next
      marked = undefined
      list.replaceChildren()
    },
    refresh,
    mark,
  }
}

export const titleOf = ({ id, label }: Checkpoint): string => label ?? id

function isToday(date: Date): boolean {
  return date.toDateString() === new Date().toDateString()
}
