import { Fault, nameOf } from './fault.js'

/** `navigator.locks`, as far as it is used. */
export interface LocksLike {
  request(name: string, options: { readonly ifAvailable: true }, hold: (lock: unknown) => unknown): Promise<unknown>
}

/** Resolves when the next one can have the lock. */
export type Release = () => Promise<void>

/**
 * Takes the lock of this name at once or not at all. The browser frees it when the page goes away, however that happens.
 *
 * @param onLost called when another page takes the lock by force
 * @throws {Fault} EBUSY: somebody has it. ENOTSUP: this page may have no locks
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
