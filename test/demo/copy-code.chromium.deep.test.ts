// @module-tag playground
import '../../demo/src/styles/index.css'
import { defineTool } from 'toolport'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PresetChoice } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { blocks, button, copies, fillWrite, format, MODULES, open, showCode, useCopyCodePage } from './copy-code-page.js'
import { chooseTool } from './page.js'
import { runProgram } from './run-program.js'

useCopyCodePage()

describe('the form’s call as code', () => {
  test('uses the chosen preset, and a shell if the tool needs one', async () => {
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
    // The dialog opens with the format that was shown last.
    await expect.poll(() => blocks()[0]).toContain('preset: loomElixir()')
    expect(await runProgram(blocks()[0] ?? '', MODULES)).toEqual([expect.stringContaining('# Read me')])
  })

  test('the code of a custom preset says what is not available', async () => {
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

  test('is copied completely, even if it is too long to be shown', async () => {
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

  test('can be reached by keyboard', async () => {
    await open()
    await fillWrite('x')
    button('Code').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('tab', { name: 'JSON', exact: true })).toHaveFocus()
    await userEvent.keyboard('{End}')
    await expect.element(page.getByRole('tab', { name: 'MCP', exact: true })).toHaveFocus()
    expect(blocks()).toHaveLength(3)
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(blocks()[0]).toContain('createRuntime')
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Code')).toHaveFocus()
  })
})
