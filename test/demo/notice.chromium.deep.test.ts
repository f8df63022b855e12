// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openPage, type TestPage } from './page.js'

const FILES = { 'README.md': '# Read me\n', 'src/a.ts': 'export const a = 1\n' }

describe('notices on the page', () => {
  let here: TestPage

  beforeEach(async () => {
    here = await openPage({ files: FILES, name: 'notices' })
  })

  afterEach(async () => {
    await here.close()
    delete document.documentElement.dataset.theme
  })

  const rect = (selector: string): DOMRect => here.find(selector).getBoundingClientRect()

  function isApart(selector: string): boolean {
    const [one, other] = [rect('.notice'), rect(selector)]
    return one.bottom <= other.top || one.top >= other.bottom || one.right <= other.left || one.left >= other.right
  }

  const choosePane = (name: string): void => here.find(`.pane-option input[value=${name}]`).click()

  async function startOver(): Promise<void> {
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(() => here.find('.notice').checkVisibility()).toBe(true)
  }

  test.each([
    ['wide', 1300, 900, ['.header', '.pane-files', '.pane-work', '.pane-terminal', '.editor-tabs', '.file-head', '.editor-foot']],
    ['narrow', 900, 800, ['.header', '.pane-files', '.pane-work', '.pane-terminal', '.file-head', '.editor-foot']],
    ['a phone', 390, 800, ['.header', '.pane-switch', '.run-bar']],
  ])('move nothing and cover no control: %s', async (_, width, height, parts) => {
    await page.viewport(width, height)
    const places = (): number[] => parts.flatMap((part) => [rect(part).top, rect(part).bottom])
    const before = places()
    await startOver()
    expect(places()).toEqual(before)
    expect(parts.filter((part) => !isApart(part))).toEqual([])
    expect(rect('.notice').left).toBeGreaterThanOrEqual(0)
    expect(rect('.notice').right).toBeLessThanOrEqual(width)
  })

  test('are visible in every pane of a phone, apart from the agent’s input', async () => {
    await page.viewport(390, 800)
    await startOver()
    choosePane('agent')
    expect(isApart('.agent-form')).toBe(true)
    for (const pane of ['files', 'view', 'terminal']) {
      choosePane(pane)
      expect(here.find('.notice').checkVisibility()).toBe(true)
    }
  })
})
