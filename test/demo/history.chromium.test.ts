// @module-tag playground
import '../../demo/src/styles/index.css'
import { defineTool, type ToolResult } from 'toolport'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type CallRecord, outcomeOf } from '../../demo/src/calls.js'
import type { PresetChoice } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { createHistory } from '../../demo/src/result/history.js'
import { callsAsJson } from '../../demo/src/result/past-calls.js'
import { axeViolations, chooseTool, openPage, paste, type TestPage } from './page.js'

const FILES = { 'README.md': '# Read me\n', 'src/a.ts': 'export const a = 1\n' }
const PATIENCE = { timeout: 60_000 }

const tick = defineTool({
  name: 'tick',
  description: 'Ticks.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
  run: () => 'tock',
})
const clock: PresetChoice = {
  name: 'clock',
  about: 'One tool.',
  load: async () => () => ({ preset: { name: 'clock', tools: [tick], validation: 'strict' } }),
}

let here: TestPage | undefined

async function open(): Promise<TestPage> {
  history.replaceState(null, '', location.pathname + location.search)
  here = await openPage({ files: FILES, name: 'test files', presets: [presetChoices[0] as PresetChoice, clock] })
  return here
}

afterEach(async () => {
  await here?.close()
  here = undefined
  history.replaceState(null, '', location.pathname + location.search)
})

const rows = (): (string | null)[] => (here?.texts('.past-call') ?? []).map((text) => text?.replace(/[\d.]+ m?s$/, '') ?? null)
const count = (): number => here?.root.querySelectorAll('.past-call').length ?? 0
const again = (index: number): HTMLElement => [...(here?.root.querySelectorAll<HTMLElement>('.run-again') ?? [])][index] as HTMLElement
const run = (): Promise<void> => userEvent.keyboard('{Control>}{Enter}{/Control}')
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function read(path: string): Promise<void> {
  const before = count()
  await chooseTool('read_file')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await run()
  await expect.poll(count, PATIENCE).toBe(before + 1)
}

/** Three calls, of which one fails, and the list of them. */
async function threeCalls(): Promise<void> {
  await read('README.md')
  await read('nothing.md')
  await chooseTool('grep')
  await page.getByLabelText('pattern', { exact: true }).fill('export')
  await run()
  await expect.poll(count, PATIENCE).toBe(3)
  await page.getByRole('tab', { name: 'History 3' }).click()
}

