export interface JustBashLimits {
  /** Commands that one call may run, and turns that one loop may take; default 10,000,000. */
  readonly commands?: number
  /** What the commands of one call may print, to files as well; default 64 MiB. */
  readonly outputBytes?: number
}

const MIB = 1024 * 1024
/** The longest time that a timer can be set to. */
const NO_TIMEOUT_MS = 2 ** 31 - 1
/** The library's own deadline loses output: it is to come only when ours has failed. */
const BACKUP_MS = 1000

/** The limits of a call as the library has them. Those of data are for work on some megabytes, the rest is as the library has it. */
export function executionLimits(limits: JustBashLimits, timeoutMs: number | undefined): Record<string, number> {
  const commands = limits.commands ?? 10_000_000
  return {
    maxCommandCount: commands,
    maxLoopIterations: commands,
    maxWorkUnits: 1_000_000_000,
    maxAwkIterations: 1_000_000,
    maxSedIterations: 1_000_000,
    maxJqIterations: 1_000_000,
    maxOutputSize: limits.outputBytes ?? 64 * MIB,
    maxStringLength: 16 * MIB,
    maxExecutionTimeMs: Math.min(NO_TIMEOUT_MS, Math.max(0, timeoutMs || NO_TIMEOUT_MS) + BACKUP_MS),
  }
}
