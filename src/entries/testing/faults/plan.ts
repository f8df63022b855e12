import { FsError, type FsErrorCode } from '../../../errors/index.js'
import { createRandom } from '../test-host.js'

/** A method call of a port, before the port executes it. */
export interface FaultOperation {
  /** The number of the operation, from 1, counted over all adapters that share the faults. */
  readonly number: number
  /** The adapter's name. */
  readonly adapter: string
  /** The method, such as `write`. For a method of a checkpoint or a process: `checkpoint.read`, `process.kill`. */
  readonly method: string
  readonly args: readonly unknown[]
  /** The first path argument, if the adapter is a storage. */
  readonly path?: string
  /** False for operations that only read, open or flush. Commands, programs and requests count as changes. */
  readonly changes: boolean
}

/**
 * The effect on an operation.
 *
 * - A code such as `EIO`: the operation fails and changes nothing.
 * - `unacknowledged`: the operation succeeds, but reports EIO.
 * - `torn`: a write or an append stores half of its bytes, then fails with EIO.
 * - `full`: this operation, and every later one that adds data to a storage, fails with ENOSPC.
 * - `disconnect`: this operation and every later one fails with EIO.
 * - `kill`: this operation succeeds but reports EIO. Every later operation does nothing and reports EIO.
 * - `stale`: another writer appends a byte to the file before the operation.
 * - A function runs before the operation, which then continues: `() => host.sleep(5000)` for a slow operation, `() => host.advance(ms)` for
 *   a jump of the clock, `() => controller.abort()`. If the function throws, the operation fails with that error.
 */
export type FaultKind =
  | FsErrorCode
  | 'unacknowledged'
  | 'torn'
  | 'full'
  | 'disconnect'
  | 'kill'
  | 'stale'
  | ((operation: FaultOperation) => unknown)

/** A fault and the operations that it hits. Without `at` and `chance`, the fault hits every operation that `fault` and `when` apply to. */
export interface Fault {
  readonly fault: FaultKind
  /** Hits only the k-th operation that `fault` and `when` apply to, from 1. */
  readonly at?: number
  /** Probability of a hit at each operation, from 0 to 1. */
  readonly chance?: number
  /** Seed of the random numbers for `chance`; default 1. */
  readonly seed?: number
  /** Selects the operations that the fault can hit. Default: all. */
  readonly when?: (operation: FaultOperation) => boolean
  /** With `full`: a quota in bytes. A write or an append that exceeds the quota fails; other operations succeed. */
  readonly bytes?: number
}

/** A fault that hit an operation. */
export interface FiredFault {
  readonly fault: FaultKind
  readonly operation: FaultOperation
}

/** Records operations and faults, and switches faults on and off. */
export interface Faults {
  /** All operations so far, in the order in which they started. */
  readonly operations: readonly FaultOperation[]
  /** All hits of faults, in order. */
  readonly fired: readonly FiredFault[]
  /** Resets all counters and enables the faults. */
  start(): void
  /** Disables faults and counting, for example to prepare a storage or to inspect the result. */
  stop(): void
}

const ADDING: ReadonlySet<string> = new Set(['write', 'append', 'copy', 'mkdir', 'symlink'])
const LASTING: ReadonlySet<FaultKind> = new Set<FaultKind>(['full', 'disconnect', 'kill'])

export const contentOf = ({ method, args }: FaultOperation): Uint8Array | undefined =>
  method === 'write' || method === 'append' ? (args[1] as Uint8Array) : undefined

/** Whether the fault can hit this operation. */
export function applies({ fault, when }: Pick<Fault, 'fault' | 'when'>, operation: FaultOperation): boolean {
  if (fault === 'torn' && !contentOf(operation)?.length) return false
  if (fault === 'full' && !ADDING.has(operation.method)) return false
  if (fault === 'stale' && (operation.path === undefined || operation.method.startsWith('checkpoint.'))) return false
  return when?.(operation) ?? true
}

/** Returns a function that decides for each operation, in order, whether the fault hits it. */
export function decider(plan: Fault): (operation: FaultOperation) => 'first' | 'later' | undefined {
  const { fault, at, chance = 1, seed = 1, bytes } = plan
  const random = createRandom(seed)
  let [seen, room, hasFired] = [0, bytes ?? 0, false]
  return (operation) => {
    if (hasFired && (fault !== 'full' || ADDING.has(operation.method))) return 'later'
    if (hasFired || !applies(plan, operation)) return undefined
    if (fault === 'full' && bytes !== undefined) {
      const size = contentOf(operation)?.length ?? 0
      if (size > room) return 'first'
      room -= size
      return undefined
    }
    if (at === undefined ? random() >= chance : ++seen !== at) return undefined
    hasFired = LASTING.has(fault)
    return 'first'
  }
}

/** @throws {TypeError, RangeError} for an invalid plan */
export function checkPlan(plan: Fault): void {
  if (typeof plan !== 'object' || plan === null || !('fault' in plan))
    throw new TypeError(`Cannot plan the fault ${JSON.stringify(plan)}: expected an object such as { fault: 'EIO', at: 3 }`)
  const { fault, at, chance, bytes } = plan
  const words = ['unacknowledged', 'torn', 'full', 'disconnect', 'kill', 'stale']
  if (typeof fault !== 'function' && !words.includes(fault) && !FsError.isCode(fault)) {
    throw new TypeError(`Cannot plan the fault "${String(fault)}": expected a code such as EIO, a function, or one of ${words.join(', ')}`)
  }
  const least = (name: string, value: number | undefined, from: number): void => {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= from))
      throw new RangeError(`Cannot plan a fault with ${name} ${value}: expected a whole number from ${from}`)
  }
  least('at', at, 1)
  least('bytes', bytes, 0)
  if (bytes !== undefined && (at !== undefined || chance !== undefined))
    throw new TypeError('Cannot plan a fault with "bytes" and "at" or "chance": the bytes decide where it is')
  if (chance !== undefined && !(chance >= 0 && chance <= 1))
    throw new RangeError(`Cannot plan a fault with chance ${chance}: expected 0 to 1`)
}
