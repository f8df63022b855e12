/** Default time limit of a command, in milliseconds. */
export const TIMEOUT_MS = 120_000

/** Default and allowed widths of a terminal. */
export const TERMINAL_COLS = { min: 40, max: 400, byDefault: 120 } as const
/** Default and allowed heights of a terminal. */
export const TERMINAL_ROWS = { min: 10, max: 200, byDefault: 36 } as const
