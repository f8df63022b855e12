import { noRoom, patiently } from './faults.js'
import type { FileHandle, SyncAccess } from './handles.js'

export interface Sink {
  write(bytes: Uint8Array): Promise<void>
}

export type Fill = (sink: Sink) => Promise<void>

/** Fills a new file, and waits for the disk where a browser can. */
export async function fillNew(file: FileHandle, fill: Fill): Promise<void> {
  if (!hasSyncAccess()) return swap(file, fill)
  const access = await patiently(() => file.createSyncAccessHandle())
  try {
    let at = 0
    // Awaited throughout: in the first browsers that had them these were promises.
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
 * Not "fewer than asked": where the quota ends, Chromium neither throws nor says how many it wrote. It gives its error number, as one of
 * 32 bits without a sign.
 */
export async function writeAll(access: SyncAccess, bytes: Uint8Array, at: number): Promise<void> {
  if ((await access.write(bytes, { at })) !== bytes.length) throw noRoom()
}

/** What is read of it is as it was until the last step, and new afterwards. */
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

/** Asked of the prototype: making a file to find out leaves an empty one where a browser cannot. */
const has = (method: string): boolean => {
  const prototype: unknown = (globalThis as { readonly FileSystemFileHandle?: { readonly prototype: unknown } }).FileSystemFileHandle
    ?.prototype
  return typeof prototype === 'object' && prototype !== null && method in prototype
}
export const hasSyncAccess = (): boolean => has('createSyncAccessHandle')
export const hasSwap = (): boolean => has('createWritable')
export const hasMove = (): boolean => has('move')
