import { spawn } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLI, ended, runs, startCli } from './cli-support.js'
import { until } from './mcp-support.js'

const LOOPS = {
  virtual: 'echo go; while true; do :; done',
  node: 'trap "" TERM INT HUP; echo $$ > shell; echo go; while :; do sleep 1; done',
}

const ENDS = ['the end of stdin', 'SIGTERM', "its client's death"] as const

export function mcpEndCases(shell: keyof typeof LOOPS, ends: readonly (typeof ENDS)[number][] = ENDS): void {
  let root: string
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-mcp-end-')))
  })
  afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))

  const args = (): string[] => ['mcp', '--root', root, '--shell', shell]
  const params = { name: 'bash', arguments: { command: LOOPS[shell] }, _meta: { progressToken: 1 } }
  const call = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`

  /** Starts a server with a running call. */
  async function busy() {
    const child = startCli(root, args())
    const end = ended(child)
    child.stdin.write(call)
    await new Promise<void>((resolve) => child.stdout.on('data', (text) => String(text).includes('notifications/progress') && resolve()))
    return { child, end }
  }

  const endings = {
    async 'the end of stdin'() {
      const { child, end } = await busy()
      child.stdin.end()
      expect(await end).toMatchObject({ code: 0, stderr: '' })
    },
    async SIGTERM() {
      const { child, end } = await busy()
      child.kill('SIGTERM')
      expect(await end).toMatchObject({ code: 143, stderr: '' })
    },
    async "its client's death"() {
      // The server inherits its client's stderr, which therefore closes only when the server has ended too.
      const script = `
        const server = require('node:child_process').spawn(process.execPath, ${JSON.stringify([CLI, ...args()])}, { stdio: ['pipe', 'pipe', 'inherit'] })
        server.stdout.on('data', (text) => String(text).includes('notifications/progress') && console.log('running'))
        server.stdin.write(${JSON.stringify(call)})`
      const client = spawn(process.execPath, ['-e', script], { cwd: root })
      const end = ended(client)
      await new Promise((resolve) => client.stdout.once('data', resolve))
      client.kill('SIGKILL')
      expect((await end).stderr).toBe('')
    },
  }

  describe(`toolport mcp ends although a call loops in the ${shell} shell, after`, () => {
    it.each(ends)('%s', async (how) => {
      await endings[how]()
      if (shell === 'virtual') return
      const pid = Number(await readFile(join(root, 'shell'), 'utf8'))
      await until(() => !runs(pid))
    })
  })
}
