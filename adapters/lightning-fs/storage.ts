import { Fault, toFsError, type Where } from '../shared/fault.js'
import type { Files } from '../shared/node-like/files.js'
import { faultOf } from './database.js'
import { Reader } from './reader.js'
import { Session } from './session.js'
import type { Source, SourceOptions } from './source.js'

export type WhenBusy = 'refuse' | 'read-only'

/** Opens the database on first use, and reads whatever goes wrong. An opening that failed is tried again by the next call. */
export class Storage {
  readonly #options: () => SourceOptions
  readonly #whenBusy: WhenBusy
  #source: Source | undefined
  #opening: Promise<Source> | undefined
  #closing: Promise<void> | undefined

  /** @param options asked for when the storage is opened */
  constructor(options: () => SourceOptions, whenBusy: WhenBusy) {
    this.#options = options
    this.#whenBusy = whenBusy
  }

  get isReadOnly(): boolean {
    return this.#source?.isReadOnly ?? false
  }

  look<T>(where: Where, work: (files: Files) => Promise<T>): Promise<T> {
    return this.use(where, (source) => source.look(work))
  }

  change(where: Where, work: (files: Files) => Promise<void>, bytes = 0): Promise<void> {
    return this.use(where, (source) => source.change(work, bytes))
  }

  /** @throws {FsError} for whatever goes wrong */
  async use<T>(where: Where, work: (source: Source) => Promise<T>): Promise<T> {
    try {
      if (this.#closing) throw new Fault('EIO', 'the storage is closed')
      return await work(this.#source ?? (await this.#open()))
    } catch (cause) {
      throw toFsError(cause, where, faultOf)
    }
  }

  /** Where nothing was ever opened, nothing waits. */
  flush(): Promise<void> {
    if (!this.#closing && !this.#source && !this.#opening) return Promise.resolve()
    return this.use({ op: 'flush', path: '/' }, (source) => source.flush())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    try {
      await this.#source?.close()
    } catch (cause) {
      throw toFsError(cause, { op: 'close', path: '/' }, faultOf)
    }
  }

  #open(): Promise<Source> {
    this.#opening ??= this.#openSource()
    return this.#opening
  }

  async #openSource(): Promise<Source> {
    try {
      this.#source = await this.#openAs()
      return this.#source
    } finally {
      this.#opening = undefined
    }
  }

  async #openAs(): Promise<Source> {
    const options = this.#options()
    try {
      return await Session.open(options)
    } catch (cause) {
      if (this.#whenBusy !== 'read-only' || !(cause instanceof Fault) || cause.code !== 'EBUSY') throw cause
      return Reader.open(options)
    }
  }
}
