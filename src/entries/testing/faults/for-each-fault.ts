import { applies, type Fault, type FaultKind, type FaultOperation, type Faults } from './plan.js'
import { createFaults } from './with-faults.js'

/** Which faults, and at which operations. */
export interface ForEachFaultOptions {
  /** Each of them, at each operation that it applies to. Default: `EIO` alone. */
  readonly faults?: readonly (FaultKind | Pick<Fault, 'fault' | 'when'>)[]
  /** Takes one operation in so many, others for each fault; default 1, all of them. */
  readonly every?: number
  /** More runs than this are refused; default 10,000. */
  readonly limit?: number
}

/**
 * Runs the body once without a fault, which counts the operations, and then once for every operation and fault, one after the other. The body
 * makes new adapters each time (`withFaults(adapter, faults)`) and throws where a promise is broken. `faults.fired` is empty in the first run.
 *
 * @returns how many operations the first run has made, how many runs had a fault, and how many of these ended before it: 0 for a body that
 * makes the same operations in each run
 * @throws {Error} the first failure, its cause, and at which operation it was
 * @throws {RangeError} more runs than `limit`
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
