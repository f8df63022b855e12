import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { RuntimeEvent } from '../../types/runtime.js'

/** What a request brings with it: its signal, and the way back to the one who asked. */
export type Asked = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Several servers may share a runtime: the ids of their calls have to differ. */
let servers = 0

/** The client behind a call. */
export interface Caller {
  readonly asked: Asked
  /** It can ask its person. */
  readonly canAsk: boolean
}

/**
 * Of all servers: a runtime's policy knows the id of a call and nothing of servers. Only calls of clients, whose ids are unique in this
 * process. Two runtimes may give the calls within calls the same id.
 */
const callers = new Map<string, Caller>()

export const callerOf = (callId: string): Caller | undefined => callers.get(callId)

/** The calls that one client has running, and those that they have made. */
export class Calls {
  readonly #canAsk: () => boolean
  readonly #prefix = `mcp${++servers}_`
  readonly #asked = new Map<string, Asked>()
  #last = 0
  #running = 0
  #onIdle: (() => void)[] = []

  constructor(canAsk: () => boolean) {
    this.#canAsk = canAsk
  }

  /** Runs a call under an id of its own. */
  async run<T>(asked: Asked, call: (id: string) => Promise<T>): Promise<T> {
    const id = `${this.#prefix}${++this.#last}`
    this.#asked.set(id, asked)
    callers.set(id, { asked, canAsk: this.#canAsk() })
    this.#running++
    try {
      return await call(id)
    } finally {
      this.end(id)
      callers.delete(id)
      if (--this.#running === 0) for (const tell of this.#onIdle.splice(0)) tell()
    }
  }

  /** Resolves when none runs any more. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve()
    return new Promise((resolve) => this.#onIdle.push(resolve))
  }

  /** Whose call it is; undefined for calls of others. */
  of(id: string): Asked | undefined {
    return this.#asked.get(id)
  }

  end(id: string): void {
    this.#asked.delete(id)
  }

  /** Adds the calls that tools make to those they belong to. */
  follow(event: RuntimeEvent): void {
    const parent = event.type === 'call_start' && event.parentId !== undefined ? this.of(event.parentId) : undefined
    if (parent) this.#asked.set(event.callId, parent)
  }
}

/** Sends what nobody waits for: a client that is gone meanwhile misses nothing. */
export function notify(sent: Promise<void>): void {
  sent.catch(() => {})
}