describe('the history', () => {
  test('shows the calls of one tool, or those that failed', async () => {
    await open()
    await threeCalls()
    expect(rows()).toEqual(['grepexportok', 'read_filenothing.mderror', 'read_fileREADME.mdok'])
    await page.getByRole('combobox', { name: 'Calls of' }).selectOptions('read_file')
    expect(rows()).toEqual(['read_filenothing.mderror', 'read_fileREADME.mdok'])
    expect(here?.find('.history-count').textContent).toBe('2 of 3')
    await page.getByRole('checkbox', { name: 'Failed only' }).click()
    expect(rows()).toEqual(['read_filenothing.mderror'])
    // A call that the filter leaves out is there all the same.
    await chooseTool('grep')
    await page.getByLabelText('pattern', { exact: true }).fill('const')
    await run()
    await expect.poll(() => here?.find('.history-count').textContent, PATIENCE).toBe('1 of 4')
    await page.getByRole('checkbox', { name: 'Failed only' }).click()
    await page.getByRole('combobox', { name: 'Calls of' }).selectOptions('All tools')
    expect(rows()).toHaveLength(4)
    expect(here?.find('.history-count').textContent).toBe('')
  })

  test('tells what a command has failed with', async () => {
    const page = await open()
    await chooseTool('bash')
    paste(page.root.querySelector('.tool-form textarea'), 'exit 3')
    await run()
    await expect.poll(count, { timeout: 60_000 }).toBe(1)
    expect(page.find('.call-status').textContent).toBe('exit 3')
    expect(page.find('.past-call .dot').className).toBe('dot is-failed')
    expect(page.find('.result-outcome .pill').textContent).toBe('exit 3')
    expect(page.find('.result-outcome .pill').className).toBe('pill is-failed')
    await userEvent.click(page.find('.tab-last'))
    await userEvent.click(page.find('.history-failed input'))
    expect(page.texts('.past-call .call-status')).toEqual(['exit 3'])
  })

  test.each([
    [{ exit_code: 0, timed_out: false }, 'ok', true],
    [{ exit_code: null, timed_out: true }, 'timed out', false],
    [{ exit_code: null, aborted: true }, 'stopped', false],
    [{ exit_code: 1 }, 'exit 1', false],
    [{ session_id: 'bash_1', state: 'killed', exit_code: 143 }, 'ok', true],
    ['a text', 'ok', true],
    [null, 'ok', true],
  ])('what came of %j is told as %j', (output, words, isOk) => {
    const result = { ok: true, tool: 'bash', output } as unknown as ToolResult
    expect(outcomeOf({ result })).toEqual({ words, isOk })
  })

  test('makes a call again, with keys too, and leaves the form as it is', async () => {
    const { playground, find } = await open()
    await threeCalls()
    await page.getByLabelText('pattern', { exact: true }).fill('half a pat')
    await playground.session.workspace.writeText('nothing.md', 'now\n')
    again(1).focus()
    expect(again(1).getAttribute('aria-label')).toBe('Run read_file again: nothing.md')
    await userEvent.keyboard('{Enter}')
    await expect.poll(rows, PATIENCE).toEqual(['read_filenothing.mdok', 'grepexportok', 'read_filenothing.mderror', 'read_fileREADME.mdok'])
    // The row stays, and the focus on it.
    expect(document.activeElement).toBe(again(2))
    await expect.poll(() => find('.past-call[aria-current]').textContent).toContain('nothing.md')
    expect(find('.result-outcome').textContent).toMatch(/^okread_file/)
    await expect.element(page.getByLabelText('pattern', { exact: true })).toHaveValue('half a pat')
    await expect.element(page.getByRole('radio', { name: 'grep', exact: true })).toBeChecked()
  })

  test('asks about a call that is made again, as about any other', async () => {
    const { playground } = await open()
    await chooseTool('write_file')
    await page.getByLabelText('path', { exact: true }).fill('new.txt')
    await page.getByLabelText('content', { exact: true }).fill('new')
    await run()
    await expect.poll(count, PATIENCE).toBe(1)
    await playground.session.workspace.remove('new.txt')
    await page.getByRole('combobox', { name: 'Which calls run' }).selectOptions('Ask first')
    await page.getByRole('tab', { name: 'History 1' }).click()
    await userEvent.click(again(0))
    await expect.element(button('Deny')).toBeVisible()
    await button('Deny').click()
    await expect.poll(rows, PATIENCE).toEqual(['write_filenew.txt → newdenied', 'write_filenew.txt → newok'])
    expect(await playground.session.workspace.exists('new.txt')).toBe(false)
  })

  test('says which calls the tools that are chosen now cannot make again', async () => {
    const { find } = await open()
    await read('README.md')
    await page.getByRole('combobox', { name: 'Preset' }).selectOptions('clock')
    await expect.element(page.getByRole('radio', { name: 'tick', exact: true })).toBeChecked()
    await page.getByRole('tab', { name: 'History 1' }).click()
    await userEvent.click(again(0))
    await expect.poll(() => find('.notice').textContent).toContain('read_file of “standard”')
    expect(rows()).toHaveLength(1)
  })

  test('is saved as JSON, as it is filtered, in the order of the calls', async () => {
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

  test('is emptied, which can be taken back until the next call', async () => {
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

  test.each(['light', 'dark'])('has no violation, and fits a phone, %s', async (theme) => {
    await open()
    document.documentElement.dataset.theme = theme
    onTestFinished(() => void delete document.documentElement.dataset.theme)
    await threeCalls()
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 844)
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })
})

describe('a long history', () => {
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

  test('keeps few rows in the document, and brings the others by the page', async () => {
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

  test('adds a row, and draws no other one again', async () => {
    const { element, add, summaries } = longHistory(120)
    const before = [...element.querySelectorAll('li')]
    add(record(120))
    const after = [...element.querySelectorAll('li')]
    expect(after).toHaveLength(100)
    expect(after.slice(1).every((row, index) => row === before[index])).toBe(true)
    expect(summaries().at(0)).toBe('file-120.txt')
  })

  test('forgets the oldest calls', () => {
    const { element, counts, summaries } = longHistory(1100)
    expect(counts.at(-1)).toBe(1000)
    for (let page = 0; page < 20; page += 1) element.querySelector<HTMLElement>('.history > .button:not([hidden])')?.click()
    expect(summaries()).toHaveLength(1000)
    expect(summaries().at(-1)).toBe('file-100.txt')
  })

  test('is saved whole, whatever is in it', async () => {
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
