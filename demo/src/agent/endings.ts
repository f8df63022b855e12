import { textButton } from '../button.js'
import { h } from '../dom.js'
import type { Ending } from './conversation.js'
import { failureOf } from './failures.js'
import type { ModelSettings } from './settings.js'
import type { Transcript } from './transcript.js'

export interface EndingsOptions {
  readonly transcript: Transcript
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
  readonly onSettings: () => void
  /** Asks the model again. Returns false if that is not possible now. */
  readonly goOn: () => boolean
}

/** Details of an ended turn. */
export interface Ended {
  /** The text of the last answer. */
  readonly said: string
  /** The settings of this turn. Undefined for the recording. */
  readonly settings: ModelSettings | undefined
}

export interface Endings {
  /** Shows how a turn ended and offers to continue where that helps. */
  tell(ending: Ending, ended: Ended): void
}

/** Longer answers are announced only up to this length, characters. */
const ANNOUNCED = 400

export function createEndings({ transcript, announce, onSettings, goOn }: EndingsOptions): Endings {
  function tell(ending: Ending, { said, settings }: Ended): void {
    switch (ending.reason) {
      case 'answered':
        if (said.trim()) announce(`The agent says: ${said.slice(0, ANNOUNCED)}`)
        else note('The model has nothing to say to that.')
        break
      case 'stopped':
        note('Stopped. What was done so far stays; the timeline takes it back.', 'Stopped')
        break
      case 'withheld':
        note('The provider has withheld the answer, or its end.')
        break
      case 'many-calls':
        offer('It has made many calls in a row and is not done yet.')
        break
      case 'cut':
        offer('The answer was cut: the model has used up the room that it has for one.')
        break
      case 'failed':
        addFailure(ending.error, settings)
    }
  }

  function note(text: string, announced = text): void {
    transcript.addNote(text)
    announce(announced)
  }

  function offer(text: string): void {
    const element = h('div', { class: 'agent-note' }, h('p', {}, text))
    element.append(again('Go on', element))
    transcript.add(element)
    announce(text)
  }

  function addFailure(error: unknown, settings: ModelSettings | undefined): void {
    const failure = failureOf(error, settings ?? { address: '', key: '' })
    const actions = h('div', { class: 'agent-failure-actions' })
    const element = h(
      'div',
      { class: 'agent-failure' },
      h('p', { class: 'agent-failure-title' }, failure.title),
      h('p', {}, failure.advice),
      failure.said === undefined ? null : h('p', { class: 'agent-said' }, failure.said),
      actions,
    )
    actions.append(again('Ask again', element))
    if (failure.settings) actions.append(textButton('Model settings', onSettings, { class: 'small quiet' }))
    transcript.add(element)
    announce(`${failure.title}. ${failure.advice}`)
  }

  /** A button that asks the model again and removes `about`. */
  function again(label: string, about: HTMLElement): HTMLElement {
    const onClick = (): void => {
      if (goOn()) about.remove()
    }
    return textButton(label, onClick, { icon: 'reset', class: 'small' })
  }

  return { tell }
}
