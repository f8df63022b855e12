// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { again, files, shown, useColumnsPage, width, work } from './columns-page.js'

useColumnsPage()

test('a file shows eighty columns if there is room for all three panes', () => {
  expect(width('view')).toBeGreaterThan(640)
})

describe('the splitter of the files pane', () => {
  test('is moved by keys, within the limits of the pane', async () => {
    const first = width('files')
    files().focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(width('files')).toBeGreaterThan(first + 50)
    await userEvent.keyboard('{Home}')
    expect(width('files')).toBeLessThan(212)
    await userEvent.keyboard('{ArrowRight}')
    expect(width('files')).toBeGreaterThan(250)
  })
})

describe('the splitter of the agent and tools pane', () => {
  test.each([1300, 1024, 861])('leaves each pane enough width, %i wide', async (wide) => {
    await page.viewport(wide, 800)
    files().focus()
    await userEvent.keyboard('{End}')
    for (const key of ['{Home}', '{End}']) {
      work().focus()
      await userEvent.keyboard(key)
      expect(width('view')).toBeGreaterThanOrEqual(230)
      expect(width('work')).toBeGreaterThanOrEqual(359)
      expect(shown.find('.panes').scrollWidth).toBeLessThanOrEqual(wide)
    }
  })

  test('reports its position to screen readers before use and after a resize', async () => {
    const told = (): number => Number(work().getAttribute('aria-valuenow'))
    const share = (): number => 100 - (width('work') / shown.find('.panes').clientWidth) * 100
    await expect.poll(() => Math.abs(told() - share())).toBeLessThan(1)
    expect(Number(files().getAttribute('aria-valuenow'))).toBeLessThan(25)
    await page.viewport(1000, 800)
    await expect.poll(() => Math.abs(told() - share())).toBeLessThan(1)
  })

  test('reports its position to screen readers at a CSS limit', async () => {
    const told = (): number => Number(work().getAttribute('aria-valuenow'))
    const share = (): number => 100 - (width('work') / shown.find('.panes').clientWidth) * 100
    work().focus()
    expect(work().getAttribute('aria-orientation')).toBe('vertical')
    expect(Math.abs(told() - share())).toBeLessThan(1)
    await userEvent.keyboard('{End}')
    expect(Math.abs(told() - share())).toBeLessThan(1)
  })
})

test('is reset by a double click, also for the next visit', async () => {
  const first = [width('files'), width('work')]
  for (const one of [files(), work()]) {
    one.focus()
    await userEvent.keyboard('{ArrowRight}')
  }
  expect(width('work')).not.toBeCloseTo(first[1] ?? 0, -1)
  await userEvent.dblClick(files())
  await userEvent.dblClick(work())
  expect([width('files'), width('work')]).toEqual(first)
  await again()
  expect([width('files'), width('work')]).toEqual(first)
})

test('the height of the terminal is moved separately', async () => {
  await userEvent.click(shown.find('.terminal-switch'))
  const height = shown.find('.pane-terminal').getBoundingClientRect().height
  files().focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(shown.find('.pane-terminal').getBoundingClientRect().height).toBe(height)
})

test('there are no splitters if one pane is shown at a time', async () => {
  await page.viewport(860, 800)
  expect(page.getByRole('separator').elements()).toEqual([])
})
