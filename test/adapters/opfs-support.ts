import { createOpfs, type OpfsFs, type OpfsOptions } from 'toolport/adapters/opfs'
import { expect } from 'vitest'
import { byName } from './browser-storages.js'

export { isSame, pattern, refusal, utf8 } from './browser-storages.js'

export const newName = (): string => `test-${crypto.randomUUID()}`

/** Closed, and its files removed, at the end of the test. */
export const opfs: (options?: Partial<OpfsOptions>) => OpfsFs = byName(newName, createOpfs, drop)

/** A new tree for each case of the contract, and its removal. */
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

/** The names in these tests are stored as they are. */
export async function drop(name: string): Promise<void> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('toolport', { create: true })
  // A worker that was ended lets go of its files in its own time.
  await expect
    .poll(() =>
      folder.removeEntry(name, { recursive: true }).catch((error: DOMException) => (error.name === 'NotFoundError' ? undefined : error)),
    )
    .toBeUndefined()
}

/** `files` or `system` of a workspace, for looking into it while no adapter has it open. */
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
  /** The name of the exception. */
  readonly error: string
  /** Calls that go well before; default 0. */
  readonly after?: number
  /** Calls that fail; default all others. */
  readonly times?: number
  /** Half of the bytes are written, and nothing is thrown. */
  readonly partly?: boolean
  /** They never end, instead of failing. */
  readonly hangs?: boolean
  /** Calls with this in one of their names only. */
  readonly on?: string
}

export interface WorkerTricks {
  /** Methods that the browser is made to lack. */
  readonly without?: readonly ('move' | 'createSyncAccessHandle' | 'createWritable')[]
  readonly fail?: readonly Failure[]
}

/** The adapter's worker, in a browser that is made to differ. It can be told `break`, `heal` and `close`. */
export const oddWorker =
  (tricks: WorkerTricks): (() => Worker) =>
  () =>
    new Worker(new URL('./opfs-odd-worker.ts', import.meta.url), { type: 'module', name: JSON.stringify(tricks) })
