/** Limit of buffered events, bytes. */
const MOST_WAITING = 1024 * 1024

/**
 * Server-sent events for one reader. `send` never blocks: a reader that is too slow misses events and then receives a `dropped` event with
 * their number. The buffer is bounded. `onLeave` is called when the reader disconnects before the end.
 */
export class EventStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly #encoder = new TextEncoder()
  readonly #heartbeat: ReturnType<typeof setInterval>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #dropped = 0

  constructor(heartbeatMs: number, onLeave: () => void) {
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#tellDropped(),
        cancel: () => {
          this.#end()
          onLeave()
        },
      },
      { highWaterMark: MOST_WAITING, size: (chunk) => chunk?.length ?? 0 },
    )
    this.#heartbeat = setInterval(() => this.#hasRoom() && this.#put(': still here\n\n'), heartbeatMs)
  }

  /** Sends an event, or drops the event if the buffer is full. */
  send(event: string, data: unknown): void {
    if (this.#hasRoom()) this.#put(textOf(event, data))
    else this.#dropped++
  }

  /** Sends the last event and closes the stream. This event is never dropped. */
  end(event: string, data: unknown): void {
    this.#tellDropped()
    this.#put(textOf(event, data))
    this.#controller?.close()
    this.#end()
  }

  #hasRoom(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  #tellDropped(): void {
    const events = this.#dropped
    this.#dropped = 0
    if (events > 0) this.#put(textOf('dropped', { events }))
  }

  #put(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text))
  }

  #end(): void {
    clearInterval(this.#heartbeat)
    this.#controller = undefined
  }
}

const textOf = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
