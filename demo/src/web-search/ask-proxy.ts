import { createFetch } from 'toolport/adapters/fetch'
import { addressProblem } from '../agent/provider-choices.js'
import { SERVICES, type SearchService } from './proxy-store.js'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

/** Why the address of a proxy is invalid. Undefined: valid. */
export function proxyAddressProblem(address: string): string | undefined {
  if (address === '') return 'Give the address of a search proxy, such as http://127.0.0.1:8787.'
  const wrong = addressProblem(address)
  if (wrong !== undefined) return wrong
  const { pathname, search, hash } = new URL(address)
  if (search || hash || address.includes('?') || address.includes('#'))
    return 'Leave out what follows the ? or #: the tools add paths to the address.'
  const tail = /\/(?:proxy(?:\/\w+)?|health)\/?$/.exec(pathname)?.[0]
  return tail === undefined ? undefined : `Leave out ${tail}: the tools add that themselves.`
}

/** The search services that a proxy offers. Rejects with a message for the address field. */
export async function servicesAt(address: string, signal: AbortSignal, page = location.origin): Promise<readonly SearchService[]> {
  const services = await said(address, signal, page)
  if (!services) throw new Error('What answers at this address is no search proxy: it does not say which search services it has.')
  const known = SERVICES.filter((one) => services.includes(one))
  if (known.length === 0)
    throw new Error('This proxy has no search service yet. Give it the key of one, such as TOOLPORT_EXA_KEY, and start it again.')
  return known
}

async function said(address: string, signal: AbortSignal, page: string): Promise<readonly unknown[] | undefined> {
  const { fetch } = createFetch({ origins: [new URL(address).origin], timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  let response: Awaited<ReturnType<typeof fetch>>
  try {
    response = await fetch({ url: `${address}/health`, headers: { accept: 'application/json' }, signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(noAnswer(error, page), { cause: error })
  }
  if (!response.ok) throw new Error(`There is no search proxy at this address: it answers with status ${response.status} at /health.`)
  const answer: unknown = await response.json().catch(() => undefined)
  const providers: unknown = typeof answer === 'object' && answer !== null && 'providers' in answer ? answer.providers : undefined
  return Array.isArray(providers) ? providers : undefined
}

function noAnswer(error: unknown, page: string): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  if (code === 'blocked_origin') return 'This address leads on to another one, and a page is not told which. Give that one.'
  if (code === 'too_large') return 'What answers at this address is no search proxy: it sends too much.'
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return `Nothing answered within ${TIMEOUT_MS / 1000} seconds. Is this the address?`
  // Browsers do not tell a page which of the two it is.
  return `No answer that this page may read. Is the proxy running, and does it let pages of ${page} ask it (--origin ${page})?`
}
