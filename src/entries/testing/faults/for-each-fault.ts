import { applies, type Fault, type FaultKind, type FaultOperation, type Faults } from './plan.js'
import { createFaults } from './with-faults.js'

/** Selects faults and operations. */
export interface ForEachFaultOptions {
  /** Injects each of these faults at each operation that it applies to. Default: only `EIO`. */
  readonly faults?: readonly (FaultKind | Pick<Fault, 'fault' | 'when'>)[]
  /** Injects a fault at only one of every `every` operations; each fault starts at a different offset. Default 1: at every operation. */
  readonly every?: number
  /** Maximum number of runs; default 10,000. */
  readonly limit?: number
}

/**
 * Runs the body once without a fault to count its operations, and then once for each pair of operation and fault, one run after another.
 * The body must create new adapters each time (`withFaults(adapter, faults)`), and throw if a guarantee is broken. In the first run
 * `faults.fired` is empty.
 *
 * @returns `operations`: number of operations of the first run; `runs`: number of runs with a fault; `missed`: number of runs that ended
 * before their fault, 0 for a body that makes the same operations in every run
 * @throws {Error} for the first run that fails, with the operation and the cause
 * @throws {RangeError} for more runs than `limit`
 */
export async function forEachFault(
  body: (faults: Faults) => unknown,
  { faults: kinds = ['EIO'], every = 1, limit = 10_000 }: ForEachFaultOptions = {},
): Promise<{ readonly operations: number; readonly runs: number; readonly missed: number }> {
  if (typeof body !== 'function') throw new TypeError('forEachFault needs a function: it gets the faults, and runs once for each operation')
  if (!(Number.isSafeInteger(every) && every > 0))
    throw new RangeError(`Cannot take every ${every}th operation: expected a whole number from 1`)
  const whole = createFaults([])
  await run(body, whole, 'without a fault')
  const { operations } = whole
  const plan = kinds
    .map((kind) => (typeof kind === 'object' ? kind : { fault: kind }))
    .flatMap((fault, index) =>
      operations
        .filter((operation) => applies(fault, operation))
        .map((operation, before) => ({ ...fault, at: before + 1, operation }))
        .filter(({ at }) => (at - 1) % every === index % every),
    )
  if (plan.length > limit) throw new RangeError(`Cannot make ${plan.length} runs: the limit is ${limit}. Raise \`limit\` or \`every\`.`)
  let missed = 0
  for (const { operation, ...fault } of plan) {
    const faults = createFaults(fault)
    await run(
      body,
      faults,
      `with ${nameOf(fault.fault)} at ${describe(operation)} (${operation.number} of ${operations.length} operations)`,
    )
    if (faults.fired.length === 0) missed++
  }
  return { operations: operations.length, runs: plan.length, missed }
}

async function run(body: (faults: Faults) => unknown, faults: Faults, when: string): Promise<void> {
  try {
    await body(faults)
  } catch (cause) {
    throw new Error(`Failed ${when}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

const nameOf = (fault: FaultKind): string => (typeof fault === 'function' ? fault.name || 'a function' : fault)

const describe = ({ adapter, method, path }: FaultOperation): string =>
  `${adapter}.${method}(${path === undefined ? '' : JSON.stringify(path)})`
