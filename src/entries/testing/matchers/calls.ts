import { type Expected, fits, type MatcherResult, shown } from './match.js'

/** What knows its calls: a test runtime. */
export interface WithCalls {
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
}

/** A call by its tool, or by its tool and what is expected of its input. */
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

/** At least one call of the tool has such an input; without `input`, any. */
export function toHaveCalled(subject: WithCalls, tool: string, input?: Expected): MatcherResult {
  const expected: ExpectedCall = [tool, input]
  const pass = subject.calls.some((call) => isCall(expected, call))
  return result(subject, pass, expected, `Expected a call of ${named(expected)}`, `Expected no call of ${named(expected)}`)
}

/** No call of the tool has such an input; without `input`, none at all. */
export function toHaveNeverCalled(subject: WithCalls, tool: string, input?: Expected): MatcherResult {
  const expected: ExpectedCall = [tool, input]
  const pass = !subject.calls.some((call) => isCall(expected, call))
  return result(subject, pass, expected, `Expected no call of ${named(expected)}`, `Expected a call of ${named(expected)}`)
}

/** These calls were made in this order. Others may stand between them. */
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

/** Each of these calls was made, in any order, a call for each. Others may be there too. */
export function toHaveCalledAll(subject: WithCalls, expected: readonly ExpectedCall[]): MatcherResult {
  /** Call -> the expected one that it stands for. */
  const taken = new Map<Call, number>()
  /** Finds a call, also one that another expected call can give up for another. */
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
