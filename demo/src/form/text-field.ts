import { h, uniqueId } from '../dom.js'
import { type Field, type FieldOptions, fieldFrame, showDefault } from './field.js'

const PATH = /^(path|from|to|cwd|entry|module|dir|file|file_path|dir_path)$/

const MOST_ROWS = 12

/** A string field: one line, or several if the text is likely to have several. */
export function textField(options: FieldOptions): Field {
  const { name, required, shape, path } = options
  const multiline = shape.kind === 'string' && shape.multiline
  const shared = {
    class: 'input',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    placeholder: 'default' in shape ? showDefault(shape.default) : undefined,
  }
  const control = multiline ? h('textarea', { ...shared, rows: 2 }) : h('input', { ...shared, type: 'text' })
  const { element, report } = fieldFrame(options, control)
  if (multiline) control.addEventListener('input', () => grow(control))
  else if (PATH.test(name) && control instanceof HTMLInputElement) element.append(completions(control, options.suggest))
  return {
    element,
    property: options,
    path,
    report,
    // An empty multi-line field is a valid value if required: it means that a text is replaced by nothing.
    read: () => (control.value !== '' || (multiline && required) ? control.value : undefined),
    fill(value) {
      control.value = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
      if (multiline) grow(control)
    },
    problem: () => undefined,
    fields: () => [],
    focus: () => control.focus(),
  }
}

/** Counts lines up to `most`, without scanning the rest of a long text. */
function countLines(text: string, most: number): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0 && count < most; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function grow(control: HTMLElement): void {
  if (!(control instanceof HTMLTextAreaElement)) return
  control.rows = Math.max(2, countLines(control.value, MOST_ROWS))
}

function completions(control: HTMLInputElement, suggest: FieldOptions['suggest']): HTMLElement {
  const list = h('datalist', { id: uniqueId('paths') })
  control.setAttribute('list', list.id)
  const update = (): void => list.replaceChildren(...suggest(control.value).map((value) => h('option', { value })))
  control.addEventListener('focus', update)
  control.addEventListener('input', update)
  return list
}
