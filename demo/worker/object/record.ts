import type { WorkspaceStart } from '../env.js'
import type { Settings } from '../settings.js'

const KEY = 'workspace'
/** The last use is saved at most this many times per time to live, so that not every request costs a write. */
const USES_IN_TTL = 20

/** What an object stores about its workspace, besides the files. */
export interface WorkspaceRecord {
  /** SHA-256 of the token. */
  readonly digest: ArrayBuffer
  readonly createdMs: number
  readonly usedMs: number
  readonly ttlMs: number
}

/** The workspace record in the object's own storage. An object without a record is not a workspace. Looking for a record writes nothing. */
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

  /** When the workspace will be deleted, unless someone uses it before. */
  expiresMs({ usedMs, createdMs, ttlMs }: WorkspaceRecord): number {
    return Math.min(usedMs + ttlMs, createdMs + this.#maxAgeMs)
  }

  create({ digest, ttlMs }: WorkspaceStart): WorkspaceRecord {
    const now = Date.now()
    return this.#put({ digest, createdMs: now, usedMs: now, ttlMs })
  }

  /** Records a use of the workspace. Does nothing after `forget()`. */
  touch(): void {
    const record = this.#record
    const now = Date.now()
    if (!record) return
    if (now - record.usedMs >= record.ttlMs / USES_IN_TTL) this.#put({ ...record, usedMs: now })
  }

  /** Forgets the record in memory; the object deletes the storage. */
  forget(): void {
    this.#record = undefined
  }

  #put(record: WorkspaceRecord): WorkspaceRecord {
    this.#record = record
    this.#kv.put(KEY, record)
    return record
  }
}
