import { createMemoryFs } from '../../../adapters/memory/index.js'
import type { FsAdapter } from '../../types/fs.js'
import type { Workspace, WorkspaceOptions } from '../../types/workspace.js'
import { createWorkspace } from '../../workspace/create-workspace.js'
import type { Fault, Faults } from './faults/plan.js'
import { withFaults } from './faults/with-faults.js'
import { createTestHost, type TestHost, type TestHostOptions } from './test-host.js'

export interface TestWorkspaceOptions extends TestHostOptions, Omit<WorkspaceOptions, 'fs' | 'host'> {
  /** Path relative to the root -> content. Missing directories are made. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** What goes wrong in the storage, as for `withFaults`. */
  readonly faults?: Fault | readonly Fault[] | Faults
}

export interface TestWorkspace {
  readonly workspace: Workspace
  readonly fs: FsAdapter
  readonly host: TestHost
  /** The files that it began with, as they were passed. */
  readonly start: Readonly<Record<string, string | Uint8Array>>
  /** Of the option `faults`. */
  readonly faults?: Faults
  /** Every file by its path relative to the root: text where it is UTF-8, else bytes. Faults hit this as well, until `faults.stop()`. */
  files(): Promise<Record<string, string | Uint8Array>>
}

/** An in-memory workspace below `/workspace` on a deterministic host: the same calls give the same bytes in every run. */
export function createTestWorkspace({ files = {}, now, seed, faults, ...options }: TestWorkspaceOptions = {}): TestWorkspace {
  const host = createTestHost({ now, seed })
  const storage = createMemoryFs({ files, now: () => host.now() })
  const faulty = faults && withFaults(storage, faults)
  const fs = faulty ?? storage
  const workspace = createWorkspace({ root: '/workspace', ...options, fs, host })
  return { workspace, fs, host, start: { ...files }, files: () => workspace.files(), ...(faulty && { faults: faulty.faults }) }
}
