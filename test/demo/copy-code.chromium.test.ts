// @module-tag playground
import '../../demo/src/styles/index.css'
import * as toolport from 'toolport'
import { createRuntime, defineTool } from 'toolport'
import * as justBash from 'toolport/adapters/just-bash'
import * as memory from 'toolport/adapters/memory'
import { runToolCalls } from 'toolport/formats'
import * as loomElixir from 'toolport/presets/loom-elixir'
import * as standard from 'toolport/presets/standard'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PresetChoice } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { axeViolations, chooseTool, openPage, paste, type TestPage } from './page.js'
import { runProgram } from './run-program.js'

const HOSTILE = `\`tick\` \${globalThis.hacked = 1} </script><script>globalThis.hacked = 1</script>\r\n\u2028"quoted" 'too' \\n <img src=x onerror="globalThis.hacked=1">\n`
const FILES = { 'src/greet.ts': `export const greet = (name: string) => \`Hello, \${name}\`\n`, 'README.md': '# Read me\n' }
const MODULES = {
  toolport,
  'toolport/adapters/just-bash': justBash,
  'toolport/adapters/memory': memory,
  'toolport/presets/standard': standard,
  'toolport/presets/loom-elixir': loomElixir,
}
const PATIENCE = { timeout: 60_000 }

let here: TestPage

async function open(presets: readonly PresetChoice[] = presetChoices): Promise<void> {
  history.replaceState(null, '', location.pathname + location.search)
  here = await openPage({ files: FILES, name: 'test files', presets })
}

afterEach(async () => {
  await here.close()
  history.replaceState(null, '', location.pathname + location.search)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const blocks = (): string[] =>
  [...here.root.querySelectorAll('.code-panel:not([hidden]) .code-text')].map(({ textContent }) => textContent ?? '')

async function showCode(): Promise<void> {
  await button('Code').click()
  await expect.element(dialog(), PATIENCE).toBeVisible()
}

async function format(name: string): Promise<string[]> {
  await page.getByRole('tab', { name, exact: true }).click()
  await expect.poll(() => blocks().length).toBeGreaterThan(0)
  return blocks()
}

async function fillWrite(content: string): Promise<void> {
  await chooseTool('write_file')
  await page.getByLabelText('path', { exact: true }).fill('src/new.ts')
  paste(here.root.querySelector('.tool-form textarea'), content)
}

/** What is copied from now on. */
function copies(): string[] {
  const copied: string[] = []
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text))
  onTestFinished(() => write.mockRestore())
  return copied
}

/** As a field has it: a textarea knows no other line ending. */
const inForm = (text: string): string => text.replaceAll('\r\n', '\n')
const input = { path: 'src/new.ts', content: inForm(HOSTILE) }

