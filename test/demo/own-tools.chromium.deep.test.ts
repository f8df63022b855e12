// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { forgetHome } from '../../demo/src/homes/known-homes.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import { data, double, FILE, FILES, notice, open, outcome, run, shown, TOOL, useOwnToolsPage, write, yours } from './own-tools-page.js'
import { chooseTool } from './page.js'

useOwnToolsPage()

describe('a custom tool in detail', () => {
  test('can call the tools of the page', async () => {
    await open()
    await page.getByRole('button', { name: 'Make a tool' }).click()
    await page.getByRole('button', { name: 'One that calls another' }).click()
    await run()
    await expect.poll(yours).toEqual(['outline'])
    await chooseTool('outline')
    await page.getByLabelText('path', { exact: true }).fill('src/a.ts')
    await run()
    await expect.poll(outcome).toMatch(/^okoutline/)
    expect(data()).toContain('1  export const a = 1')
  })

  test.each(['indexeddb', 'opfs'] as const)('exists after a reload, in %s', async (kind) => {
    const home = { kind, name: `test-${crypto.randomUUID()}` }
    onTestFinished(async () => {
      await shown.close()
      await deleteHome(home)
      forgetHome(home)
    })
    await open(FILES, true)
    await shown.playground.move(home)
    await page.getByRole('button', { name: 'Make a tool' }).click()
    await run()
    await expect.poll(yours).toEqual(['count_words'])
    await shown.close()
    await open(FILES, true)
    await expect.poll(yours).toEqual(['count_words'])
    await chooseTool('count_words')
    await page.getByLabelText('path', { exact: true }).fill('README.md')
    await run()
    await expect.poll(outcome).toMatch(/^okcount_words/)
  })

  test('disappears with its form when the files are restored', async () => {
    await open()
    await write(FILE, TOOL)
    await expect.poll(yours).toEqual(['double'])
    await double(3)
    await expect.poll(data).toBe('6')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(yours).toEqual([])
    await expect.poll(() => shown.root.querySelector('.tool-option:has(:checked)')?.textContent).toBe('edit_file')
  })

  test('exists in every preset', async () => {
    await open({ ...FILES, [FILE]: TOOL })
    await expect.poll(yours).toEqual(['double'])
    await page.getByRole('combobox', { name: 'Preset' }).selectOptions('loom')
    // The other preset has loaded: its picker gets the tool once the tool is loaded.
    await expect.element(page.getByRole('button', { name: 'Make a tool' })).not.toBeInTheDocument()
    await expect.poll(yours).toEqual(['double'])
    await double(5)
    await expect.poll(outcome).toContain('double')
    expect(data()).toBe('10')
  })

  test('a custom tool that fails to load is reported once, and others are loaded', async () => {
    await open({
      ...FILES,
      [FILE]: TOOL,
      '.toolport/tools/broken.mjs': 'export default {',
      '.toolport/tools/taken.mjs': TOOL.replace("'double'", "'edit_file'"),
    })
    await expect.poll(yours).toEqual(['double'])
    await expect.poll(notice).toContain('failed loading /workspace/.toolport/tools/broken.mjs: ')
    expect(notice()).toContain('tool already registered: edit_file')
    await page.getByRole('button', { name: 'Close this message' }).click()
    await write('b.txt', 'b')
    expect(notice()).toBe('')
    // `edit_file` is still the built-in tool.
    const { registry } = shown.playground.session.runtime
    expect(registry.get('edit_file')?.description).toContain('Replace text')
  })

  test('changes neither the filled form nor the focus', async () => {
    await open()
    await chooseTool('grep')
    await page.getByLabelText('pattern', { exact: true }).fill('half a pat')
    const { runtime } = shown.playground.session
    const make = (name: string): Promise<unknown> =>
      runtime.call('create_persistent_tool', { name, description: 'Comes late.', handler_code: 'return 1' })
    await make('late')
    // A background session makes the page look for changes.
    await runtime.call('bash', { command: 'true', run_in_background: true })
    await expect.poll(yours).toEqual(['late'])
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveValue('half a pat')
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveFocus()
    page.getByRole('radio', { name: 'grep', exact: true }).element().focus()
    await make('later')
    await runtime.call('bash', { command: 'true', run_in_background: true })
    await expect.poll(yours).toEqual(['late', 'later'])
    await expect.element(page.getByRole('radio', { name: 'grep', exact: true })).toHaveFocus()
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveValue('half a pat')
  })
})
