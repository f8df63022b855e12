import { h, uniqueId } from '../dom.js'
import { type Home, homeChoices, isKept } from '../homes/homes.js'

/** Storage and name of a new workspace. */
export interface Target {
  readonly element: HTMLElement
  /** `name`: default name if the user entered none. */
  home(name: string): Home
  /** Called when the dialog opens. `current`: the open workspace. */
  show(current: Home | undefined): void
}

export function createTarget(): Target {
  const place = h('select', { class: 'input', id: uniqueId('place') })
  const name = h('input', {
    class: 'input',
    id: uniqueId('new-name'),
    placeholder: 'its usual name',
    maxlength: 60,
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const leaving = h('p', { class: 'dialog-note new-leaving', hidden: true })
  const element = h(
    'div',
    { class: 'new-target' },
    h('label', { for: place.id }, 'Lives in'),
    place,
    h('label', { for: name.id }, 'Called'),
    name,
    leaving,
  )

  return {
    element,
    home: (own) => ({ kind: homeChoices.find(({ kind }) => kind === place.value)?.kind ?? 'memory', name: name.value.trim() || own }),
    show(current) {
      const chosen = place.value
      const options = homeChoices.map(({ kind, label, kept, missing }) => {
        const attributes = { value: kind, disabled: missing() !== undefined, selected: kind === chosen }
        return h('option', attributes, `${label}, ${kept ? 'kept' : 'not kept'}`)
      })
      place.replaceChildren(...options)
      name.value = ''
      const isLost = current !== undefined && !isKept(current)
      leaving.hidden = !isLost
      leaving.textContent = isLost ? 'What is open now is not kept: it is gone when another is opened. Keep or export it first.' : ''
    },
  }
}
