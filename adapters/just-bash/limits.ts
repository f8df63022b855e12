/** Limits of one call of the virtual shell. */
export interface JustBashLimits {
  /** Commands that one call may run, and turns that one loop may take; default 10,000,000. */
  readonly commands?: number
  /** What the commands of one call may print, to files as well; default 64 MiB. */
  readonly outputBytes?: number
}

const MIB = 1024 * 1024
const DATA = 12_000_000
/** The longest time that a timer can be set to. */
const NO_TIMEOUT_MS = 2 ** 31 - 1
/** The library's own deadline loses output: it is to come only when ours has failed. */
const BACKUP_MS = 1000
/** For a command that was ended (`timeout`) to come back. The library's 100 ms are those of a program's grace, and would end the script. */
const CLEANUP_MS = 2000

/** The limits of a call as the library has them. Those of data are for work on some megabytes, the rest is as the library has it. */
export function executionLimits(limits: JustBashLimits, timeoutMs: number | undefined): Record<string, number> {
  const commands = limits.commands ?? 10_000_000
  return {
    maxCommandCount: commands,
    maxLoopIterations: commands,
    maxWorkUnits: 1_000_000_000,
    // Lines, records, fields, elements: some of 10 MB, which may be all line breaks.
    maxAwkIterations: DATA,
    maxSedIterations: DATA,
    maxJqIterations: DATA,
    maxArrayElements: DATA,
    maxQueryElements: DATA,
    maxCsvRows: DATA,
    maxCsvCells: DATA,
    maxBraceExpansionResults: 1_000_000,
    // Counted over the whole script: characters that `${x%y}` looks at, replacements, names of globs.
    maxGlobOperations: 1_000_000_000,
    maxOutputSize: limits.outputBytes ?? 64 * MIB,
    maxStringLength: 64 * MIB,
    maxHeredocSize: 64 * MIB,
    maxExtensionCleanupTimeMs: CLEANUP_MS,
    maxExecutionTimeMs: Math.min(NO_TIMEOUT_MS, Math.max(0, timeoutMs || NO_TIMEOUT_MS) + BACKUP_MS),
  }
}
