import { closingAfter } from './closing-after.js'
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
  readonly now: () => number
}

/** The sessions of one handler. */
export class Sessions {
  /** In the order of their last use. */
  readonly #all = new Map<string, Session>()
  readonly #limits: SessionLimits
  /** Places of sessions that are about to begin. */
  #reserved = 0

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
    this.#all.set(id, { served, reading: 0, used: this.#limits.now(), known: false })
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
    // What goes wrong concerns nobody who asks.
    session?.served.close().catch(() => {})
  }

  #touch(id: string, session: Session): void {
    session.used = this.#limits.now()
    this.#all.delete(id)
    this.#all.set(id, session)
  }

  #endIdle(): void {
    const { idleMs, now } = this.#limits
    for (const [id, session] of [...this.#all]) {
      if (isFree(session) && now() - session.used > idleMs) this.end(id)
    }
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
