import { defineTool } from 'toolport'
import { afterEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PresetChoice } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { chooseTool, openPage, type TestPage } from './page.js'

export const FILES = { 'README.md': '# Read me\n', 'src/a.ts': 'export const a = 1\n' }
export const tick = defineTool({
  name: 'tick',
  description: 'Ticks.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
  run: () => 'tock',
})

export const clock: PresetChoice = {
  name: 'clock',
  about: 'One tool.',
  load: async () => () => ({ preset: { name: 'clock', tools: [tick], validation: 'strict' } }),
}

export let here: TestPage | undefined

export async function open(): Promise<TestPage> {
  history.replaceState(null, '', location.pathname + location.search)
  here = await openPage({ files: FILES, name: 'test files', presets: [presetChoices[0] as PresetChoice, clock] })
  return here
}

export const rows = (): (string | null)[] => (here?.texts('.past-call') ?? []).map((text) => text?.replace(/[\d.]+ m?s$/, '') ?? null)
export const count = (): number => here?.root.querySelectorAll('.past-call').length ?? 0
export const again = (index: number): HTMLElement =>
  [...(here?.root.querySelectorAll<HTMLElement>('.run-again') ?? [])][index] as HTMLElement

export const run = (): Promise<void> => userEvent.keyboard('{Control>}{Enter}{/Control}')
export const button = (name: string) => page.getByRole('button', { name, exact: true })

export async function read(path: string): Promise<void> {
  const before = count()
  await chooseTool('read_file')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await run()
  await expect.poll(count).toBe(before + 1)
}

/** Makes three calls, one of which fails, and opens the history. */
export async function threeCalls(): Promise<void> {
  await read('README.md')
  await read('nothing.md')
  await chooseTool('grep')
  await page.getByLabelText('pattern', { exact: true }).fill('export')
  await run()
  await expect.poll(count).toBe(3)
  await page.getByRole('tab', { name: 'History 3' }).click()
}

/** Registers hooks that close the page after each test. */
export function useHistoryPage(): void {
  afterEach(async () => {
    await here?.close()
    here = undefined
    history.replaceState(null, '', location.pathname + location.search)
  })
}
