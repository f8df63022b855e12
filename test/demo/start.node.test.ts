// @module-tag playground
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from './launch.js'
import { opened } from './opened.js'
import { type RegistryServer, startRegistry } from './registry-server.js'

const TIMEOUT = 90_000

let registry: RegistryServer
let server: ChildProcess
let address: string
let browser: Browser

beforeAll(async () => {
  registry = await startRegistry()
  server = startServer()
  address = await printedAddress(server)
  browser = await launch()
}, TIMEOUT)

afterAll(async () => {
  await browser?.close()
  // The whole group: npm, its shell and vite.
  if (server?.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
  await registry?.close()
})

/** What a reader of the README runs, on a port of its own. */
function startServer(): ChildProcess {
  const { VITEST: _, NODE_ENV: __, ...env } = process.env
  return spawn('npm', ['start', '--', '--port', '0'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    // The registry that npm is set to, for what the page installs.
    env: { ...env, NO_COLOR: '1', npm_config_registry: registry.address },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function printedAddress({ stdout, stderr }: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += String(chunk)
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output)
      if (found) resolve(found[0])
    }
    stdout?.on('data', read)
    stderr?.on('data', read)
    stdout?.on('close', () => reject(new Error(`The server printed no address:\n${output}`)))
  })
}

/** A page whose only way out is the server's own address; what it asks for and what it complains of. */
async function openPage(): Promise<{ page: Page; requests: string[]; refused: string[]; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 850 } })
  const [requests, refused, complaints]: [string[], string[], string[]] = [[], [], []]
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  await page.route(
    (url) => url.origin !== new URL(address).origin,
    async (route) => {
      refused.push(route.request().url())
      await route.abort()
    },
  )
  await page.goto(address)
  await opened(page)
  return { page, requests, refused, complaints }
}

/** The tools share their place with the agent, which is shown first. */
const showTools = (page: Page): Promise<void> => page.getByRole('tab', { name: 'Tools', exact: true }).click()

test(
  'the built page edits a file through its form, and shows the change in the tree and the view',
  async () => {
    const { page, refused, complaints } = await openPage()
    await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
    await showTools(page)

    await page.getByRole('radio', { name: 'edit_file' }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('path', { exact: true }).fill('examples/lines.js')
    await page.getByLabel('old_string', { exact: true }).fill('const names')
    await page.getByLabel('new_string', { exact: true }).fill('// seen in the view\nconst names')
    await page.keyboard.press('Control+Enter')

    await page.getByRole('treeitem', { name: 'lines.js, modified' }).waitFor()
    const changed = page.locator('.line.is-changed')
    await changed.waitFor()
    expect(await changed.allTextContents()).toEqual(['// seen in the view'])
    expect(await page.locator('.pill').textContent()).toBe('ok')

    await page.getByRole('radio', { name: 'grep' }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('pattern', { exact: true }).fill('seen in the (view|dark)')
    await page.keyboard.press('Control+Enter')
    await page.locator('.result-outcome', { hasText: 'grep' }).waitFor()
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(await page.getByRole('tabpanel', { name: 'As the model reads it' }).textContent()).toContain('seen in the view')

    expect(complaints).toEqual([])
    expect(refused).toEqual([])
    await page.close()
  },
  TIMEOUT,
)

test(
  'the built page runs commands without a network, and loads for it what it needs only then',
  async () => {
    const { page, requests, refused, complaints } = await openPage()
    await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
    await page.waitForLoadState('networkidle')
    const atStart = requests.splice(0)
    expect(atStart.filter((url) => /terminal|just-bash|worker|screen|quickjs|wasm|typescript/.test(url))).toEqual([])

    await page.getByRole('button', { name: 'Terminal' }).click()
    const screen = page.locator('.xterm-rows')
    await screen.getByText('workspace $').waitFor()
    await page.keyboard.type('echo hi > a.txt && cat a.txt')
    await page.keyboard.press('Enter')
    await page.getByRole('treeitem', { name: 'a.txt, added' }).waitFor()
    await screen.locator('> div', { hasText: /^hi$/ }).waitFor()

    // What the worker itself loads, just-bash above all, is not among the requests of the page.
    expect(
      requests
        .map((url) => /\/(terminal|worker)-[^/]*\.js/.exec(url)?.[1])
        .filter(Boolean)
        .sort(),
    ).toEqual(['terminal', 'worker'])
    expect(refused).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  },
  TIMEOUT,
)

test(
  'the built page edits a file within its content security policy, and keeps what is not saved over a reload',
  async () => {
    const { page, refused, complaints } = await openPage()
    await page.evaluate(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        console.error(`Refused: ${violatedDirective} ${blockedURI}`)
      })
    })
    const text = page.getByRole('textbox', { name: 'Text of examples/lines.js' })
    await text.waitFor()
    await page.locator('.cm-line .tok-keyword').first().waitFor()
    await text.press('Control+Home')
    await page.keyboard.type('// first')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'lines.js, not saved' }).waitFor()
    await page.getByRole('button', { name: 'Changes' }).click()
    await page.locator('.cm-changedLine', { hasText: '// first' }).waitFor()
    await page.getByRole('button', { name: 'Changes' }).click()
    await text.press('Control+f')
    await page.keyboard.type('import')
    await page.locator('.cm-searchMatch').first().waitFor()
    await page.keyboard.press('Escape')
    // Its styles have reached it: it is as tall as its place.
    expect(await text.evaluate((content) => getComputedStyle(content.closest('.cm-editor') ?? content).display)).toBe('flex')

    await page.reload()
    await page.getByText('Not saved when this page was left: lines.js.').waitFor()
    await page.getByRole('group', { name: 'Text that was not saved' }).getByRole('button', { name: 'Open' }).click()
    await page.getByRole('tab', { name: 'lines.js, not saved' }).waitFor()
    await text.press('Control+s')
    await page.getByRole('treeitem', { name: 'lines.js, modified' }).waitFor()
    expect(await page.locator('.line.is-changed').allTextContents()).toEqual(['// first'])
    expect(complaints).toEqual([])
    expect(refused).toEqual([])
    await page.close()
  },
  TIMEOUT,
)

