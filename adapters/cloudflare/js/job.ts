import type { ShellSignal } from '../../../src/types/shell.js'
import type { Change } from '../../shared/js/changes.js'
import type { BaseJob, OutsideEvent } from '../../shared/js/job.js'
import type { EndReason } from '../../shared/js/run-program.js'
import type { SnapshotEntry } from '../../shared/js/snapshot.js'
import type { ModuleRow } from './code.js'

/** The start parameters of the guest, as plain data. */
export interface Job extends BaseJob {
  readonly entry: string
  readonly modules: Readonly<Record<string, ModuleRow>>
  readonly builtins: readonly string[]
  /** Maximum number of bytes that the program may write to files. */
  readonly fileBytes: number
  readonly grants: { readonly fs: 'none' | 'read' | 'write' }
  readonly fetch: boolean
  readonly invokeTool: boolean
}

/** How the program ended, as the guest reports it. */
export interface GuestEnd {
  readonly exitCode?: number
  readonly signal?: ShellSignal
  readonly stopped?: EndReason
  /** The default export as JSON. */
  readonly result?: string
}

/** If `goesOn` is set, the piece continues the content of the file in the previous piece. */
export type SnapshotPiece = SnapshotEntry & { readonly goesOn?: boolean }
export type ChangePiece = Change & { readonly goesOn?: boolean }

/** Functions that the guest can call by RPC. */
export interface HostSide {
  files(at: number): readonly SnapshotPiece[]
  output(pieces: readonly (readonly ['stdout' | 'stderr', string])[]): void
  /** Waits for events. Resolves to undefined after the program has ended. */
  next(): Promise<readonly OutsideEvent[] | undefined>
  ask(operation: string, input: unknown, bytes?: Uint8Array): Promise<Answered>
  change(changes: readonly ChangePiece[]): void
}

export interface Answered {
  readonly value?: unknown
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string }
}

/** The entrypoint of the guest (`guest/boot.js`), which the host calls. */
export interface GuestSide {
  run(host: HostSide, job: Job & { readonly directBuiltins: readonly string[]; readonly files?: FilePieces }): Promise<GuestEnd>
}

export interface FilePieces {
  readonly root: string
  readonly cut: boolean
  readonly pieces: number
}
