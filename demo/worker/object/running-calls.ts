import type { CallContext, ToolCall, ToolResult, ToolRuntime } from 'toolport'
import { HttpError, tooMany } from '../http/errors.js'

/** How soon a client may try again where only the end of another call makes room. */
const SOON_MS = 1000

/** The calls of a workspace, of all its clients: how many run, and what stops them. */
export class RunningCalls {
  readonly #runtime: ToolRuntime
  readonly #most: number
  /** Those that no other call has made. */
  readonly #running = new Set<string>()
  readonly #stops = new Map<string, AbortController>()
  #last = 0

  constructor(runtime: ToolRuntime, most: number) {
    this.#runtime = runtime
    this.#most = most
    runtime.on((event) => {
      if (event.type === 'call_start' && event.parentId === undefined) this.#running.add(event.callId)
      if (event.type === 'call_end') this.#running.delete(event.callId)
    })
  }

  get running(): number {
    return this.#running.size
  }

  /** @throws {HttpError} too_many_requests, where `count` more would be too many */
  checkRoom(count = 1): void {
    if (this.#running.size + count > this.#most) throw tooMany(`At most ${this.#most} calls of a workspace run at once`, SOON_MS)
  }

  /** The id of a call that is about to run. @throws {HttpError} id_in_use */
  idFor(call: ToolCall): string {
    const id = call.id ?? `http_${++this.#last}`
    if (this.#running.has(id)) throw new HttpError(409, 'id_in_use', 'A call with this id is running: give each its own')
    return id
  }

  /** `stop` ends it: for who waits for it, and for `cancel`. */
  async run(
    call: ToolCall & { readonly id: string },
    stop: AbortController,
    context: Pick<CallContext, 'onProgress'> = {},
  ): Promise<ToolResult> {
    this.#stops.set(call.id, stop)
    try {
      return await this.#runtime.execute(call, { ...context, signal: stop.signal })
    } finally {
      this.#stops.delete(call.id)
    }
  }

  /** @throws {HttpError} unknown_call */
  cancel(id: string): void {
    const stop = this.#stops.get(id)
    if (!stop) throw new HttpError(404, 'unknown_call', 'No call with this id is running')
    stop.abort()
  }
}
