import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { standard } from 'toolport/presets/standard'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSecurityPolicy } from '../../src/core/security/index.js'
import { createRuntime } from '../../src/runtime/create-runtime.js'
import type { ToolRuntime } from '../../src/runtime/tool-runtime.js'
import type { ToolResult } from '../../src/types/tool.js'

let root: string
let runtime: ToolRuntime | undefined

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-security-')))
})
afterEach(async () => {
  await runtime?.dispose()
  rmSync(root, { recursive: true, force: true })
})

test('on the shell of the machine what is blocked does not run, and what is approved does cap:105', async () => {
  const security = createSecurityPolicy({ workspaceRoot: root, allowedCommands: ['touch', 'ls', 'echo', 'cat', 'pwd'] })
  const approved: unknown[] = []
  runtime = createRuntime({
    fs: createNodeFs({ root }),
    shell: createNodeShell(),
    preset: standard(),
    policy: {
      ...security.toRuntimePolicy(),
      approve: ({ command }) => {
        approved.push(command)
        return true
      },
    },
  })
  const bash = async (command: string): Promise<ToolResult> => (runtime as ToolRuntime).execute({ name: 'bash', input: { command } })
  expect(await bash('touch a; rm a')).toMatchObject({ ok: false, output: { code: 'command_blocked' } })
  expect(await bash('echo x > a')).toMatchObject({ ok: false, output: { code: 'command_blocked' } })
  expect(await bash('cat /etc/hostname')).toMatchObject({ ok: false, output: { code: 'command_blocked' } })
  expect(existsSync(join(root, 'a'))).toBe(false)
  expect(await bash('touch a')).toMatchObject({ ok: true, output: { exit_code: 0 } })
  expect(existsSync(join(root, 'a'))).toBe(true)
  expect(approved).toEqual(['touch a'])
  // The second command has the variables of the first: the shell's own.
  expect(await bash(`ls ${root} 2>/dev/null`)).toMatchObject({ ok: true, output: { stdout: 'a\n' } })
  expect(await bash('pwd')).toMatchObject({ ok: true, output: { stdout: `${root}\n` } })
})
