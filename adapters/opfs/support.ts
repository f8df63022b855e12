import { Fault } from '../shared/fault.js'
import type { LocksLike } from '../shared/web-lock.js'

/** What is looked for; any of it may be missing. */
interface Page {
  readonly isSecureContext?: boolean
  readonly Worker?: unknown
  readonly navigator?: { readonly locks?: LocksLike; readonly storage?: { readonly getDirectory?: unknown } }
  readonly FileSystemFileHandle?: { readonly prototype: object }
}

const page = (): Page => globalThis as unknown as Page

/** @throws {Fault} ENOTSUP that says what is missing */
export function checkPage(): { readonly locks: LocksLike | undefined; checkWorker(): void } {
  const { isSecureContext, navigator, FileSystemFileHandle } = page()
  if (isSecureContext === false) {
    throw new Fault('ENOTSUP', 'browsers have the origin private file system on secure pages only: serve it from HTTPS or localhost')
  }
  if (!FileSystemFileHandle || typeof navigator?.storage?.getDirectory !== 'function') {
    throw new Fault('ENOTSUP', 'there is no origin private file system here. It is in browsers only, and not in every private window')
  }
  return { locks: navigator.locks, checkWorker }
}

function checkWorker(): void {
  if (typeof page().Worker !== 'function') throw new Fault('ENOTSUP', 'no dedicated worker can be started here: open it in a page')
}

/** Files can be moved. Asked of the prototype, and never by making one. */
export function canMove(): boolean {
  const prototype = page().FileSystemFileHandle?.prototype
  return prototype !== undefined && 'move' in prototype
}

// In these words bundlers find it.
export const startOwnWorker = (): Worker => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
