// @module-tag playground
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { held } from './held.js'
import { useBrowser, visit as visitPage } from './visit.js'

useBrowser()

const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).click()
const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click()
const tools = async (page: Page): Promise<void> => {
  await tab(page, 'Tools')
  await page.locator('.tool-current').waitFor()
}
const dialog = (page: Page): Promise<void> => page.locator('dialog[open]').waitFor()

/** Starts a job in the background, which is then listed beside the terminal. */
async function startJob(page: Page): Promise<void> {
  await page.keyboard.press('Control+`')
  await page.locator('.xterm').first().waitFor()
  await page.keyboard.type('sleep 600 &\n')
  await job(page).waitFor()
}
const job = (page: Page) => page.locator('.job-open')
const jobTab = (page: Page) => page.locator('.terminal-tab', { hasText: 'sleep 600' })

/** Opens the page with an empty cache and without its service worker. */
async function visit(): Promise<Page> {
  const { page } = await visitPage({ serviceWorkers: 'block' })
  await page.locator('.cm-content').waitFor()
  return page
}

/** Delays scripts until the returned function is called. */
async function holdScripts(page: Page, which = /\.js$/): Promise<() => void> {
  const { free, release } = held()
  await page.route(which, async (route) => {
    await free
    await route.continue()
  })
  return release
}

interface Part {
  /** The text that is shown while the part loads. */
  readonly words: string
  /** Prepares the page. */
  readonly before?: (page: Page) => Promise<void>
  readonly ask: (page: Page) => Promise<unknown>
  /** Waits until the part is shown. */
  readonly there: (page: Page) => Promise<unknown>
}

const PARTS: Readonly<Record<string, Part>> = {
  'the workspaces dialog': { words: 'Loading the workspaces…', ask: (page) => press(page, /^Workspace/), there: dialog },
  'the help': { words: 'Loading the help…', ask: (page) => press(page, 'Help'), there: dialog },
  'the comparison with a checkpoint': {
    words: 'Loading the comparison…',
    before: (page) => tab(page, 'Timeline'),
    ask: (page) => press(page, /^Opened/),
    there: (page) => page.locator('.moment-head, .pane-moment').first().waitFor(),
  },
  'a call as code': {
    words: 'Loading the code…',
    before: tools,
    ask: (page) => page.getByRole('button', { name: 'Code', exact: true }).click(),
    there: dialog,
  },
  'the search proxy': { words: 'Loading the dialog…', before: tools, ask: (page) => press(page, 'Give a search proxy…'), there: dialog },
  'another preset': {
    words: 'Loading the tools of loom…',
    before: tools,
    ask: (page) => page.getByLabel('Preset', { exact: true }).selectOption('loom'),
    there: (page) => page.getByText('Small JSON results').waitFor(),
  },
  'the quick open list': { words: 'Loading the search…', ask: (page) => page.keyboard.press('Control+p'), there: dialog },
  'the packages': {
    words: 'Loading the packages…',
    ask: (page) => tab(page, 'Packages'),
    there: (page) => page.getByRole('button', { name: 'Install', exact: true }).waitFor(),
  },
  'the terminal': {
    words: 'Loading the terminal…',
    ask: (page) => page.keyboard.press('Control+`'),
    there: (page) => page.locator('.xterm').first().waitFor(),
  },
  'the output of a job': {
    words: 'Loading what it has printed…',
    before: startJob,
    ask: (page) => job(page).click(),
    there: (page) => jobTab(page).waitFor(),
  },
  'the tools': { words: 'Loading the tools…', ask: (page) => tab(page, 'Tools'), there: (page) => page.locator('.tool-current').waitFor() },
}

