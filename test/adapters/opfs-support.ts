import { createOpfs, type OpfsFs, type OpfsOptions } from 'toolport/adapters/opfs'
import { expect } from 'vitest'
import { byName } from './browser-storages.js'

export { isSame, pattern, refusal, utf8 } from './browser-storages.js'

export const newName = (): string => `test-${crypto.randomUUID()}`

/** A storage that is closed, and its files deleted, at the end of the test. */
export const opfs: (options?: Partial<OpfsOptions>) => OpfsFs = byName(newName, createOpfs, drop)

/** Creates a new tree for each case of the contract, and deletes it afterwards. */
export function contractSetup(options: Partial<OpfsOptions> = {}): { create: () => OpfsFs; dispose: (fs: OpfsFs) => Promise<void> } {
  const names = new Map<OpfsFs, string>()
  return {
    create: () => {
      const name = newName()
      const fs = createOpfs({ ...options, name })
      names.set(fs, name)
      return fs
    },
    dispose: async (fs) => {
      await fs.close()
      await drop(names.get(fs) ?? '')
    },
  }
}

/** Deletes a storage. The names in these tests are stored without escaping. */
export async function drop(name: string): Promise<void> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('toolport', { create: true })
  // A terminated worker releases its files a while later.
  await expect
    .poll(() =>
      folder.removeEntry(name, { recursive: true }).catch((error: DOMException) => (error.name === 'NotFoundError' ? undefined : error)),
    )
    .toBeUndefined()
}

/** A directory of the raw storage, while no adapter has it open. */
export async function inside(name: string, part: 'files' | 'system'): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  const own = await (await root.getDirectoryHandle('toolport')).getDirectoryHandle(name)
  return own.getDirectoryHandle(part)
}

export async function namesIn(dir: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = []
  for await (const name of dir.keys()) names.push(name)
  return names.sort()
}

export interface Failure {
  readonly method: 'move' | 'createSyncAccessHandle' | 'createWritable' | 'getFile' | 'getDirectory' | 'removeEntry' | 'write' | 'truncate'
  /** Name of the exception. */
  readonly error: string
  /** Number of calls that succeed first. Default: 0. */
  readonly after?: number
  /** Number of calls that fail after these. Default: all. */
  readonly times?: number
  /** Half of the bytes are written, and nothing is thrown. */
  readonly partly?: boolean
  /** Calls never settle, instead of failing. */
  readonly hangs?: boolean
  /** Only calls with this text in one of their names fail. */
  readonly on?: string
}

export interface WorkerTricks {
  /** Methods that the browser lacks. */
  readonly without?: readonly ('move' | 'createSyncAccessHandle' | 'createWritable')[]
  readonly fail?: readonly Failure[]
}

/** The adapter's worker in a simulated odd browser. Accepts the messages `break`, `heal` and `close`. */
export const oddWorker =
  (tricks: WorkerTricks): (() => Worker) =>
  () =>
    new Worker(new URL('./opfs-odd-worker.ts', import.meta.url), { type: 'module', name: JSON.stringify(tricks) })
