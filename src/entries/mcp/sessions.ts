import type { Host } from '../../types/host.js'
import { closingAfter } from './close-after-response.js'
import type { HttpServer } from './http-server.js'

interface Session {
  readonly served: HttpServer
  /** Number of open responses. */
  reading: number
  used: number
  /** Whether the client has sent another request after it started the session. */
  known: boolean
}

export interface SessionLimits {
  readonly max: number
  readonly idleMs: number
  readonly host: Host
}

/** Maximum delay of a timer in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/** The sessions of one handler. */
export class Sessions {
  /** The sessions by id, in the order of their last use. */
  readonly #all = new Map<string, Session>()
  readonly #limits: SessionLimits
  /** Number of places reserved for sessions that are starting. */
  #reserved = 0
  #watching: AbortController | undefined

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  /** Reserves a place for a new session and ends an idle session if necessary. Returns false if no session can end. */
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

  /** Returns the server of a session, and marks the session as used. */
  use(id: string): HttpServer | undefined {
    const session = this.#all.get(id)
    if (!session) return undefined
    session.known = true
    this.#touch(id, session)
    return session.served
  }

  /** Wraps a response. While its body is open, the session does not end by itself. */
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
    // Ignore errors of closing, because they do not concern the client of the current request.
    session?.served.close().catch(() => {})
  }

  /** Forgets all sessions. The handler closes their servers. */
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

  /** Ends idle sessions at their timeout, while there are sessions. */
  async #watch(): Promise<void> {
    if (this.#watching && !this.#watching.signal.aborted) return
    this.#watching = new AbortController()
    const { signal } = this.#watching
    while (!signal.aborted) {
      await this.#limits.host.sleep(this.#untilIdle(), signal, { background: true })
      if (!signal.aborted) this.#endIdle()
    }
  }

  /** Milliseconds until the next idle session may reach its timeout. The idle time of a session in use starts when the use ends. */
  #untilIdle(): number {
    const { idleMs, host } = this.#limits
    const times = [...this.#all.values()].filter(isFree).map(({ used }) => used + idleMs - host.now())
    return Math.min(LONGEST_MS, Math.max(1, Math.min(idleMs, ...times)))
  }

  /**
   * Returns the id of the session to end first: one whose client never sent a second request, so that many such clients cannot displace
   * active ones. While other sessions are starting, only such a session can end, because simultaneous starts could otherwise end all active
   * sessions.
   */
  #leastNeeded(): string | undefined {
    const free = [...this.#all].filter(([, session]) => isFree(session))
    const stranger = free.find(([, { known }]) => !known)
    return (this.#reserved > 0 ? stranger : (stranger ?? free[0]))?.[0]
  }
}

const isFree = ({ served, reading }: Session): boolean => reading === 0 && served.gate.open === 0
