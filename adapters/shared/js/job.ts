import type { ShellSignal } from '../../../src/types/shell.js'
import type { EndReason, FirstInput } from './run-program.js'
import type { ServerEvent } from './serving.js'

/** Start parameters of every guest. Plain data. */
export interface BaseJob {
  readonly cwd: string
  readonly root: string
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: FirstInput
  /** The host's time in ms since the epoch, and a random seed of four 32-bit words. */
  readonly now: number
  readonly seed: readonly number[]
  readonly memoryBytes: number
}

/** Events from outside while a program runs. */
export type OutsideEvent =
  | { readonly input: string | null }
  | { readonly server: ServerEvent }
  | { readonly signal: ShellSignal }
  | { readonly stop: EndReason }
