import { SEARCH_PATHS } from '../../tools/web/providers/provider.js'
import { record } from '../../tools/web/untrusted.js'
import type { ProxyOptions, Upstream } from './options.js'
import { exa } from './upstreams/exa.js'
import { rowService } from './upstreams/row-service.js'
import type { UpstreamService } from './upstreams/upstream.js'

/** What a header may hold. */
const PRINTABLE = /^[\x21-\x7e]+$/

/** Path -> service, or undefined where there is no key for it. @throws {TypeError} that quotes neither keys nor addresses */
export function servicesOf(options: ProxyOptions): ReadonlyMap<string, UpstreamService | undefined> {
  for (const name of ['google', 'serper', 'exa'] as const) if (options[name]) checkUpstream(name, options[name])
  if (options.token !== undefined && !PRINTABLE.test(options.token))
    throw new TypeError('Cannot use the token: it has to be printable ASCII')
  return new Map([
    [SEARCH_PATHS.google, options.google && google(options.google)],
    [SEARCH_PATHS.serper, options.serper && serper(options.serper)],
    [SEARCH_PATHS.exa, options.exa && exa(options.exa)],
  ])
}

function checkUpstream(name: string, { url, key }: Upstream): void {
  if (!PRINTABLE.test(key)) throw new TypeError(`Cannot use the key of ${name}: it has to be printable ASCII`)
  const address = URL.canParse(url) ? new URL(url) : undefined
  const fits = address && /^https?:$/.test(address.protocol) && !address.username && !address.password
  if (!fits) throw new TypeError(`Cannot use the address of ${name}: expected one that begins with http:// or https://`)
}

function google({ url, key, engine }: NonNullable<ProxyOptions['google']>): UpstreamService {
  return rowService({
    path: SEARCH_PATHS.google,
    name: 'google',
    url,
    key,
    most: 10,
    fields: { display: 'displayLink' },
    toRequest(query, count) {
      const address = new URL(url)
      for (const [name, value] of Object.entries({ key, cx: engine, q: query, num: String(count) })) address.searchParams.set(name, value)
      return { url: address.href, headers: { accept: 'application/json' } }
    },
    rowsOf(answer) {
      // Without results there is no "items".
      const items = record(answer)?.items ?? []
      return record(answer) && Array.isArray(items) ? items : undefined
    },
  })
}

function serper({ url, key }: Upstream): UpstreamService {
  return rowService({
    path: SEARCH_PATHS.serper,
    name: 'serper',
    url,
    key,
    most: 100,
    fields: { date: 'date' },
    toRequest: (query, count) => ({
      url,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ q: query, num: count }),
    }),
    rowsOf(answer) {
      const organic = record(answer)?.organic
      return Array.isArray(organic) ? organic : undefined
    },
  })
}
