// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { linkParts } from '../../demo/src/run/links.js'
import { isProgram } from '../../demo/src/run/run-panel.js'
import { splitArguments } from '../../demo/src/run/words.js'
import { axeViolations, openPage, type TestPage } from './page.js'

const FILES = {
  'main.js': [
    "import { add } from './lib/add.ts'",
    "import { writeFileSync } from 'node:fs'",
    "console.log('sum', add(1, 2), process.argv.slice(2))",
    "console.error('a warning')",
    "for await (const text of process.stdin) console.log('in: ' + text)",
    "writeFileSync('out.txt', 'written')",
    '',
  ].join('\n'),
  'lib/add.ts':
    "export function add(a: number, b: number): number {\n  if (typeof a !== 'number') throw new TypeError('no')\n  return a + b\n}\n",
  'fails.mjs': "import { add } from './lib/add.ts'\n\nadd('x')\n",
  'waits.mjs': "console.log('begun')\nawait new Promise(() => setInterval(() => {}, 1000))\n",
  'loops.cjs': "console.log('<img src=x onerror=hacked=1>')\nwhile (true) {}\n",
  'long.js': "for (let i = 0; i < 30000; i += 1) console.log('line ' + i + ' of many')\n",
  'value.js': 'export default { n: 1 }\n',
  'silent.js': 'const a = 1\n',
  'types.d.ts': 'export type A = 1\n',
  'README.md': '# Title\n',
}

/** The engine is loaded with the first program, and machines may be slow. */
const PATIENCE = { timeout: 30_000 }

let shown: TestPage

beforeEach(async () => {
  shown = await openPage({ files: FILES })
})

afterEach(() => shown.close())

const runButton = () => page.getByRole('button', { name: 'Run this file' })
const pill = (): string => shown.root.querySelector('.run-panel:not([hidden]) .pill')?.textContent ?? ''
const output = (): string => shown.find('.run-output').textContent ?? ''
const parts = (stream: string): string => shown.texts(`.run-output .is-${stream}`).join('')

async function run(path: string): Promise<void> {
  await shown.playground.openFile(path)
  await runButton().click()
}

describe('running the open file', () => {
  test('shows what it prints, each stream as such, how it ended and how long it took, and what it wrote', async () => {
    await run('main.js')
    await expect.poll(pill, PATIENCE).toBe('exit 0')
    expect(parts('stdout')).toBe('sum 3 []\n')
    expect(parts('stderr')).toBe('a warning\n')
    expect(shown.find('.run-panel .result-facts').textContent).toMatch(/^[\d.]+ m?s$/)
    expect(shown.find('.run-name').textContent).toBe('main.js')
    await expect.element(page.getByRole('treeitem', { name: 'out.txt, added' })).toBeVisible()
    // It is a call like any other.
    expect(shown.find('.tab-last').textContent).toBe('History 1')
    await expect.element(page.getByRole('button', { name: 'Stop', exact: true })).not.toBeInTheDocument()
  })

  test('gives it arguments and input, which are those of the file', async () => {
    await run('main.js')
    await expect.poll(pill, PATIENCE).toBe('exit 0')
    await page.getByText('Arguments and input').click()
    await page.getByLabelText('Arguments', { exact: true }).fill('one "two words" --x=\'a b\'')
    await page.getByLabelText('Input', { exact: true }).fill('hello')
    await runButton().click()
    await expect.poll(output, PATIENCE).toContain('in: hello')
    expect(output()).toContain("sum 3 [ 'one', 'two words', '--x=a b' ]")
    await shown.playground.openFile('silent.js')
    await expect.element(page.getByLabelText('Arguments', { exact: true })).toHaveValue('')
    await shown.playground.openFile('main.js')
    await expect.element(page.getByLabelText('Arguments', { exact: true })).toHaveValue('one "two words" --x=\'a b\'')
  })

  test('opens the file at the line that a stack trace names', async () => {
    await run('fails.mjs')
    await expect.poll(pill, PATIENCE).toBe('exit 1')
    expect(output()).toContain('TypeError: no')
    await page.getByRole('button', { name: /lib\/add\.ts:2/ }).click()
    await expect.poll(() => shown.find('.file-title').textContent).toBe('lib/add.ts')
    await expect.poll(() => shown.root.querySelector('.line.is-fresh')?.getAttribute('data-line')).toBe('2')
    // What the program printed stays below it.
    expect(output()).toContain('TypeError: no')
  })

  test('shows output while it runs, and stops it by the button, and the next one runs', async () => {
    await run('waits.mjs')
    await expect.poll(output, PATIENCE).toBe('begun\n')
    expect(pill()).toBe('running')
    // One at a time.
    await userEvent.click(runButton(), { force: true })
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect.poll(pill, PATIENCE).toBe('stopped')
    expect(output()).toBe('begun\n')
    expect(shown.find('.tab-last').textContent).toBe('History 1')
    await run('loops.cjs')
    await expect.poll(output, PATIENCE).toContain('<img')
    expect(shown.root.querySelectorAll('img')).toHaveLength(0)
    shown.find('.run-output').focus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(pill, PATIENCE).toBe('stopped')
    await run('silent.js')
    await expect.poll(pill, PATIENCE).toBe('exit 0')
    expect(output()).toBe('It printed nothing.\n')
  })

  test('shows a default export, and much output up to its bound', async () => {
    await run('value.js')
    await expect.poll(pill, PATIENCE).toBe('exit 0')
    expect(parts('value')).toBe('export default {\n  "n": 1\n}\n')
    await run('long.js')
    await expect.poll(pill, PATIENCE).toBe('exit 0')
    expect(output()).toContain('line 0 of many\nline 1 of many\n')
    expect(output()).toContain('it prints more than is shown here')
    expect(shown.root.querySelectorAll('.run-output span').length).toBeLessThan(10)
  })

  test('is there for programs only, and tells what keeps one from running', async () => {
    for (const path of ['README.md', 'types.d.ts']) {
      await shown.playground.openFile(path)
      await expect.element(runButton()).not.toBeInTheDocument()
    }
    await shown.playground.openFile('silent.js')
    await shown.playground.session.workspace.remove('silent.js')
    await runButton().click()
    await expect.poll(pill, PATIENCE).toBe('failed')
    expect(output()).toContain('ENOENT')
  })

  test('by Ctrl+Enter where the file has the focus; elsewhere that calls the tool', async () => {
    await shown.playground.openFile('value.js')
    shown.find('.view-body').focus()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(pill, PATIENCE).toBe('exit 0')
    expect(shown.root.querySelector('.result-outcome')?.textContent).toBe('')
    page.getByRole('radio', { name: 'list_files', exact: true }).element().focus()
    await userEvent.keyboard(' ')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(() => shown.find('.result-outcome').textContent).toContain('list_files')
  })

  test('ends with its workspace, and with its panel', async () => {
    await run('waits.mjs')
    await expect.poll(output, PATIENCE).toBe('begun\n')
    await shown.playground.load('other', { 'a.js': "console.log('other')\n" })
    expect(shown.find('.run-panel').hidden).toBe(true)
    await run('a.js')
    await expect.poll(output, PATIENCE).toBe('other\n')
    await shown.playground.session.workspace.writeText('w.mjs', FILES['waits.mjs'])
    await run('w.mjs')
    await expect.poll(output, PATIENCE).toBe('begun\n')
    await page.getByRole('button', { name: 'Close the output' }).click()
    await expect.element(runButton()).toHaveFocus()
    await expect.poll(() => runButton().element().getAttribute('aria-disabled')).toBe('false')
    expect(shown.find('.run-panel').hidden).toBe(true)
  })

  test.each(['light', 'dark'])('has no violation, and fits a phone, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    onTestFinished(() => void delete document.documentElement.dataset.theme)
    await run('fails.mjs')
    await expect.poll(pill, PATIENCE).toBe('exit 1')
    await page.getByText('Arguments and input').click()
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 844)
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    const [panel, pane] = [shown.find('.run-panel'), shown.find('.pane-view:not(.pane-moment)')].map((part) => part.getBoundingClientRect())
    expect(panel?.bottom).toBeLessThanOrEqual(pane?.bottom ?? 0)
  })
})

