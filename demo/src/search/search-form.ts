import { iconButton } from '../button.js'
import { h, uniqueId } from '../dom.js'
import type { Query } from './query.js'

export interface SearchForm {
  readonly element: HTMLElement
  readonly query: Query
  /** Focuses and selects the search text, after replacing it if `text` is given. */
  focus(text?: string): void
  /** Shows a problem at its field. Undefined: no problem. */
  tell(problem?: { readonly about: 'text' | 'files'; readonly text: string }): void
}

export interface SearchFormOptions {
  /** `isTyped`: the user may still be typing. */
  readonly onChange: (isTyped: boolean) => void
  /** Called when the user presses arrow down in the text field. */
  readonly onBelow: () => void
}

const FIELD = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }

/** The form: search text, options and file filters. */
export function createSearchForm({ onChange, onBelow }: SearchFormOptions): SearchForm {
  const problem = h('p', { class: 'search-problem', role: 'alert', id: uniqueId('search-problem') })
  const text = input('Search the text of files', 'Search')
  const matchCase = toggle('Match case', 'Aa', 'Alt+C')
  const wholeWord = toggle('Whole word', 'ab', 'Alt+W', 'is-word')
  const isPattern = toggle('Regular expression', '.*', 'Alt+R')
  const include = input('Files to include', 'src, *.ts')
  const exclude = input('Files to exclude', '*.test.ts, docs')
  const everything = h('input', { type: 'checkbox', class: 'check', on: { change: () => onChange(false) } })
  const files = h(
    'div',
    { class: 'search-files', id: uniqueId('search-files'), hidden: true },
    h('label', {}, h('span', {}, 'Include'), include),
    h('label', {}, h('span', {}, 'Exclude'), exclude),
    h('label', { class: 'search-everything', title: 'What .gitignore files name, and node_modules' }, everything, 'Ignored files too'),
  )
  const more = iconButton('Choose files', 'filter', showFiles, { 'aria-expanded': 'false', 'aria-controls': files.id })
  const element = h(
    'form',
    { class: 'search-form', role: 'search', 'aria-label': 'Search in files', on: { submit: onSubmit, keydown: onKey } },
    h(
      'div',
      { class: 'search-line' },
      h('div', { class: 'search-box' }, text, matchCase, wholeWord, isPattern),
      more,
      // Submitting with Enter requires a submit button.
      h('button', { type: 'submit', class: 'visually-hidden', tabindex: -1 }, 'Search'),
    ),
    files,
    problem,
  )

  function input(label: string, placeholder: string): HTMLInputElement {
    return h('input', { class: 'input', 'aria-label': label, placeholder, ...FIELD, on: { input: () => onChange(true) } })
  }

  function toggle(label: string, sign: string, key: string, extra = ''): HTMLButtonElement {
    const element = h('button', {
      type: 'button',
      class: `search-toggle ${extra}`,
      'aria-label': label,
      'aria-pressed': 'false',
      'aria-keyshortcuts': key,
      title: `${label} (${key})`,
      'data-sign': sign,
      on: { click: () => press(element) },
    })
    return element
  }

  const isOn = (button: HTMLElement): boolean => button.getAttribute('aria-pressed') === 'true'

  function press(button: HTMLElement): void {
    button.setAttribute('aria-pressed', String(!isOn(button)))
    onChange(false)
  }

  function showFiles(): void {
    files.hidden = !files.hidden
    more.setAttribute('aria-expanded', String(!files.hidden))
    if (!files.hidden) include.focus()
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    onChange(false)
  }

  function onKey(event: KeyboardEvent): void {
    const { key, code, altKey, ctrlKey, target } = event
    // By physical key: with Alt, macOS types other characters.
    const button = { KeyC: matchCase, KeyW: wholeWord, KeyR: isPattern }[code]
    if (altKey && !ctrlKey && button) press(button)
    else if (key === 'ArrowDown' && target === text) onBelow()
    else return
    event.preventDefault()
  }

  return {
    element,
    get query() {
      return {
        text: text.value,
        matchCase: isOn(matchCase),
        wholeWord: isOn(wholeWord),
        isPattern: isOn(isPattern),
        include: include.value,
        exclude: exclude.value,
        everything: everything.checked,
      }
    },
    focus(given) {
      if (given !== undefined) text.value = given
      text.focus()
      text.select()
    },
    tell(wrong) {
      problem.textContent = wrong?.text ?? ''
      if (wrong?.about === 'files' && files.hidden) showFiles()
      for (const field of [text, include, exclude]) {
        const isWrong = wrong !== undefined && (wrong.about === 'text') === (field === text)
        if (isWrong) field.setAttribute('aria-invalid', 'true')
        else field.removeAttribute('aria-invalid')
        if (isWrong) field.setAttribute('aria-describedby', problem.id)
        else field.removeAttribute('aria-describedby')
      }
    },
  }
}
