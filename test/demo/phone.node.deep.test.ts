// @module-tag playground
import type { BrowserContext, Locator, Page } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'
import { violations } from './violations.js'
import { newContext, useBrowser, visit } from './visit.js'

let context: BrowserContext
let page: Page

useBrowser()

beforeEach(async () => {
  context = await newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  ;({ page } = await visit({ context }))
})

const pane = (name: string): Promise<void> => page.locator('.pane-option', { hasText: name }).tap()

describe('the key row of the terminal', () => {
  const keys = (): Locator => page.getByRole('toolbar', { name: 'Keys' })
  const press = (name: string): Promise<void> => keys().getByRole('button', { name, exact: true }).tap()
  const rows = (): Promise<string[]> =>
    page.locator('.terminal-panel:not([hidden]) .xterm-rows > div').evaluateAll((all) => {
      const texts = all.map((row) => (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd())
      return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
    })
  const line = async (): Promise<string | undefined> => (await rows()).at(-1)
  const ctrl = (): Promise<string | null> => keys().getByRole('button', { name: 'Ctrl', exact: true }).getAttribute('aria-pressed')
  const input = (): Locator => page.getByRole('textbox', { name: 'Terminal input' })

  beforeEach(async () => {
    await pane('Terminal')
    await page.locator('.xterm-rows').getByText('workspace $').waitFor()
    await input().focus()
  })

  test('moves in line and history, completes, and leaves the focus to the keyboard', async () => {
    await page.keyboard.type('echo ac')
    await press('Left')
    await page.keyboard.type('b')
    await expect.poll(line).toBe('workspace $ echo abc')
    await press('Right')
    await page.keyboard.type('d')
    await expect.poll(line).toBe('workspace $ echo abcd')
    await page.keyboard.press('Enter')
    await expect.poll(rows).toContain('abcd')
    await press('Up')
    await expect.poll(line).toBe('workspace $ echo abcd')
    await press('Down')
    await expect.poll(line).toBe('workspace $')
    await page.keyboard.type('cat LICE')
    await press('Tab')
    await expect.poll(line).toBe('workspace $ cat LICENSE')
    await press('Ctrl C')
    await expect.poll(async () => (await rows()).slice(-2)).toEqual(['workspace $ cat LICENSE ^C', 'workspace $'])
    expect(await input().evaluate((field) => field === document.activeElement)).toBe(true)
  })

  test('holds Ctrl for one letter or arrow', async () => {
    await page.keyboard.type('one two')
    await press('Ctrl')
    expect(await ctrl()).toBe('true')
    await press('Left')
    expect(await ctrl()).toBe('false')
    await page.keyboard.type('x')
    await expect.poll(line).toBe('workspace $ one xtwo')
    await press('Ctrl')
    await page.keyboard.type('ab')
    await expect.poll(line).toBe('workspace $ bone xtwo')
    await press('Ctrl')
    await press('Ctrl')
    await page.keyboard.type('a')
    await expect.poll(line).toBe('workspace $ baone xtwo')
  })

  test('applies Ctrl to letters from composing keyboards', async () => {
    const session = await context.newCDPSession(page)
    await page.keyboard.type('one')
    await press('Ctrl')
    await session.send('Input.imeSetComposition', { text: 'a', selectionStart: 1, selectionEnd: 1 })
    await expect.poll(ctrl).toBe('false')
    await page.keyboard.type('x')
    await expect.poll(line).toBe('workspace $ xone')
    await press('Ctrl')
    await session.send('Input.insertText', { text: 'e' })
    await expect.poll(ctrl).toBe('false')
    await page.keyboard.type('y')
    await expect.poll(line).toBe('workspace $ xoney')
    expect(await input().evaluate((field) => field === document.activeElement)).toBe(true)
  })

  test('ends a search with Esc, and stops a command', async () => {
    await page.keyboard.type('draft')
    await press('Ctrl')
    await page.keyboard.type('r')
    await expect.poll(line).toMatch(/^search/)
    await press('Esc')
    await expect.poll(line).toBe('workspace $ draft')
    await press('Ctrl C')
    await page.keyboard.type('while :; do sleep 0.1; done')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await press('Ctrl C')
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
  })

  test.each(['light', 'dark'] as const)('fits on the screen without violations, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    expect(await keys().evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0)
    expect(await violations(page)).toEqual([])
  })

  test('is fully visible on a very narrow screen', async () => {
    await page.setViewportSize({ width: 320, height: 568 })
    await keys().waitFor()
    const ends = await keys()
      .getByRole('button')
      .evaluateAll((all) => all.map((key) => [key.getBoundingClientRect().left, key.getBoundingClientRect().right]))
    expect(ends).toHaveLength(8)
    expect(ends.flat().filter((end) => end < 0 || end > 320)).toEqual([])
    expect(await keys().evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0)
  })

  test('is hidden with a hardware keyboard', async () => {
    const { page: other } = await visit({ viewport: { width: 390, height: 844 } })
    await other.locator('.pane-option', { hasText: 'Terminal' }).click()
    await other.locator('.xterm-rows').getByText('workspace $').waitFor()
    expect(await other.getByRole('toolbar', { name: 'Keys' }).count()).toBe(0)
  })
})