test('the terminal has node and js, on the same files', async () => {
  const { session } = shown.playground
  const node = await session.runtime.call('bash', { command: 'echo hello | node main.js one' })
  expect(node).toMatchObject({ exit_code: 0, stdout: "sum 3 [ 'one' ]\nin: hello\n\n", stderr: 'a warning\n' })
  const js = await session.runtime.call('bash', { command: 'js value.js' })
  expect(js).toMatchObject({ exit_code: 0 })
  expect(JSON.parse(String((js as { stdout: string }).stdout))).toEqual({ n: 1 })
})

test('programs and tools may call the tools of the page', async () => {
  const code = "const { matches } = await invokeTool('grep', { pattern: 'TypeError' })\nexport default matches.map(({ path }) => path)"
  expect(await shown.playground.session.runtime.call('run_js', { code })).toMatchObject({ result: ['/workspace/lib/add.ts'] })
})

describe('parts of it', () => {
  const isPath = (text: string): boolean => ['/workspace/a.js', 'b.ts', 'c:d.js'].includes(text)

  test.each([
    ['at f (/workspace/a.js:3:14)', ['/workspace/a.js', 3]],
    ['file:///workspace/a.js:12', ['/workspace/a.js', 12]],
    ['b.ts:1:2: error', ['b.ts', 1]],
    ['at f (/workspace/other.js:3:14)', undefined],
    ['at 12:30 b.ts', undefined],
    ['http://b.ts:80/', undefined],
    ['', undefined],
  ])('the place in %j', (line, place) => {
    const found = linkParts(line, isPath)
    expect(found.map(({ text }) => text).join('')).toBe(line)
    const [link] = found.filter((one) => one.place)
    expect(link?.place && [link.place.path, link.place.line]).toEqual(place)
  })

  test.each([
    ['', []],
    ['  a  b ', ['a', 'b']],
    ['"a b" c', ['a b', 'c']],
    ['--x="a b"c', ['--x=a bc']],
    [`'it is "so"'`, ['it is "so"']],
    ['"open end', ['open end']],
    ['""', ['']],
  ])('the arguments in %j', (line, words) => expect(splitArguments(line)).toEqual(words))

  test.each([
    ['a.js', true],
    ['a/b.MTS', true],
    ['a.d.ts', false],
    ['a.json', false],
    ['js', false],
  ])('%s is a program: %s', (path, is) => expect(isProgram(path)).toBe(is))
})
