import type { BuildMessage, ConsoleLevel, PreviewSnapshot } from '../../types/preview.js'

/** A position in a script as the frame reports it: a URL, a line and a column, both from 1. */
export interface RawPlace {
  readonly url: string
  readonly line: number
  readonly column: number
}

/** Reports of the client script. The program can forge all of them. */
export type ClientReport =
  | { readonly type: 'loaded'; readonly url: string; readonly title: string }
  | { readonly type: 'navigated'; readonly url: string }
  | { readonly type: 'console'; readonly level: ConsoleLevel; readonly text: string; readonly stack: string }
  | {
      readonly type: 'error'
      readonly kind: 'uncaught' | 'rejection'
      readonly message: string
      readonly stack: string
      readonly place?: RawPlace
    }
  | { readonly type: 'request_failed'; readonly method: string; readonly url: string; readonly status?: number; readonly reason: string }
  | { readonly type: 'blocked'; readonly url: string; readonly directive: string }
  | { readonly type: 'dropped'; readonly count: number }

/** Commands to the client script. */
export type ClientCommand =
  | { readonly type: 'reload' }
  /** Reload the stylesheets at these paths of the site. */
  | { readonly type: 'styles'; readonly paths: readonly string[] }
  | { readonly type: 'errors'; readonly errors: readonly BuildMessage[] }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'snapshot'; readonly id: number }

/** Other messages of the client script, over its port. */
export type ClientMessage =
  | { readonly type: 'reports'; readonly reports: readonly ClientReport[] }
  | { readonly type: 'pong'; readonly id: number }
  | { readonly type: 'snapshot'; readonly id: number; readonly snapshot: PreviewSnapshot }
  /** The page unloads. */
  | { readonly type: 'bye' }
  /** Reload the page. Sent if the frame cannot do so itself. */
  | { readonly type: 'reload' }
  /** Open another page of the site, by a link or a form. Sent if the frame cannot do so itself. `request` is absent for a link. */
  | { readonly type: 'open'; readonly url: string; readonly request?: PlainRequest }
  /** Sends a request of the page. `as`: the file is for an element. `stream`: the page accepts server-sent events as a stream. */
  | {
      readonly type: 'request'
      readonly id: number
      readonly request: PlainRequest
      readonly as?: 'style' | 'script'
      readonly stream?: boolean
    }
  /** The page no longer waits for the answer to this request. */
  | { readonly type: 'abort'; readonly id: number }

/** A request that can be posted. */
export interface PlainRequest {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: ArrayBuffer
}

/** A response that can be posted. */
export interface PlainResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  /** The body as a stream only if the request accepts one. */
  readonly body: ArrayBuffer | ReadableStream<Uint8Array>
}

/** Settings of the client script. */
export interface ClientConfig {
  /** The path, or in a frame without an origin the URL, at which the site begins. */
  readonly base: string
  /** How the client script reaches the host: over a port that it sends to its parent (default), or by requests below `base`. */
  readonly over?: 'port' | 'http'
  /** Whether the page has no origin, so that files of the site come over the port as well. Default false. */
  readonly inlined?: boolean
}
