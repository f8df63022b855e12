import type { ShellSignal } from '../../../src/types/shell.js'
import type { Change } from '../../shared/js/changes.js'
import type { BaseJob, OutsideEvent } from '../../shared/js/job.js'
import type { EndReason } from '../../shared/js/run-program.js'
import type { SnapshotEntry } from '../../shared/js/snapshot.js'
import type { ModuleRow } from './code.js'

/** What the guest is started with. Plain data. */
export interface Job extends BaseJob {
  readonly entry: string
  readonly modules: Readonly<Record<string, ModuleRow>>
  readonly builtins: readonly string[]
  /** Of all that it writes. */
  readonly fileBytes: number
  readonly grants: { readonly fs: 'none' | 'read' | 'write' }
  readonly fetch: boolean
  readonly invokeTool: boolean
}

/** How the guest says that a program ended. */
export interface GuestEnd {
  readonly exitCode?: number
  readonly signal?: ShellSignal
  readonly stopped?: EndReason
  /** JSON of the default export. */
  readonly result?: string
}

/** A file whose content takes more than one call goes on in the next piece. */
export type SnapshotPiece = SnapshotEntry & { readonly goesOn?: boolean }
export type ChangePiece = Change & { readonly goesOn?: boolean }

/** What the guest can call. Functions cross as they are: each call of one comes back here. */
export interface HostSide {
  files(at: number): readonly SnapshotPiece[]
  output(pieces: readonly (readonly ['stdout' | 'stderr', string])[]): void
  /** Waits for something to happen; undefined: nothing will any more. */
  next(): Promise<readonly OutsideEvent[] | undefined>
  ask(operation: string, input: unknown, bytes?: Uint8Array): Promise<Answered>
  change(changes: readonly ChangePiece[]): void
}

export interface Answered {
  readonly value?: unknown
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string }
}

/** The entrypoint of the guest (`guest/boot.js`). */
export interface GuestSide {
  run(host: HostSide, job: Job & { readonly directBuiltins: readonly string[]; readonly files?: FilePieces }): Promise<GuestEnd>
}

export interface FilePieces {
  readonly root: string
  readonly cut: boolean
  readonly pieces: number
}
