import { UnsupportedError } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import { isRecord } from '../../ops/is-record.js'
import type { PreviewEvent, PreviewEventPage, PreviewSnapshot } from '../../types/preview.js'
import type { LocalServers } from '../../types/servers.js'
import type { Workspace } from '../../types/workspace.js'
import { Heartbeat } from './heartbeat.js'
import { PageRequests, type PageSender } from './page-requests.js'
import { readRequest } from './plain.js'
import type { PreviewProgram } from './program-pages.js'
import type { ClientCommand } from './protocol.js'
import { MOST_BYTES } from './read-body.js'
import { readSnapshot } from './read-report.js'
import { createRelayWay } from './relay-way.js'
import { createSandboxWay } from './sandbox-way.js'
import { createSession, type PreviewOptions, type PreviewSession } from './session.js'
import type { Way, WayEvents } from './way.js'

/** Options of `createPreview`. `workspace` and `container` are required. */
export interface CreatePreviewOptions extends Omit<PreviewOptions, 'program'> {
  /** The element to which the frame is appended, in this page or in a frame of the same origin. */
  readonly container: HTMLElement
  /** The first page to show: a path or an address, as for `open`. Default `/`. */
  readonly path?: string
  /**
   * The registry (`createLocalServers`) of the HTTP programs that `open` can show: the one that the programs were granted. When a program
   * listens again, the preview reloads its page. Default: none.
   */
  readonly servers?: Pick<LocalServers, 'fetch' | 'ports' | 'onChange'>
  /**
   * URL of the relay page, on an origin that is used for nothing else. The relay page loads a copy of `toolport/preview/worker` from its
   * own folder. Default: none. Then the frame has no origin and loads its files over a message port.
   */
  readonly relay?: string | URL
  /**
   * URL of the page that frames without an origin start from. Needed if the content security policy of the embedding page forbids inline
   * scripts. The page loads `toolport/preview/worker` as a classic script. Default: none. Then frames start from an inline document, under
   * the embedding page's policy.
   */
  readonly shell?: string | URL
  /**
   * Milliseconds after which the preview stops a frame that does not answer; default 5,000; 0 never stops a frame. If the browser runs the
   * frame in the process of the embedding page, an endless loop blocks both, and the preview cannot stop the frame.
   */
  readonly hangMs?: number
  /** Milliseconds to wait for the relay page. Default 10,000. */
  readonly relayTimeoutMs?: number
}

/** Shows a workspace in a page. */
export interface Preview {
  /** `service-worker`: a relay page on another origin. `sandbox`: a frame without an origin. */
  readonly kind: 'service-worker' | 'sandbox'
  /**
   * Why the preview uses a frame without an origin although `relay` is set. Absent if the preview uses `relay`, or if `relay` is not set.
   */
  readonly fallbackReason?: string
  /** URL of the current page, as the page sees it. */
  readonly url: string
  /** The current frame in the container. The preview replaces a stopped frame, so do not store the element. */
  readonly frame: HTMLIFrameElement
  /**
   * Shows a page of the app, by a path such as `/about?tab=1`, or of an HTTP program, by an address such as `http://localhost:3000/`.
   *
   * @throws {TypeError} for any other address; {UnsupportedError} for an HTTP program without the option `servers`
   */
  open(path: string): Promise<void>
  /** Reloads the current page. Starts a stopped frame again. */
  reload(): Promise<void>
  /** Checks immediately for changed files, and reloads the page if files have changed. */
  refresh(): Promise<void>
  /** Returns the events after a cursor, oldest first. `after` defaults to 0, `limit` to 100. */
  read(options?: { readonly after?: number; readonly limit?: number }): PreviewEventPage
  /** Calls `listener` with each later event. Returns a function that removes the listener. */
  onEvent(listener: (event: PreviewEvent) => void): () => void
  /**
   * Reads the text and the outline of the page. When it resolves, the log has all earlier reports of the page. @throws {Error} if the page
   * does not answer within 5 seconds
   */
  snapshot(): Promise<PreviewSnapshot>
  /** Removes the frame. Does not dispose the bundler. */
  dispose(): void
}

