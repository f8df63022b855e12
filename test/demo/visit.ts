import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { service } from '../service.js'
import { launch } from './launch.js'
import { opened } from './opened.js'

export interface Visit {
  readonly page: Page
  readonly requests: string[]
  /** Errors and warnings of its console. */
  readonly complaints: string[]
}

export let browser: Browser
/** Of the page. */
export let address: string

const builtPage = async (): Promise<string> => (await service('page')).address

/** Starts a browser for the tests of a file, and closes after each test what it has opened. */
export function useBrowser(start: () => Promise<string> = builtPage): void {
  beforeAll(async () => {
    ;[address, browser] = await Promise.all([start(), launch()])
  })

  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })

  afterAll(async () => {
    await browser?.close()
  })
}

/** A loaded machine is slow: what does not come is told after two minutes. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1300, height: 850 }, ...options })
  context.setDefaultTimeout(120_000)
  return context
}

interface VisitOptions extends BrowserContextOptions {
  /** Default one of its own. */
  readonly context?: BrowserContext
  /** Origins that it may ask besides the page's; default all. */
  readonly origins?: readonly string[]
  /** Before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** Opens the page, and waits until it may be used. */
export async function visit({ context, origins, prepare, ...options }: VisitOptions = {}): Promise<Visit> {
  const page = await (context ?? (await newContext(options))).newPage()
  const [requests, complaints]: [string[], string[]] = [[], []]
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  const reachable = origins && [new URL(address).origin, ...origins]
  if (reachable) {
    await page.route(
      (url) => !reachable.includes(url.origin),
      (route) => route.abort(),
    )
  }
  await prepare?.(page)
  await page.goto(address)
  await opened(page)
  return { page, requests, complaints }
}
