import type { ShellSignal } from '../../../src/types/shell.js'
import type { EndReason, FirstInput } from './run-program.js'
import type { ServerEvent } from './serving.js'

/** The start parameters that every guest needs. Plain data. */
export interface BaseJob {
  readonly cwd: string
  readonly root: string
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: FirstInput
  /** The host's time in milliseconds since the epoch, and a random seed of four 32-bit words. */
  readonly now: number
  readonly seed: readonly number[]
  readonly memoryBytes: number
}

/** An event that a running program receives from the host. */
export type OutsideEvent =
  | { readonly input: string | null }
  | { readonly server: ServerEvent }
  | { readonly signal: ShellSignal }
  | { readonly stop: EndReason }
