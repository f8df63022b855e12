// @module-tag playground
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BLOCKED_MS, longestBlock } from './longest-block.js'
import { type ModelServer, startModelServer } from './model-server.js'
import { connect, idle, say } from './talk.js'
import { browser, useBrowser, visit } from './visit.js'

const TIMEOUT = 600_000

let server: ModelServer

useBrowser()

beforeAll(async () => {
  server = await startModelServer()
})

afterAll(() => server.close())

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

test.each([
  ['180 KB of characters that do not show', 'a\u200b'.repeat(90_000), 2_000],
  ['a million characters', `${'some words '.repeat(20)}\n\n`.repeat(4_400), 2_000],
  ['a million characters without a space', 'x'.repeat(990_000), 2_000],
  ['20,000 items of a list', lines(20_000, (index) => `- item ${index}`), 2_000],
  ['20,000 items of a list, word by word', lines(20_000, (index) => `- item ${index}`), 12],
  ['8,000 rows of a table', `| a | b | c |\n|---|---|---|\n${lines(8_000, (index) => `| row ${index} | some text | \`code\` |`)}`, 2_000],
  ['150,000 short rows of a table', `|a|b|\n|-|-|\n${lines(150_000, () => '|a|')}`, 2_000],
  ['100,000 paragraphs', 'a\n\n'.repeat(100_000), 2_000],
])(
  'an answer of %s never blocks the page for more than 100 ms',
  async (_, text, pieces) => {
    // Only the page's own work counts, because other processes run many times during such an answer.
    expect(await answered(text, pieces)).toBeLessThanOrEqual(BLOCKED_MS)
  },
  TIMEOUT,
)

test(
  'a fast answer can be stopped in the middle, and the next message follows it',
  async () => {
    const page = await connected()
    server.answers.push({ text: lines(60_000, (index) => `- item ${index}`) }, { text: 'The end.' })
    await say(page, 'Go on.')
    await page.locator('.prose li').first().waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await idle(page)
    await say(page, 'Enough.')
    await page.locator('.prose').last().getByText('The end.').waitFor()
    const turns = await page.locator('.turns > *').evaluateAll((all) => all.map(({ textContent }) => textContent))
    expect(turns.slice(-5).map((turn) => turn.slice(0, 12))).toEqual([
      'You: Go on.',
      'item 0item 1',
      'Stopped. Wha',
      'You: Enough.',
      'The end.',
    ])
    expect(turns.at(-4)).not.toContain('item 59999')
  },
  TIMEOUT,
)

/** The duration of the page's longest task while an answer with this text arrives. */
async function answered(text: string, pieces: number): Promise<number> {
  const page = await connected()
  server.answers.push({ text: `${text}\n\nThe end.`, pieces })
  const block = await longestBlock(browser, page, async () => {
    await say(page, 'Go on.')
    // Polling more often would itself be work for the page.
    await page.waitForFunction(endsWith, 'The end.', { polling: 250 })
    await idle(page)
  })
  return block
}

/** A page whose model has answered once, so that the first answer's loading is not measured. */
async function connected(): Promise<Page> {
  const { page } = await visit()
  page.setDefaultTimeout(TIMEOUT / 4)
  await connect(page, server.settings('openai'))
  server.answers.push({ text: 'Hello.' })
  await say(page, 'Hello?')
  await page.locator('.prose').getByText('Hello.').waitFor()
  await idle(page)
  return page
}

/** Runs in the page. */
const endsWith = (words: string): boolean =>
  [...document.querySelectorAll('.prose')].at(-1)?.lastElementChild?.textContent.endsWith(words) === true
