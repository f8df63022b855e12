// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { data, double, FILE, FILES, notice, open, outcome, row, run, shown, TOOL, useOwnToolsPage, write, yours } from './own-tools-page.js'
import { chooseTool } from './page.js'

useOwnToolsPage()

describe('a custom tool', () => {
  test('is created from an example, listed at once, and called by its form', async () => {
    await open()
    expect(row('JavaScript')).toEqual(['run_js', 'run_js_module'])
    expect(row('JS jobs')).toEqual(['list', 'read', 'start', 'stop', 'write'].map((name) => `${name}_background_js`))
    expect(yours()).toEqual([])
    await page.getByRole('button', { name: 'Make a tool' }).click()
    await expect.element(page.getByLabelText('name', { exact: true })).toHaveFocus()
    await expect.element(page.getByLabelText('name', { exact: true })).toHaveValue('count_words')
    await run()
    await expect.poll(yours).toEqual(['count_words'])
    expect(outcome()).toMatch(/^okcreate_persistent_tool/)
    await chooseTool('count_words')
    await page.getByRole('button', { name: 'A file', exact: true }).click()
    await run()
    await expect.poll(outcome).toMatch(/^okcount_words/)
    expect(data()).toBe('lines3words7characters31')
    // The tool's schema is enforced.
    await page.getByLabelText('path', { exact: true }).fill('')
    await run()
    await expect.poll(() => shown.find('.form-problems').textContent + shown.texts('.field-problem').join('')).not.toBe('')
  })

  test('a custom tool that fails to load is reported and discarded', async () => {
    await open()
    await page.getByRole('button', { name: 'Make a tool' }).click()
    await page.getByRole('button', { name: 'One that does not load' }).click()
    await run()
    await expect.poll(() => shown.root.querySelector('.failure-message')?.textContent).toContain('the tool does not load')
    expect(yours()).toEqual([])
    expect(await shown.playground.session.workspace.files()).toEqual(FILES)
    expect(notice()).toBe('')
  })

  test('appears, changes and disappears with its file', async () => {
    await open({ ...FILES, [FILE]: TOOL })
    await expect.poll(yours).toEqual(['double'])
    await double(4)
    await expect.poll(data).toBe('8')
    await write(FILE, TOOL.replace('2 * n', '20 * n').replace('Doubles', 'Multiplies'))
    await expect.poll(async () => (await shown.playground.session.runtime.execute({ name: 'double', input: { n: 2 } })).output).toBe(40)
    await write('.toolport/tools/second.mjs', TOOL.replace("'double'", "'second'"))
    await expect.poll(yours).toEqual(['double', 'second'])
    await shown.playground.session.workspace.remove(FILE)
    await write('b.txt', 'b')
    await expect.poll(yours).toEqual(['second'])
    expect(notice()).toBe('')
  })
})
