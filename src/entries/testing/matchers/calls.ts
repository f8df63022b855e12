import { type Expected, fits, type MatcherResult, shown } from './match.js'

/** An object that lists its calls: a test runtime. */
export interface WithCalls {
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
}

/** A call by its tool name, optionally with the expected input. */
export type ExpectedCall = string | readonly [tool: string, input?: Expected]

type Call = WithCalls['calls'][number]

const isCall = (expected: ExpectedCall, call: Call | undefined): boolean => {
  const [tool, input] = typeof expected === 'string' ? [expected] : expected
  return call !== undefined && call.name === tool && (input === undefined || fits(input, call.input))
}

const named = (expected: ExpectedCall): string =>
  typeof expected === 'string' ? expected : expected[1] === undefined ? expected[0] : `${expected[0]} ${shown(expected[1])}`

const listed = (calls: readonly Call[]): string =>
  calls.length === 0 ? '  no call' : calls.map(({ name, input }, index) => `  ${index + 1}. ${name} ${shown(input)}`).join('\n')

function result({ calls }: WithCalls, pass: boolean, expected: unknown, wanted: string, others: string): MatcherResult {
  return { pass, message: () => `${pass ? others : wanted}. The calls were:\n${listed(calls)}`, actual: calls, expected }
}

/** Passes if at least one call of the tool has this input. Without `input`, any call counts. */
export function toHaveCalled(subject: WithCalls, tool: string, input?: Expected): MatcherResult {
  const expected: ExpectedCall = [tool, input]
  const pass = subject.calls.some((call) => isCall(expected, call))
  return result(subject, pass, expected, `Expected a call of ${named(expected)}`, `Expected no call of ${named(expected)}`)
}

/** Passes if no call of the tool has this input. Without `input`, passes if the tool was not called. */
export function toHaveNeverCalled(subject: WithCalls, tool: string, input?: Expected): MatcherResult {
  const expected: ExpectedCall = [tool, input]
  const pass = !subject.calls.some((call) => isCall(expected, call))
  return result(subject, pass, expected, `Expected no call of ${named(expected)}`, `Expected a call of ${named(expected)}`)
}

/** Passes if the calls occurred in this order. Other calls may occur in between. */
export function toHaveCalledInOrder(subject: WithCalls, expected: readonly ExpectedCall[]): MatcherResult {
  let reached = 0
  for (const call of subject.calls) {
    const next = expected[reached]
    if (next !== undefined && isCall(next, call)) reached++
  }
  const missing = expected[reached]
  const after = reached === 0 ? '' : ` after ${named(expected[reached - 1] as ExpectedCall)}`
  const wanted = missing === undefined ? '' : `Expected a call of ${named(missing)}${after}`
  return result(subject, missing === undefined, expected, wanted, 'Expected another order of calls')
}

/** Passes if each expected call matches a different actual call, in any order. Other calls may occur as well. */
export function toHaveCalledAll(subject: WithCalls, expected: readonly ExpectedCall[]): MatcherResult {
  /** The index of the expected call that each matched call is assigned to. */
  const taken = new Map<Call, number>()
  /** Assigns an unused call to an expected call. May take a call from another expected call, if that one can match a different call. */
  const take = (index: number, tried: Set<Call>): boolean => {
    for (const call of subject.calls) {
      if (tried.has(call) || !isCall(expected[index] as ExpectedCall, call)) continue
      tried.add(call)
      const other = taken.get(call)
      if (other !== undefined && !take(other, tried)) continue
      taken.set(call, index)
      return true
    }
    return false
  }
  const missing = expected.filter((_, index) => !take(index, new Set()))
  const wanted = `Expected calls of ${missing.map(named).join(', ')}`
  return result(subject, missing.length === 0, expected, wanted, 'Expected other calls')
}
