import { defineTool, InputError } from 'toolport'
import { afterEach, beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import type { PresetChoice, PresetParts } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { openPage, type TestPage } from './page.js'

export const FILES = {
  'src/host.ts': 'export function one(): number {\n  return 1\n}\nexport function two(): number {\n  return 1\n}\n',
  'src/wide.ts': 'const f = () => 1\nconst g = () => 2\n',
  'README.md': '# Read me\nSome words about it.\n',
}

export const say = defineTool({
  name: 'say',
  description: 'Says it back.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  annotations: { readOnlyHint: true },
  run: (input) => {
    if (input.word === '') throw new InputError('invalid_input', 'nothing to say')
    return { said: input.word }
  },
})

/** A tool that writes a file and then waits until its call is aborted. */
export const wait = defineTool({
  name: 'wait',
  description: 'Waits.',
  inputSchema: { type: 'object', properties: {} },
  async run(_, { workspace, signal }) {
    await workspace.writeText('begun.txt', 'begun\n')
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    signal.throwIfAborted()
    return 'never'
  },
})

export const reach = defineTool({
  name: 'reach',
  description: 'Needs a network.',
  inputSchema: { type: 'object' },
  requires: ['fetch'],
  run: () => '',
})

export const tiny = (): PresetParts => ({
  preset: {
    name: 'tiny',
    tools: [say, wait, reach],
    validation: 'strict',
    toWire: (result, { id }) => (result.ok ? { done: id, is: result.output } : { failed: id, because: result.error }),
  },
})

export let loads = 0

export const standard = presetChoices[0] as PresetChoice
export const tinyChoice: PresetChoice = {
  name: 'tiny',
  about: 'A few words.',
  load: async () => {
    loads += 1
    return tiny
  },
  examples: () => ({ say: [{ label: 'Hello', input: { word: 'hello' } }] }),
}

export const brokenChoice: PresetChoice = { name: 'broken', about: 'Never there.', load: () => Promise.reject(new Error('no such chunk')) }

export let open: TestPage | undefined

export const here = (): TestPage => {
  if (!open) throw new Error('No page is open')
  return open
}

export async function mount(hash = '', presets: readonly PresetChoice[] = [standard, tinyChoice, brokenChoice]): Promise<TestPage> {
  history.replaceState(null, '', hash || location.pathname + location.search)
  open = await openPage({ files: FILES, name: 'test files', presets })
  return open
}

export const chooser = () => page.getByRole('combobox', { name: 'Preset' })
export const tools = (): (string | null)[] => here().texts('.tool-option').sort()
export const outcome = (): string => here().root.querySelector('.result:not([hidden]) .result-outcome')?.textContent ?? ''
export const panel = (): string => here().root.querySelector('.result-panel:not([hidden])')?.textContent ?? ''

export async function choose(name: string): Promise<void> {
  await chooser().selectOptions(name)
  await expect.poll(() => here().root.querySelector('.preset-select')?.hasAttribute('aria-busy')).toBe(false)
}

/** Registers hooks that reset the count of loads before each test, and close the page after it. */
export function usePresetsPage(): void {
  beforeEach(() => {
    loads = 0
  })

  afterEach(async () => {
    await open?.close()
    open = undefined
    history.replaceState(null, '', location.pathname + location.search)
  })
}
