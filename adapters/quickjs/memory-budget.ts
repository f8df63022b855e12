/** Memory limit of one program and its current use: the engine's memory and the program's files. */
export interface MemoryBudget {
  readonly maxBytes: number
  engine: number
  files: number
  /** Number of bytes in transit between the program and its host. */
  transit: number
  /** Number of bytes that files have reserved but do not use yet. `makeRoom` releases them. */
  spare: number
  giveBack: () => void
  /** Whether the engine was denied a small allocation, and no allocation has succeeded since. */
  refused: boolean
}

export const createMemoryBudget = (maxBytes: number): MemoryBudget => ({
  maxBytes,
  engine: 0,
  files: 0,
  transit: 0,
  spare: 0,
  giveBack: () => undefined,
  refused: false,
})

export const bytesLeft = ({ maxBytes, engine, files, transit, spare }: MemoryBudget): number =>
  maxBytes - engine - (files - spare) - transit

/** Releases spare bytes if `bytes` would not fit otherwise. Call before taking bytes from the budget. */
export function makeRoom(budget: MemoryBudget, bytes: number): void {
  if (budget.spare > 0 && bytes > bytesLeft(budget) - budget.spare) budget.giveBack()
}

/** Requests up to this size always pass. */
export const SMALL = 65_536

/** How much data in transit may exceed the budget, because program and host both hold such data for a while. */
const TWICE = 16 * 2 ** 20

export function mayPass(budget: MemoryBudget, bytes: number): boolean {
  makeRoom(budget, bytes - TWICE)
  return bytes <= Math.max(SMALL, bytesLeft(budget) + TWICE)
}

/** Returns the maximum number of bytes to hand to a program at once, while both sides hold them. Small requests always pass. */
export const mostAtOnce = (budget: MemoryBudget): number => Math.max(SMALL, Math.floor((bytesLeft(budget) + TWICE) / 2))
