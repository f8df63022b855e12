import type { WorkspaceStart } from '../env.js'
import type { Settings } from '../settings.js'

const KEY = 'workspace'
/** Uses are written down once in this part of the time to live: a request need not cost a write. */
const USES_IN_TTL = 20

/** What an object keeps of its workspace besides the files. */
export interface WorkspaceRecord {
  /** SHA-256 of the token. */
  readonly digest: ArrayBuffer
  readonly createdMs: number
  readonly usedMs: number
  readonly ttlMs: number
}

/** The record in the object's own storage. An object without one is no workspace, and looking for it stores nothing. */
export class RecordStore {
  readonly #kv: SyncKvStorage
  readonly #maxAgeMs: number
  #record: WorkspaceRecord | undefined

  constructor(storage: DurableObjectStorage, { MAX_AGE_MS }: Settings) {
    this.#kv = storage.kv
    this.#maxAgeMs = MAX_AGE_MS
    this.#record = this.#kv.get<WorkspaceRecord>(KEY)
  }

  get current(): WorkspaceRecord | undefined {
    return this.#record
  }

  /** When it is deleted, unless it is used before. */
  expiresMs({ usedMs, createdMs, ttlMs }: WorkspaceRecord): number {
    return Math.min(usedMs + ttlMs, createdMs + this.#maxAgeMs)
  }

  create({ digest, ttlMs }: WorkspaceStart): WorkspaceRecord {
    const now = Date.now()
    return this.#put({ digest, createdMs: now, usedMs: now, ttlMs })
  }

  /** It is used now; where it was forgotten meanwhile it stays so. */
  touch(): void {
    const record = this.#record
    const now = Date.now()
    if (!record) return
    if (now - record.usedMs >= record.ttlMs / USES_IN_TTL) this.#put({ ...record, usedMs: now })
  }

  /** The storage itself is for the object to delete. */
  forget(): void {
    this.#record = undefined
  }

  #put(record: WorkspaceRecord): WorkspaceRecord {
    this.#record = record
    this.#kv.put(KEY, record)
    return record
  }
}
