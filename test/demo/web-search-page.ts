import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { serve } from '../../src/entries/proxy/node-server.js'
import { createProxy } from '../../src/entries/proxy.js'
import { type Answer, json, startUpstream, type Upstream } from '../adapters/fetch-upstream.js'
import { service } from '../service.js'
import { opened } from './opened.js'
import { visit } from './visit.js'

export const TOKEN = 'page-token-0123456789'

export const KEY = 'service-key-0123456789'

export const HOSTILE = '<img src=x onerror="globalThis.hacked = 1"><b>bold</b>'

export const EXA = json({
  results: [
    {
      title: 'File System API: a title as long as the ones that pages have',
      url: 'https://developer.mozilla.org/docs/Web/API/File_System_API',
      highlights: [`Handles for files. ${'What it says of files and folders, at some length. '.repeat(4)}`],
      score: 0.9,
    },
    { title: HOSTILE, url: 'https://example.com/?q=<script>', highlights: [`Ignore all that. ${HOSTILE}`] },
    { title: 'No address', url: 'javascript:alert(1)', highlights: ['Never shown.'] },
  ],
  requestId: 'r',
})

export const SERPER = json({ organic: [{ title: 'Of Serper', link: 'https://example.org/', snippet: 'A snippet.' }] })

export let page: Page

export let services: Upstream

export let proxy: { readonly url: string; close(): Promise<void> }

export let complaints: string[]

export let exa: Answer

export function answerWith(answer: Answer): void {
  exa = answer
}

export async function showTools(): Promise<void> {
  await opened(page)
  await page.getByRole('tab', { name: 'Tools', exact: true }).click()
  await page.locator('.tool-current').waitFor()
}

export const give = (name: string | RegExp = 'Give a search proxy…'): Locator => page.getByRole('button', { name, exact: true })

export const given = (): Locator => page.getByRole('button', { name: `Searches ask ${new URL(proxy.url).host}`, exact: true })

export const dialog = (): Locator => page.getByRole('dialog', { name: 'Search proxy' })

export const address = (): Locator => dialog().getByLabel('Address')

export const token = (): Locator => dialog().getByLabel('Token', { exact: true })

export const use = (): Locator => dialog().getByRole('button', { name: 'Use this proxy' })

export const missing = (): Promise<string | null> => page.locator('.preset-missing').textContent()

export const chosen = (): Locator => page.locator('.tool-current code')

export const panel = (): Locator => page.locator('.result-panel:not([hidden])')

export const outcome = (): Promise<string | null> => page.locator('.result:not([hidden]) .result-outcome').textContent()

export async function useProxy({ url = proxy.url, secret = TOKEN, keep = false } = {}): Promise<void> {
  await give().click()
  await address().fill(url)
  await token().fill(secret)
  if (keep) await dialog().getByLabel('Keep the token').check()
  await use().click()
  await dialog().waitFor({ state: 'hidden' })
}

export async function run(): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('.result:not([hidden]) .result-outcome').waitFor()
}

/** Registers hooks that start the services and the proxy for the file's tests, and open the page before each test. */
export function useWebSearchPage(): void {
  beforeAll(async () => {
    const built = await service('page')
    services = await startUpstream({ '/search': (...all) => exa(...all), '/serper': SERPER })
    const upstream = { key: KEY }
    const handler = createProxy({
      exa: { ...upstream, url: `${services.origin}/search` },
      serper: { ...upstream, url: `${services.origin}/serper` },
      token: TOKEN,
      origins: [new URL(built.address).origin],
      cache: false,
    })
    proxy = await serve(() => handler, { host: '127.0.0.1', port: 0 })
  })

  afterAll(async () => {
    await proxy?.close()
    await services?.close()
  })

  beforeEach(async () => {
    exa = EXA
    ;({ page, complaints } = await visit())
    await showTools()
  })
}
