// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { output, parts, pill, run, runButton, shown, useRunPage } from './run-page.js'

useRunPage()

describe('running the open file', () => {
  test('shows both output streams, exit code, duration and changed files', async () => {
    await run('main.js')
    await expect.poll(pill).toBe('exit 0')
    expect(parts('stdout')).toBe('sum 3 []\n')
    expect(parts('stderr')).toBe('a warning\n')
    expect(shown.find('.run-panel .result-facts').textContent).toMatch(/^[\d.]+ m?s$/)
    expect(shown.find('.run-name').textContent).toBe('main.js')
    await expect.element(page.getByRole('treeitem', { name: 'out.txt, added' })).toBeVisible()
    // The history lists the run like any call.
    expect(shown.find('.tab-last').textContent).toBe('History 1')
    await expect.element(page.getByRole('button', { name: 'Stop', exact: true })).not.toBeInTheDocument()
  })

  test('passes arguments and input, which are kept per file', async () => {
    await run('main.js')
    await expect.poll(pill).toBe('exit 0')
    await page.getByText('Arguments and input').click()
    await page.getByLabelText('Arguments', { exact: true }).fill('one "two words" --x=\'a b\'')
    await page.getByLabelText('Input', { exact: true }).fill('hello')
    await runButton().click()
    await expect.poll(output).toContain('in: hello')
    expect(output()).toContain("sum 3 [ 'one', 'two words', '--x=a b' ]")
    await shown.playground.openFile('silent.js')
    await expect.element(page.getByLabelText('Arguments', { exact: true })).toHaveValue('')
    await shown.playground.openFile('main.js')
    await expect.element(page.getByLabelText('Arguments', { exact: true })).toHaveValue('one "two words" --x=\'a b\'')
  })

  test('opens the file and line named in a stack trace', async () => {
    await run('fails.mjs')
    await expect.poll(pill).toBe('exit 1')
    expect(output()).toContain('TypeError: no')
    await page.getByRole('button', { name: /lib\/add\.ts:2/ }).click()
    await expect.poll(() => shown.find('.file-title').textContent).toBe('lib/add.ts')
    await expect.poll(() => shown.root.querySelector('.line.is-fresh')?.getAttribute('data-line')).toBe('2')
    // The program's output stays below the editor.
    expect(output()).toContain('TypeError: no')
  })

  test('streams output, can be stopped by a button, and can run again', async () => {
    await run('waits.mjs')
    await expect.poll(output).toBe('begun\n')
    expect(pill()).toBe('running')
    // A second program does not start meanwhile.
    await userEvent.click(runButton(), { force: true })
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect.poll(pill).toBe('stopped')
    expect(output()).toBe('begun\n')
    expect(shown.find('.tab-last').textContent).toBe('History 1')
    await run('loops.cjs')
    await expect.poll(output).toContain('<img')
    expect(shown.root.querySelectorAll('img')).toHaveLength(0)
    shown.find('.run-output').focus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(pill).toBe('stopped')
    await run('silent.js')
    await expect.poll(pill).toBe('exit 0')
    expect(output()).toBe('It printed nothing.\n')
  })
})

test('programs and custom tools can call the tools of the page', async () => {
  const code = "const { matches } = await invokeTool('grep', { pattern: 'TypeError' })\nexport default matches.map(({ path }) => path)"
  expect(await shown.playground.session.runtime.call('run_js', { code })).toMatchObject({ result: ['/workspace/lib/add.ts'] })
})
