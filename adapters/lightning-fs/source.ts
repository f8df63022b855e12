import type { FsUsage } from '../../src/types/fs.js'
import type { Fault } from '../shared/fault.js'
import type { Files } from '../shared/node-like/files.js'
import type { LocksLike } from '../shared/web-lock.js'
import type { OpeningOptions } from './database.js'
import type { LightningFsClass } from './library.js'

export interface SourceOptions extends OpeningOptions {
  /** The locks that ensure a single user. Undefined if the host itself ensures this. */
  readonly locks: LocksLike | undefined
  readonly now: (() => number) | undefined
  readonly load: () => Promise<LightningFsClass>
  readonly onWarning: (message: string) => void
}

/** An open database, either writable or read-only. */
export interface Source {
  readonly isReadOnly: boolean
  /** The reason why the database can no longer be used, or undefined while it can be used. */
  readonly lost: Fault | undefined
  look<T>(work: (files: Files) => Promise<T>): Promise<T>
  /** @param bytes number of bytes that the change adds */
  change(work: (files: Files) => Promise<void>, bytes: number): Promise<void>
  usage(): Promise<FsUsage>
  flush(): Promise<void>
  close(): Promise<void>
}
