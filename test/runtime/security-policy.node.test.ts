// @module-tag runtime
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSecurityPolicy } from '../../src/core/security/index.js'
import type { ToolResult } from '../../src/types/tool.js'
import { openRuntime, root, withDirectory } from './machine-runtime.js'

withDirectory()

test('on a real shell, a blocked command does not run, and an approved one does cap:105', async () => {
  const security = createSecurityPolicy({ workspaceRoot: root, allowedCommands: ['touch', 'ls', 'echo', 'cat', 'pwd'] })
  const approved: unknown[] = []
  const runtime = openRuntime({
    ...security.toRuntimePolicy(),
    approve: ({ command }) => {
      approved.push(command)
      return true
    },
  })
  const bash = async (command: string): Promise<ToolResult> => runtime.execute({ name: 'bash', input: { command } })
  expect(await bash('touch a; rm a')).toMatchObject({ ok: false, output: { code: 'command_blocked' } })
  expect(await bash('echo x > a')).toMatchObject({ ok: false, output: { code: 'command_blocked' } })
  expect(await bash('cat /etc/hostname')).toMatchObject({ ok: false, output: { code: 'command_blocked' } })
  expect(existsSync(join(root, 'a'))).toBe(false)
  expect(await bash('touch a')).toMatchObject({ ok: true, output: { exit_code: 0 } })
  expect(existsSync(join(root, 'a'))).toBe(true)
  expect(approved).toEqual(['touch a'])
  // The next command runs with the variables that the shell has after the first one.
  expect(await bash(`ls ${root} 2>/dev/null`)).toMatchObject({ ok: true, output: { stdout: 'a\n' } })
  expect(await bash('pwd')).toMatchObject({ ok: true, output: { stdout: `${root}\n` } })
})