describe('the call in the form as code', () => {
  test('is the raw call first, and nothing is called', async () => {
    await open()
    await fillWrite(HOSTILE)
    await showCode()
    await expect.element(page.getByRole('heading', { name: 'A call of write_file as code' })).toBeVisible()
    await expect.element(page.getByRole('tab', { name: 'JSON', exact: true })).toHaveFocus()
    expect(blocks().map((text) => JSON.parse(text))).toEqual([{ name: 'write_file', input }])
    expect(here.texts('.past-call')).toEqual([])
    expect(here.root.querySelectorAll('dialog img, dialog script')).toHaveLength(0)
    expect('hacked' in globalThis).toBe(false)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog()).not.toBeInTheDocument()
    await expect.element(button('Code')).toHaveFocus()
    await expect.element(page.getByLabelText('path', { exact: true })).toHaveValue('src/new.ts')
  })

  test('is in each format a tool and a call that Toolport itself takes back', async () => {
    await open()
    await fillWrite(HOSTILE)
    await showCode()
    const caught: unknown[] = []
    const { inputSchema, description } = here.playground.session.runtime.registry.get('write_file') ?? {}
    const run = (given: unknown): string => {
      caught.push(given)
      return 'caught'
    }
    const tool = defineTool({ name: 'write_file', description: description ?? '', inputSchema: inputSchema ?? {}, run })
    const runtime = createRuntime({ fs: memory.createMemoryFs(), tools: [tool] })
    for (const name of ['OpenAI Chat', 'OpenAI Responses', 'Anthropic', 'Gemini']) {
      const [definition = '', call = '', loop] = await format(name)
      expect(definition, name).toContain('"write_file"')
      expect(loop, name).toContain('runToolCalls(runtime, response)')
      const { calls } = await runToolCalls(runtime, JSON.parse(call))
      expect(calls, name).toMatchObject([{ name: 'write_file', result: { ok: true, output: 'caught' } }])
    }
    expect(caught).toHaveLength(4)
    for (const one of caught) expect(one).toMatchObject(input)
    const [tools = '', part = ''] = await format('AI SDK')
    expect(Object.keys(JSON.parse(tools))).toEqual(['write_file'])
    expect(JSON.parse(part)).toMatchObject({ type: 'tool-call', toolName: 'write_file', input })
    const [listed = '', request = ''] = await format('MCP')
    expect(JSON.parse(listed)).toMatchObject({ name: 'write_file', inputSchema: { type: 'object' } })
    expect(JSON.parse(request)).toMatchObject({ method: 'tools/call', params: { name: 'write_file', arguments: input } })
  })

  test('is a program that does the same elsewhere, with the files that it names', async () => {
    await open()
    await chooseTool('edit_file')
    await page.getByLabelText('path', { exact: true }).fill('src/greet.ts')
    await page.getByLabelText('old_string', { exact: true }).fill('Hello')
    await page.getByLabelText('new_string', { exact: true }).fill(`\`\${Hi}\``)
    await showCode()
    const [program = ''] = await format('Toolport')
    expect(program).toContain("'src/greet.ts':")
    const printed = await runProgram(program, MODULES)
    await userEvent.keyboard('{Escape}')
    await button('Run').click()
    await expect.poll(() => here.root.querySelector('.result-outcome')?.textContent, PATIENCE).toMatch(/^okedit_file/)
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    const copied = copies()
    await button('Copy what is shown').click()
    await expect.poll(() => copied).toEqual(printed)
    expect(printed[0]).toContain('+export')
  })

  test('is of the preset that is chosen, with the shell where the tool needs one', async () => {
    await open()
    await chooseTool('bash')
    await page.getByLabelText('command', { exact: true }).fill('cat README.md | tr a-z A-Z')
    await showCode()
    const [program = ''] = await format('Toolport')
    expect(await runProgram(program, MODULES)).toEqual([expect.stringContaining('# READ ME')])
    await userEvent.keyboard('{Escape}')
    await page.getByRole('combobox', { name: 'Preset' }).selectOptions('loom-elixir')
    await expect.element(page.getByRole('radio', { name: 'file_read', exact: true })).toBeInTheDocument()
    await chooseTool('file_read')
    await page.getByLabelText('file_path', { exact: true }).fill('README.md')
    await button('Code').click()
    // The format that was looked at last.
    await expect.poll(() => blocks()[0], PATIENCE).toContain('preset: loomElixir()')
    expect(await runProgram(blocks()[0] ?? '', MODULES)).toEqual([expect.stringContaining('# Read me')])
  })

  test('cannot be had of what cannot be sent, which is told at the field', async () => {
    await open()
    await chooseTool('read_file')
    await userEvent.click(here.find('.options > summary'))
    const limit = here.find('.options-body input[type=number]')
    if (!(limit instanceof HTMLInputElement)) throw new Error('No field for a number')
    limit.focus()
    await userEvent.keyboard('1e')
    await button('Code').click()
    await expect.poll(() => here.texts('.field-problem').join('') + here.find('.form-problems').textContent).not.toBe('')
    await expect.element(dialog()).not.toBeInTheDocument()
  })

  test('of a preset that is not Toolport’s own says what it cannot be', async () => {
    const tick = defineTool({ name: 'tick', description: 'Ticks.', inputSchema: { type: 'object', properties: {} }, run: () => 'tock' })
    const clock: PresetChoice = {
      name: 'clock',
      about: 'One tool.',
      load: async () => () => ({ preset: { name: 'clock', tools: [tick], validation: 'strict' } }),
    }
    await open([presetChoices[0] as PresetChoice, clock])
    await page.getByRole('combobox', { name: 'Preset' }).selectOptions('clock')
    await expect.element(page.getByRole('radio', { name: 'tick', exact: true })).toBeChecked()
    await showCode()
    await page.getByRole('tab', { name: 'Toolport', exact: true }).click()
    await expect.element(page.getByText('This call cannot be written for Toolport')).toBeVisible()
    expect(await format('Anthropic')).toHaveLength(3)
  })

  test('is copied whole, also where it is too long to be shown', async () => {
    await open()
    const long = 'a line of some length\n'.repeat(20_000)
    await fillWrite(long)
    await showCode()
    const copied = copies()
    expect(blocks()[0]?.length).toBe(60_000)
    await page.getByRole('button', { name: 'Copy: The call, JSON' }).click()
    await expect.poll(() => copied.length).toBe(1)
    expect(JSON.parse(copied[0] ?? '')).toEqual({ name: 'write_file', input: { path: 'src/new.ts', content: long } })
  })

  test('is reached by keys alone', async () => {
    await open()
    await fillWrite('x')
    button('Code').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('tab', { name: 'JSON', exact: true }), PATIENCE).toHaveFocus()
    await userEvent.keyboard('{End}')
    await expect.element(page.getByRole('tab', { name: 'MCP', exact: true })).toHaveFocus()
    expect(blocks()).toHaveLength(3)
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(blocks()[0]).toContain('createRuntime')
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Code')).toHaveFocus()
  })

  test.each(['light', 'dark'])('has no violation, and fits a phone, %s', async (theme) => {
    await open()
    document.documentElement.dataset.theme = theme
    onTestFinished(() => void delete document.documentElement.dataset.theme)
    await fillWrite(HOSTILE)
    await showCode()
    await format('OpenAI Chat')
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 844)
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    expect(here.find('.code-dialog').scrollWidth).toBeLessThanOrEqual(390)
  })
})
