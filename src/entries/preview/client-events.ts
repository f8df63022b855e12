/** The functions of the client script for its versions of `EventSource` and `XMLHttpRequest`. */
export interface SiteRequests {
  absolute(url: string): string
  isOfSite(url: string): boolean
  /** Sends a request over the page's port. */
  respond(request: Request): Promise<Response>
  failedRequest(method: string, url: string, reason: string, status?: number): void
}

/**
 * An `EventSource` for URLs of the site in a page without an origin. The page gets this function as text, so it must not use anything else of
 * this file.
 */
export function clientEvents({ absolute, isOfSite, respond, failedRequest }: SiteRequests): typeof EventSource {
  const [CONNECTING, OPEN, CLOSED] = [0, 1, 2] as const
  const { EventSource: NativeEventSource, setTimeout } = window
  class SiteEventSource extends EventTarget {
    static readonly CONNECTING = CONNECTING
    static readonly OPEN = OPEN
    static readonly CLOSED = CLOSED
    readonly CONNECTING = CONNECTING
    readonly OPEN = OPEN
    readonly CLOSED = CLOSED
    readonly withCredentials = false
    readonly url: string
    readyState: 0 | 1 | 2 = CONNECTING
    onopen: ((event: Event) => void) | null = null
    onmessage: ((event: MessageEvent) => void) | null = null
    onerror: ((event: Event) => void) | null = null
    readonly #ended = new AbortController()
    #lastId = ''
    #retryMs = 3000

    constructor(url: string | URL) {
      super()
      this.url = absolute(String(url))
      for (const type of ['open', 'message', 'error'] as const) {
        this.addEventListener(type, (event) => this[`on${type}`]?.(event as MessageEvent))
      }
      void this.#connect()
    }

    close(): void {
      this.readyState = CLOSED
      this.#ended.abort()
    }

    async #connect(): Promise<void> {
      const headers = { accept: 'text/event-stream', ...(this.#lastId !== '' && { 'last-event-id': this.#lastId }) }
      const response = await respond(new Request(this.url, { headers, signal: this.#ended.signal })).catch(() => undefined)
      if (this.#isClosed) return
      const isStream = response?.headers.get('content-type')?.startsWith('text/event-stream') ?? false
      if (response && (response.status !== 200 || !isStream)) {
        failedRequest('GET', this.url, isStream ? `HTTP ${response.status}` : 'no text/event-stream', response.status)
        void response.body?.cancel()
        this.readyState = CLOSED
        this.dispatchEvent(new Event('error'))
        return
      }
      if (response?.body) {
        this.readyState = OPEN
        this.dispatchEvent(new Event('open'))
        await this.#read(response.body.getReader()).catch(() => {})
      }
      if (this.#isClosed) return
      this.readyState = CONNECTING
      this.dispatchEvent(new Event('error'))
      setTimeout(() => !this.#isClosed && void this.#connect(), this.#retryMs)
    }

    get #isClosed(): boolean {
      return this.readyState === CLOSED
    }

    async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
      const decoder = new TextDecoder()
      let rest = ''
      let type = ''
      let data: string[] = []
      for (let next = await reader.read(); !next.done && !this.#isClosed; next = await reader.read()) {
        // A CR at the end may be the first half of a CRLF.
        const lines = (rest + decoder.decode(next.value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
          if (field === 'data') data.push(value)
          else if (field === 'event') type = value
          else if (field === 'id' && !value.includes('\0')) this.#lastId = value
          else if (field === 'retry' && /^\d+$/.test(value)) this.#retryMs = Number(value)
          if (line !== '') continue
          const event = new MessageEvent(type || 'message', { data: data.join('\n'), lastEventId: this.#lastId })
          if (data.length > 0 && !this.#isClosed) this.dispatchEvent(event)
          type = ''
          data = []
        }
      }
    }
  }
  return new Proxy(SiteEventSource, {
    construct: (own, [url, options]) => (isOfSite(absolute(String(url))) ? new own(url) : new NativeEventSource(url, options)),
  }) as never
}
