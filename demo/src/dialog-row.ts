import { h, uniqueId } from './dom.js'

/** A dialog field with label, description and error message. */
export interface DialogRow {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
  /** Shows an error message. Empty: no error. */
  mark(problem: string): void
}

export function createDialogRow(label: string, attributes: Readonly<Record<string, string>>, about?: string): DialogRow {
  const input = h('input', {
    class: 'input',
    id: uniqueId('row'),
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    ...attributes,
  })
  const note = about === undefined ? undefined : h('p', { class: 'dialog-note', id: uniqueId('row-note') }, about)
  const place = h('p', { class: 'dialog-row-problem', id: uniqueId('row-problem') })
  input.setAttribute('aria-describedby', [note?.id, place.id].filter(Boolean).join(' '))
  return {
    element: h('div', { class: 'dialog-row' }, h('label', { for: input.id }, label), h('div', {}, input, note, place)),
    input,
    mark(problem) {
      place.textContent = problem
      if (problem === '') input.removeAttribute('aria-invalid')
      else input.setAttribute('aria-invalid', 'true')
    },
  }
}
