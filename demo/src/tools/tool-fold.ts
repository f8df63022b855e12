import { h, uniqueId } from '../dom.js'
import { icon } from '../icons.js'

export interface ToolFold {
  readonly element: HTMLElement
  /** Shows the name of the chosen tool. */
  tell(name: string): void
  close(): void
}

/**
 * Collapses the tool list to the chosen tool; the expanded list covers the form. Its radio buttons stay reachable by keyboard: focusing one
 * expands the list, Space or Enter collapses it.
 */
export function createToolFold(choices: HTMLElement, more: HTMLElement | false): ToolFold {
  const name = h('code')
  const search = h('input', {
    type: 'search',
    class: 'input tool-search',
    'aria-label': 'Find a tool',
    placeholder: 'Find a tool',
    autocomplete: 'off',
    spellcheck: 'false',
    on: { input: filter, keydown: onSearchKey },
  })
  // Focusable, so that clicks between the tools do not move the focus out of the list.
  const list = h('div', { class: 'tool-list', id: uniqueId('tools'), tabindex: -1 }, search, choices)
  const head = h(
    'button',
    { type: 'button', class: 'tool-current', 'aria-expanded': 'false', 'aria-controls': list.id, on: { click: onHead } },
    name,
    icon('chevron'),
  )
  const element = h(
    'div',
    { class: 'tool-picker', on: { keydown: onKey, focusout: onLeave } },
    h('div', { class: 'tool-head' }, h('span', { class: 'preset-label', 'aria-hidden': 'true' }, 'Tool'), head, more),
    list,
  )
  const isOpen = (): boolean => element.classList.contains('is-open')
  let isPointed = false
  choices.addEventListener('focusin', () => show(!isPointed))
  choices.addEventListener('click', ({ target }) => {
    // Arrow keys also fire a click, directly on the radio button.
    if (!(target instanceof Element && target.closest('.tool-option')) || target instanceof HTMLInputElement) return
    // Waits for the label's default action, which selects and focuses the radio button.
    isPointed = true
    setTimeout(() => {
      isPointed = false
      head.focus()
      show(false)
    })
  })

  function show(open: boolean): void {
    element.classList.toggle('is-open', open)
    head.setAttribute('aria-expanded', String(open))
    if (open || !search.value) return
    search.value = ''
    filter()
  }

  function onHead(): void {
    show(!isOpen())
    if (isOpen()) search.focus()
  }

  function filter(): void {
    const words = search.value.toLowerCase().split(/\s+/)
    for (const option of choices.querySelectorAll<HTMLElement>('.tool-option')) {
      const text = `${option.textContent} ${option.title}`.toLowerCase()
      option.hidden = !words.every((word) => text.includes(word))
    }
    for (const row of choices.querySelectorAll<HTMLElement>('.tool-row')) row.hidden = !row.querySelector('.tool-option:not([hidden])')
  }

  /** The most likely search result: a match in the name beats a match in the description. */
  function likeliest(): HTMLInputElement | undefined {
    const found = [...choices.querySelectorAll<HTMLInputElement>('.tool-option:not([hidden]) input')]
    const typed = search.value.trim().toLowerCase()
    if (!typed) return found.find(({ value }) => value === name.textContent) ?? found[0]
    return found.find(({ value }) => value === typed) ?? found.find(({ value }) => value.includes(typed)) ?? found[0]
  }

  function onSearchKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') likeliest()?.focus()
    else if (event.key === 'Enter') take(likeliest())
    else return
    event.preventDefault()
  }

  function take(input: HTMLInputElement | undefined): void {
    if (!input) return
    input.click()
    head.focus()
    show(false)
  }

  function onKey(event: KeyboardEvent): void {
    const { key, target } = event
    const isChoice = target instanceof HTMLInputElement && target.type === 'radio'
    if (key === 'Escape' && isOpen()) {
      head.focus()
      show(false)
    } else if (isChoice && key === 'Enter') {
      // Prevents the default action of Enter: after the focus has moved to the button, it would click the button and expand the list again.
      event.preventDefault()
      take(target)
    }
    // The key's default action selects the radio button.
    else if (isChoice && key === ' ') show(false)
    else if (isChoice && key.startsWith('Arrow')) show(true)
  }

  function onLeave({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) show(false)
  }

  return {
    element,
    tell(now) {
      name.textContent = now
      head.setAttribute('aria-label', `Tool: ${now}`)
    },
    close: () => show(false),
  }
}
