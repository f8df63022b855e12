import { textButton } from '../button.js'
import { h, uniqueId } from '../dom.js'

export interface Answer {
  readonly label: string
  readonly value: string
  /** Whether Enter chooses this answer. */
  readonly primary?: boolean
}

/** Asks in a modal dialog. Resolves to the value of the answer, or to undefined if the user cancelled. `host` contains the open dialog. */
export function ask(host: HTMLElement, heading: string, text: string, answers: readonly Answer[]): Promise<string | undefined> {
  const title = h('h2', { id: uniqueId('ask') }, heading)
  const dialog = h(
    'dialog',
    { class: 'ask', 'aria-labelledby': title.id },
    title,
    h('p', {}, text),
    h(
      'div',
      { class: 'dialog-actions' },
      ...answers.map(({ label, value, primary }) =>
        textButton(label, () => dialog.close(value), { class: primary ? 'primary' : '', autofocus: primary === true }),
      ),
    ),
  )
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue || undefined)
    })
    host.append(dialog)
    dialog.showModal()
  })
}
