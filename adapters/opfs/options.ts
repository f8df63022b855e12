import type { Files } from '../shared/first-files.js'
import type { LocksLike } from '../shared/web-lock.js'

export interface OpfsOptions {
  /** Which of this site's workspaces. Its directory is `toolport/` and this name, the unusual characters of which are escaped. */
  readonly name: string
  /** The first content: path (`src/a.ts` or `/src/a.ts`) -> text or bytes. Written when the workspace is opened and holds nothing. */
  readonly files?: Files
  /** Asks the browser, when the storage is opened, not to clear this site's data when it needs room. Some ask the user. Default `false`. */
  readonly persist?: boolean
  /** Milliseconds that the browser may take to answer when it is opened, before that is EIO; the next call tries again. `Infinity`: for ever. Default 15,000. */
  readonly openTimeoutMs?: number
  /**
   * Starts the worker. Default `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })`, which bundlers find; where yours
   * does not, a module worker of your own that calls `serveOpfs()`.
   */
  readonly worker?: () => Worker
  /**
   * Default `navigator.locks`, which only secure pages have (HTTPS or localhost). `none`: you answer for one user at a time; two would
   * destroy each other's work.
   */
  readonly locks?: LocksLike | 'none'
}
