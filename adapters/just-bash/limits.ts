/** Limits of one call of the virtual shell. */
export interface JustBashLimits {
  /** Maximum number of commands of one call, and maximum number of iterations of one loop. Default: 10,000,000. */
  readonly commands?: number
  /** Maximum number of bytes that the commands of one call print, including to files. Default: 64 MiB. */
  readonly outputBytes?: number
}

const MIB = 1024 * 1024
const DATA = 12_000_000
/** The longest delay of a timer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1
/** The library's own timeout fires this many milliseconds after the timeout of the call. It is only a fallback, because it loses output. */
const BACKUP_MS = 1000
/**
 * How many milliseconds a command such as `timeout` has to return after it was ended. The library's default of 100 equals the grace period
 * of a program, so it would end the script.
 */
const CLEANUP_MS = 2000

/**
 * Converts the limits of a call to the library's limits. Limits of data are raised, so that scripts can work on several megabytes. All
 * other limits keep their defaults.
 */
export function executionLimits(limits: JustBashLimits, timeoutMs: number | undefined): Record<string, number> {
  const commands = limits.commands ?? 10_000_000
  return {
    maxCommandCount: commands,
    maxLoopIterations: commands,
    maxWorkUnits: 1_000_000_000,
    // These limits count lines, records, fields or elements. 12 million suffice for 10 MB of line breaks.
    maxAwkIterations: DATA,
    maxSedIterations: DATA,
    maxJqIterations: DATA,
    maxArrayElements: DATA,
    maxQueryElements: DATA,
    maxCsvRows: DATA,
    maxCsvCells: DATA,
    maxBraceExpansionResults: 1_000_000,
    // Counted over the whole script: characters examined by `${x%y}`, replacements, and glob names.
    maxGlobOperations: 1_000_000_000,
    maxOutputSize: limits.outputBytes ?? 64 * MIB,
    maxStringLength: 64 * MIB,
    maxHeredocSize: 64 * MIB,
    maxExtensionCleanupTimeMs: CLEANUP_MS,
    maxExecutionTimeMs: Math.min(NO_TIMEOUT_MS, Math.max(0, timeoutMs || NO_TIMEOUT_MS) + BACKUP_MS),
  }
}
