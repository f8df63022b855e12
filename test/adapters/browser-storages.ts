import { expect, onTestFinished } from 'vitest'

/** The common methods of the browser's storages. */
interface Closable {
  open(): Promise<void>
  close(): Promise<void>
}

/**
 * Creates storages by name. At the end of the test that created the first storage of a name, all of that name are closed and deleted.
 *
 * @param drop deletes the data that is stored under the name
 */
export function byName<Options extends { readonly name: string }, Storage extends Closable>(
  newName: () => string,
  create: (options: Partial<Options> & { readonly name: string }) => Storage,
  drop: (name: string) => Promise<unknown>,
): (options?: Partial<Options>) => Storage {
  const open = new Map<string, Storage[]>()
  const end = async (name: string): Promise<void> => {
    await Promise.all((open.get(name) ?? []).map((fs) => fs.close().catch(() => undefined)))
    open.delete(name)
    await drop(name)
  }
  return (options = {}) => {
    const name = options.name ?? newName()
    const fs = create({ ...options, name })
    const others = open.get(name)
    if (others) others.push(fs)
    else {
      open.set(name, [fs])
      onTestFinished(() => end(name))
    }
    return fs
  }
}

/** Retries until the lock is free, because the browser releases a lock some time after its page is gone. */
export async function whenFree<Storage extends Closable>(create: () => Storage): Promise<Storage> {
  for (;;) {
    const fs = create()
    try {
      await fs.open()
      return fs
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('EBUSY')) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Bytes whose period does not divide a part's size, so that swapped or shifted parts are noticed. */
export function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = (i * 7 + (i >> 8)) % 251
  return bytes
}

/** Faster than the deep equality of a test framework. */
export const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i])

export const refusal = (code: string, text: string): Error =>
  expect.objectContaining({ name: 'FsError', code, message: expect.stringContaining(text) })
