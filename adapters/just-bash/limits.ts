/** Limits of one call of the virtual shell. */
export interface JustBashLimits {
  /** Maximum commands of one call, and maximum iterations of one loop. Default: 10,000,000. */
  readonly commands?: number
  /** Maximum bytes that the commands of one call print, including to files. Default: 64 MiB. */
  readonly outputBytes?: number
}

const MIB = 1024 * 1024
const DATA = 12_000_000
/** The longest timer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1
/** The library's own timeout fires this many milliseconds after the timeout of the call. It is only a fallback, because it loses output. */
const BACKUP_MS = 1000
/**
 * Milliseconds that a command such as `timeout` has to return after its end. The library's default (100) equals a program's grace period,
 * and would end the script.
 */
const CLEANUP_MS = 2000

/** Converts the limits of a call for the library. Limits of data allow work on several megabytes; others keep the library's defaults. */
export function executionLimits(limits: JustBashLimits, timeoutMs: number | undefined): Record<string, number> {
  const commands = limits.commands ?? 10_000_000
  return {
    maxCommandCount: commands,
    maxLoopIterations: commands,
    maxWorkUnits: 1_000_000_000,
    // Numbers of lines, records, fields or elements. 12 million are enough for 10 MB of line breaks.
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
