// @module-tag playground
import '../../demo/src/styles/index.css'
import { createRuntime, defineTool } from 'toolport'
import * as memory from 'toolport/adapters/memory'
import { runToolCalls } from 'toolport/formats'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  blocks,
  button,
  copies,
  dialog,
  fillWrite,
  format,
  HOSTILE,
  here,
  input,
  MODULES,
  open,
  showCode,
  useCopyCodePage,
} from './copy-code-page.js'
import { chooseTool } from './page.js'
import { runProgram } from './run-program.js'

useCopyCodePage()

describe('the form’s call as code', () => {
  test('is first shown as the raw call, and nothing is called', async () => {
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

  test('has a tool and a call in each format, which Toolport accepts', async () => {
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

  test('has a program that does the same, with its files', async () => {
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
    await expect.poll(() => here.root.querySelector('.result-outcome')?.textContent).toMatch(/^okedit_file/)
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    const copied = copies()
    await button('Copy what is shown').click()
    await expect.poll(() => copied).toEqual(printed)
    expect(printed[0]).toContain('+export')
  })

  test('is not available for an invalid call, which is reported at the field', async () => {
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
})
