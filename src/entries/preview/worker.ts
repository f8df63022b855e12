// Our only script on the preview origin, without imports. Its role depends on where it runs:
// - as a service worker, it asks the relay page for every file of a preview;
// - in the relay page, it registers the service worker, shows the app in a frame, and passes requests to the embedding page;
// - in a frame without an origin, it writes the document that the embedding page sends.

interface Client {
  readonly url: string
  postMessage(message: unknown, transfer: Transferable[]): void
}
interface WorkerScope {
  readonly location: Location
  readonly registration: { readonly scope: string }
  readonly clients: {
    get(id: string): Promise<Client | undefined>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Client[]>
    claim(): Promise<void>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: { waitUntil(promise: Promise<unknown>): void }) => void): void
  addEventListener(
    type: 'fetch',
    listener: (event: { readonly request: Request; readonly clientId: string; respondWith(response: Promise<Response>): void }) => void,
  ): void
}

/** The content security policy of all other pages of this origin. Without it, an app could reach the network through such a page. */
const POLICY = "default-src 'none'; script-src 'self'; frame-src 'self'; worker-src 'self'"

function confined(response: Response): Response {
  if (response.type === 'opaqueredirect' || response.type === 'error') return response
  const own = new Response(response.body, response)
  own.headers.append('content-security-policy', POLICY)
  return own
}

function serveFiles(scope: WorkerScope): void {
  const TIMEOUT_MS = 60_000
  /** Milliseconds between checks whether the requesting page still exists. */
  const WATCH_MS = 1000
  const start = `${new URL(scope.registration.scope).pathname}p/`
  const idOf = (url: string): string | undefined => {
    const { origin, pathname } = new URL(url)
    return origin === scope.location.origin && pathname.startsWith(start) ? pathname.slice(start.length).split('/')[0] : undefined
  }
  const gone = (): Response =>
    new Response('The page that shows this preview is closed. Open the preview again.', {
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })

  async function ask(id: string, url: string, request: Request, clientId: string): Promise<Response> {
    const all = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const relay = all.find((client) => new URL(client.url).searchParams.get('preview') === id && idOf(client.url) === undefined)
    if (!relay) return gone()
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
    const body = hasBody ? await request.arrayBuffer() : undefined
    request.signal.throwIfAborted()
    const channel = new MessageChannel()
    const answered = new Promise<{ status: number; headers: [string, string][]; body: ArrayBuffer | ReadableStream } | undefined>(
      (resolve) => {
        const end = (data?: { status: number; headers: [string, string][]; body: ArrayBuffer | ReadableStream }): void => {
          clearTimeout(timer)
          clearInterval(watching)
          resolve(data)
        }
        const timer = setTimeout(end, TIMEOUT_MS)
        const watching = setInterval(async () => {
          if (clientId !== '' && !(await scope.clients.get(clientId))) end()
        }, WATCH_MS)
        channel.port1.onmessage = ({ data }) => end(data)
        request.signal.addEventListener('abort', () => end())
      },
    )
    const headers = [...request.headers]
    // In Chromium, a service worker does not see the `accept` header of a navigation.
    if (request.mode === 'navigate' && !request.headers.has('accept')) headers.push(['accept', 'text/html'])
    relay.postMessage({ type: 'request', request: { url, method: request.method, headers, ...(body && { body }) } }, [channel.port2])
    const answer = await answered
    // Nobody waits for the response, so the embedding page can stop reading it.
    if (!answer) channel.port1.postMessage('cancel')
    channel.port1.close()
    if (!answer) return gone()
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : answer.body, { status: answer.status, headers: answer.headers })
  }

  async function answer(request: Request, clientId: string): Promise<Response> {
    const own = idOf(request.url)
    if (own !== undefined) return ask(own, request.url, request, clientId)
    // A root-relative URL in a previewed page refers to a file of the same preview.
    const client = clientId === '' ? undefined : await scope.clients.get(clientId)
    const id = client && idOf(client.url)
    if (id === undefined) return fetch(request)
    const { origin, pathname, search } = new URL(request.url)
    return ask(id, `${origin}${start}${id}${pathname}${search}`, request, clientId)
  }

  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
  scope.addEventListener('fetch', (event) => {
    const { request, clientId } = event
    const { origin, pathname, search } = new URL(request.url)
    if (origin !== scope.location.origin) return
    const from = request.referrer === '' ? undefined : idOf(request.referrer)
    if (request.mode !== 'navigate' || idOf(request.url) !== undefined) event.respondWith(answer(request, clientId))
    else if (from !== undefined) event.respondWith(Promise.resolve(Response.redirect(`${origin}${start}${from}${pathname}${search}`)))
    else event.respondWith(fetch(request).then(confined))
  })
}

async function relayPage(script: string, embedder: string): Promise<void> {
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = POLICY
  document.head.append(policy)
  const channel = new MessageChannel()
  const host = channel.port1
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0'
  frame.title = 'Preview'
  const start = new URL('./p/', script)

  addEventListener('message', (event) => {
    const [port] = event.ports
    if (event.source !== frame.contentWindow || event.origin !== origin || event.data?.toolport !== 'hello' || !port) return
    host.postMessage({ type: 'hello' }, [port])
  })
  frame.addEventListener('load', () => {
    let isHere = false
    try {
      isHere = frame.contentWindow?.location.href.startsWith(start.href) ?? false
    } catch {
      // Reading the location failed, because the frame shows another origin.
    }
    if (!isHere) host.postMessage({ type: 'left' })
  })
  host.onmessage = ({ data }) => {
    if (typeof data?.url !== 'string' || !data.url.startsWith(start.href)) return
    if (frame.isConnected) frame.contentWindow?.location.replace(data.url)
    else {
      frame.src = data.url
      document.body.replaceChildren(frame)
    }
  }
  try {
    navigator.serviceWorker.onmessage = ({ data, ports: [port] }) => {
      if (data?.type === 'request' && port) host.postMessage(data, [port])
    }
    const registration = await navigator.serviceWorker.register(script, { scope: './' })
    const worker = registration.active ?? registration.waiting ?? registration.installing
    if (worker && worker.state !== 'activated') {
      await new Promise<void>((resolve, reject) => {
        worker.addEventListener('statechange', () => {
          if (worker.state === 'activated') resolve()
          if (worker.state === 'redundant') reject(new Error('the service worker was replaced'))
        })
      })
    }
    parent.postMessage({ toolport: 'relay' }, embedder, [channel.port2])
  } catch (error) {
    parent.postMessage({ toolport: 'no-relay', reason: String(error) }, embedder)
  }
}

function writtenPage(): void {
  addEventListener('message', function write(event: MessageEvent) {
    if (event.source !== parent || event.data?.toolport !== 'write') return
    removeEventListener('message', write)
    document.open()
    document.write(event.data.html)
    document.close()
  })
}

if (typeof document === 'undefined') {
  if ('registration' in globalThis && 'clients' in globalThis) serveFiles(globalThis as unknown as WorkerScope)
} else if (document.currentScript instanceof HTMLScriptElement && parent !== window) {
  if (origin === 'null') writtenPage()
  else {
    const { src, dataset } = document.currentScript
    if (dataset.parent) void relayPage(src, dataset.parent)
    else {
      const reason = 'the script of the relay page needs the attribute data-parent with the origin of the embedding page'
      parent.postMessage({ toolport: 'no-relay', reason }, '*')
    }
  }
}