test(
  'the built page shows its files also where the editor cannot be loaded, which comes after the page and not with it',
  async () => {
    const page = await browser.newPage({ viewport: { width: 1300, height: 850 } })
    await page.route(/\/code-editor-[^/]*\.js/, (route) => route.abort())
    await page.goto(address)
    await page.getByText('The editor could not be loaded').waitFor()
    expect(await page.locator('.code .line').count()).toBeGreaterThan(10)
    expect(await page.locator('.cm-editor').count()).toBe(0)
    await page.close()
  },
  TIMEOUT,
)

const KEPT = [
  ['IndexedDB', 'in IndexedDB'],
  ['Private file system', 'in the private file system'],
  ['lightning-fs', 'in lightning-fs'],
] as const

test.each(KEPT)(
  'the built page keeps a workspace in %s over a reload, tells a second tab, and goes back in time',
  async (label, place) => {
    const context = await browser.newContext({ viewport: { width: 1300, height: 850 } })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    const detail = page.locator('.workspace-detail', { hasText: place })
    await page.goto(address)
    await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
    await page.getByRole('button', { name: /^Workspace/ }).click()
    await page.getByRole('radio', { name: label }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep here' }).click()
    await detail.waitFor()

    await showTools(page)
    await page.getByRole('radio', { name: 'write_file' }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('path', { exact: true }).fill('kept.txt')
    await page.getByLabel('content', { exact: true }).fill('here after a reload')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('treeitem', { name: 'kept.txt, added' }).waitFor()

    await page.reload()
    await detail.waitFor()
    await page.getByRole('treeitem', { name: 'kept.txt' }).click()
    await page.getByText('here after a reload').first().waitFor()

    const second = await context.newPage()
    await second.goto(address)
    await second.getByText('is open in another tab').waitFor()
    await second.locator('.workspace-detail', { hasText: 'in memory' }).waitFor()
    await second.close()

    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page
      .getByRole('button', { name: /^Opened/ })
      .last()
      .click()
    await page.locator('.moment-changes li', { hasText: 'kept.txt' }).waitFor()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText('as they were at “Opened”').waitFor()
    await page.reload()
    await detail.waitFor()
    expect(await page.getByRole('treeitem', { name: 'kept.txt' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  },
  TIMEOUT,
)

test.each([
  ['IndexedDB', 'in IndexedDB'],
  ['Private file system', 'in the private file system'],
])(
  'the built page runs a file, installs a package, makes a tool and uses it, and has them after a reload, in %s',
  async (label, place) => {
    const { page, refused, complaints } = await openPage()
    const detail = page.locator('.workspace-detail', { hasText: place })
    await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
    await page.getByRole('button', { name: /^Workspace/ }).click()
    await page.getByRole('radio', { name: label }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep here' }).click()
    await detail.waitFor()

    await page.getByRole('button', { name: 'Run this file' }).click()
    await page.locator('.run-panel .pill', { hasText: 'exit 0' }).waitFor()
    expect(await page.locator('.run-output').textContent()).toMatch(/^\d+ files, \d+ lines\n\n +\d+ █+ src\//)

    const asked = registry.asked.length
    await page.getByRole('tab', { name: 'Packages' }).click()
    await page.getByLabel('Install from the registry').fill('nanoid')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Try nanoid' }).click()
    expect(registry.asked.slice(asked).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /npm/nanoid',
      'GET /npm/nanoid/-/nanoid-5.1.16.tgz',
    ])
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('.result-panel', { hasText: 'customAlphabet' }).first().waitFor()

    await page.getByRole('button', { name: 'Make a tool' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('radio', { name: 'count_words' }).waitFor({ state: 'attached' })

    await page.reload()
    await detail.waitFor()
    await showTools(page)
    await page.getByRole('radio', { name: 'count_words' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'A file', exact: true }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('.result-outcome', { hasText: /^ok\s*count_words/ }).waitFor()
    await page.getByRole('tab', { name: 'Packages' }).click()
    await page.getByText('5.1.16 · ^5.1.16').waitFor()

    await page.getByRole('button', { name: 'Terminal' }).click()
    const screen = page.locator('.xterm-rows')
    await screen.getByText('workspace $').waitFor()
    await page.keyboard.type(`node -p "require('nanoid').nanoid().length + 100"`)
    await page.keyboard.press('Enter')
    await screen.locator('> div', { hasText: /^121$/ }).waitFor()
    expect(refused).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  },
  TIMEOUT,
)
