import { textButton } from '../button.js'
import { h } from '../dom.js'
import { formatBytes } from '../format.js'

/** Progress of a clone. */
export interface CloneStep {
  readonly phase: 'asking' | 'receiving' | 'reading' | 'joining'
  /** Bytes while receiving, otherwise objects. */
  readonly done: number
  readonly total?: number | undefined
}

export interface Progress {
  readonly element: HTMLElement
  /** Undefined: hides the progress. */
  show(step: CloneStep | undefined): void
}

const WORDS: Readonly<Record<CloneStep['phase'], (done: number) => string>> = {
  asking: () => 'Asking the server…',
  receiving: (done) => `Receiving: ${formatBytes(done)}`,
  reading: () => 'Reading what came…',
  joining: () => 'Putting the files together…',
}

/** Announces each phase to screen readers once, without its progress numbers. */
export function createProgress(onCancel: () => void): Progress {
  const bar = h('progress', { class: 'clone-bar', 'aria-label': 'Progress of the clone' })
  const text = h('p', { class: 'clone-step' })
  const told = h('p', { class: 'visually-hidden', role: 'status' })
  const cancel = textButton('Cancel', onCancel, { class: 'small' })
  const shown = h('div', { class: 'clone-progress', hidden: true }, bar, text, cancel)
  let phase: CloneStep['phase'] | undefined

  function show(step: CloneStep | undefined): void {
    shown.hidden = step === undefined
    if (!step) {
      told.textContent = ''
      phase = undefined
      return
    }
    const { done, total } = step
    if (total) {
      bar.max = total
      bar.value = done
    } else bar.removeAttribute('value')
    text.textContent = WORDS[step.phase](done)
    if (phase !== step.phase) told.textContent = text.textContent
    phase = step.phase
  }

  return { element: h('div', {}, shown, told), show }
}
