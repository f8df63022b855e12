import { FsError, type FsErrorCode } from '../../../errors/index.js'
import { createRandom } from '../test-host.js'

/** A call of a method of a port, before it is made. */
export interface FaultOperation {
  /** From 1, over all adapters that share the faults. */
  readonly number: number
  /** The adapter's name. */
  readonly adapter: string
  readonly method: string
  readonly args: readonly unknown[]
  /** Of a storage: the first path. */
  readonly path?: string
  /** False where the operation only looks, opens or flushes. A command, a program and a request count as changes. */
  readonly changes: boolean
}

/**
 * What happens at an operation.
 *
 * - A code such as `EIO`: it fails, and changes nothing.
 * - `unacknowledged`: it is done, but reports EIO.
 * - `torn`: half of the bytes of a write or an append are stored, then EIO.
 * - `full`: it and every later operation that adds to a storage fails with ENOSPC.
 * - `disconnect`: it and every later operation fails with EIO.
 * - `kill`: it is done, and nothing after it: it and every later operation reports EIO.
 * - `stale`: another writer appends a byte to the file before the operation.
 * - A function is called before the operation, which then goes on: `() => host.sleep(5000)` for a slow one, `() => host.advance(ms)` for a
 *   jump of the clock, `() => controller.abort()`. What it throws is the failure.
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

/** What goes wrong, and where. Without `at` and `chance`: at every operation that `fault` and `when` apply to. */
export interface Fault {
  readonly fault: FaultKind
  /** Only at the k-th operation that `fault` and `when` apply to, from 1. */
  readonly at?: number
  /** How likely it is at each operation, from 0 to 1. */
  readonly chance?: number
  /** Of the random numbers for `chance`; default 1. */
  readonly seed?: number
  /** Which operations count. */
  readonly when?: (operation: FaultOperation) => boolean
  /** Of `full`: a quota. Writes and appends fail only where they go beyond so many bytes in all, and nothing else fails. */
  readonly bytes?: number
}

/** A fault that has fired. */
export interface FiredFault {
  readonly fault: FaultKind
  readonly operation: FaultOperation
}

/** What has happened so far, and the switch. */
export interface Faults {
  /** In the order in which they began. */
  readonly operations: readonly FaultOperation[]
  /** Every operation that a fault has hit. */
  readonly fired: readonly FiredFault[]
  /** Counts from here, as if nothing had happened. */
  start(): void
  /** From here on nothing is counted, and nothing fails: to prepare a storage, or to look at what is left. */
  stop(): void
}

const ADDING: ReadonlySet<string> = new Set(['write', 'append', 'copy', 'mkdir', 'symlink'])
const LASTING: ReadonlySet<FaultKind> = new Set<FaultKind>(['full', 'disconnect', 'kill'])

export const contentOf = ({ method, args }: FaultOperation): Uint8Array | undefined =>
  method === 'write' || method === 'append' ? (args[1] as Uint8Array) : undefined

/** Whether a fault can hit an operation. */
export function applies({ fault, when }: Pick<Fault, 'fault' | 'when'>, operation: FaultOperation): boolean {
  if (fault === 'torn' && !contentOf(operation)?.length) return false
  if (fault === 'full' && !ADDING.has(operation.method)) return false
  if (fault === 'stale' && operation.path === undefined) return false
  return when?.(operation) ?? true
}

/** Decides for each operation in turn whether the fault hits it. */
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

/** @throws {TypeError, RangeError} for a plan that never fires as written */
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
