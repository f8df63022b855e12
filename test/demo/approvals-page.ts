import { defineTool } from 'toolport'
import { afterEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PresetChoice, PresetParts } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { chooseTool, openPage, paste, type TestPage } from './page.js'

export const FILES = {
  'src/greet.ts': 'export function greet(name: string): string {\n  return `Hello, ` + name\n}\n',
  'README.md': '# Read me\n',
}

export const touch = defineTool({
  name: 'touch',
  description: 'Writes an empty file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  run: async ({ path }, { workspace }) => {
    await workspace.writeText(String(path), '')
    return 'touched'
  },
})

export const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
  run: () => 'seen',
})

export let release = (): void => undefined

/** A tool that waits for `release()` and then calls the tool `look`. */
export const late = defineTool({
  name: 'late',
  description: 'Looks later.',
  inputSchema: { type: 'object', properties: {} },
  async run(_, { invoke }) {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return (await invoke?.('look', {}))?.ok ? 'looked' : 'did not look'
  },
})

/** A preset with its own rules, one of which asks about a tool that only reads. */
export const strictParts = (): PresetParts => ({
  preset: { name: 'strict', tools: [touch, look, late], validation: 'strict' },
  policy: {
    tools: [
      { tools: 'look', action: 'ask', reason: 'looking is private' },
      { tools: 'touch', action: 'allow' },
    ],
  },
})

export const standard = presetChoices[0] as PresetChoice
export const strict: PresetChoice = { name: 'strict', about: 'Rules of its own.', load: async () => strictParts }

export let here: TestPage

export async function open(files: Readonly<Record<string, string>> = FILES, presets: readonly PresetChoice[] = [standard]): Promise<void> {
  history.replaceState(null, '', location.pathname + location.search)
  here = await openPage({ files, name: 'test files', presets })
}

export const policy = () => page.getByRole('combobox', { name: 'Which calls run' })
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const asked = (): boolean => !here.find('.approval').hidden
export const card = (): string => here.root.querySelector('.approval:not([hidden]) .call-card')?.textContent ?? ''
export const outcome = (): string => here.root.querySelector('.result:not([hidden]):not(.patch-view) .result-outcome')?.textContent ?? ''
export const listed = (): (string | null)[] => here.texts('.past-call .call-status')
export const exists = (path: string): Promise<boolean> => here.playground.session.workspace.exists(path)
export const read = async (path: string): Promise<string> => (await here.playground.session.workspace.readText(path)).text
export const isAsked = (): Promise<void> => expect.poll(card).not.toBe('')
export const run = (): Promise<void> => userEvent.keyboard('{Control>}{Enter}{/Control}')

export async function choosePreset(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Preset' }).selectOptions(name)
  await expect.poll(() => here.root.querySelector('.preset-select')?.hasAttribute('aria-busy')).toBe(false)
}

/** Fills in the form of an edit, and leaves the focus in it. */
export async function fillEdit(): Promise<void> {
  await chooseTool('edit_file')
  await page.getByLabelText('path', { exact: true }).fill('src/greet.ts')
  await page.getByLabelText('old_string', { exact: true }).fill('Hello')
  await page.getByLabelText('new_string', { exact: true }).fill('Hi')
}

export async function fillWrite(path: string, content = 'x'): Promise<void> {
  await chooseTool('write_file')
  await page.getByLabelText('path', { exact: true }).fill(path)
  paste(here.root.querySelector('.tool-form textarea'), content)
  page.getByLabelText('path', { exact: true }).element().focus()
}

/** Registers hooks that close the page after each test. */
export function useApprovalsPage(): void {
  afterEach(async () => {
    await here.close()
    history.replaceState(null, '', location.pathname + location.search)
  })
}
