// The floor of a call over MCP is `runtime.execute` on the same runtime. Both sides of the first row read the same file and check the
// result. The second row's floor is the SDK's own server with a handler that does nothing: the cost of the protocol.
import { equal } from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { createRuntime, defineTool, type ToolRuntime, toModelText } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createJsWorker, createShellWorker } from 'toolport/adapters/node'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createMcpServer } from 'toolport/mcp'
import { standard } from 'toolport/presets/standard'
import type { Bench } from './bench.js'
import { caller, jobs } from './jobs.js'
import { compare, spreadOf, type Task } from './measure.js'
import { memoryRuntime } from './memory-tools.js'

const group = "MCP in memory (the SDK's client)"
const TARGET = 5
const CANCEL_TARGET_MS = 100
const SAMPLES = 20

export const CANCELLED = [
  ['cancel to the end of a loop in bash, ms', { name: 'bash', arguments: { command: 'echo go; while true; do :; done' } }],
  ['cancel to the end of a loop in run_js, ms', { name: 'run_js', arguments: { code: 'console.log("go"); while (true) {}' } }],
] as const

export type Loop = (typeof CANCELLED)[number][1]

async function connected(server: { connect(transport: InMemoryTransport): Promise<void> }): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(near)
  return client
}

export const textOf = (result: CallToolResult): string => result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

export function overMcp(client: Client, name: string, input: Record<string, unknown>): () => Promise<CallToolResult> {
  return async () => {
    const result = (await client.callTool({ name, arguments: input })) as CallToolResult
    if (result.isError) throw new Error(textOf(result))
    return result
  }
}

const read: Bench = {
  group,
  name: 'read 100 lines, to a direct call',
  async run(plan) {
    const runtime = memoryRuntime(jobs.read.world())
    const { tool, inputs } = jobs.read
    const client = await connected(createMcpServer(runtime))
    const ours = overMcp(client, tool, inputs[0])
    equal(textOf(await ours()), toModelText(await runtime.execute({ name: tool, input: inputs[0] })))
    const { ratio, ...times } = await compare(caller(runtime, tool, inputs), ours, plan)
    await client.close()
    return { ...times, spread: ratio, unit: 'x', target: TARGET }
  },
}

const nothing: Bench = {
  group,
  name: "a tool that does nothing, to the SDK's server",
  async run(plan) {
    const idle = defineTool({ name: 'idle', description: 'Does nothing.', inputSchema: { type: 'object' }, run: () => 'ok' })
    const bare = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } })
    bare.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text', text: 'ok' }] }))
    const theirs: Task = overMcp(await connected(bare), 'idle', {})
    const runtime = createRuntime({ fs: createMemoryFs(), tools: [idle] })
    const ours = overMcp(await connected(createMcpServer(runtime)), 'idle', {})
    const { ratio, ...times } = await compare(theirs, ours, plan)
    return { ...times, spread: ratio, unit: 'x' }
  },
}

/** The standard tools, with shell and JavaScript in workers, where a program can loop. */
export function loopingRuntime(): ToolRuntime {
  return createRuntime({
    fs: createMemoryFs(),
    preset: standard(),
    shell: createJustBashShell({ worker: () => createShellWorker(), scratch: createMemoryFs() }),
    js: createQuickJs({ worker: () => createJsWorker() }),
  })
}

/** Milliseconds from the client's abort until a tool that loops endlessly has ended. */
async function lateness(client: Client, loop: Loop, nextEnd: () => Promise<unknown>): Promise<number> {
  const cancel = new AbortController()
  const ended = nextEnd()
  let refused: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    refused = client.callTool(loop, undefined, { signal: cancel.signal, onprogress: () => resolve() }).catch((error: unknown) => {
      if (!cancel.signal.aborted) reject(error)
    })
  })
  const aborted = performance.now()
  cancel.abort()
  await ended
  const late = performance.now() - aborted
  await refused
  return late
}

export async function cancelled(client: Client, loop: Loop, nextEnd: () => Promise<unknown>): ReturnType<Bench['run']> {
  const late: number[] = []
  for (let i = 0; i < SAMPLES; i++) late.push(await lateness(client, loop, nextEnd))
  return { spread: spreadOf(late), unit: 'ms', target: CANCEL_TARGET_MS }
}

function cancelBench(name: string, loop: Loop): Bench {
  return {
    group,
    name,
    async run() {
      const runtime = loopingRuntime()
      const client = await connected(createMcpServer(runtime))
      const nextEnd = () =>
        new Promise<void>((resolve) => {
          const stop = runtime.on(({ type }) => {
            if (type !== 'call_end') return
            stop()
            resolve()
          })
        })
      const row = await cancelled(client, loop, nextEnd)
      await client.close()
      await runtime.dispose()
      return row
    },
  }
}

export const mcp: readonly Bench[] = [read, nothing, ...CANCELLED.map(([name, loop]) => cancelBench(name, loop))]
