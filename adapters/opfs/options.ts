import type { Files } from '../shared/first-files.js'
import type { LocksLike } from '../shared/web-lock.js'

/** Options of `createOpfs`. */
export interface OpfsOptions {
  /** The name of the workspace in this site. Its directory is `toolport/` and this name, with unusual characters escaped. */
  readonly name: string
  /** The initial files: maps paths (`src/a.ts` or `/src/a.ts`) to text or bytes. The storage writes them when it opens empty. */
  readonly files?: Files
  /** Asks the browser, when the storage opens, not to clear this site's data. Some browsers ask the user. Default `false`. */
  readonly persist?: boolean
  /**
   * Milliseconds for the browser to open the storage; then the call fails with EIO, and the next call tries again. `Infinity`: no timeout.
   * Default 15,000.
   */
  readonly openTimeoutMs?: number
  /**
   * Starts the worker. Default `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })`, which most bundlers support. For
   * other bundlers pass a module worker of your own that calls `serveOpfs()`.
   */
  readonly worker?: () => Worker
  /**
   * Default `navigator.locks`, which only secure pages have (HTTPS or localhost). With `none` you must ensure a single user at a time; two
   * users would corrupt each other's data.
   */
  readonly locks?: LocksLike | 'none'
}