test.each([320, 360, 390])('the header is one row with usable buttons, %i wide', async (width) => {
  await page.setViewportSize({ width, height: 568 })
  const header = page.locator('.header')
  expect(await header.evaluate((element) => element.getBoundingClientRect().height)).toBeLessThanOrEqual(64)
  const boxes = await header.getByRole('button').evaluateAll((all) => all.map((button) => button.getBoundingClientRect().toJSON()))
  expect(boxes).toHaveLength(5)
  for (const { left, right, width: wide, height } of boxes) {
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(width)
    expect(Math.min(wide, height)).toBeGreaterThanOrEqual(44)
  }
  // The detail is one line or hidden.
  expect(await page.locator('.workspace-detail').evaluate((element) => element.getBoundingClientRect().height)).toBeLessThan(20)
})

/** Names of controls that are lower than a finger needs. Links in a text are not checked, because they are as high as the text. */
function small(on: Page): Promise<string[]> {
  return on.evaluate((least) => {
    const isSeen = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect()
      return (
        width > 2 && height > 2 && element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], .xterm, .cm-content')
      )
    }
    const heights = (element: Element): number[] => [
      element.getBoundingClientRect().height,
      Number.parseFloat(getComputedStyle(element, '::after').height) || 0,
    ]
    const parts = document.querySelectorAll(
      'button, input, select, textarea, summary, [role=tab], [role=treeitem], [role=option], .editor-tab-close, .pane-option',
    )
    return [...parts]
      .filter(isSeen)
      .filter((part) => {
        const labels = part instanceof HTMLInputElement ? [...(part.labels ?? [])] : []
        return Math.max(...[part, ...labels].flatMap(heights)) < least
      })
      .filter((part) => !part.matches('.visually-hidden, .json-path, .path-link'))
      .map((part) => `${part.className || part.tagName}: ${(part.ariaLabel || part.textContent || '').slice(0, 40)}`)
  }, 44)
}

describe('touch targets', () => {
  const fits = async (): Promise<void> => {
    expect(await small(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
  const dialog = (): Locator => page.locator('dialog[open]')

  test('are large enough: the agent and its settings', async () => {
    await button('Connect a model').tap()
    await dialog().waitFor()
    await fits()
    await page.keyboard.press('Escape')
    await button('Play the recorded conversation').tap()
    await button('Approve').waitFor()
    await fits()
  })

  test('are large enough: the files, the search, the timeline, the packages and a file', async () => {
    await pane('Files')
    await fits()
    const [first, second] = await page.getByRole('treeitem').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
    expect((second ?? 0) - (first ?? 0)).toBe(44)
    await page.getByRole('tab', { name: 'Search' }).tap()
    await page.getByRole('textbox', { name: 'Search the text of files' }).fill('setTimeout')
    await page.locator('.found-line').first().waitFor()
    await button('Choose files').tap()
    await fits()
    for (const name of ['Timeline', 'Packages']) {
      await page.getByRole('tab', { name }).tap()
      await fits()
    }
    await page.getByRole('tab', { name: 'Files', exact: true }).tap()
    await page.getByRole('treeitem', { name: 'LICENSE' }).tap()
    await page.locator('.editor-tab', { hasText: 'LICENSE' }).waitFor()
    await fits()
  })

  test('are large enough: the tools, their results and the terminals', async () => {
    await pane('Tools')
    await page.getByRole('form', { name: 'Call a tool' }).waitFor()
    await fits()
    await button(/^Tool: /).tap()
    await fits()
    await page.keyboard.press('Escape')
    await button('Dry run').tap()
    await page.locator('.run-bar').getByRole('button', { name: /^Run/ }).tap()
    await page.locator('.result .pill').first().waitFor()
    await page.getByRole('tab', { name: /^History/ }).tap()
    await page.locator('.past-call').waitFor()
    await fits()
    await pane('Terminal')
    await page.locator('.xterm-rows').getByText('workspace $').waitFor()
    await button('New terminal').tap()
    await button('Close this terminal').waitFor()
    await fits()
  })

  test('are large enough: the dialogs', async () => {
    await button('Help and keys').tap()
    await dialog().waitFor()
    await fits()
    await page.keyboard.press('Escape')
    await button(/^Workspace/).tap()
    await button('Git repository').tap()
    await fits()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+p')
    await page.locator('.quick-option').first().waitFor()
    await fits()
  })

  test('stay small for a mouse', async () => {
    const { page: other } = await visit()
    const height = (part: Locator): Promise<number> => part.evaluate((element) => element.getBoundingClientRect().height)
    expect(await height(other.getByRole('treeitem').first())).toBe(26)
    expect(await height(other.getByRole('button', { name: 'Send' }))).toBe(32)
    expect(await height(other.getByRole('button', { name: 'New file' }))).toBe(26)
  })

  test.each(['light', 'dark'] as const)('have no violation, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    for (const name of ['Files', 'View', 'Agent', 'Tools']) {
      await pane(name)
      expect(await violations(page)).toEqual([])
    }
  })
})
