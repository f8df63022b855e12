import { UnsupportedError } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import { isRecord } from '../../ops/is-record.js'
import type { PreviewEvent, PreviewEventPage, PreviewSnapshot } from '../../types/preview.js'
import type { LocalServers } from '../../types/servers.js'
import type { Workspace } from '../../types/workspace.js'
import { named } from './inline-modules.js'
import { inlineCss } from './inline-page.js'
import { postable, readRequest } from './plain.js'
import type { PreviewProgram } from './program-pages.js'
import type { ClientCommand, PlainResponse } from './protocol.js'
import { readSnapshot } from './read-report.js'
import { createRelayWay } from './relay-way.js'
import { createSandboxWay, SANDBOX_BASE } from './sandbox-way.js'
import { createSession, type PreviewOptions, type PreviewSession } from './session.js'
import type { Way, WayEvents } from './way.js'

/** Options of `createPreview`. `workspace` and `container` are required. */
export interface CreatePreviewOptions extends Omit<PreviewOptions, 'program'> {
  /** The element that the preview puts its frame into: of this page, or of a frame of the same origin. */
  readonly container: HTMLElement
  /** The first page, as `open` takes it. Default `/`. */
  readonly path?: string
  /**
   * The HTTP programs that `open` can show, by port: the registry that they were granted (`createLocalServers`). A page of a program
   * reloads when the program listens again. Default none.
   */
  readonly servers?: Pick<LocalServers, 'fetch' | 'ports' | 'onChange'>
  /**
   * URL of the relay page, on an origin that has nothing else. Beside the page lies the file `toolport/preview/worker`. Default none: the
   * frame has no origin, and its resources come over a port.
   */
  readonly relay?: string | URL
  /**
   * URL of a page for frames without an origin, for an embedding page whose own content security policy stops inline scripts. It loads
   * `toolport/preview/worker` as a classic script. Default none: the frame has an inline document, which inherits the embedding page's policy.
   */
  readonly shell?: string | URL
  /**
   * Milliseconds without an answer after which the preview stops its frame. 0: never. Default 5,000. A frame in the process of the page
   * stops the page as well, and then nothing can stop the frame.
   */
  readonly hangMs?: number
  /** Milliseconds to wait for the relay page. Default 10,000. */
  readonly relayTimeoutMs?: number
}

/** A workspace shown in a page. */
export interface Preview {
  /** `service-worker`: a relay page on another origin. `sandbox`: a frame without an origin. */
  readonly kind: 'service-worker' | 'sandbox'
  /** Why the preview has a frame without an origin although `relay` was given. */
  readonly fallbackReason?: string
  /** URL of the current page, as the page sees it. */
  readonly url: string
  /** The frame in the container. A stopped frame is replaced, so read it again each time. */
  readonly frame: HTMLIFrameElement
  /**
   * Shows a page of the workspace, by a path such as `/about?tab=1`, or of a program, by an address such as `http://localhost:3000/`.
   *
   * @throws {TypeError} for any other address; {UnsupportedError} for a program without the option `servers`
   */
  open(path: string): Promise<void>
  /** Loads the current page again, also after the preview stopped its frame. */
  reload(): Promise<void>
  /** Looks for changed files now, and reloads the page if there are any. */
  refresh(): Promise<void>
  /** Returns the events after a cursor, oldest first. `after` defaults to 0, `limit` to 100. */
  read(options?: { readonly after?: number; readonly limit?: number }): PreviewEventPage
  /** Calls `listener` with each later event. Returns a function that stops this. */
  onEvent(listener: (event: PreviewEvent) => void): () => void
  /** Asks the page what it shows. What it reported before is in the log then. @throws {Error} if the page does not answer within 5 seconds */
  snapshot(): Promise<PreviewSnapshot>
  /** Removes the frame. Does not dispose the bundler. */
  dispose(): void
}

