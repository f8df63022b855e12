import { contentSecurityPolicy, type PreviewGrants } from './headers.js'
import { inlinePage, noticePage } from './inline-page.js'
import { createBodyReader, readFile, TooLargeError } from './read-body.js'
import { makeFrame, noticeFrame, type Way, type WayEvents } from './way.js'

/** The domain `.invalid` is reserved by RFC 2606, so no such host exists. */
export const SANDBOX_BASE = 'http://preview.invalid/'

const MOST_REDIRECTS = 20
const MOST_TRIES = 5
const RETRY_MS = 500
/** Milliseconds to wait for the client script, which greets the preview before other scripts run. */
const START_MS = 10_000
const LEAVING_MS = 2000
const MOST_RELOADS = 3
const RELOADS_MS = 10_000

/** Shows pages in a frame without an origin. The document contains the files of the page; later requests go over the page's port. */
export function createSandboxWay(
  container: HTMLElement,
  { grants = {}, shell }: { readonly grants?: PreviewGrants; readonly shell?: string },
  events: WayEvents,
): Way {
  let frame = makeFrame(false)
  /**
   * Whether the frame shows the document that this object wrote: the client script has greeted, and has not reported that the page unloads.
   */
  let greeted = false
  /** Whether the document of this object has greeted. A later greeting comes from another document, which gets no port. */
  let isUsed = false
  let strange = false
  /** Times at which this object restored a document that the app had reloaded or left. */
  let again: number[] = []
  /** Called when the frame shows another document. */
  let left: () => void = () => {}
  /** Aborts the load of the next page. */
  let loading = new AbortController()
  let starting: ReturnType<typeof setTimeout> | undefined

  /** Loads a page of the site as one document. */
  async function inlined(request: Request): Promise<string> {
    const { method, signal } = request
    const read = createBodyReader(signal)
    const inlining = {
      base: SANDBOX_BASE,
      policy: contentSecurityPolicy(grants, ''),
      load: async (url: string) => readFile((await load(new Request(url, { signal }))).response, url, read),
      onMissing: (url: string, status: number) =>
        events.record({ type: 'request_failed', method: 'GET', url, status, reason: `HTTP ${status}` }),
    }
    try {
      const { response, url } = await load(request)
      return await inlinePage(await readFile(response, url, read), url, inlining)
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error
      events.record({ type: 'request_failed', method, url: request.url, reason: error.message })
      return inlinePage(await readFile(noticeResponse(error.message), request.url, createBodyReader(signal)), request.url, inlining)
    }
  }

  /** Loads a page and follows redirects within the site. @throws the reason of the signal */
  async function load(request: Request, hops = 0): Promise<{ readonly response: Response; readonly url: string }> {
    request.signal.throwIfAborted()
    const response = await events.handle(request)
    const location = response.headers.get('location')
    const url = location === null ? undefined : new URL(location, request.url).href
    if (url === undefined || response.status < 300 || response.status > 399) return { response, url: request.url }
    if (!url.startsWith(SANDBOX_BASE) || hops === MOST_REDIRECTS) {
      const why = hops === MOST_REDIRECTS ? 'It redirects too often.' : 'A frame without an origin shows no other site.'
      return { response: noticeResponse(`The page redirects to ${url}. ${why}`), url: request.url }
    }
    return load(new Request(url, { headers: request.headers, signal: request.signal }), hops + 1)
  }

  function greet(event: MessageEvent): void {
    const [port] = event.ports
    if (event.source !== frame.contentWindow || event.data?.toolport !== 'hello' || !port) return
    if (isUsed) {
      strange = true
      return
    }
    greeted = true
    isUsed = true
    clearTimeout(starting)
    events.onClient(port)
  }
  // The container may be in a same-origin frame, whose window receives the messages.
  const view = container.ownerDocument.defaultView ?? globalThis
  view.addEventListener('message', greet as EventListener)

  /** Replaces the frame. Always with a new one, because the old frame may hang or show something else. */
  function replace(next: HTMLIFrameElement): void {
    clearTimeout(starting)
    if (frame.isConnected) frame.replaceWith(next)
    else container.append(next)
    frame = next
  }

  function show(html: string, tries = 0): void {
    greeted = false
    isUsed = false
    strange = false
    const next = makeFrame(false)
    let isWritten = shell === undefined
    let hasStarted = false
    next.addEventListener('load', () => {
      if (next !== frame) return
      if (!isWritten) {
        isWritten = true
        next.contentWindow?.postMessage({ toolport: 'write', html }, '*')
        return
      }
      hasStarted ||= greeted
      if (!hasStarted && tries < MOST_TRIES) retry(RETRY_MS)
      else if (!greeted) left()
    })
    left = () => {
      if (next !== frame || greeted) return
      if (strange && isCalm()) show(html)
      else events.onLeft()
    }
    /** Tries again with a new frame: the browser may have put the frame into a process that hangs or is about to end. */
    function retry(ms: number): void {
      clearTimeout(starting)
      starting = setTimeout(() => (tries < MOST_TRIES ? show(html, tries + 1) : events.onLeft()), ms)
    }
    if (shell === undefined) next.srcdoc = html
    else next.src = shell
    replace(next)
    retry(START_MS)
  }

  /** Whether the app has reloaded or left its document rarely enough to restore the document once more. */
  function isCalm(): boolean {
    const now = performance.now()
    again = [...again.filter((time) => now - time < RELOADS_MS), now]
    return again.length <= MOST_RELOADS
  }

  return {
    kind: 'sandbox',
    base: SANDBOX_BASE,
    handler: { base: '/', client: false },
    get frame() {
      return frame
    },
    async open(address, request = new Request(address, { headers: { accept: 'text/html' } })) {
      loading.abort()
      const mine = new AbortController()
      loading = mine
      try {
        const html = await inlined(new Request(request, { signal: mine.signal }))
        if (mine.signal.aborted) return
        events.onShow()
        show(html)
      } catch (error) {
        if (!mine.signal.aborted) throw error
      }
    },
    leave: () => loading.abort(),
    goes() {
      if (!greeted) return
      greeted = false
      // The `load` event of the next document calls `left`, unless it fired before this message arrived.
      setTimeout(left, LEAVING_MS)
    },
    stop(notice) {
      loading.abort()
      replace(noticeFrame(noticePage(notice)))
    },
    dispose() {
      loading.abort()
      clearTimeout(starting)
      view.removeEventListener('message', greet as EventListener)
      frame.remove()
    },
  }
}

const noticeResponse = (text: string): Response => new Response(noticePage(text), { headers: { 'content-type': 'text/html' } })
