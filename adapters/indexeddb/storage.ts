import { Change } from './change.js'
import { Connection, type ConnectionOptions } from './connection.js'
import { Fault, toFsError, type Where } from './faults.js'

interface Look {
  readonly kind: 'look'
  run(connection: Connection): void
  fail(cause: unknown): void
}

interface Write {
  readonly kind: 'write'
  /** Bytes that it holds in memory. */
  readonly weight: number
  apply(change: Change): void
  done(): void
  fail(cause: unknown): void
}

/** One transaction takes so many calls, and so many bytes, at the most. */
const BATCH_CALLS = 1000
const BATCH_BYTES = 16 * 1024 * 1024

/**
 * The calls, in the order they came. Those that wait to change something go into one transaction together, and each is done when that is
 * complete; a call that only looks waits for it, so that nobody sees what may be rolled back.
 */
export class Storage {
  readonly #options: () => ConnectionOptions
  readonly #queue: (Look | Write)[] = []
  #connection: Connection | undefined
  #working: Promise<void> | undefined
  #closing: Promise<void> | undefined

  /** @param options asked for when the storage is opened */
  constructor(options: () => ConnectionOptions) {
    this.#options = options
  }

  /** @throws {FsError} for whatever it throws */
  async look<T>(where: Where, work: (connection: Connection) => T | Promise<T>): Promise<T> {
    try {
      if (this.#connection && !this.#working) return await work(this.#usable(this.#connection))
      return await new Promise<T>((resolve, fail) => {
        const run = (connection: Connection): void => {
          try {
            resolve(work(connection))
          } catch (cause) {
            fail(cause)
          }
        }
        this.#enqueue({ kind: 'look', run, fail })
      })
    } catch (cause) {
      throw toFsError(cause, where)
    }
  }

  /** @throws {FsError} for whatever it throws, and for a transaction that failed: then it has changed nothing */
  async change(where: Where, apply: (change: Change) => void, weight = 0): Promise<void> {
    try {
      await new Promise<void>((done, fail) => this.#enqueue({ kind: 'write', weight, apply, done, fail }))
    } catch (cause) {
      throw toFsError(cause, where)
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#working
    try {
      if (!this.#connection?.lost) await this.#connection?.sync()
    } catch (cause) {
      throw toFsError(cause, { op: 'close', path: '/' })
    } finally {
      await this.#connection?.close()
      this.#connection = undefined
    }
  }

  #enqueue(call: Look | Write): void {
    if (this.#closing) throw new Fault('EIO', 'the storage is closed')
    this.#queue.push(call)
    this.#working ??= this.#work()
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    try {
      // First of all: what is called in the same breath comes into the same transaction, and `#working` is set before it can be over.
      await undefined
      this.#connection ??= await Connection.open(this.#options())
      while (this.#queue.length > 0) await this.#next(this.#usable(this.#connection))
    } catch (cause) {
      for (const call of this.#queue.splice(0)) call.fail(cause)
    } finally {
      this.#working = undefined
    }
  }

  #usable(connection: Connection): Connection {
    if (this.#closing && !this.#working) throw new Fault('EIO', 'the storage is closed')
    if (connection.lost) throw connection.lost
    return connection
  }

  #next(connection: Connection): Promise<void> | undefined {
    let looks = 0
    while (this.#queue[looks]?.kind === 'look') looks++
    if (looks > 0) {
      for (const call of this.#queue.splice(0, looks)) if (call.kind === 'look') call.run(connection)
      return undefined
    }
    const batch: Write[] = []
    let weight = 0
    for (const call of this.#queue) {
      if (call.kind === 'look' || batch.length === BATCH_CALLS || weight >= BATCH_BYTES) break
      batch.push(call)
      weight += call.weight
    }
    this.#queue.splice(0, batch.length)
    return commit(connection, batch)
  }
}

async function commit(connection: Connection, batch: readonly Write[]): Promise<void> {
  const changes: Change[] = []
  const settle: (() => void)[] = []
  for (const call of batch) {
    const change = new Change(connection.tree)
    try {
      call.apply(change)
      if (!change.isEmpty) changes.push(change)
      settle.push(call.done)
    } catch (cause) {
      change.undo()
      settle.push(() => call.fail(cause))
    }
  }
  try {
    if (changes.length > 0) await connection.store(changes)
  } catch (cause) {
    for (const change of changes.reverse()) change.undo()
    // One that does not fit must not take the others with it.
    if (batch.length > 1) for (const call of batch) await commit(connection, [call])
    else for (const call of batch) call.fail(cause)
    return
  }
  for (const each of settle) each()
}
