import type { Files } from '../shared/first-files.js'
import type { LocksLike } from '../shared/web-lock.js'

/** Options of `createOpfs`. */
export interface OpfsOptions {
  /** Name of the workspace in this site. The workspace's directory is `toolport/NAME`, with unusual characters escaped. */
  readonly name: string
  /**
   * The initial files: maps paths (`src/a.ts` or `/src/a.ts`) to text or bytes. The files are written when the storage opens and is empty.
   */
  readonly files?: Files
  /** Whether to ask the browser, when the storage opens, not to clear this site's data. Some browsers ask the user. Default: `false`. */
  readonly persist?: boolean
  /**
   * Maximum milliseconds to wait for the browser to open the storage. After that, the call fails with EIO, and the next call tries again.
   * `Infinity` waits forever. Default: 15,000.
   */
  readonly openTimeoutMs?: number
  /**
   * Starts the worker. Default: `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })`, which most bundlers support. For
   * other bundlers, return a module worker of your own that calls `serveOpfs()`.
   */
  readonly worker?: () => Worker
  /**
   * The locks that ensure a single user. Default: `navigator.locks`, which only secure pages have (HTTPS or localhost). With `none`, you
   * must ensure a single user at a time yourself: two users would corrupt each other's data.
   */
  readonly locks?: LocksLike | 'none'
}
