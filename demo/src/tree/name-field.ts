import { h, uniqueId } from '../dom.js'

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
  /** Tells what is wrong where the field cannot: it is not seen any more. */
  readonly tell: (problem: string) => void
}

export interface NameField {
  /** The field, and below it what is wrong with the name. */
  readonly element: HTMLElement
  readonly input: HTMLInputElement
  readonly naming: Naming
  /** What is said below the field; empty: nothing is wrong. */
  readonly problem: string
}

export interface NameFieldEvents {
  readonly onEnd: (isFocused: boolean) => void
  /** Something else is said to be wrong. */
  readonly onProblem: () => void
}

/**
 * A field in the place of a row's name. Enter takes it, Escape leaves it; so does going elsewhere, which takes what was typed. A name that is
 * refused stays, to be corrected.
 */
export function createNameField(naming: Naming, { onEnd, onProblem }: NameFieldEvents): NameField {
  const problem = h('p', { class: 'tree-problem', id: uniqueId('problem'), role: 'alert', hidden: true })
  const input = h('input', {
    class: 'tree-field',
    'aria-label': naming.label,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    on: {
      keydown: onKey,
      input: () => report(),
      blur: onBlur,
    },
  })
  const element = h(
    'div',
    { class: 'tree-naming', on: { click: (event) => event.stopPropagation(), dragstart: (event) => event.preventDefault() } },
    input,
    problem,
  )
  input.value = naming.value
  let state: 'open' | 'busy' | 'ended' = 'open'
  let refused: string | undefined

  function end(isFocused: boolean): void {
    state = 'ended'
    onEnd(isFocused)
  }

  function report(words = ''): void {
    if (words === problem.textContent) return
    problem.textContent = words
    problem.hidden = words === ''
    if (words === '') for (const name of ['aria-invalid', 'aria-describedby']) input.removeAttribute(name)
    else {
      input.setAttribute('aria-invalid', 'true')
      input.setAttribute('aria-describedby', problem.id)
    }
    onProblem()
  }

  async function take(isFocused: boolean): Promise<void> {
    const name = input.value.trim()
    if (state !== 'open') return
    // Who goes elsewhere a second time does not want it.
    if (name === '' || name === naming.value || (name === refused && !isFocused)) return end(isFocused)
    state = 'busy'
    const words = await naming.onName(name)
    if (words === undefined) return end(isFocused)
    if (!input.checkVisibility()) {
      naming.tell(words)
      return end(isFocused)
    }
    state = 'open'
    refused = name
    report(words)
    input.focus()
    problem.scrollIntoView({ block: 'nearest' })
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
      if (input.isConnected && document.activeElement !== input && document.hasFocus()) void take(false)
    })
  }

  return {
    element,
    input,
    naming,
    get problem() {
      return problem.textContent
    },
  }
}
