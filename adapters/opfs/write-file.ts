import { noRoom, patiently } from './faults.js'
import type { FileHandle, SyncAccess } from './handles.js'

export interface Sink {
  write(bytes: Uint8Array): Promise<void>
}

export type Fill = (sink: Sink) => Promise<void>

/** Fills a new file. If the browser supports it, waits until the content is on disk. */
export async function fillNew(file: FileHandle, fill: Fill): Promise<void> {
  if (!hasSyncAccess()) return swap(file, fill)
  const access = await patiently(() => file.createSyncAccessHandle())
  try {
    let at = 0
    // Await all calls, because the first browsers with this API had asynchronous methods.
    await fill({
      write: async (bytes) => {
        await writeAll(access, bytes, at)
        at += bytes.length
      },
    })
    await access.flush()
  } finally {
    await access.close()
  }
}

/**
 * Writes bytes. Compares with `!==` instead of `<`: at the quota, Chromium does not throw an error, but returns its error number as an
 * unsigned 32-bit value.
 */
export async function writeAll(access: SyncAccess, bytes: Uint8Array, at: number): Promise<void> {
  if ((await access.write(bytes, { at })) !== bytes.length) throw noRoom()
}

/**
 * Replaces the content of a file as a whole: readers see the old content until `close`. With `keptBytes`, keeps that many bytes at the
 * start.
 */
export async function swap(file: FileHandle, fill: Fill, keptBytes?: number): Promise<void> {
  const writable = await patiently(() => file.createWritable({ keepExistingData: keptBytes !== undefined }))
  try {
    if (keptBytes !== undefined) await writable.seek(keptBytes)
    await fill({ write: (bytes) => writable.write(bytes) })
    await writable.close()
  } catch (cause) {
    await writable.abort().catch(() => undefined)
    throw cause
  }
}

export const writeWhole = (file: FileHandle, bytes: Uint8Array): Promise<void> => fillNew(file, (sink) => sink.write(bytes))

export const fileText = async (file: FileHandle): Promise<string> => patiently(async () => (await file.getFile()).text())

/**
 * Returns whether file handles have a method. Looks at the prototype, because a trial would leave an empty file in browsers without the
 * method.
 */
const has = (method: string): boolean => {
  const prototype: unknown = (globalThis as { readonly FileSystemFileHandle?: { readonly prototype: unknown } }).FileSystemFileHandle
    ?.prototype
  return typeof prototype === 'object' && prototype !== null && method in prototype
}
export const hasSyncAccess = (): boolean => has('createSyncAccessHandle')
export const hasSwap = (): boolean => has('createWritable')
export const hasMove = (): boolean => has('move')
