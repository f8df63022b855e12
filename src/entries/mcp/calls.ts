import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { RuntimeEvent } from '../../types/runtime.js'
import type { RetriedApproval } from './retried-approval.js'

/** The client's request that started a call: its signal, and functions to reach the client. */
export type Asked = RequestHandlerExtra<ServerRequest, ServerNotification>

/**
 * Number of servers so far. Call ids contain a server's number, because several servers may share a runtime, and call ids must be unique.
 */
let servers = 0

/** The client that made a call. */
export interface Caller {
  readonly asked: Asked
  /** Whether the client can ask its user. */
  readonly canAsk: boolean
  /** The approvals of a call in the protocol version 2026-07-28. */
  readonly retried: RetriedApproval | undefined
}

/**
 * The callers of all servers by call id, because the policy of a runtime knows only the call id. Contains only calls by clients, whose ids
 * are unique in this process; nested calls of two runtimes may have the same id.
 */
const callers = new Map<string, Caller>()

export const callerOf = (callId: string): Caller | undefined => callers.get(callId)

/** The running calls of one client, including nested calls. */
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

  /** Runs a call under a unique id. */
  async run<T>(asked: Asked, call: (id: string) => Promise<T>, retried?: RetriedApproval): Promise<T> {
    const id = `${this.#prefix}${++this.#last}`
    this.#asked.set(id, asked)
    callers.set(id, { asked, canAsk: this.#canAsk(), retried })
    this.#running++
    try {
      return await call(id)
    } finally {
      this.end(id)
      callers.delete(id)
      if (--this.#running === 0) for (const tell of this.#onIdle.splice(0)) tell()
    }
  }

  /** Resolves when no call is running. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve()
    return new Promise((resolve) => this.#onIdle.push(resolve))
  }

  /** Returns the request that started a call; undefined for calls of other clients. */
  of(id: string): Asked | undefined {
    return this.#asked.get(id)
  }

  end(id: string): void {
    this.#asked.delete(id)
  }

  /** Assigns nested calls to the request of their parent. */
  follow(event: RuntimeEvent): void {
    const parent = event.type === 'call_start' && event.parentId !== undefined ? this.of(event.parentId) : undefined
    if (parent) this.#asked.set(event.callId, parent)
  }
}

/** Sends a notification without waiting. Errors are ignored, because the client may have disconnected. */
export function notify(sent: Promise<void>): void {
  sent.catch(() => {})
}