/** The address of a program: its port, and what follows it. */
const PROGRAM = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)(?=[/?#]|$)(.*)$/i
const HANG_MS = 5000
const RELAY_MS = 10_000
const SNAPSHOT_MS = 5000
/** Browsers keep the process of a removed frame for two seconds, and put the next one into it. */
const COOLING_MS = 3000
/** Pings that have to stay unanswered: one alone may be late because the page slept. */
const PINGS = 5
/** Of a frame in a second. The client script sends a quarter of it at most. */
const MOST_MESSAGES = 2000
const MOST_REPORTS = 100

/**
 * Shows a workspace in a page of a browser. The program that it shows is untrusted. Resolves when the frame is there; the page may still
 * load.
 *
 * @throws {TypeError} without a workspace or a container, and for a relay page on the embedding page's own origin
 */
export async function createPreview(options: CreatePreviewOptions): Promise<Preview> {
  required('createPreview', 'the option "workspace", a Workspace', options?.workspace, 'readBytes')
  required('createPreview', 'the option "container", an element of the page', options.container, 'append')
  const { container, relay, shell, grants, hangMs = HANG_MS, relayTimeoutMs = RELAY_MS, path = '/' } = options
  if (!(hangMs >= 0)) throw new TypeError('createPreview: "hangMs" must be a number of milliseconds, or 0')
  const address = relay === undefined ? undefined : new URL(relay, document.baseURI)
  if (address?.origin === location.origin) {
    throw new TypeError(
      `createPreview: the relay page "${address.href}" must be on another origin, because the program could read this page's storage`,
    )
  }
  const preview = new PagePreview(options.workspace, hangMs, options.servers)
  const events = preview.events
  let reason: string | undefined
  let way: Way | undefined
  if (address) {
    const made = await createRelayWay(container, address, crypto.randomUUID(), relayTimeoutMs, events)
    if (typeof made === 'string') reason = made
    else way = made
  }
  way ??= createSandboxWay(
    container,
    { ...(grants && { grants }), ...(shell !== undefined && { shell: new URL(shell, document.baseURI).href }) },
    events,
  )
  const headers = { ...way.handler.headers, ...options.headers }
  const session = createSession(
    'createPreview',
    { ...options, headers, program: preview.program },
    { url: way.base, handler: way.handler, isProgram: () => preview.isProgram },
  )
  await preview.start(way, session, path, reason)
  return preview
}

class PagePreview implements Preview {
  readonly events: WayEvents
  fallbackReason?: string
  readonly #workspace: Workspace
  readonly #hangMs: number
  #way!: Way
  #session!: PreviewSession
  #url = ''
  #port: MessagePort | undefined
  #close: () => void = () => {}
  #guarding: AbortController | undefined
  /** When a frame was stopped because it hung. */
  #hung = Number.NEGATIVE_INFINITY
  #pinged = 0
  #ponged = 0
  #second = { start: 0, count: 0 }
  #asked = 0
  #isDisposed = false
  #opening = 0
  /** Another page was asked for: that the old one has loaded is no news any more. */
  #isLeaving = false
  readonly #snapshots = new Map<number, (snapshot: PreviewSnapshot) => void>()
  readonly #servers: CreatePreviewOptions['servers']
  /** Of the program that is shown; undefined: the workspace is. */
  #programPort: number | undefined
  #unwatch: () => void = () => {}

  constructor(workspace: Workspace, hangMs: number, servers: CreatePreviewOptions['servers']) {
    this.#workspace = workspace
    this.#hangMs = hangMs
    this.#servers = servers
    this.events = {
      onClient: (port) => this.#attach(port),
      onLeft: () => this.#stop('left', 'The page left the preview and was stopped. Reload it.'),
      onRequest: (request, port) =>
        void this.#answer(request).then((response) => port.postMessage(response, response ? [response.body] : [])),
      handle: (request) => this.#session.handle(request),
      record: (report) => this.#session.record(report),
    }
  }

  async start(way: Way, session: PreviewSession, path: string, reason: string | undefined): Promise<void> {
    this.#way = way
    this.#session = session
    if (reason !== undefined) this.fallbackReason = reason
    this.#watchServers()
    await this.open(path)
  }

  get kind(): Way['kind'] {
    return this.#way.kind
  }

  get url(): string {
    return this.#url
  }

  get frame(): HTMLIFrameElement {
    return this.#way.frame
  }

  async open(path: string): Promise<void> {
    const [, port, rest = path] = PROGRAM.exec(path) ?? []
    const url = new URL(rest.replace(/^\/+/, './') || './', this.#way.base)
    if (!url.href.startsWith(this.#way.base)) throw new TypeError(`Cannot open "${path}": it is no path of the preview`)
    if (port !== undefined && !this.#servers)
      throw new UnsupportedError(
        'preview.servers',
        `Cannot open "${path}": this preview reaches no programs. Open a path that begins with "/".`,
      )
    this.#programPort = port === undefined ? undefined : Number(port)
    this.#url = url.href
    await this.#load()
  }

  get isProgram(): boolean {
    return this.#programPort !== undefined
  }

  /** The program that is shown. Answers undefined if the workspace is. */
  get program(): PreviewProgram {
    const port = () => this.#programPort
    const servers = this.#servers
    return {
      get origin() {
        return `http://localhost:${port() ?? 0}`
      },
      fetch: async (request) => (port() === undefined ? undefined : servers?.fetch(request)),
    }
  }

  /** Loads the page again when its program listens again. */
  #watchServers(): void {
    let open: readonly number[] = this.#servers?.ports ?? []
    const unwatch = this.#servers?.onChange(() => {
      const before = open
      open = this.#servers?.ports ?? []
      const port = this.#programPort
      if (port === undefined || before.includes(port) || !open.includes(port)) return
      this.#session.record({ type: 'changed', update: 'page', paths: [] })
      void this.#load().catch(() => {})
    })
    if (unwatch) this.#unwatch = unwatch
  }

  async reload(): Promise<void> {
    await this.refresh().catch(() => {})
    await this.#load()
  }

  async #load(): Promise<void> {
    if (this.#isDisposed) throw new Error('Cannot show a page: the preview is disposed. Create another one.')
    this.#isLeaving = true
    this.#opening++
    try {
      const since = performance.now() - this.#hung
      if (since < COOLING_MS) await this.#workspace.host.sleep(COOLING_MS - since)
      await this.#way.open(this.#url)
    } catch (error) {
      this.#isLeaving = false
      throw error
    } finally {
      this.#opening--
    }
  }

  refresh(): Promise<void> {
    return this.#session.refresh()
  }

  read(range?: { readonly after?: number; readonly limit?: number }): PreviewEventPage {
    return this.#session.read(range)
  }

  onEvent(listener: (event: PreviewEvent) => void): () => void {
    return this.#session.onEvent(listener)
  }

  async snapshot(): Promise<PreviewSnapshot> {
    const id = ++this.#asked
    const port = this.#port
    if (!port) throw new Error('Cannot read the page: no page has loaded. Open or reload the preview.')
    const ended = new AbortController()
    try {
      const answered = new Promise<PreviewSnapshot>((resolve) => this.#snapshots.set(id, resolve))
      port.postMessage({ type: 'snapshot', id } satisfies ClientCommand)
      const late = this.#workspace.host.sleep(SNAPSHOT_MS, ended.signal).then(() => undefined)
      const snapshot = await Promise.race([answered, late])
      if (!snapshot) throw new Error(`Cannot read the page: it did not answer within ${SNAPSHOT_MS} ms. Reload the preview.`)
      await this.#session.settled()
      return snapshot
    } finally {
      this.#snapshots.delete(id)
      ended.abort()
    }
  }

  dispose(): void {
    this.#isDisposed = true
    this.#unwatch()
    this.#detach()
    this.#session.dispose()
    this.#way.dispose()
  }

  #attach(port: MessagePort): void {
    this.#detach()
    this.#isLeaving = this.#opening > 0
    this.#port = port
    port.onmessage = ({ data }) => {
      if (port === this.#port) this.#hear(data, port)
    }
    this.#close = this.#session.open((command) => this.#send(command, port))
    // What the page before has not answered, it never will.
    for (const id of this.#snapshots.keys()) port.postMessage({ type: 'snapshot', id } satisfies ClientCommand)
    void this.#guard(port)
  }

  #detach(): void {
    this.#guarding?.abort()
    this.#close()
    this.#close = () => {}
    this.#port?.close()
    this.#port = undefined
  }

  /** A frame without an origin has its files in its document: it is made anew. */
  #send(command: ClientCommand, port: MessagePort): void {
    this.#isLeaving ||= command.type === 'reload'
    if (command.type === 'reload' && this.kind === 'sandbox') this.#follow(this.#url)
    else port.postMessage(command)
  }

  /** Shows a page that nobody waits for: a failure is in the log. */
  #follow(url: string, request?: Request): void {
    void this.#way.open(url, request).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      this.#session.record({ type: 'request_failed', method: request?.method ?? 'GET', url, reason })
    })
  }

  #hear(message: unknown, port: MessagePort): void {
    const now = performance.now()
    if (now - this.#second.start > 1000) this.#second = { start: now, count: 0 }
    if (++this.#second.count > MOST_MESSAGES) this.#stop('flood', 'The page sent too many messages and was stopped. Reload it.')
    if (port !== this.#port || !isRecord(message)) return
    const { type, id, reports, snapshot, url, request, as } = message
    if (type === 'reports' && Array.isArray(reports)) {
      for (const report of reports.slice(0, MOST_REPORTS)) this.#report(report, port)
    } else if (type === 'pong') this.#ponged = Math.max(this.#ponged, Number(id) || 0)
    else if (type === 'bye') this.#way.goes()
    else if (type === 'snapshot') this.#snapshots.get(id as number)?.(readSnapshot(snapshot))
    else if (type === 'open' && typeof url === 'string' && url.startsWith(this.#way.base)) {
      this.#url = url
      this.#follow(url, readRequest(request, this.#way.base))
    } else if (type === 'request') {
      const none = (status: number): PlainResponse => ({ status, headers: [], body: new ArrayBuffer(0) })
      const answered = this.#answer(request, as).catch(() => none(502))
      void answered.then((answer = none(400)) => {
        port.postMessage({ type: 'response', id, response: answer }, [answer.body])
      })
    }
  }

  #report(report: unknown, port: MessagePort): void {
    const isAddress = !this.#isLeaving && isRecord(report) && (report.type === 'loaded' || report.type === 'navigated')
    if (isAddress && typeof report.url === 'string' && report.url.startsWith(this.#way.base)) this.#url = report.url
    this.#session.report(report, ({ type }) => type !== 'loaded' || (port === this.#port && !this.#isLeaving))
  }

  async #answer(value: unknown, as?: unknown): Promise<PlainResponse | undefined> {
    const request = readRequest(value, this.#way.base)
    if (!request) return undefined
    const response = await this.#session.handle(request)
    if (!response.ok || this.#way.base !== SANDBOX_BASE || (as !== 'style' && as !== 'script')) return postable(response)
    const text = await response.text()
    const inlining = { base: SANDBOX_BASE, policy: '', load: (url: string) => this.#session.handle(new Request(url)), onMissing: () => {} }
    const own = as === 'style' ? await inlineCss(text, request.url, inlining) : named(text, request.url)
    return postable(new Response(own, { headers: response.headers }))
  }

  #stop(reason: 'unresponsive' | 'flood' | 'left', notice: string): void {
    this.#detach()
    if (reason === 'unresponsive') this.#hung = performance.now()
    this.#way.stop(notice)
    this.#session.record({ type: 'stopped', reason })
  }

  /** Pings the page until it answers no more, or another page is there. */
  async #guard(port: MessagePort): Promise<void> {
    if (this.#hangMs === 0) return
    const guarding = new AbortController()
    this.#guarding = guarding
    let missed = 0
    while (!guarding.signal.aborted) {
      port.postMessage({ type: 'ping', id: ++this.#pinged } satisfies ClientCommand)
      await this.#workspace.host.sleep(this.#hangMs / PINGS, guarding.signal, { background: true })
      missed = this.#ponged >= this.#pinged ? 0 : missed + 1
      if (missed < PINGS || guarding.signal.aborted) continue
      this.#stop('unresponsive', `The page did not answer for ${this.#hangMs / 1000} seconds and was stopped. Reload it.`)
    }
  }
}
