/** How long a command may take when nothing is said. */
export const TIMEOUT_MS = 120_000

/** A terminal's size when nothing is said, and what it may be. */
export const TERMINAL = {
  cols: { min: 40, max: 400, byDefault: 120 },
  rows: { min: 10, max: 200, byDefault: 36 },
} as const
