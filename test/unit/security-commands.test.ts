// @module-tag runtime
import { describe, expect, test } from 'vitest'
import { createSecurityPolicy } from '../../src/core/security/index.js'
import { type CaseGroup, type CommandCase, GROUPS } from './security-cases.js'

/** The policy's decision that a case expects. */
const expected = ([command, verdict, risk, reason]: CommandCase): unknown => ({
  command,
  verdict,
  risk,
  reason: verdict === 'ok' ? undefined : reason === undefined ? expect.any(String) : expect.stringContaining(reason),
})

function actual(policy: ReturnType<typeof createSecurityPolicy>, [command]: CommandCase): unknown {
  const { allowed, needsApproval, risk, reason } = policy.checkCommand(command)
  return { command, verdict: allowed ? 'ok' : needsApproval ? 'ask' : 'no', risk, reason }
}

for (const { title, options, cases } of GROUPS as readonly CaseGroup[]) {
  describe(`${title} cap:105`, () => {
    const policy = createSecurityPolicy(options)
    test('have the listed verdict, risk and reason', () => {
      expect(cases.map((row) => actual(policy, row))).toEqual(cases.map(expected))
    })
    test('change only from "ask" with an approval', () => {
      const approved = cases.map(([command]) => [command, policy.checkCommand(command, { approved: true }).allowed])
      expect(approved).toEqual(cases.map(([command, verdict]) => [command, verdict !== 'no']))
      expect(cases.map(([command]) => policy.isCommandAllowed(command))).toEqual(cases.map(([, verdict]) => verdict !== 'no'))
      expect(cases.map(([command]) => policy.commandRisk(command))).toEqual(cases.map(([, , risk]) => risk))
    })
  })
}

test('the table has at least 400 commands', () => {
  expect(GROUPS.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(400)
})
