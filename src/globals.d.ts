// Declares the part of the web platform that `src` may use: standard in Node, browsers and workerd. Any other global is a type error in
// `src`. In the emitted declarations these names resolve to the consumer's own types (lib DOM, lib WebWorker, @types/node or
// workers-types).
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
declare var AbortSignal: { abort(reason?: unknown): AbortSignal; any(signals: AbortSignal[]): AbortSignal }
interface AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
declare var AbortController: new () => AbortController
interface TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number }
}
declare var TextEncoder: new () => TextEncoder
interface TextDecoder {
  decode(input?: Uint8Array, options?: { stream?: boolean }): string
}
declare var TextDecoder: new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) => TextDecoder
interface ReadableStream<R> {
  getReader(): { read(): Promise<{ done: boolean; value?: R }>; cancel(reason?: unknown): Promise<void>; releaseLock(): void }
}
declare var ReadableStream: new <R>(
  source: {
    pull?(controller: { enqueue(chunk: R): void; close(): void }): Promise<void>
    cancel?(reason?: unknown): Promise<void>
  },
  strategy?: { highWaterMark?: number },
) => ReadableStream<R>
interface WritableStream<W> {
  getWriter(): { write(chunk: W): Promise<void>; close(): Promise<void>; abort(reason?: unknown): Promise<void> }
}
declare var WritableStream: new <W>(sink: {
  write?(chunk: W): Promise<void>
  close?(): Promise<void>
  abort?(reason?: unknown): Promise<void>
}) => WritableStream<W>
interface CompressionStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
}
declare var CompressionStream: new (format: 'gzip') => CompressionStream
declare var DecompressionStream: new (format: 'gzip') => CompressionStream
declare var crypto: { readonly subtle?: { digest(algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer> } }
declare function atob(data: string): string
declare function btoa(data: string): string
interface Headers extends Iterable<[string, string]> {
  get(name: string): string | null
}
interface Request {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  readonly signal: AbortSignal
}
interface Response {
  readonly status: number
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  text(): Promise<string>
}
declare var Response: new (body?: string | null, init?: { status?: number; headers?: Readonly<Record<string, string>> }) => Response
