import { type FetchAdapter, NetworkError, type Preset, webTools } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createProxyStore, type SearchProxy } from './proxy-store.js'
import { standardSearch } from './search-options.js'

type Tools = Preset['tools']

/** The user's search proxy. */
export interface SearchSource {
  /** Undefined: no proxy, and so no search tools. */
  readonly proxy: SearchProxy | undefined
  /** Initial values of the dialog, also for a proxy whose token was not stored. */
  readonly draft: SearchProxy | undefined
  readonly keepsToken: boolean
  /** Whether the page can store settings. */
  readonly canKeep: boolean
  use(proxy: SearchProxy, keepToken: boolean): void
  takeAway(): void
  onChange(listener: () => void): void
  /** Wraps tools with network access to the proxy only. The access ends when the proxy is changed or removed. */
  connected(tools: Tools): Tools
  /** The standard `web_search` tool, if there is a proxy. */
  standardTools(): Tools
}

const KEPT_AT = 'toolport.search-proxy'

export function createSearchSource(remember: boolean): SearchSource {
  const store = createProxyStore(remember ? KEPT_AT : undefined)
  const stored = store.load()
  let proxy = stored && !stored.lacksToken ? stored.proxy : undefined
  let draft = stored?.proxy
  let keepsToken = stored?.keepsToken ?? false
  const listeners: (() => void)[] = []

  function set(next: SearchProxy | undefined): void {
    proxy = draft = next
    for (const listener of listeners) listener()
  }

  function connected(tools: Tools): Tools {
    const own = proxy
    if (!own) return []
    const network = createFetch({ origins: [new URL(own.address).origin] })
    const fetch: FetchAdapter = {
      name: 'search proxy',
      async fetch(request) {
        if (proxy !== own) {
          const what = proxy ? 'is another one now: the next conversation has it' : 'was taken away'
          throw new NetworkError('blocked_origin', `Cannot search the web: the search proxy ${what}`)
        }
        return network.fetch(request)
      },
    }
    return tools.map((tool) => ({ ...tool, requires: [], run: (input, context) => tool.run(input, { ...context, fetch }) }))
  }

  return {
    get proxy() {
      return proxy
    },
    get draft() {
      return draft
    },
    get keepsToken() {
      return keepsToken
    },
    canKeep: remember,
    use(next, keepToken) {
      keepsToken = keepToken
      store.save(next, keepToken)
      // An unchanged proxy keeps its identity, so that its tools stay connected.
      set(proxy && JSON.stringify(proxy) === JSON.stringify(next) ? proxy : next)
    },
    takeAway() {
      keepsToken = false
      store.forget()
      set(undefined)
    },
    onChange: (listener) => void listeners.push(listener),
    connected,
    standardTools() {
      const { webSearch } = proxy ? standardSearch(proxy) : {}
      return webSearch ? connected(webTools(webSearch)) : []
    },
  }
}
