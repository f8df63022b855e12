// @module-tag runtime
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSecurityPolicy } from '../../src/core/security/index.js'
import type { SecurityPolicyOptions } from '../../src/core/security/types.js'
import type { ToolRuntime } from '../../src/runtime/tool-runtime.js'
import type { ApprovalRequest } from '../../src/types/runtime.js'
import { openRuntime, root, withDirectory } from './machine-runtime.js'

withDirectory()

function open(options: SecurityPolicyOptions, approve?: (request: ApprovalRequest) => boolean): ToolRuntime {
  const policy = { ...createSecurityPolicy({ ...options, workspaceRoot: root }).toRuntimePolicy(), ...(approve && { approve }) }
  return openRuntime(policy)
}

test('an allowed command that opens a pager cannot bypass the allowed commands', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init')
  writeFileSync(join(root, 'long'), 'line\n'.repeat(500))
  git('add', '.')
  const tools = open({})
  const terminal = { cols: 80, rows: 20 }
  const { session_id } = (await tools.call('bash', { command: 'git diff --cached', run_in_background: true, terminal })) as {
    session_id: string
  }
  const read = async (): Promise<string> => JSON.stringify(await tools.call('read_background_bash', { session_id, wait_ms: 1000 }))
  expect(await read()).toContain('line')
  const written = await tools.execute({ name: 'write_background_bash', input: { session_id, input: '!touch escaped' } })
  await read()
  expect(existsSync(join(root, 'escaped'))).toBe(false)
  expect(written).toMatchObject({ ok: false, output: { status: 'denied', code: 'approval_required' } })
  expect(await tools.call('stop_background_bash', { session_id })).toMatchObject({ status: 'stopped' })
})

test.each<[string, SecurityPolicyOptions, number]>([
  ['by default', {}, 1],
  ['at full autonomy too', { autonomy: 'full' }, 1],
  ['not if it is approved in advance', { autoApprove: ['bash', 'write_background_bash'] }, 0],
  ['not if it is listed', { autonomy: 'full', allowedTools: ['bash', 'write_background_bash'] }, 0],
])('input for a session needs approval: %s', async (_, options, asked) => {
  const requests: ApprovalRequest[] = []
  const tools = open({ allowedCommands: ['cat'], ...options }, (request) => {
    requests.push(request)
    return true
  })
  const { session_id } = (await tools.call('bash', { command: 'cat', run_in_background: true })) as { session_id: string }
  expect(await tools.call('write_background_bash', { session_id, input: 'x' })).toMatchObject({ bytes_written: 2 })
  expect(requests.filter(({ tool }) => tool === 'write_background_bash')).toHaveLength(asked)
})
