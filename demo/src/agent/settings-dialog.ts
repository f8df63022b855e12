import { textButton } from '../button.js'
import { createDialogHead } from '../dialog-head.js'
import { h, uniqueId } from '../dom.js'
import { addressProblem, PATIENCE, type ProviderChoice, providerChoices, providerOf } from './provider-choices.js'
import type { ModelSettings } from './settings.js'

export interface SettingsDialog {
  readonly element: HTMLDialogElement
  /** `settings`: the current settings. */
  open(settings: ModelSettings | undefined, keepsKey: boolean): void
}

export interface SettingsDialogOptions {
  /** Whether the page can store settings. */
  readonly canKeep: boolean
  readonly onSave: (settings: ModelSettings, keepKey: boolean) => void
  /** Called when the user removes the model settings. */
  readonly onForget: () => void
}

const PATIENCE_RANGE = { min: 1, max: 1800 }

/** Local model servers and their default addresses. */
const LOCAL = [
  { label: 'Ollama', address: 'http://localhost:11434/v1' },
  { label: 'LM Studio', address: 'http://localhost:1234/v1' },
]

/** The dialog for the model settings: protocol, address, name and API key. */
export function createSettingsDialog({ canKeep, onSave, onForget }: SettingsDialogOptions): SettingsDialog {
  const heading = h('h2', { id: uniqueId('model'), tabindex: -1 }, 'Connect a model')
  const problem = h('p', { class: 'dialog-problem', role: 'alert' })
  const group = uniqueId('provider')
  const radios = providerChoices.map((choice) => {
    const about = h('span', { class: 'home-about', id: uniqueId('about') }, choice.about)
    const input = h('input', {
      type: 'radio',
      name: group,
      value: choice.kind,
      class: 'home-radio',
      'aria-describedby': about.id,
      on: { change: () => choose(choice) },
    })
    return { choice, input, element: h('label', { class: 'home-card' }, input, h('span', { class: 'home-label' }, choice.label), about) }
  })
  const address = field('Address', { type: 'url', spellcheck: 'false', autocomplete: 'off' })
  const local = h(
    'div',
    { class: 'model-local', role: 'group', 'aria-label': 'On this computer' },
    h('span', { class: 'examples-label' }, 'On this computer'),
    ...LOCAL.map((one) => h('button', { type: 'button', class: 'chip', on: { click: () => use(one.address) } }, one.label)),
  )
  const model = field('Model', { spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', maxlength: 200 })
  const key = field('Key', { type: 'password', autocomplete: 'off', spellcheck: 'false' })
  const keep = h('input', { type: 'checkbox', class: 'check', id: uniqueId('keep') })
  const patience = field('Give up after', { type: 'number', step: 1, ...PATIENCE_RANGE })
  const forget = textButton('Forget it all', onForgetClick, { class: 'quiet' })
  const form = h(
    'form',
    { class: 'dialog-part model-form', novalidate: true, on: { submit: onSubmit } },
    h('h3', {}, 'Protocol'),
    h('div', { class: 'home-cards model-kinds', role: 'radiogroup', 'aria-label': 'Protocol' }, ...radios.map(({ element }) => element)),
    address.row,
    local,
    model.row,
    key.row,
    h(
      'p',
      { class: 'dialog-note model-key-note' },
      'The key goes from this tab straight to that address and nowhere else. It is gone when the tab is closed, unless you keep it.',
    ),
    h(
      'div',
      { class: 'model-keep', hidden: !canKeep },
      keep,
      h('label', { for: keep.id }, 'Keep the key in this browser, for the next visit'),
    ),
    h('div', { class: 'model-patience' }, patience.row, h('span', { class: 'dialog-note' }, 'seconds in which nothing comes')),
    h('div', { class: 'dialog-actions' }, h('button', { type: 'submit', class: 'button primary' }, 'Use this model'), forget),
  )
  const element = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': heading.id },
    createDialogHead(heading, () => element.close()),
    h('div', { class: 'dialog-body' }, problem, form),
  )
  let chosen = providerOf('openai')

  function choose(choice: ProviderChoice): void {
    // Keeps an address that the user typed.
    if (address.input.value === '' || providerChoices.some((one) => one.address === address.input.value))
      address.input.value = choice.address
    chosen = choice
    model.input.placeholder = `for example ${choice.example}`
    key.input.placeholder = choice.needsKey ? '' : 'empty for a server that needs none'
    local.hidden = choice.kind !== 'openai'
  }

  function use(wanted: string): void {
    address.input.value = wanted
    model.input.focus()
  }

  function refuse(text: string, { input }: Field): void {
    problem.textContent = text
    input.setAttribute('aria-invalid', 'true')
    input.focus()
  }

  /** The first problem and its field. */
  function wrongIn(settings: ModelSettings): [text: string, field: Field] | undefined {
    const wrong = addressProblem(settings.address)
    if (wrong !== undefined) return [wrong, address]
    if (settings.model === '') return ['Say which model is to answer.', model]
    if (chosen.needsKey && settings.key === '') return [`${chosen.label} answers nobody without a key.`, key]
    // HTTP headers allow only these characters.
    if (!/^[\x21-\x7e]*$/.test(settings.key)) return ['A key has no blanks, and no letters beyond ASCII.', key]
    const { min, max } = PATIENCE_RANGE
    if (!(settings.patience >= min && settings.patience <= max)) return [`Wait between ${min} and ${max} seconds.`, patience]
    return undefined
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    problem.textContent = ''
    for (const { input } of [address, model, key, patience]) input.removeAttribute('aria-invalid')
    const settings: ModelSettings = {
      kind: chosen.kind,
      address: address.input.value.trim().replace(/\/+$/, ''),
      model: model.input.value.trim(),
      key: key.input.value.trim(),
      patience: Number(patience.input.value),
    }
    const wrong = wrongIn(settings)
    if (wrong) {
      refuse(...wrong)
      return
    }
    element.close()
    onSave(settings, keep.checked)
  }

  function onForgetClick(): void {
    element.close()
    onForget()
  }

  return {
    element,
    open(settings, keepsKey) {
      problem.textContent = ''
      const { kind, ...rest } = settings ?? { kind: chosen.kind, address: '', model: '', key: '', patience: PATIENCE }
      heading.textContent = settings ? 'Model' : 'Connect a model'
      for (const { choice, input } of radios) input.checked = choice.kind === kind
      address.input.value = rest.address
      choose(providerOf(kind))
      model.input.value = rest.model
      key.input.value = rest.key
      patience.input.value = String(rest.patience)
      keep.checked = keepsKey
      forget.hidden = settings === undefined
      element.showModal()
      if (settings?.key === '' && providerOf(kind).needsKey) key.input.focus()
      else if (settings) heading.focus()
      else model.input.focus()
    },
  }
}

interface Field {
  readonly row: HTMLElement
  readonly input: HTMLInputElement
}

function field(label: string, props: Readonly<Record<string, string | number>>): Field {
  const input = h('input', { class: 'input', id: uniqueId('field'), ...props })
  return { input, row: h('div', { class: 'dialog-name' }, h('label', { for: input.id }, label), input) }
}
