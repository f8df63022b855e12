/** Memory limit of one program and its current use: the engine's memory and the program's files. */
export interface MemoryBudget {
  readonly maxBytes: number
  engine: number
  files: number
  /** Bytes in transit between the program and its host. */
  transit: number
  /** Bytes reserved for files and not used yet; `makeRoom` releases them. */
  spare: number
  giveBack: () => void
  /** The engine was denied a small allocation, and none has succeeded since. */
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

/** Releases spare bytes if `bytes` do not fit otherwise. Call before taking from the budget. */
export function makeRoom(budget: MemoryBudget, bytes: number): void {
  if (budget.spare > 0 && bytes > bytesLeft(budget) - budget.spare) budget.giveBack()
}

/** Requests this small succeed until the budget is exhausted. */
export const SMALL = 65_536

/** Tolerance for data in transit between program and host, which both sides hold for a while. */
const TWICE = 16 * 2 ** 20

export function mayPass(budget: MemoryBudget, bytes: number): boolean {
  makeRoom(budget, bytes - TWICE)
  return bytes <= Math.max(SMALL, bytesLeft(budget) + TWICE)
}

/** Most bytes that can be handed to a program at once, held on both sides. Small requests always pass. */
export const mostAtOnce = (budget: MemoryBudget): number => Math.max(SMALL, Math.floor((bytesLeft(budget) + TWICE) / 2))
