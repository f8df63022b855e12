import { h, uniqueId } from '../dom.js'

/** A request for a name. */
export interface Naming {
  /** The row that contains the field. */
  readonly path: string
  readonly label: string
  readonly value: string
  /** Length of the initially selected part of the value. */
  readonly chosen: number
  /** Applies the name. Resolves to an error message, or to undefined on success. */
  readonly onName: (name: string) => Promise<string | undefined>
  /** Reports a problem when the field is no longer visible. */
  readonly tell: (problem: string) => void
}

export interface NameField {
  /** The field with its error message. */
  readonly element: HTMLElement
  readonly input: HTMLInputElement
  readonly naming: Naming
  /** The error message. Empty: no error. */
  readonly problem: string
}

export interface NameFieldEvents {
  readonly onEnd: (isFocused: boolean) => void
  /** Called when the error message changes. */
  readonly onProblem: () => void
}

/**
 * A text field in place of a row's name. Enter accepts the name, Escape cancels, and leaving the field accepts it. A rejected name stays
 * for correction.
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
    // Leaving the field again with a rejected name cancels.
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
    // Prevents the tree from handling typed letters as commands.
    event.stopPropagation()
    if (event.key === 'Enter') void take(true)
    else if (event.key === 'Escape') end(true)
    else return
    event.preventDefault()
  }

  function onBlur(): void {
    // Redrawing the tree removes and reinserts the field, which also fires `blur`.
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
