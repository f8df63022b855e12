import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallContext, ToolCall, ToolResult, ToolRuntime } from 'toolport'
import { HttpError, tooMany } from '../http/errors.js'
import { Place } from './place.js'

/** Value of `Retry-After` when only the end of another call makes room. */
const SOON_MS = 1000
/** Ids that the runtime and its MCP servers assign. A client's call must not use them. */
const GIVEN = /^(?:call_\d+|http_\d+|mcp\d+_\d+)$/

/** Tracks the calls of all clients of a workspace, limits how many run at once, and cancels them. */
export class RunningCalls {
  readonly #most: number
  /** Top-level calls only, without nested calls. */
  readonly #running = new Set<string>()
  readonly #stops = new Map<string, AbortController>()
  readonly #places = new Set<Place>()
  /** The place of the current request, because an MCP server does not say which request a call belongs to. */
  readonly #asking = new AsyncLocalStorage<Place>()
  #last = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Counts the calls of this runtime. */
  watch(runtime: ToolRuntime): void {
    runtime.on((event) => {
      if (event.type === 'call_start' && event.parentId === undefined) this.#begin(event.callId)
      if (event.type === 'call_end') this.#end(event.callId)
    })
  }

  get running(): number {
    return this.#running.size
  }

  /** Whether a call runs, or a request that may contain calls is being read. */
  get inUse(): boolean {
    return this.#places.size > 0
  }

  /** Reserves room for `count` calls before the body is read, because bodies take memory too. @throws {HttpError} too_many_requests */
  reserve(count = 1, session: string | null = null): Place {
    this.#checkRoom(count)
    const place = new Place(count, session, () => this.#places.delete(place))
    this.#places.add(place)
    return place
  }

  /** Whether a request of this MCP session is open, or one of its calls still runs after the client has disconnected. */
  worksFor(session: string): boolean {
    return [...this.#places].some((place) => place.session === session)
  }

  /** Adapts the place to the number of calls in the request's body. @throws {HttpError} too_many_requests */
  resize(place: Place, count: number): void {
    this.#checkRoom(count - place.taken)
    place.reserved = count
  }

  /** Runs `work`; the calls that `work` starts belong to the place. */
  within<T>(place: Place, work: () => T): T {
    return this.#asking.run(place, work)
  }

  /** Validates or assigns the id of a call. @throws {HttpError} invalid_call, id_in_use */
  idFor({ id }: ToolCall): string {
    if (id === undefined) return `http_${++this.#last}`
    if (GIVEN.test(id)) throw new HttpError(400, 'invalid_call', 'This id is one that the server gives to calls of its own: choose another')
    if (this.#running.has(id)) throw new HttpError(409, 'id_in_use', 'A call with this id is running: give each its own')
    return id
  }

  /** Runs the call. `stop` aborts the call, for the waiting client and for `cancel`. The place is released when the call has ended. */
  async run(
    runtime: ToolRuntime,
    call: ToolCall & { readonly id: string },
    place: Place,
    { stop, ...context }: Pick<CallContext, 'onProgress'> & { readonly stop: AbortController },
  ): Promise<ToolResult> {
    this.#stops.set(call.id, stop)
    try {
      return await this.within(place, () => runtime.execute(call, { ...context, signal: stop.signal }))
    } finally {
      this.#stops.delete(call.id)
      place.release()
    }
  }

  /** @throws {HttpError} unknown_call */
  cancel(id: string): void {
    const stop = this.#stops.get(id)
    if (!stop) throw new HttpError(404, 'unknown_call', 'No call with this id is running')
    stop.abort()
  }

  #begin(id: string): void {
    this.#running.add(id)
    const place = this.#asking.getStore()
    if (!place) return
    // The client may have disconnected before this call began.
    this.#places.add(place)
    place.began(id)
  }

  #end(id: string): void {
    if (!this.#running.delete(id)) return
    for (const place of this.#places) place.ended(id)
  }

  #checkRoom(count: number): void {
    const taken = [...this.#places].reduce((sum, place) => sum + place.taken, 0)
    if (taken + count > this.#most) throw tooMany(`At most ${this.#most} calls of a workspace run at once`, SOON_MS)
  }
}
