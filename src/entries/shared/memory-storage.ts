import { createMemoryFs, type MemoryFsOptions } from '../../../adapters/memory/index.js'
import type { FsAdapter } from '../../types/fs.js'
import type { Host } from '../../types/host.js'
import type { Quotas } from '../../types/workspace.js'

const MIB = 1024 * 1024

/** Default quotas of an in-memory workspace. */
export const memoryQuotas: Quotas = { bytes: 256 * MIB, files: 100_000 }

/** Creates an in-memory storage. Its times come from the host, if there is one. */
export function memoryStorage(files: MemoryFsOptions['files'], host: Host | undefined): FsAdapter {
  return createMemoryFs({ files, ...(host && { now: () => host.now() }) })
}
