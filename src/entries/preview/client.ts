import type { clientEvents } from './client-events.js'
import type { clientStyles } from './client-styles.js'
import type { clientText } from './client-text.js'
import type { clientView } from './client-view.js'
import type { clientXhr } from './client-xhr.js'
import type { ClientCommand, ClientConfig, ClientMessage, ClientReport, PlainResponse } from './protocol.js'

/** Functions of other files that the client script uses. */
export interface ClientParts {
  readonly text: typeof clientText
  readonly view: typeof clientView
  readonly styles: typeof clientStyles
  readonly events: typeof clientEvents
  readonly xhr: typeof clientXhr
}

/**
 * Runs in the previewed page before all other scripts. The preview inserts the source text of this function into the page, so the function
 * must not use anything else of this file.
 */
export function previewClient(config: ClientConfig, parts: ClientParts): void {
  const MOST_PER_WINDOW = 50
  const WINDOW_MS = 100
  const { base, over = 'port', inlined = false } = config
  const native = { fetch: window.fetch, setTimeout: window.setTimeout.bind(window), URL: window.URL }
  const absolute = (url: string): string => {
    try {
      return new native.URL(url, document.baseURI).href
    } catch {
      return url
    }
  }
  const siteUrl = absolute(base)
  const { clip, describe, format } = parts.text()
  const { showErrors, visibleText, outline } = parts.view()

  // --- Messages to the preview
  const channel = over === 'port' ? new MessageChannel() : undefined
  const port = channel?.port1
  const post = port ? MessagePort.prototype.postMessage.bind(port) : undefined
  const tell = (message: ClientMessage, transfer: Transferable[] = []): void => {
    if (post) post(message, transfer)
    else
      void native.fetch
        .call(window, `${siteUrl}__toolport/reports`, { method: 'POST', body: JSON.stringify(message), keepalive: true })
        .catch(() => {})
  }
  let dropped = 0
  /**
   * Number of reports sent in the current time window; undefined between windows. Console messages have a separate limit, so that a flood
   * of them does not displace other reports.
   */
  let sent: { console: number; other: number } | undefined
  const report = (one: ClientReport): boolean => {
    if (!sent) {
      sent = { console: 0, other: 0 }
      native.setTimeout(() => {
        sent = undefined
        if (dropped === 0) return
        tell({ type: 'reports', reports: [{ type: 'dropped', count: dropped }] })
        dropped = 0
      }, WINDOW_MS)
    }
    if (++sent[one.type === 'console' ? 'console' : 'other'] > MOST_PER_WINDOW) {
      dropped++
      return false
    }
    tell({ type: 'reports', reports: [one] })
    return true
  }
  const isFlooded = (): boolean => sent !== undefined && sent.console >= MOST_PER_WINDOW

  const stackHere = (): string => clip(new Error().stack ?? '')

  // --- Console, errors and navigation
  for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    const original = console[level].bind(console)
    console[level] = (...values: unknown[]): void => {
      // Do not forward a flood to the browser's console, because it would slow down the developer tools and the browser.
      if (isFlooded()) dropped++
      else if (report({ type: 'console', level, text: format(values), stack: stackHere() })) original(...values)
    }
  }
  const assert = console.assert.bind(console)
  console.assert = (condition?: boolean, ...values: unknown[]): void => {
    assert(condition, ...values)
    if (!condition) report({ type: 'console', level: 'error', text: `Assertion failed: ${format(values)}`, stack: stackHere() })
  }
  const failedRequest = (method: string, url: string, reason: string, status?: number): void =>
    void report({ type: 'request_failed', method, url: clip(url), reason: clip(reason), ...(status !== undefined && { status }) })
  addEventListener(
    'error',
    (event: Event) => {
      if (event instanceof ErrorEvent) {
        const { message, filename: url, lineno: line, colno: column, error } = event
        const stack = clip(error instanceof Error ? (error.stack ?? '') : '')
        report({ type: 'error', kind: 'uncaught', message: clip(message), stack, place: { url: clip(url), line, column } })
        return
      }
      const target = event.target as { src?: unknown; href?: unknown; tagName?: string } | null
      const url = target && (target.src ?? target.href)
      if (typeof url === 'string' && url !== '' && !isPending(event.target)) {
        failedRequest('GET', url.startsWith('data:') ? 'data:' : url, `<${target?.tagName?.toLowerCase()}> did not load`)
      }
    },
    true,
  )
  addEventListener('unhandledrejection', ({ reason }) => {
    const message = reason instanceof Error ? `${reason.name}: ${reason.message}` : describe(reason)
    report({ type: 'error', kind: 'rejection', message: clip(message), stack: clip(reason instanceof Error ? (reason.stack ?? '') : '') })
  })
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    if (inlined && blockedURI.startsWith(siteUrl.slice(0, -1))) return
    report({ type: 'blocked', url: clip(blockedURI), directive: effectiveDirective })
  })
  const here = (): string => (inlined ? document.baseURI : location.href)
  addEventListener('load', () => report({ type: 'loaded', url: clip(here()), title: clip(document.title) }))
  const navigated = (): void => void report({ type: 'navigated', url: clip(here()) })
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history)
    history[name] = (data: unknown, unused: string, url?: string | URL | null): void => {
      if (!inlined) original(data, unused, url)
      else if (url !== undefined && url !== null) setBase(absolute(String(url)))
      navigated()
    }
  }
  addEventListener('popstate', navigated)
  addEventListener('hashchange', navigated)
  /** A page without an origin cannot change its address, so navigation within the app changes the page's base URL instead. */
  const setBase = (url: string): void => {
    const element = document.querySelector('base')
    if (element && url.startsWith(siteUrl)) element.href = url
  }

  // --- Requests
  const waiting = new Map<number, (response: PlainResponse) => void>()
  let requests = 0
  const ask = (
    request: { url: string; method: string; headers: [string, string][]; body?: ArrayBuffer },
    { signal, ...how }: { signal: AbortSignal; as?: 'style' | 'script'; stream?: boolean },
  ): Promise<PlainResponse> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const id = ++requests
      const abort = (): void => {
        waiting.delete(id)
        tell({ type: 'abort', id })
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort)
      waiting.set(id, (response) => {
        signal.removeEventListener('abort', abort)
        resolve(response)
      })
      tell({ type: 'request', id, request, ...how })
    })
  const isOfSite = (url: string): boolean => inlined && url.startsWith(siteUrl)
  const plain = async (request: Request) => {
    const body = request.method === 'GET' || request.method === 'HEAD' ? undefined : await request.arrayBuffer()
    return { url: request.url, method: request.method, headers: [...request.headers] as [string, string][], ...(body && { body }) }
  }
  const respond = async (request: Request, hops = 0): Promise<Response> => {
    const { signal } = request
    const answer = await ask(await plain(request.clone()), { signal, stream: true })
    const location = answer.headers.find(([key]) => key === 'location')?.[1]
    if (location !== undefined && answer.status > 300 && answer.status < 400 && request.redirect === 'follow') {
      if (hops === 20) throw new TypeError('Failed to fetch: too many redirects')
      const next = new native.URL(location, request.url).href
      if (!isOfSite(next)) return native.fetch.call(window, next, { signal })
      // As in browsers, 303 turns every method into GET, and 301 and 302 turn POST into GET.
      const isKept = answer.status >= 307 || /^(?:GET|HEAD)$/.test(request.method) || (answer.status !== 303 && request.method !== 'POST')
      return respond(
        isKept ? new Request(next, request) : new Request(next, { headers: { accept: request.headers.get('accept') ?? '*/*' }, signal }),
        hops + 1,
      )
    }
    const empty = answer.status === 204 || answer.status === 304
    const body = answer.body instanceof ReadableStream ? answer.body.pipeThrough(new TransformStream(), { signal }) : answer.body
    return new Response(empty ? null : body, {
      status: answer.status,
      headers: answer.headers.map(([key, value]): [string, string] => [key, value]),
    })
  }
  window.fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input instanceof Request ? input : absolute(String(input)), init)
    const { method, url } = request
    try {
      const response = isOfSite(url) ? await respond(request) : await native.fetch.call(window, request)
      if (response.status >= 400) failedRequest(method, url, `HTTP ${response.status}`, response.status)
      return response
    } catch (error) {
      if (!request.signal.aborted) failedRequest(method, url, String(error))
      throw error
    }
  }
  window.XMLHttpRequest = parts.xhr({ absolute, isOfSite, respond, failedRequest })

  // --- Pages without an origin: elements that are added later load their files over the port
  /** The controller that aborts the load of an element's file, by element. */
  const pending = new WeakMap<object, AbortController>()
  const isPending = (target: unknown): boolean => typeof target === 'object' && target !== null && pending.has(target)
  const fill = async (element: Element, name: 'src' | 'href'): Promise<void> => {
    const written = element.getAttribute(name)
    const url = written === null ? '' : absolute(written)
    // An earlier request for this element may still run. Its file must not replace the new one.
    pending.get(element)?.abort()
    pending.delete(element)
    if (!isOfSite(url)) return
    const asking = new AbortController()
    pending.set(element, asking)
    const as = element.matches('link') ? 'style' : element.matches('script') ? 'script' : undefined
    const answer = await ask({ url, method: 'GET', headers: [] }, { signal: asking.signal, ...(as && { as }) }).catch(() => undefined)
    if (!answer || asking.signal.aborted) return
    pending.delete(element)
    if (answer.status >= 400) {
      failedRequest('GET', url, `HTTP ${answer.status}`, answer.status)
      return
    }
    const type = answer.headers.find(([key]) => key === 'content-type')?.[1] ?? ''
    const address = URL.createObjectURL(new Blob([answer.body as ArrayBuffer], { type }))
    element.setAttribute('data-preview-url', url)
    if (!element.matches('script')) return element.setAttribute(name, address)
    // A script element runs only once, so another element replaces it.
    const other = document.createElement('script')
    for (const { name: key, value } of element.attributes) other.setAttribute(key, value)
    other.src = address
    for (const kind of ['load', 'error']) other.addEventListener(kind, () => element.dispatchEvent(new Event(kind)))
    element.replaceWith(other)
  }
  const SRC = 'img[src],source[src],video[src],audio[src],script[src],input[src]'
  const fillOne = (element: Element): void => {
    if (element.matches(SRC)) void fill(element, 'src')
    else if (element.matches('link[rel~=stylesheet][href]')) void fill(element, 'href')
  }
  const fillAll = (node: Node): void => {
    if (node instanceof Element) for (const element of [node, ...node.querySelectorAll('*')]) fillOne(element)
  }
  if (inlined) {
    window.EventSource = parts.events({ absolute, isOfSite, respond, failedRequest })
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === 'attributes') fillOne(target as Element)
        else for (const node of addedNodes) fillAll(node)
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['src', 'href'] })
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (event.defaultPrevented || event.button !== 0 || !link) return
      const written = link.getAttribute('href') ?? ''
      const url = absolute(written)
      if (!isOfSite(url)) return
      event.preventDefault()
      if (written.startsWith('#')) document.getElementById(decodeURIComponent(written.slice(1)))?.scrollIntoView()
      else tell({ type: 'open', url })
    })
    document.addEventListener('submit', async (event) => {
      const { target: form, submitter } = event
      if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
      const own = (name: string): string | null => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name)
      const url = absolute(own('action') ?? '')
      if (!isOfSite(url) || own('method') === 'dialog') return
      event.preventDefault()
      const data = new FormData(form, submitter)
      const isFiles = own('enctype') === 'multipart/form-data'
      const fields = new URLSearchParams(
        [...data].map(([key, value]): [string, string] => [key, typeof value === 'string' ? value : value.name]),
      )
      if (own('method')?.toLowerCase() !== 'post') {
        const address = new native.URL(url)
        address.search = fields.toString()
        tell({ type: 'open', url: address.href })
        return
      }
      const headers = { accept: 'text/html' }
      tell({ type: 'open', url, request: await plain(new Request(url, { method: 'POST', headers, body: isFiles ? data : fields })) })
    })
    // Resolves the specifiers of `import(...)` in modules that are inlined as data URLs.
    Object.defineProperty(window, '__toolportResolve', {
      value: (specifier: unknown, from: string) =>
        /^\.{0,2}\//.test(String(specifier)) ? new native.URL(String(specifier), from).href : specifier,
    })
    const memory = (): Storage => {
      const items = new Map<string, string>()
      return {
        get length() {
          return items.size
        },
        key: (index) => [...items.keys()][index] ?? null,
        getItem: (key) => items.get(String(key)) ?? null,
        setItem: (key, value) => void items.set(String(key), String(value)),
        removeItem: (key) => void items.delete(String(key)),
        clear: () => items.clear(),
      }
    }
    // In a page without an origin, access to storage throws, which would stop apps that only save settings.
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: memory(), configurable: true })
  }

  // --- Commands of the preview
  const reload = (): void => {
    if (inlined) tell({ type: 'reload' })
    else location.reload()
  }
  const refreshStyles = parts.styles({ siteUrl, inlined, reload })
  const obey = (command: ClientCommand): void => {
    if (command.type === 'reload') reload()
    else if (command.type === 'styles') refreshStyles(command.paths)
    else if (command.type === 'errors') showErrors(command.errors)
    else if (command.type === 'ping') tell({ type: 'pong', id: command.id })
    else if (command.type === 'snapshot') {
      const text = visibleText().slice(0, 20_000)
      tell({ type: 'snapshot', id: command.id, snapshot: { url: here(), title: document.title.slice(0, 1000), text, outline: outline() } })
    }
  }
  if (port && channel) {
    port.onmessage = ({ data }: MessageEvent<ClientCommand | { type: 'response'; id: number; response: PlainResponse }>): void => {
      if (data.type === 'response') {
        const { id, response } = data
        const take = waiting.get(id)
        waiting.delete(id)
        if (take) take(response)
        // The page aborted the request while the response was on its way, so nobody reads its stream.
        else if (response.body instanceof ReadableStream) void response.body.cancel()
      } else obey(data)
    }
    addEventListener('pagehide', () => tell({ type: 'bye' }), true)
    parent.postMessage({ toolport: 'hello' }, '*', [channel.port2])
  } else if (typeof EventSource === 'function') {
    new EventSource(`${siteUrl}__toolport/commands`).onmessage = ({ data }) => obey(JSON.parse(data))
  }
  document.currentScript?.remove()
}
