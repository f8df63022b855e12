import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { service } from '../service.js'
import { launch } from './launch.js'
import { opened } from './opened.js'

export interface Visit {
  readonly page: Page
  readonly requests: string[]
  /** Errors and warnings in the page's console. */
  readonly complaints: string[]
}

export let browser: Browser
/** URL of the page. */
export let address: string

const builtPage = async (): Promise<string> => (await service('page')).address

/** Registers hooks that start a browser for the file's tests, and close all contexts after each test. */
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

/** Waits up to two minutes for each step, because a loaded machine is slow. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1300, height: 850 }, ...options })
  context.setDefaultTimeout(120_000)
  return context
}

interface VisitOptions extends BrowserContextOptions {
  /** Browser context of the page. Default: a new context. */
  readonly context?: BrowserContext
  /** Origins besides the page's that it may request; default all. */
  readonly origins?: readonly string[]
  /** Called before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** Opens the page and waits until it is ready. */
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