test.each(Object.entries(PARTS))('what takes long to load shows a message: %s', async (_, { words, before, ask, there }) => {
  const page = await visit()
  await before?.(page)
  const release = await holdScripts(page)
  await ask(page)
  const said = page
    .locator('[role=status]:visible')
    .getByText(words)
    .or(page.locator('[role=status]:visible', { hasText: words }))
    .first()
  await said.waitFor()
  expect(await page.locator('dialog[open]').count()).toBe(0)
  release()
  await there(page)
  await expect.poll(() => page.getByText(words).filter({ visible: true }).count()).toBe(0)
})

const JOB_VIEW = /\/job-view-[^/]*\.js$/

test('a job’s output opens one tab, even if it is clicked repeatedly while loading, and in its workspace only', async () => {
  const page = await visit()
  await startJob(page)
  const release = await holdScripts(page, JOB_VIEW)
  await job(page).click()
  await job(page).click()
  const words = page.getByText('Loading what it has printed…').filter({ visible: true })
  await words.waitFor()
  // The focus must stay where the user has moved it.
  const message = page.getByLabel('Message to the agent')
  await message.focus()
  release()
  await jobTab(page).waitFor()
  // Both loads have ended.
  await expect.poll(() => words.count()).toBe(0)
  expect(await jobTab(page).count()).toBe(1)
  expect(await message.evaluate((one) => one === document.activeElement)).toBe(true)

  const other = await visit()
  await startJob(other)
  const releaseOther = await holdScripts(other, JOB_VIEW)
  const asked = other.waitForRequest(JOB_VIEW)
  await job(other).click()
  await asked
  await press(other, /^Workspace/)
  await other.getByRole('radio', { name: 'IndexedDB' }).check()
  await press(other, 'Keep here')
  await press(other, 'Stop it and go on')
  await other.locator('.workspace-detail', { hasText: 'in IndexedDB' }).waitFor()
  const loaded = other.waitForResponse(JOB_VIEW)
  releaseOther()
  await (await loaded).finished()
  await startJob(other)
  await job(other).click()
  await jobTab(other).waitFor()
  expect(await other.locator('.terminal-tab').count()).toBe(2)
})

test('a job’s output that cannot be loaded is reported', async () => {
  const page = await visit()
  await startJob(page)
  await page.route(JOB_VIEW, (route) => route.abort())
  await job(page).click()
  await page.getByRole('alert').getByText('What it has printed could not be loaded').waitFor()
})

test('a preset that is no longer selected shows no loading message', async () => {
  const page = await visit()
  await tools(page)
  const release = await holdScripts(page)
  const preset = page.getByLabel('Preset', { exact: true })
  await preset.selectOption('loom')
  const words = page.getByText('Loading the tools of loom…').filter({ visible: true })
  await words.waitFor()
  await preset.selectOption('standard')
  await expect.poll(() => words.count()).toBe(0)
  const loaded = page.waitForResponse(/\/loom-[^/]*\.js$/)
  release()
  await (await loaded).finished()
  expect(await preset.inputValue()).toBe('standard')
})

test('memfs and its helpers load with the first move to it', async () => {
  const { page, requests, complaints } = await visitPage()
  await page.waitForLoadState('networkidle')
  expect(requests.filter((url) => /memfs|new-workspace|clone|isomorphic|samples/.test(url))).toEqual([])
  await press(page, /^Workspace/)
  await page.getByRole('radio', { name: 'memfs' }).check()
  await press(page, 'Move into memfs')
  await page.locator('.workspace-detail', { hasText: 'in memfs' }).waitFor()
  expect(requests.filter((url) => url.includes('memfs'))).not.toEqual([])
  expect(complaints).toEqual([])
})

test('a page without its editor shows files read-only', async () => {
  const { page } = await visitPage({ prepare: (one) => one.route(/\/code-editor-[^/]*\.js/, (route) => route.abort()) })
  await page.getByText('The editor could not be loaded').waitFor()
  expect(await page.locator('.code .line').count()).toBeGreaterThan(10)
  expect(await page.locator('.cm-editor').count()).toBe(0)
})
