import { h, uniqueId } from '../dom.js'
import type { Loading } from '../while-working.js'
import { keepInAddress, presetInAddress } from './address.js'
import { type LoadedPreset, type PresetChoice, STANDARD } from './choice.js'

export interface PresetSwitch {
  readonly element: HTMLElement
  readonly current: LoadedPreset
  /** Loads the preset that the address names, or the first one. */
  start(): Promise<void>
  /** Shows the tools of the preset that this page cannot run, with the reason. */
  tellMissing(text: string): void
  dispose(): void
}

export interface PresetSwitchOptions {
  /** The first preset is always available and needs no loading. */
  readonly choices: readonly PresetChoice[]
  readonly loading: Loading
  /** Switches to the preset. If this throws, the previous preset stays. */
  readonly onChange: (preset: LoadedPreset) => Promise<void>
  /** Shows a problem. Undefined: a choice has succeeded, so the last problem is obsolete. */
  readonly onProblem: (text: string | undefined) => void
}

/** Chooses and loads a preset, and stores its name in the page's address. Of several quick choices the last one wins. */
export function createPresetSwitch({ choices, loading, onChange, onProblem }: PresetSwitchOptions): PresetSwitch {
  const first = choices[0] ?? { name: STANDARD, about: '' }
  const about = h('span', {})
  const missing = h('span', { class: 'preset-missing' })
  const select = h(
    'select',
    { class: 'input preset-select', id: uniqueId('preset'), on: { change: () => void choose(select.value) } },
    ...choices.map(({ name }) => h('option', { value: name }, name)),
  )
  const note = h('p', { class: 'preset-about', id: uniqueId('about'), 'aria-live': 'polite' }, about, missing)
  select.setAttribute('aria-describedby', note.id)
  const element = h('div', { class: 'preset-row' }, h('label', { class: 'preset-label', for: select.id }, 'Preset'), select, note)
  let current: LoadedPreset = { choice: first }
  /** The last choice, which becomes current once it is loaded. */
  let wanted = first.name
  /** Name of the last preset that was passed to `onChange`. The switch to it may still be running. */
  let handed = first.name
  let told = false
  /** Stops waiting for the last choice. */
  let giveUp = (): void => undefined
  window.addEventListener('hashchange', onAddress)
  show()

  function show(): void {
    wanted = current.choice.name
    select.value = wanted
    about.textContent = current.choice.about
  }

  function tell(problem: string | undefined): void {
    told = problem !== undefined
    onProblem(problem)
  }

  async function load(choice: PresetChoice): Promise<LoadedPreset> {
    return choice.load ? { choice, parts: await choice.load() } : { choice }
  }

  /** Returns undefined if the user has chosen another preset meanwhile. */
  async function takeUp(choice: PresetChoice): Promise<LoadedPreset | undefined> {
    const { name } = choice
    const loaded = await load(choice)
    if (wanted !== name) return undefined
    if (name !== handed) await hand(loaded)
    return wanted === name ? loaded : undefined
  }

  async function hand(loaded: LoadedPreset): Promise<void> {
    const { name } = loaded.choice
    handed = name
    try {
      await onChange(loaded)
    } catch (error) {
      if (handed === name) handed = current.choice.name
      throw error
    }
  }

  async function choose(name: string): Promise<void> {
    const choice = choices.find((one) => one.name === name)
    if (!choice) {
      await choose(first.name)
      if (wanted === first.name) tell(`There is no preset “${name.slice(0, 60)}”: ${first.name} is used.`)
      return
    }
    wanted = name
    select.value = name
    select.setAttribute('aria-busy', 'true')
    giveUp()
    const given = new Promise<undefined>((resolve) => {
      giveUp = () => resolve(undefined)
    })
    try {
      // Stops reporting a preset as soon as the user has chosen another one.
      const loaded = await loading(`the tools of ${name}`, () => Promise.race([takeUp(choice), given]))
      if (!loaded) return
      current = loaded
      show()
      if (told) tell(undefined)
    } catch (error) {
      if (wanted !== name) return
      tell(`The preset ${name} could not be loaded: ${error instanceof Error ? error.message : String(error)}`)
      show()
    }
    select.removeAttribute('aria-busy')
    keepInAddress(current.choice === first ? undefined : current.choice.name)
    // A preset that was chosen before the failed one is being switched to.
    if (handed !== current.choice.name) await hand(current)
  }

  function onAddress(): void {
    const name = presetInAddress() ?? first.name
    if (name !== wanted) void choose(name)
  }

  return {
    element,
    get current() {
      return current
    },
    async start() {
      const name = presetInAddress()
      if (name !== undefined) await choose(name)
    },
    tellMissing(text) {
      // Unchanged text is not rewritten, because screen readers would announce it again.
      if (missing.textContent !== text) missing.textContent = text
    },
    dispose: () => window.removeEventListener('hashchange', onAddress),
  }
}
