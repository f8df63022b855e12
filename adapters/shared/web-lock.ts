import { Fault, nameOf } from './fault.js'

/** The part of `navigator.locks` that Toolport uses. */
export interface LocksLike {
  request(name: string, options: { readonly ifAvailable: true }, hold: (lock: unknown) => unknown): Promise<unknown>
}

/** Releases the lock. Resolves when someone else can take it. */
export type Release = () => Promise<void>

/**
 * Takes the lock. Rejects at once if the lock is held. The browser frees the lock when the page ends, even after a crash.
 *
 * @param onLost called when another page takes the lock by force, and also when the request for the lock fails
 * @throws {Fault} EBUSY if the lock is held; ENOTSUP if this page may not use locks
 */
export function takeLock(locks: LocksLike, name: string, onLost: () => void): Promise<Release> {
  return new Promise((resolve, reject) => {
    const request = locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) {
        reject(new Fault('EBUSY', 'it is open already, in another tab or in this one'))
        return undefined
      }
      return new Promise<void>((free) => {
        resolve(async () => {
          free()
          await request.catch(() => undefined)
        })
      })
    })
    request.catch((cause: unknown) => {
      reject(nameOf(cause) === 'SecurityError' ? new Fault('ENOTSUP', 'this page may not use Web Locks', cause) : cause)
      onLost()
    })
  })
}
