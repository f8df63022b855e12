// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { CallRecord } from '../../demo/src/calls.js'
import { createHistory } from '../../demo/src/result/history.js'
import { callsAsJson } from '../../demo/src/result/past-calls.js'
import { again, button, count, open, read, rows, run, threeCalls, useHistoryPage } from './history-page.js'
import { chooseTool, paste } from './page.js'

useHistoryPage()

describe('the call history', () => {
  test('shows the exit code of a failed command', async () => {
    const page = await open()
    await chooseTool('bash')
    paste(page.root.querySelector('.tool-form textarea'), 'exit 3')
    await run()
    await expect.poll(count).toBe(1)
    expect(page.find('.call-status').textContent).toBe('exit 3')
    expect(page.find('.past-call .dot').className).toBe('dot is-failed')
    expect(page.find('.result-outcome .pill').textContent).toBe('exit 3')
    expect(page.find('.result-outcome .pill').className).toBe('pill is-failed')
    await userEvent.click(page.find('.tab-last'))
    await userEvent.click(page.find('.history-failed input'))
    expect(page.texts('.past-call .call-status')).toEqual(['exit 3'])
  })

  test('asks for approval when a call is repeated', async () => {
    const { playground } = await open()
    await chooseTool('write_file')
    await page.getByLabelText('path', { exact: true }).fill('new.txt')
    await page.getByLabelText('content', { exact: true }).fill('new')
    await run()
    await expect.poll(count).toBe(1)
    await playground.session.workspace.remove('new.txt')
    await page.getByRole('combobox', { name: 'Which calls run' }).selectOptions('Ask first')
    await page.getByRole('tab', { name: 'History 1' }).click()
    await userEvent.click(again(0))
    await expect.element(button('Deny')).toBeVisible()
    await button('Deny').click()
    await expect.poll(rows).toEqual(['write_filenew.txt → newdenied', 'write_filenew.txt → newok'])
    expect(await playground.session.workspace.exists('new.txt')).toBe(false)
  })

  test('shows which calls the current tools cannot repeat', async () => {
    const { find } = await open()
    await read('README.md')
    await page.getByRole('combobox', { name: 'Preset' }).selectOptions('clock')
    await expect.element(page.getByRole('radio', { name: 'tick', exact: true })).toBeChecked()
    await page.getByRole('tab', { name: 'History 1' }).click()
    await userEvent.click(again(0))
    await expect.poll(() => find('.notice').textContent).toContain('read_file of “standard”')
    expect(rows()).toHaveLength(1)
  })

  test('can be emptied, and restored until the next call', async () => {
    const { root } = await open()
    await threeCalls()
    const before = rows()
    await button('Empty').click()
    expect(rows()).toEqual([])
    await expect.element(page.getByRole('tab', { name: 'History', exact: true })).toBeVisible()
    await expect.element(button('Take that back')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(rows()).toEqual(before)
    expect(root.querySelector('.calls')?.contains(document.activeElement)).toBe(true)
    await button('Empty').click()
    await read('src/a.ts')
    expect(rows()).toEqual(['read_filesrc/a.tsok'])
    await expect.element(button('Take that back')).not.toBeInTheDocument()
  })
})

describe('a long call history', () => {
  const record = (index: number): CallRecord => ({
    preset: 'standard',
    tool: index % 2 ? 'write_file' : 'read_file',
    input: { path: `file-${index}.txt` },
    result: { ok: true, output: index },
    wire: index,
    readOnly: index % 2 === 0,
    duration: index,
  })

  function longHistory(calls: number) {
    const counts: number[] = []
    const made = createHistory({ onChoose: () => undefined, onAgain: () => undefined, onCount: (one) => counts.push(one) })
    document.body.append(made.element)
    onTestFinished(() => made.element.remove())
    for (let index = 0; index < calls; index += 1) made.add(record(index))
    const summaries = (): (string | null)[] => [...made.element.querySelectorAll('.call-summary')].map(({ textContent }) => textContent)
    return { ...made, counts, summaries }
  }

  test('keeps few rows in the document, and loads others by page', async () => {
    const { element, summaries, counts } = longHistory(450)
    expect(counts.at(-1)).toBe(450)
    expect(summaries()).toHaveLength(100)
    expect(summaries().at(0)).toBe('file-449.txt')
    const more = element.querySelector<HTMLElement>('.history > .button')
    expect(more?.textContent).toBe('Show 100 more of 450')
    more?.click()
    expect(summaries()).toHaveLength(200)
    expect(new Set(summaries()).size).toBe(200)
    expect(document.activeElement?.textContent).toContain('file-349.txt')
  })

  test('adds a row without redrawing others', async () => {
    const { element, add, summaries } = longHistory(120)
    const before = [...element.querySelectorAll('li')]
    add(record(120))
    const after = [...element.querySelectorAll('li')]
    expect(after).toHaveLength(100)
    expect(after.slice(1).every((row, index) => row === before[index])).toBe(true)
    expect(summaries().at(0)).toBe('file-120.txt')
  })

  test('drops the oldest calls', () => {
    const { element, counts, summaries } = longHistory(1100)
    expect(counts.at(-1)).toBe(1000)
    for (let page = 0; page < 20; page += 1) element.querySelector<HTMLElement>('.history > .button:not([hidden])')?.click()
    expect(summaries()).toHaveLength(1000)
    expect(summaries().at(-1)).toBe('file-100.txt')
  })

  test('is saved completely, whatever it contains', async () => {
    const hostile = { ...record(1), input: { text: '\ud800 </script>\u2028"' } } as CallRecord
    const blob = callsAsJson([
      { record: hostile, time: 0 },
      { record: record(2), time: 1 },
    ])
    const { calls } = JSON.parse(await blob.text())
    expect(calls).toHaveLength(2)
    expect(calls[1].input).toEqual(hostile.input)
    expect(JSON.parse(await callsAsJson([]).text())).toEqual({ calls: [] })
  })
})
