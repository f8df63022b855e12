import { fitsWildcard } from '../ops/wildcard.js'
import type { RuntimePolicy, ToolRule } from '../types/runtime.js'

export type Decision =
  | { readonly action: 'allow' }
  /** `rule`: the rule as the host wrote it. */
  | { readonly action: 'deny' | 'ask'; readonly rule: string; readonly reason?: string }

const ALLOW: Decision = { action: 'allow' }

/**
 * Creates a function that decides about a tool by the first matching rule. Without a matching rule, it allows the tool. @throws TypeError
 * for an invalid rule
 */
export function createToolRules(rules: readonly ToolRule[] = []): (tool: string) => Decision {
  const compiled = rules.map((rule) => ({ patterns: patternsOf(rule), decision: toDecision(rule) }))
  const known = new Map<string, Decision>()
  return (tool) => {
    const before = known.get(tool)
    if (before) return before
    const hit = compiled.find(({ patterns }) => patterns.some((pattern) => fitsWildcard(pattern, tool)))
    const decision = hit?.decision ?? ALLOW
    known.set(tool, decision)
    return decision
  }
}

function patternsOf({ tools }: ToolRule): readonly string[] {
  const patterns = typeof tools === 'string' ? [tools] : tools
  if (Array.isArray(patterns) && patterns.every((pattern) => typeof pattern === 'string')) return patterns
  throw new TypeError('Cannot use a tool rule: "tools" is neither a name nor a list of names')
}

function toDecision({ tools, action, reason }: ToolRule): Decision {
  if (action === 'allow') return ALLOW
  if (action !== 'deny' && action !== 'ask')
    throw new TypeError(`Cannot use a tool rule: "action" is ${JSON.stringify(action) ?? 'undefined'}`)
  const rule = `${action} ${[tools].flat().join(', ')}`
  return reason === undefined ? { action, rule } : { action, rule, reason }
}

/**
 * Creates a function that counts one call. The function returns 0 if the call is within the rate. Otherwise it does not count the call, and
 * returns the milliseconds until the next call is possible (`Infinity` if never).
 * @throws RangeError for an invalid rate
 */
export function createRateLimit(rate: RuntimePolicy['rate'], now: () => number): () => number {
  if (!rate) return () => 0
  const { calls, perMs } = rate
  if (!Number.isInteger(calls) || calls < 0) throw new RangeError(`Cannot limit the rate to ${calls} calls: expected a whole number`)
  if (!(perMs > 0 && perMs < Infinity)) throw new RangeError(`Cannot limit the rate per ${perMs} ms: expected a positive number`)
  if (calls === 0) return () => Infinity
  // A ring buffer of the last `calls` times. The next slot to overwrite holds the oldest time.
  const times: number[] = []
  let next = 0
  return () => {
    const time = now()
    const oldest = times[next]
    const wait = oldest === undefined ? 0 : oldest + perMs - time
    // A longer wait means that the clock was set back; do not wait for it to catch up.
    if (wait > 0 && wait <= perMs) return wait
    times[next] = time
    next = (next + 1) % calls
    return 0
  }
}
