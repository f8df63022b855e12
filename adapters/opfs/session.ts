import { Fault, toFsError, type Where } from '../shared/fault.js'
import { Connection, type ConnectionOptions } from './connection.js'
import { faultOf } from './faults.js'
import type { OpfsOptions } from './options.js'
import { checkPage, startOwnWorker } from './support.js'

type CheckedOptions = OpfsOptions & Pick<ConnectionOptions, 'openTimeoutMs'>

/** One storage of the page: opened with the first call, and anew with the next one as long as that fails. */
export class Session {
  readonly #options: CheckedOptions
  readonly #atOpening: () => Promise<unknown>
  readonly #underWay = new Set<Promise<unknown>>()
  #connection: Promise<Connection> | undefined
  #closing: Promise<void> | undefined

  /** @param atOpening asked once it is open, and waited for */
  constructor(options: CheckedOptions, atOpening: () => Promise<unknown>) {
    this.#options = options
    this.#atOpening = atOpening
  }

  /** @throws {FsError} for whatever goes wrong */
  async call(where: Where, method: string, args: readonly unknown[], transfer: Transferable[] = []): Promise<unknown> {
    const call = this.#open().then((connection) => connection.call(method, args, transfer))
    this.#underWay.add(call)
    try {
      return await call
    } catch (cause) {
      throw toFsError(cause, where, (other) => faultOf(other, method))
    } finally {
      this.#underWay.delete(call)
    }
  }

  /** With bytes, which it copies before anything is awaited. */
  async send(where: Where, method: string, bytes: Uint8Array, args: readonly unknown[]): Promise<void> {
    const own = new Uint8Array(bytes)
    await this.call(where, method, [where.path, own, ...args], [own.buffer])
  }

  async #open(): Promise<Connection> {
    if (this.#closing) throw new Fault('EIO', 'the storage is closed')
    if (!this.#connection) {
      const opening = this.#connect()
      this.#connection = opening
      opening.catch(() => {
        if (this.#connection === opening) this.#connection = undefined
      })
    }
    return this.#connection
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(connectionOptions(this.#options))
    await this.#atOpening()
    return connection
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    const connection = await this.#connection?.catch(() => undefined)
    await connection?.close()
  }
}

/** The page is asked when the storage is opened, not before: making the adapter must work everywhere. */
function connectionOptions({ name, files = {}, openTimeoutMs, worker, locks }: CheckedOptions): ConnectionOptions {
  const page = checkPage()
  const held = locks ?? page.locks
  if (!held) throw new Fault('ENOTSUP', 'there are no Web Locks here: serve the page from HTTPS or localhost, or pass "locks"')
  if (!worker) page.checkWorker()
  return { name, files, openTimeoutMs, worker: worker ?? startOwnWorker, locks: held === 'none' ? undefined : held }
}
