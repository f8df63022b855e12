// @module-tag playground
import '../../demo/src/styles/index.css'
import type { ToolResult } from 'toolport'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { outcomeOf } from '../../demo/src/calls.js'
import { again, button, here, open, rows, run, threeCalls, useHistoryPage } from './history-page.js'
import { chooseTool } from './page.js'

useHistoryPage()

describe('the call history', () => {
  test('shows the calls of one tool, or failed calls', async () => {
    await open()
    await threeCalls()
    expect(rows()).toEqual(['grepexportok', 'read_filenothing.mderror', 'read_fileREADME.mdok'])
    await page.getByRole('combobox', { name: 'Calls of' }).selectOptions('read_file')
    expect(rows()).toEqual(['read_filenothing.mderror', 'read_fileREADME.mdok'])
    expect(here?.find('.history-count').textContent).toBe('2 of 3')
    await page.getByRole('checkbox', { name: 'Failed only' }).click()
    expect(rows()).toEqual(['read_filenothing.mderror'])
    // The history also contains calls that the filter hides.
    await chooseTool('grep')
    await page.getByLabelText('pattern', { exact: true }).fill('const')
    await run()
    await expect.poll(() => here?.find('.history-count').textContent).toBe('1 of 4')
    await page.getByRole('checkbox', { name: 'Failed only' }).click()
    await page.getByRole('combobox', { name: 'Calls of' }).selectOptions('All tools')
    expect(rows()).toHaveLength(4)
    expect(here?.find('.history-count').textContent).toBe('')
  })

  test.each([
    [{ exit_code: 0, timed_out: false }, 'ok', true],
    [{ exit_code: null, timed_out: true }, 'timed out', false],
    [{ exit_code: null, aborted: true }, 'stopped', false],
    [{ exit_code: 1 }, 'exit 1', false],
    [{ session_id: 'bash_1', state: 'killed', exit_code: 143 }, 'ok', true],
    ['a text', 'ok', true],
    [null, 'ok', true],
  ])('shows the result %j as %j', (output, words, isOk) => {
    const result = { ok: true, tool: 'bash', output } as unknown as ToolResult
    expect(outcomeOf({ result })).toEqual({ words, isOk })
  })

  test('repeats a call, also by keyboard, and leaves the form unchanged', async () => {
    const { playground, find } = await open()
    await threeCalls()
    await page.getByLabelText('pattern', { exact: true }).fill('half a pat')
    await playground.session.workspace.writeText('nothing.md', 'now\n')
    again(1).focus()
    expect(again(1).getAttribute('aria-label')).toBe('Run read_file again: nothing.md')
    await userEvent.keyboard('{Enter}')
    await expect.poll(rows).toEqual(['read_filenothing.mdok', 'grepexportok', 'read_filenothing.mderror', 'read_fileREADME.mdok'])
    // The row stays, and keeps the focus.
    expect(document.activeElement).toBe(again(2))
    await expect.poll(() => find('.past-call[aria-current]').textContent).toContain('nothing.md')
    expect(find('.result-outcome').textContent).toMatch(/^okread_file/)
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveValue('half a pat')
    await expect.element(page.getByRole('radio', { name: 'grep', exact: true })).toBeChecked()
  })

  test('is saved as JSON, filtered, in the order of calls', async () => {
    await open()
    await threeCalls()
    const saved: Blob[] = []
    const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob)
      return '#'
    })
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    onTestFinished(() => {
      create.mockRestore()
      click.mockRestore()
    })
    await page.getByRole('combobox', { name: 'Calls of' }).selectOptions('read_file')
    await button('Export').click()
    expect(click.mock.contexts.map((link) => (link as HTMLAnchorElement).download)).toEqual(['toolport-calls.json'])
    const { calls } = JSON.parse((await saved[0]?.text()) ?? '')
    expect(calls).toMatchObject([
      {
        preset: 'standard',
        name: 'read_file',
        input: { path: 'README.md' },
        result: { ok: true, output: { path: '/workspace/README.md' } },
      },
      { preset: 'standard', name: 'read_file', input: { path: 'nothing.md' }, result: { ok: false, output: { code: 'ENOENT' } } },
    ])
    for (const { time, duration_ms } of calls) {
      expect(new Date(time).getFullYear()).toBeGreaterThan(2000)
      expect(duration_ms).toBeGreaterThan(0)
    }
  })
})
