// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { forgetHome } from '../../demo/src/homes/known-homes.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import { axeViolations, chooseTool, openPage, type TestPage } from './page.js'

const FILES = { 'README.md': '# Read me\nSome words about it.\n', 'src/a.ts': 'export const a = 1\n' }
const FILE = '.toolport/tools/double.mjs'
const TOOL = `export default {
  name: 'double',
  description: 'Doubles a number.',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  run: ({ n }) => 2 * n,
}
`
const PATIENCE = { timeout: 30_000 }

let shown: TestPage

async function open(files: Readonly<Record<string, string>> = FILES, remember = false): Promise<void> {
  shown = await openPage({ files, remember })
}

beforeEach(() => localStorage.removeItem('toolport.workspaces'))

afterEach(async () => {
  await shown.close()
  localStorage.removeItem('toolport.workspaces')
  history.replaceState(null, '', location.pathname + location.search)
})

const row = (label: string): (string | null)[] => {
  const found = [...shown.root.querySelectorAll('.tool-row')].find((one) => one.querySelector('.tool-row-label')?.textContent === label)
  return [...(found?.querySelectorAll('code') ?? [])].map((code) => code.textContent)
}
const yours = (): (string | null)[] => row('Yours').filter((name) => name !== 'create_persistent_tool')
const outcome = (): string => shown.root.querySelector('.result-outcome')?.textContent ?? ''
const data = (): string => shown.find('.result-panel').textContent ?? ''
const notice = (): string => shown.find('.notice').textContent ?? ''
const run = (): Promise<void> => page.getByRole('button', { name: 'Run', exact: true }).click()

async function write(path: string, content: string): Promise<void> {
  await chooseTool('write_file')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await page.getByLabelText('content', { exact: true }).fill(content)
  await run()
  await expect.poll(outcome).toContain('write_file')
}

async function double(n: number): Promise<void> {
  await chooseTool('double')
  await page.getByLabelText('n', { exact: true }).fill(String(n))
  await run()
}

