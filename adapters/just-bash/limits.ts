/** Limits of one call of the virtual shell. */
export interface JustBashLimits {
  /** Commands that one call may run, and turns that one loop may take; default 10,000,000. */
  readonly commands?: number
  /** Bytes that the commands of one call may print, including to files; default 64 MiB. */
  readonly outputBytes?: number
}

const MIB = 1024 * 1024
const DATA = 12_000_000
/** The maximum of a timer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1
/** Delay of the library's own deadline, a fallback that loses output. */
const BACKUP_MS = 1000
/**
 * Time for an ended command (`timeout`) to return. The library's default of 100 ms equals a program's grace period, and would end the
 * script.
 */
const CLEANUP_MS = 2000

/** Converts the limits of a call for the library. Limits of data allow work on several megabytes; others keep the library's defaults. */
export function executionLimits(limits: JustBashLimits, timeoutMs: number | undefined): Record<string, number> {
  const commands = limits.commands ?? 10_000_000
  return {
    maxCommandCount: commands,
    maxLoopIterations: commands,
    maxWorkUnits: 1_000_000_000,
    // Lines, records, fields or elements: enough for 10 MB of line breaks.
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
