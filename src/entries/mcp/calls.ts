import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { RuntimeEvent } from '../../types/runtime.js'

/** What a request brings with it: its signal, and the way back to the one who asked. */
export type Asked = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Several servers may share a runtime: the ids of their calls have to differ. */
let servers = 0

/** The calls that one client has running, and those that they have made. */
export class Calls {
  readonly #prefix = `mcp${++servers}_`
  readonly #running = new Map<string, Asked>()
  #last = 0

  /** The id of a call that begins. */
  begin(asked: Asked): string {
    const id = `${this.#prefix}${++this.#last}`
    this.#running.set(id, asked)
    return id
  }

  end(id: string): void {
    this.#running.delete(id)
  }

  /** Whose call it is; undefined for calls of others. */
  of(id: string): Asked | undefined {
    return this.#running.get(id)
  }

  /** Adds the calls that tools make to those they belong to. */
  follow(event: RuntimeEvent): void {
    const parent = event.type === 'call_start' && event.parentId !== undefined ? this.of(event.parentId) : undefined
    if (parent) this.#running.set(event.callId, parent)
  }
}

/** Sends what nobody waits for: a client that is gone meanwhile misses nothing. */
export function notify(sent: Promise<void>): void {
  sent.catch(() => {})
}
