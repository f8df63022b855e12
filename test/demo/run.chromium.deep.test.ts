// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FILES, output, parts, pill, run, runButton, shown, useRunPage } from './run-page.js'

useRunPage()

describe('running the open file in detail', () => {
  test('shows a default export, and output up to a limit', async () => {
    await run('value.js')
    await expect.poll(pill).toBe('exit 0')
    expect(parts('value')).toBe('export default {\n  "n": 1\n}\n')
    await run('long.js')
    await expect.poll(pill).toBe('exit 0')
    expect(output()).toContain('line 0 of many\nline 1 of many\n')
    expect(output()).toContain('it prints more than is shown here')
    expect(shown.root.querySelectorAll('.run-output span').length).toBeLessThan(10)
  })

  test('is offered for programs only, and reports why one cannot run', async () => {
    for (const path of ['README.md', 'types.d.ts']) {
      await shown.playground.openFile(path)
      await expect.element(runButton()).not.toBeInTheDocument()
    }
    await shown.playground.openFile('silent.js')
    await shown.playground.session.workspace.remove('silent.js')
    await runButton().click()
    await expect.poll(pill).toBe('failed')
    expect(output()).toContain('ENOENT')
  })

  test('stays within the pane on a phone', async () => {
    await run('fails.mjs')
    await expect.poll(pill).toBe('exit 1')
    await page.getByText('Arguments and input').click()
    await page.viewport(390, 844)
    const [panel, pane] = [shown.find('.run-panel'), shown.find('.pane-view:not(.pane-moment)')].map((part) => part.getBoundingClientRect())
    expect(panel?.bottom).toBeLessThanOrEqual(pane?.bottom ?? 0)
  })

  test('is started by Ctrl+Enter in the file; elsewhere this runs the tool', async () => {
    await shown.playground.openFile('value.js')
    shown.find('.view-body').focus()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(pill).toBe('exit 0')
    expect(shown.root.querySelector('.result-outcome')?.textContent).toBe('')
    page.getByRole('radio', { name: 'list_files', exact: true }).element().focus()
    await userEvent.keyboard(' ')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(() => shown.find('.result-outcome').textContent).toContain('list_files')
  })

  test('ends with its workspace and with its panel', async () => {
    await run('waits.mjs')
    await expect.poll(output).toBe('begun\n')
    await shown.playground.load('other', { 'a.js': "console.log('other')\n" })
    expect(shown.find('.run-panel').hidden).toBe(true)
    await run('a.js')
    await expect.poll(output).toBe('other\n')
    await shown.playground.session.workspace.writeText('w.mjs', FILES['waits.mjs'])
    await run('w.mjs')
    await expect.poll(output).toBe('begun\n')
    await page.getByRole('button', { name: 'Close the output' }).click()
    await expect.element(runButton()).toHaveFocus()
    await expect.poll(() => runButton().element().getAttribute('aria-disabled')).toBe('false')
    expect(shown.find('.run-panel').hidden).toBe(true)
  })
})

test('the terminal has node and js on the same files', async () => {
  const { session } = shown.playground
  const node = await session.runtime.call('bash', { command: 'echo hello | node main.js one' })
  expect(node).toMatchObject({ exit_code: 0, stdout: "sum 3 [ 'one' ]\nin: hello\n\n", stderr: 'a warning\n' })
  const js = await session.runtime.call('bash', { command: 'js value.js' })
  expect(js).toMatchObject({ exit_code: 0 })
  expect(JSON.parse(String((js as { stdout: string }).stdout))).toEqual({ n: 1 })
})
