import { createMemoryFs } from '../../../adapters/memory/index.js'
import type { FsAdapter } from '../../types/fs.js'
import type { Host } from '../../types/host.js'
import type { Workspace, WorkspaceOptions } from '../../types/workspace.js'
import { createWorkspace } from '../../workspace/create-workspace.js'
import type { Fault, Faults } from './faults/plan.js'
import { withFaults } from './faults/with-faults.js'
import { createTestHost, type TestHost, type TestHostOptions } from './test-host.js'

/** Options of `createTestWorkspace`. */
export interface TestWorkspaceOptions extends TestHostOptions, Omit<WorkspaceOptions, 'fs' | 'host'> {
  /** Maps paths relative to the root to contents. Missing directories are created. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Faults to inject into the storage, as for `withFaults`. */
  readonly faults?: Fault | readonly Fault[] | Faults
}

/** An in-memory workspace with its storage and its deterministic host. */
export interface TestWorkspace {
  readonly workspace: Workspace
  readonly fs: FsAdapter
  readonly host: TestHost
  /** The initial files, as passed. */
  readonly start: Readonly<Record<string, string | Uint8Array>>
  /** The record of the injected faults, if the option `faults` was passed. */
  readonly faults?: Faults
  /**
   * Returns every file by its path relative to the root: UTF-8 content as text, other content as bytes. Injected faults hit this call too,
   * until you call `faults.stop()`.
   */
  files(): Promise<Record<string, string | Uint8Array>>
}

/** Creates an in-memory workspace below `/workspace` on a deterministic host: the same calls return the same bytes in every run. */
export const createTestWorkspace = ({ now, seed, ...options }: TestWorkspaceOptions = {}): TestWorkspace =>
  workspaceOn(createTestHost({ now, seed }), options)

export function workspaceOn<Clock extends Host>(
  host: Clock,
  { files = {}, faults, ...options }: Omit<TestWorkspaceOptions, keyof TestHostOptions>,
): Omit<TestWorkspace, 'host'> & { readonly host: Clock } {
  const storage = createMemoryFs({ files, now: () => host.now() })
  const faulty = faults && withFaults(storage, faults)
  const fs = faulty ?? storage
  const workspace = createWorkspace({ root: '/workspace', ...options, fs, host })
  return { workspace, fs, host, start: { ...files }, files: () => workspace.files(), ...(faulty && { faults: faulty.faults }) }
}
