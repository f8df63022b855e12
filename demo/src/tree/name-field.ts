import { h } from '../dom.js'

/** What a name is asked for. */
export interface Naming {
  /** The row that the field is in. */
  readonly path: string
  readonly label: string
  readonly value: string
  /** What of the value is chosen at first: up to here. */
  readonly chosen: number
  /** Resolves to what is wrong with it, or to undefined: it is done. */
  readonly onName: (name: string) => Promise<string | undefined>
}

export interface NameField {
  readonly element: HTMLInputElement
  readonly naming: Naming
}

/** A field in the place of a row's name. Enter takes it, Escape leaves it; so does going elsewhere, which takes what was typed. */
export function createNameField(naming: Naming, onEnd: (isFocused: boolean) => void): NameField {
  const element = h('input', {
    class: 'tree-field',
    'aria-label': naming.label,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    on: { keydown: onKey, blur: onBlur, click: (event) => event.stopPropagation(), dragstart: (event) => event.preventDefault() },
  })
  element.value = naming.value
  let state: 'open' | 'busy' | 'ended' = 'open'

  function end(isFocused: boolean): void {
    state = 'ended'
    onEnd(isFocused)
  }

  async function take(isFocused: boolean): Promise<void> {
    const name = element.value.trim()
    if (state !== 'open') return
    if (name === '' || name === naming.value) return end(isFocused)
    state = 'busy'
    const problem = await naming.onName(name)
    if (problem === undefined || !element.isConnected) return end(isFocused)
    state = 'open'
    element.setAttribute('aria-invalid', 'true')
    element.title = problem
    element.focus()
  }

  function onKey(event: KeyboardEvent): void {
    // The keys of the tree are letters here.
    event.stopPropagation()
    if (event.key === 'Enter') void take(true)
    else if (event.key === 'Escape') end(true)
    else return
    event.preventDefault()
  }

  function onBlur(): void {
    // Drawing the tree anew takes the field out and puts it back.
    queueMicrotask(() => {
      if (element.isConnected && document.activeElement !== element && document.hasFocus()) void take(false)
    })
  }

  return { element, naming }
}