describe('a tool of one’s own', () => {
  test('is made from an example, stands among the tools at once, and is called by its form', async () => {
    await open()
    expect(row('JavaScript')).toEqual(['run_js', 'run_js_module'])
    expect(row('JS jobs')).toEqual(['list', 'read', 'start', 'stop', 'write'].map((name) => `${name}_background_js`))
    expect(yours()).toEqual([])
    await page.getByRole('button', { name: 'Make a tool' }).click()
    await expect.element(page.getByLabelText('name', { exact: true })).toHaveFocus()
    await expect.element(page.getByLabelText('name', { exact: true })).toHaveValue('count_words')
    await run()
    await expect.poll(yours, PATIENCE).toEqual(['count_words'])
    expect(outcome()).toMatch(/^okcreate_persistent_tool/)
    await chooseTool('count_words')
    await page.getByRole('button', { name: 'A file', exact: true }).click()
    await run()
    await expect.poll(outcome, PATIENCE).toMatch(/^okcount_words/)
    expect(data()).toBe('lines3words7characters31')
    // What its schema says holds.
    await page.getByLabelText('path', { exact: true }).fill('')
    await run()
    await expect.poll(() => shown.find('.form-problems').textContent + shown.texts('.field-problem').join(''), PATIENCE).not.toBe('')
  })

  test('may call the tools of the page', async () => {
    await open()
    await page.getByRole('button', { name: 'Make a tool' }).click()
    await page.getByRole('button', { name: 'One that calls another' }).click()
    await run()
    await expect.poll(yours, PATIENCE).toEqual(['outline'])
    await chooseTool('outline')
    await page.getByLabelText('path', { exact: true }).fill('src/a.ts')
    await run()
    await expect.poll(outcome, PATIENCE).toMatch(/^okoutline/)
    expect(data()).toContain('1  export const a = 1')
  })

  test('that does not load is told, and nothing is left of it', async () => {
    await open()
    await page.getByRole('button', { name: 'Make a tool' }).click()
    await page.getByRole('button', { name: 'One that does not load' }).click()
    await run()
    await expect.poll(() => shown.root.querySelector('.failure-message')?.textContent, PATIENCE).toContain('the tool does not load')
    expect(yours()).toEqual([])
    expect(await shown.playground.session.workspace.files()).toEqual(FILES)
    expect(notice()).toBe('')
  })

  test.each(['indexeddb', 'opfs'] as const)('is still there after the page was loaded again, in %s', async (kind) => {
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
    await expect.poll(yours, PATIENCE).toEqual(['count_words'])
    await shown.close()
    await open(FILES, true)
    await expect.poll(yours, PATIENCE).toEqual(['count_words'])
    await chooseTool('count_words')
    await page.getByLabelText('path', { exact: true }).fill('README.md')
    await run()
    await expect.poll(outcome, PATIENCE).toMatch(/^okcount_words/)
  })

  test('is a file: it is there when the file is, follows it, and goes with it', async () => {
    await open({ ...FILES, [FILE]: TOOL })
    await expect.poll(yours, PATIENCE).toEqual(['double'])
    await double(4)
    await expect.poll(data, PATIENCE).toBe('8')
    await write(FILE, TOOL.replace('2 * n', '20 * n').replace('Doubles', 'Multiplies'))
    await expect
      .poll(async () => (await shown.playground.session.runtime.execute({ name: 'double', input: { n: 2 } })).output, PATIENCE)
      .toBe(40)
    await write('.toolport/tools/second.mjs', TOOL.replace("'double'", "'second'"))
    await expect.poll(yours, PATIENCE).toEqual(['double', 'second'])
    await shown.playground.session.workspace.remove(FILE)
    await write('b.txt', 'b')
    await expect.poll(yours, PATIENCE).toEqual(['second'])
    expect(notice()).toBe('')
  })

  test('goes when the files are what they were, and the form with it', async () => {
    await open()
    await write(FILE, TOOL)
    await expect.poll(yours, PATIENCE).toEqual(['double'])
    await double(3)
    await expect.poll(data, PATIENCE).toBe('6')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(yours, PATIENCE).toEqual([])
    await expect.poll(() => shown.root.querySelector('.tool-option:has(:checked)')?.textContent).toBe('edit_file')
  })

  test('is there for every preset that is chosen', async () => {
    await open({ ...FILES, [FILE]: TOOL })
    await expect.poll(yours, PATIENCE).toEqual(['double'])
    await page.getByRole('combobox', { name: 'Preset' }).selectOptions('loom')
    // Then it is the other preset's picker, into which the tool comes once it is loaded.
    await expect.element(page.getByRole('button', { name: 'Make a tool' })).not.toBeInTheDocument()
    await expect.poll(yours, PATIENCE).toEqual(['double'])
    await double(5)
    await expect.poll(outcome, PATIENCE).toContain('double')
    expect(data()).toBe('10')
  })

  test('that cannot be had is told once, and those that can are there', async () => {
    await open({
      ...FILES,
      [FILE]: TOOL,
      '.toolport/tools/broken.mjs': 'export default {',
      '.toolport/tools/taken.mjs': TOOL.replace("'double'", "'edit_file'"),
    })
    await expect.poll(yours, PATIENCE).toEqual(['double'])
    await expect.poll(notice, PATIENCE).toContain('failed loading /workspace/.toolport/tools/broken.mjs: ')
    expect(notice()).toContain('tool already registered: edit_file')
    await page.getByRole('button', { name: 'Close this message' }).click()
    await write('b.txt', 'b')
    expect(notice()).toBe('')
    // The one that stands for it is the built-in one.
    const { registry } = shown.playground.session.runtime
    expect(registry.get('edit_file')?.description).toContain('Replace text')
  })

  test('does not disturb the form that somebody fills in, nor the focus', async () => {
    await open()
    await chooseTool('grep')
    await page.getByLabelText('pattern', { exact: true }).fill('half a pat')
    const { runtime } = shown.playground.session
    const make = (name: string): Promise<unknown> =>
      runtime.call('create_persistent_tool', { name, description: 'Comes late.', handler_code: 'return 1' })
    await make('late')
    // What goes on in the background makes the page look.
    await runtime.call('bash', { command: 'true', run_in_background: true })
    await expect.poll(yours, PATIENCE).toEqual(['late'])
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveValue('half a pat')
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveFocus()
    page.getByRole('radio', { name: 'grep', exact: true }).element().focus()
    await make('later')
    await runtime.call('bash', { command: 'true', run_in_background: true })
    await expect.poll(yours, PATIENCE).toEqual(['late', 'later'])
    await expect.element(page.getByRole('radio', { name: 'grep', exact: true })).toHaveFocus()
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveValue('half a pat')
  })

  test.each(['light', 'dark'])('has no violation, and fits a phone, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    onTestFinished(() => void delete document.documentElement.dataset.theme)
    await open({ ...FILES, [FILE]: TOOL })
    await expect.poll(yours, PATIENCE).toEqual(['double'])
    await page.getByRole('button', { name: 'Make a tool' }).click()
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 844)
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })
})
