// @module-tag playground
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { service } from '../service.js'
import type { BuiltPage } from '../setup/built-page.js'
import { launch } from './launch.js'
import { opened } from './opened.js'

const TIMEOUT = 300_000
const { origin } = await service('git')

let built: BuiltPage
let browser: Browser

beforeAll(async () => {
  built = await service('page')
  browser = await launch()
}, TIMEOUT)

afterAll(async () => {
  await browser?.close()
})

/** A page that reaches its own server and the git server, and nobody else; what it asks for and what it complains of. */
async function openPage(path = ''): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } })
  page.setDefaultTimeout(120_000)
  const [requests, complaints]: [string[], string[]] = [[], []]
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  await page.route(
    (url) => ![new URL(built.address).origin, origin].includes(url.origin),
    (route) => route.abort(),
  )
  await page.goto(built.address + path)
  await opened(page)
  await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
  return { page, requests, complaints }
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await page.getByLabel('Lives in').waitFor()
}

const place = (page: Page, text: string): Promise<void> => page.locator('.workspace-detail', { hasText: text }).waitFor()

test(
  'the built page works in memfs, and loads it only then',
  async () => {
    const { page, requests, complaints } = await openPage()
    await page.waitForLoadState('networkidle')
    expect(requests.filter((url) => /memfs|new-workspace|clone|isomorphic|samples/.test(url))).toEqual([])
    await openDialog(page)
    await page.getByRole('radio', { name: 'memfs' }).check()
    await page.getByRole('button', { name: 'Move into memfs' }).click()
    await place(page, 'in memfs')
    await page.getByRole('button', { name: 'Terminal' }).click()
    await page.locator('.xterm-rows').getByText('workspace $').waitFor()
    await page.keyboard.type('echo in memfs > a.txt && cat a.txt')
    await page.keyboard.press('Enter')
    await page
      .locator('.xterm-rows > div')
      .filter({ hasText: /^in memfs$/ })
      .waitFor()
    await page.getByRole('treeitem', { name: 'a.txt, added' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  },
  TIMEOUT,
)

test(
  'the built page clones a repository within its content security policy',
  async () => {
    const { page, complaints } = await openPage()
    await openDialog(page)
    await page.getByRole('button', { name: 'Git repository' }).click()
    await page.getByRole('dialog').getByLabel('Address').fill(`${origin}/repo.git`)
    await page.getByRole('button', { name: 'Clone' }).click()
    await page.getByText(/^main of .* is cloned, at [0-9a-f]{7}: 6 files\./).waitFor()
    await page.getByRole('treeitem', { name: 'counter.txt' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  },
  TIMEOUT,
)

test.each([
  ['A TypeScript library with tests', 'node test/run.ts', /^\d+ tests passed$/],
  ['A data-cleaning task', 'node check.js', /^0 of 11 checks hold\.$/],
])(
  'the built page opens the sample “%s”, and runs what its README says',
  async (label, command, printed) => {
    const { page, complaints } = await openPage()
    await openDialog(page)
    await page.getByRole('button', { name: `Open the sample ${label}` }).click()
    await page.getByRole('tab', { name: 'README.md' }).waitFor()
    await page.getByRole('button', { name: 'Terminal' }).click()
    await page.locator('.xterm-rows').getByText('workspace $').waitFor()
    await page.keyboard.type(command)
    await page.keyboard.press('Enter')
    await page.locator('.xterm-rows > div').filter({ hasText: printed }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  },
  TIMEOUT,
)

test(
  'WebContainer has a page of its own, where frames of its vendor are allowed; this one says so and leads there',
  async () => {
    const { page, complaints } = await openPage()
    await openDialog(page)
    const radio = page.getByRole('radio', { name: 'WebContainer' })
    expect(await radio.isDisabled()).toBe(true)
    await page.getByText('runs in a frame, which this page forbids').waitFor()
    await page.getByRole('link', { name: 'Playground with WebContainer' }).click()
    await page.waitForURL('**/webcontainer.html')
    await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
    expect(complaints).toEqual([])
    await openDialog(page)
    expect(await radio.isDisabled()).toBe(false)
    await radio.check()
    const asked = page.waitForRequest((request) => request.url().startsWith('https://stackblitz.com/'))
    await page.getByRole('button', { name: 'Move into WebContainer' }).click()
    await asked
    expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
    await page.close()
  },
  TIMEOUT,
)
