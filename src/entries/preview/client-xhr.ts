import type { SiteRequests } from './client-events.js'

/**
 * An `XMLHttpRequest` that reports failed requests. In a page without an origin, it sends requests to the site over the port. The page gets
 * this function as source text, so the function must not use anything else of this file.
 */
export function clientXhr({ absolute, isOfSite, respond, failedRequest }: SiteRequests): typeof XMLHttpRequest {
  const { XMLHttpRequest: NativeXMLHttpRequest, setTimeout } = window
  return class extends NativeXMLHttpRequest {
    #method = 'GET'
    #url = ''
    #headers: [string, string][] = []
    /** Aborts the request that this object has sent over the port. */
    #asking: AbortController | undefined
    constructor() {
      super()
      for (const type of ['load', 'error', 'timeout']) {
        this.addEventListener(type, () => {
          if (this.status >= 400 || this.status === 0)
            failedRequest(this.#method, this.#url, this.status ? `HTTP ${this.status}` : 'no response', this.status || undefined)
        })
      }
    }
    override open(method: string, url: string | URL, async = true, user?: string | null, password?: string | null): void {
      this.#method = method
      this.#url = absolute(String(url))
      this.#headers = []
      this.#asking?.abort()
      this.#asking = undefined
      super.open(method, url, async, user, password)
    }
    override setRequestHeader(name: string, value: string): void {
      super.setRequestHeader(name, value)
      this.#headers.push([name, value])
    }
    override send(body?: Document | XMLHttpRequestBodyInit | null): void {
      if (!isOfSite(this.#url)) {
        super.send(body)
        return
      }
      void this.#ask(body instanceof Document ? new XMLSerializer().serializeToString(body) : body)
    }
    override abort(): void {
      const asking = this.#asking
      super.abort()
      if (asking) this.#end(asking, 'abort')
    }
    /** Ends a request over the port. The browser has not sent it, so it does not fire these events. */
    #end(asking: AbortController, type: 'abort' | 'timeout'): void {
      if (this.#asking !== asking) return
      this.#asking = undefined
      asking.abort()
      for (const name of [type, 'loadend']) this.dispatchEvent(new ProgressEvent(name))
    }
    /** Sends the request over the port, then loads the response body from a blob URL. */
    async #ask(body?: XMLHttpRequestBodyInit | null): Promise<void> {
      const type = this.responseType
      const isEmpty = /^(?:GET|HEAD)$/i.test(this.#method)
      const asking = new AbortController()
      const { signal } = asking
      this.#asking = asking
      if (this.timeout > 0) setTimeout(() => this.#end(asking, 'timeout'), this.timeout)
      let address = 'blob:none'
      try {
        const asked = new Request(this.#url, {
          method: this.#method,
          headers: this.#headers,
          body: isEmpty ? null : (body ?? null),
          signal,
        })
        const answer = await respond(asked)
        const { status, headers } = answer
        const blob = await answer.blob()
        signal.throwIfAborted()
        address = URL.createObjectURL(blob)
        Object.defineProperty(this, 'status', { get: () => (this.readyState < 2 ? 0 : status), configurable: true })
        this.getResponseHeader = (name) => headers.get(name)
        this.getAllResponseHeaders = () => [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
      } catch {
        if (signal.aborted) return
        // The blob URL is invalid, so loading it fires `error`.
      }
      this.#asking = undefined
      super.open('GET', address)
      this.responseType = type
      this.addEventListener('loadend', () => URL.revokeObjectURL(address), { once: true })
      super.send()
    }
  }
}
