import * as toolport from 'toolport'
import * as justBash from 'toolport/adapters/just-bash'
import * as memory from 'toolport/adapters/memory'
import * as loomElixir from 'toolport/presets/loom-elixir'
import * as standard from 'toolport/presets/standard'
import { afterEach, expect, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { PresetChoice } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { chooseTool, openPage, paste, type TestPage } from './page.js'

export const HOSTILE = `\`tick\` \${globalThis.hacked = 1} </script><script>globalThis.hacked = 1</script>\r\n\u2028"quoted" 'too' \\n <img src=x onerror="globalThis.hacked=1">\n`
export const FILES = { 'src/greet.ts': `export const greet = (name: string) => \`Hello, \${name}\`\n`, 'README.md': '# Read me\n' }
export const MODULES = {
  toolport,
  'toolport/adapters/just-bash': justBash,
  'toolport/adapters/memory': memory,
  'toolport/presets/standard': standard,
  'toolport/presets/loom-elixir': loomElixir,
}

export let here: TestPage

export async function open(presets: readonly PresetChoice[] = presetChoices): Promise<void> {
  history.replaceState(null, '', location.pathname + location.search)
  here = await openPage({ files: FILES, name: 'test files', presets })
}

export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const dialog = () => page.getByRole('dialog')
export const blocks = (): string[] =>
  [...here.root.querySelectorAll('.code-panel:not([hidden]) .code-text')].map(({ textContent }) => textContent ?? '')

export async function showCode(): Promise<void> {
  await button('Code').click()
  await expect.element(dialog()).toBeVisible()
}

export async function format(name: string): Promise<string[]> {
  await page.getByRole('tab', { name, exact: true }).click()
  await expect.poll(() => blocks().length).toBeGreaterThan(0)
  return blocks()
}

export async function fillWrite(content: string): Promise<void> {
  await chooseTool('write_file')
  await page.getByLabelText('path', { exact: true }).fill('src/new.ts')
  paste(here.root.querySelector('.tool-form textarea'), content)
}

/** Texts that are copied to the clipboard from now on. */
export function copies(): string[] {
  const copied: string[] = []
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text))
  onTestFinished(() => write.mockRestore())
  return copied
}

/** The text as a form field returns it: a textarea has only `\n` line endings. */
export const inForm = (text: string): string => text.replaceAll('\r\n', '\n')
export const input = { path: 'src/new.ts', content: inForm(HOSTILE) }
/** Registers hooks that close the page after each test. */
export function useCopyCodePage(): void {
  afterEach(async () => {
    await here.close()
    history.replaceState(null, '', location.pathname + location.search)
  })
}
