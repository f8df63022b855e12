import { named } from './inline-modules.js'
import { inlineCss } from './inline-page.js'
import { postable, readRequest, sizeOf } from './plain.js'
import type { PlainResponse } from './protocol.js'
import { createBodyReader, MOST_BYTES, readFile, TooLargeError, textOf } from './read-body.js'
import { createRequestQueue } from './request-queue.js'
import { problem } from './respond.js'
import { SANDBOX_BASE } from './sandbox-way.js'
import type { PreviewSession } from './session.js'

/** The page that sends a request. */
export interface Sender {
  /** Port of the HTTP program that the page belongs to; undefined for the workspace. */
  readonly program: number | undefined
  /** Aborts when the page no longer waits for the answer. */
  readonly signal: AbortSignal
}

/** A page that sends requests over a port of its own. */
export interface PageSender extends Sender {
  /** The controllers that abort requests, by the ids that the page gave the requests. */
  readonly waiting: Map<number, AbortController>
}

/** The form in which the page wants the answer. The values are not validated yet, and pages are untrusted. */
interface Form {
  /** `style` or `script`: the file is for an element in a frame without an origin, with the files that it refers to inlined. */
  readonly as?: unknown
  /** Whether the page accepts a stream as the response body. */
  readonly stream?: unknown
}

/** Maximum number of running and of waiting requests. */
const LIMITS = { running: 32, waiting: 2000 }
const MOST_STREAMS = 32
const MOST = `${MOST_BYTES / 1024 / 1024} MiB`

/** Answers the requests that pages post. Pages are untrusted. */
export class PageRequests {
  readonly #base: string
  readonly #session: Pick<PreviewSession, 'handle' | 'record'>
  readonly #program: () => number | undefined
  readonly #queue = createRequestQueue(LIMITS)
  #streams = 0
  /** Total bytes of the running and waiting requests. */
  #bytes = 0
  /** Cancels the requests that came through a service worker. */
  #relayed = new AbortController()

  /** `program` returns the port of the HTTP program to show; undefined for the workspace. */
  constructor(base: string, session: Pick<PreviewSession, 'handle' | 'record'>, program: () => number | undefined) {
    this.#base = base
    this.#session = session
    this.#program = program
  }

  /** Posts the answer to `port`, unless the page aborts the request. */
  answerPosted(
    { id, request, as, stream }: Form & { readonly id: number; readonly request?: unknown },
    sender: PageSender,
    port: MessagePort,
  ): void {
    const aborted = new AbortController()
    sender.waiting.set(id, aborted)
    const signal = AbortSignal.any([aborted.signal, sender.signal])
    void this.answer(request, { ...sender, signal }, { as, stream }).then((response) => {
      sender.waiting.delete(id)
      if (!signal.aborted) port.postMessage({ type: 'response', id, response }, [response.body])
    })
  }

  /** Posts the answer to `port`. A message from `port` cancels the request. */
  answerRelayed(value: unknown, port: MessagePort): void {
    const cancelled = new AbortController()
    port.onmessage = () => cancelled.abort()
    const signal = AbortSignal.any([cancelled.signal, this.#relayed.signal])
    void this.answer(value, { program: this.#program(), signal }, { stream: true }).then((response) => {
      port.postMessage(response, [response.body])
      port.close()
    })
  }

  cancelRelayed(): void {
    this.#relayed.abort()
    this.#relayed = new AbortController()
  }

  /** Answers the request in `value`. Never rejects. Keeps no other part of `value` in memory. */
  answer(value: unknown, sender: Sender, form: Form): Promise<PlainResponse> {
    const request = readRequest(value, this.#base, sender.signal)
    return request ? this.#bounded(request, sizeOf(value, request), sender, form) : Promise.resolve(empty(400))
  }

  async #bounded(request: Request, bytes: number, sender: Sender, form: Form): Promise<PlainResponse> {
    const { method, url } = request
    const refuse = (status: number, why: string) => postable(problem(request, status, why, []), url)
    if (bytes > MOST_BYTES) {
      const reason = `Cannot send the request: it is larger than ${MOST}. Send less at once.`
      this.#session.record({ type: 'request_failed', method, url, status: 413, reason })
      return refuse(413, reason)
    }
    if (this.#bytes + bytes > MOST_BYTES)
      return refuse(503, `Cannot answer: the requests that run or wait are larger than ${MOST} together. Send fewer at once.`)
    this.#bytes += bytes
    try {
      const response = await this.#queue.run(() => this.#respond(request, sender, form), sender.signal)
      return response ?? (await refuse(503, `Cannot answer: ${LIMITS.waiting} other requests wait. Send fewer at once.`))
    } catch (error) {
      if (!(error instanceof TooLargeError)) return empty(502)
      this.#session.record({ type: 'request_failed', method, url, status: 413, reason: error.message })
      return refuse(413, error.message)
    } finally {
      this.#bytes -= bytes
    }
  }

  async #respond(request: Request, sender: Sender, { as, stream }: Form): Promise<PlainResponse> {
    const { signal } = sender
    const response = await this.#handle(request, sender)
    if (stream === true && isEventStream(response) && canPostStreams()) return this.#stream(response, request, signal)
    if (!response.ok || this.#base !== SANDBOX_BASE || (as !== 'style' && as !== 'script')) return postable(response, request.url, signal)
    const read = createBodyReader(signal)
    const text = textOf(await readFile(response, request.url, read))
    const load = async (url: string) => readFile(await this.#handle(new Request(url, { signal }), sender), url, read)
    const inlining = { base: SANDBOX_BASE, policy: '', load, onMissing: () => {} }
    const own = as === 'style' ? await inlineCss(text, request.url, inlining) : named(text, request.url)
    return postable(new Response(own, { headers: response.headers }), request.url, signal)
  }

  /** Streams the response, so that the page can read it while the HTTP program writes it. */
  async #stream({ status, headers, body }: Response, request: Request, signal: AbortSignal): Promise<PlainResponse> {
    if (this.#streams >= MOST_STREAMS) {
      void body?.cancel().catch(() => {})
      const full = `${MOST_STREAMS} event streams are open. Close one of them, and send the request again.`
      return postable(unavailable(request, full), request.url)
    }
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    this.#streams++
    const ended = body?.pipeTo(writable, { signal }) ?? writable.close()
    void ended.catch(() => {}).finally(() => this.#streams--)
    return { status, headers: [...headers], body: readable }
  }

  /**
   * Handles a request. Answers requests of a page that `open` is replacing with an error, because they are not meant for the next program.
   */
  async #handle(request: Request, { program, signal }: Sender): Promise<Response> {
    signal.throwIfAborted()
    if (program === this.#program()) return this.#session.handle(request)
    return unavailable(request, 'the preview replaces this page by another program. Send the request from the new page.')
  }
}

const empty = (status: number): PlainResponse => ({ status, headers: [], body: new ArrayBuffer(0) })

const unavailable = (request: Request, why: string): Response => problem(request, 503, `Cannot load "${request.url}": ${why}`, [])

const isEventStream = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/event-stream') ?? false

/** Whether the browser can transfer streams. If not, the page gets a streamed response only when it is complete. */
function canPostStreams(): boolean {
  const stream = new ReadableStream()
  try {
    structuredClone(stream, { transfer: [stream] })
    return true
  } catch {
    return false
  }
}