/** Matches the address of an HTTP program, and captures the port and the path. */
const PROGRAM = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)(?=[/?#]|$)(.*)$/i
const HANG_MS = 5000
const RELAY_MS = 10_000
const SNAPSHOT_MS = 5000
/** Messages per second above which a frame counts as flooding. The client script sends at most a quarter of this. */
const MOST_MESSAGES = 2000
const MOST_REPORTS = 100

/**
 * Shows the app of a workspace in a frame of this page. The app is untrusted. Resolves when the frame begins to load.
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
  const relayed = address && (await createRelayWay(container, address, crypto.randomUUID(), relayTimeoutMs, events))
  const sandbox = { ...(grants && { grants }), ...(shell !== undefined && { shell: new URL(shell, document.baseURI).href }) }
  const way = typeof relayed === 'object' ? relayed : createSandboxWay(container, sandbox, events)
  const headers = { ...way.handler.headers, ...options.headers }
  const session = createSession(
    'createPreview',
    { ...options, headers, program: preview.program },
    { url: way.base, handler: { ...way.handler, mostBytes: MOST_BYTES }, isProgram: () => preview.isProgram },
  )
  await preview.start(way, session, path, typeof relayed === 'string' ? relayed : undefined)
  return preview
}

class PagePreview implements Preview {
  readonly events: WayEvents
  fallbackReason?: string
  readonly #workspace: Workspace
  #way!: Way
  #session!: PreviewSession
  #requests!: PageRequests
  #url = ''
  #port: MessagePort | undefined
  /** Aborts when the page of `#port` unloads. */
  #unloaded = new AbortController()
  #close: () => void = () => {}
  #second = { start: 0, count: 0 }
  #asked = 0
  #isDisposed = false
  #opening = 0
  /** Whether another page is about to replace the current page. Until then, `loaded` reports of the current page are ignored. */
  #isLeaving = false
  readonly #snapshots = new Map<number, (snapshot: PreviewSnapshot) => void>()
  readonly #servers: CreatePreviewOptions['servers']
  readonly #heartbeat: Heartbeat
  /** Port of the HTTP program to show; undefined for the workspace. */
  #programPort: number | undefined
  /** Port of the HTTP program whose page is in the frame. Remains the port of the previous program until the next page is ready. */
  #framePort: number | undefined
  #unwatch: (() => void) | undefined

  constructor(workspace: Workspace, hangMs: number, servers: CreatePreviewOptions['servers']) {
    this.#workspace = workspace
    this.#heartbeat = new Heartbeat(workspace.host, hangMs, () =>
      this.#stop('unresponsive', `The page did not answer for ${hangMs / 1000} seconds and was stopped. Reload it.`),
    )
    this.#servers = servers
    this.events = {
      onClient: (port) => this.#attach(port),
      onShow: () => {
        this.#framePort = this.#programPort
      },
      onLeft: () => this.#stop('left', 'The page left the preview and was stopped. Reload it.'),
      onRequest: (request, port) => this.#requests.answerRelayed(request, port),
      handle: (request) => this.#session.handle(request),
      record: (report) => this.#session.record(report),
    }
  }

  async start(way: Way, session: PreviewSession, path: string, reason: string | undefined): Promise<void> {
    this.#way = way
    this.#session = session
    this.#requests = new PageRequests(way.base, session, () => this.#programPort)
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
    const before = { program: this.#programPort, url: this.#url }
    const program = port === undefined ? undefined : Number(port)
    this.#programPort = program
    this.#url = url.href
    if (program !== before.program && before.url !== '') this.#leave()
    try {
      await this.#load()
    } catch (error) {
      if (this.#url === url.href && this.#programPort === program) {
        this.#url = before.url
        this.#programPort = before.program
      }
      throw error
    }
  }

  /** Cancels requests and loads of the previous app or program. */
  #leave(): void {
    // A frame without an origin keeps its page for now, but the requests of that page are rejected.
    if (this.kind === 'service-worker') this.#detach()
    this.#requests.cancelRelayed()
    this.#way.leave()
  }

  get isProgram(): boolean {
    return this.#programPort !== undefined
  }

  /**
   * The HTTP program to show. A request's URL contains the port of the program that was shown when the request arrived; 0 stands for the
   * workspace.
   */
  get program(): PreviewProgram {
    const port = () => this.#programPort ?? 0
    const servers = this.#servers
    return {
      get origin() {
        return `http://localhost:${port()}`
      },
      fetch: async (request) => (new URL(request.url).port === '0' ? undefined : servers?.fetch(request)),
    }
  }

  /** Reloads the page when its program listens again. */
  #watchServers(): void {
    let open: readonly number[] = this.#servers?.ports ?? []
    this.#unwatch = this.#servers?.onChange(() => {
      const before = open
      open = this.#servers?.ports ?? []
      const port = this.#programPort
      if (port === undefined || before.includes(port) || !open.includes(port)) return
      this.#session.record({ type: 'changed', update: 'page', paths: [] })
      void this.#load().catch(() => {})
    })
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
      await this.#heartbeat.waitAfterHang()
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
    this.#unwatch?.()
    this.#requests.cancelRelayed()
    this.#detach()
    this.#session.dispose()
    this.#way.dispose()
  }

  #attach(port: MessagePort): void {
    this.#detach()
    this.#isLeaving = this.#opening > 0
    this.#port = port
    this.#unloaded = new AbortController()
    const sender: PageSender = { program: this.#framePort, signal: this.#unloaded.signal, waiting: new Map() }
    port.onmessage = ({ data }) => {
      if (port === this.#port) this.#hear(data, port, sender)
    }
    this.#close = this.#session.open((command) => this.#send(command, port))
    // Send pending snapshot requests again, because the previous page can no longer answer them.
    for (const id of this.#snapshots.keys()) port.postMessage({ type: 'snapshot', id } satisfies ClientCommand)
    void this.#heartbeat.watch((id) => port.postMessage({ type: 'ping', id } satisfies ClientCommand))
  }

  #detach(): void {
    this.#heartbeat.stop()
    this.#unloaded.abort()
    this.#close()
    this.#close = () => {}
    this.#port?.close()
    this.#port = undefined
  }

  /**
   * Sends a command to the page. The document of a frame without an origin contains its files, so for a reload the preview replaces the
   * document instead.
   */
  #send(command: ClientCommand, port: MessagePort): void {
    this.#isLeaving ||= command.type === 'reload'
    if (command.type === 'reload' && this.kind === 'sandbox') this.#follow(this.#url)
    else port.postMessage(command)
  }

  /** Shows a page that no caller waits for. Logs a failure, because nobody could catch the error. */
  #follow(url: string, request?: Request): void {
    void this.#way.open(url, request).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      this.#session.record({ type: 'request_failed', method: request?.method ?? 'GET', url, reason })
    })
  }

  #hear(message: unknown, port: MessagePort, sender: PageSender): void {
    const now = performance.now()
    if (now - this.#second.start > 1000) this.#second = { start: now, count: 0 }
    // The first abort of each request does not count, because a page may abort all its waiting requests together.
    const isAbort = isRecord(message) && message.type === 'abort' && sender.waiting.get(Number(message.id))?.signal.aborted === false
    if (!isAbort && ++this.#second.count > MOST_MESSAGES) this.#stop('flood', 'The page sent too many messages and was stopped. Reload it.')
    if (port !== this.#port || !isRecord(message)) return
    const { type, id, reports, snapshot, url, request } = message
    if (type === 'reports' && Array.isArray(reports)) {
      for (const report of reports.slice(0, MOST_REPORTS)) this.#report(report, port)
    } else if (type === 'pong') this.#heartbeat.answered(Number(id))
    else if (type === 'bye') {
      this.#unloaded.abort()
      this.#way.goes()
    } else if (type === 'snapshot') this.#snapshots.get(id as number)?.(readSnapshot(snapshot))
    else if (type === 'reload' && sender.program === this.#programPort) this.#send({ type: 'reload' }, port)
    else if (type === 'open' && typeof url === 'string' && url.startsWith(this.#way.base)) {
      if (sender.program !== this.#programPort) return
      this.#url = url
      this.#follow(url, readRequest(request, this.#way.base))
    } else if (type === 'request' && typeof id === 'number') this.#requests.answerPosted({ ...message, id }, sender, port)
    else if (type === 'abort') sender.waiting.get(Number(id))?.abort()
  }

  #report(report: unknown, port: MessagePort): void {
    const isAddress = !this.#isLeaving && isRecord(report) && (report.type === 'loaded' || report.type === 'navigated')
    if (isAddress && typeof report.url === 'string' && report.url.startsWith(this.#way.base)) this.#url = report.url
    this.#session.report(report, ({ type }) => type !== 'loaded' || (port === this.#port && !this.#isLeaving))
  }

  #stop(reason: 'unresponsive' | 'flood' | 'left', notice: string): void {
    this.#detach()
    this.#requests.cancelRelayed()
    this.#way.stop(notice)
    this.#session.record({ type: 'stopped', reason })
  }
}
