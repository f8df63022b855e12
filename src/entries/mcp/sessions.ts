import type { Host } from '../../types/host.js'
import { closingAfter } from './close-after-response.js'
import type { HttpServer } from './http-server.js'

interface Session {
  readonly served: HttpServer
  /** Responses that somebody still reads. */
  reading: number
  used: number
  /** Its client has come back after it had begun. */
  known: boolean
}

export interface SessionLimits {
  readonly max: number
  readonly idleMs: number
  readonly host: Host
}

/** The longest that timers can wait. */
const LONGEST_MS = 2 ** 31 - 1

/** The sessions of one handler. */
export class Sessions {
  /** In the order of their last use. */
  readonly #all = new Map<string, Session>()
  readonly #limits: SessionLimits
  /** Places of sessions that are about to begin. */
  #reserved = 0
  #watching: AbortController | undefined

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  /** Keeps a place for a session that begins; false where none can end for it. Sessions that nobody uses make room. */
  reserve(): boolean {
    this.#endIdle()
    while (this.#all.size + this.#reserved >= this.#limits.max) {
      const id = this.#leastNeeded()
      if (id === undefined) return false
      this.end(id)
    }
    this.#reserved++
    return true
  }

  release(): void {
    this.#reserved--
  }

  add(id: string, served: HttpServer): void {
    this.#all.set(id, { served, reading: 0, used: this.#limits.host.now(), known: false })
    void this.#watch()
  }

  /** The server of this session; it counts as used now. */
  use(id: string): HttpServer | undefined {
    const session = this.#all.get(id)
    if (!session) return undefined
    session.known = true
    this.#touch(id, session)
    return session.served
  }

  /** The same response; while somebody reads it, its session does not end by itself. */
  follow(id: string, response: Response): Response {
    const session = this.#all.get(id)
    if (!session) return response
    session.reading++
    return closingAfter(response, async () => {
      session.reading--
      if (this.#all.get(id) === session) this.#touch(id, session)
    })
  }

  end(id: string): void {
    const session = this.#all.get(id)
    this.#all.delete(id)
    if (this.#all.size === 0) this.#watching?.abort()
    // What goes wrong concerns nobody who asks.
    session?.served.close().catch(() => {})
  }

  /** Forgets them all: whoever closes the handler closes their servers. */
  clear(): void {
    this.#all.clear()
    this.#watching?.abort()
  }

  #touch(id: string, session: Session): void {
    session.used = this.#limits.host.now()
    this.#all.delete(id)
    this.#all.set(id, session)
  }

  #endIdle(): void {
    const now = this.#limits.host.now()
    for (const [id, session] of [...this.#all]) {
      if (isFree(session) && now - session.used >= this.#limits.idleMs) this.end(id)
    }
  }

  /** Ends who is idle, when it is, while there are sessions. */
  async #watch(): Promise<void> {
    if (this.#watching && !this.#watching.signal.aborted) return
    this.#watching = new AbortController()
    const { signal } = this.#watching
    while (!signal.aborted) {
      await this.#limits.host.sleep(this.#untilIdle(), signal, { background: true })
      if (!signal.aborted) this.#endIdle()
    }
  }

  /** Of the first that may be idle. Who is in use begins anew when it ends. */
  #untilIdle(): number {
    const { idleMs, host } = this.#limits
    const times = [...this.#all.values()].filter(isFree).map(({ used }) => used + idleMs - host.now())
    return Math.min(LONGEST_MS, Math.max(1, Math.min(idleMs, ...times)))
  }

  /**
   * Who has begun and never come back goes first: many of those must not drive out who works here. While others are about to begin only
   * those go: what begins at once would otherwise end all who work, before there is anything else to end.
   */
  #leastNeeded(): string | undefined {
    const free = [...this.#all].filter(([, session]) => isFree(session))
    const stranger = free.find(([, { known }]) => !known)
    return (this.#reserved > 0 ? stranger : (stranger ?? free[0]))?.[0]
  }
}

const isFree = ({ served, reading }: Session): boolean => reading === 0 && served.gate.open === 0
