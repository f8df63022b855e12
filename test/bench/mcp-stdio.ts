// As in mcp.ts, but the server is another process. This process cannot measure the server's CPU time, so these rows measure wall time. The
// second row's floor is a ping of the same server: the cost of pipes and protocol.
import { equal } from 'node:assert/strict'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type ToolRuntime, toModelText } from 'toolport'
import { createNodeRuntime } from 'toolport/node'
import type { Bench } from './bench.js'
import { caller, jobs } from './jobs.js'
import { CANCELLED, cancelled, type Loop, overMcp, textOf } from './mcp.js'
import { compare, type Task, wall } from './measure.js'
import { save } from './node-tools.js'

const group = "MCP over stdio (the SDK's client, a child process)"
const CLI = fileURLToPath(new URL('../../dist/lib/cli.js', import.meta.url))

/** Serves tools that can loop, and writes a line to stderr when a call ends. */
const CHILD = fileURLToPath(new URL('mcp-child.js', import.meta.url))

async function connected(...args: string[]): Promise<{ readonly client: Client; readonly transport: StdioClientTransport }> {
  const client = new Client({ name: 'bench', version: '1' })
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' })
  await client.connect(transport)
  return { client, transport }
}

const { tool, inputs } = jobs.read

function readBench(name: string, floorOf: (client: Client, direct: ToolRuntime) => Task): Bench {
  return {
    group,
    name,
    async run(plan) {
      const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-bench-')))
      try {
        save(root, jobs.read.world())
        const { client } = await connected(CLI, 'mcp', '--root', root)
        const direct = createNodeRuntime({ root })
        const ours = overMcp(client, tool, inputs[0])
        equal(textOf(await ours()), toModelText(await direct.execute({ name: tool, input: inputs[0] })))
        const { ratio, ...times } = await compare(floorOf(client, direct), ours, plan, wall)
        await client.close()
        await direct.dispose()
        return { ...times, spread: ratio, unit: 'x' }
      } finally {
        await rm(root, { recursive: true })
      }
    },
  }
}

function cancelBench(name: string, loop: Loop): Bench {
  return {
    group,
    name,
    async run() {
      const { client, transport } = await connected(CHILD)
      const row = await cancelled(client, loop, () => new Promise((resolve) => transport.stderr?.once('data', resolve)))
      await client.close()
      return row
    },
  }
}

export const mcpStdio: readonly Bench[] = [
  readBench('read 100 lines, to a direct call', (_, direct) => caller(direct, tool, inputs)),
  readBench('read 100 lines, to a ping', (client) => () => client.ping()),
  ...CANCELLED.map(([name, loop]) => cancelBench(name, loop)),
]
