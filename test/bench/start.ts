import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Bench } from './bench.js'
import { compare, spreadOf, type Task, wall } from './measure.js'

const group = 'start in ms, a new process each time'
const against = 'start of a process, against another one'
const PROCESSES = 7
const CLI = fileURLToPath(new URL('../../dist/lib/cli.js', import.meta.url))
const SERVER = '.cache/peers/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'

const IMPORT =
  "const begin = performance.now(); await import('toolport'); process.stdout.write(JSON.stringify([performance.now() - begin]))"

const node = (...args: readonly string[]): Promise<{ readonly stdout: string }> => promisify(execFile)(process.execPath, args)

/** One list of times per process. */
async function startAll(...args: readonly string[]): Promise<readonly (readonly number[])[]> {
  const times: number[][] = []
  for (let i = 0; i < PROCESSES; i++) times.push(JSON.parse((await node(...args)).stdout) as number[])
  return times
}

let measured: Promise<readonly (readonly number[])[]> | undefined

/** A row of start times. All rows use the times of the same processes. */
function startBench(name: string, pick: (times: readonly number[]) => number): Bench {
  return {
    group,
    name,
    async run() {
      measured ??= startAll(fileURLToPath(new URL('start-child.js', import.meta.url)))
      return { spread: spreadOf((await measured).map(pick)), unit: 'ms' }
    },
  }
}

const importBench: Bench = {
  group,
  name: 'import toolport',
  async run() {
    const times = await startAll('--input-type=module', '--eval', IMPORT)
    return { spread: spreadOf(times.map(([imported = Number.NaN]) => imported)), unit: 'ms', target: 40 }
  },
}

function againstBench(name: string, floor: Task, ours: Task, target: number, needs?: string): Bench {
  return {
    group: against,
    name,
    async run({ rounds }) {
      if (needs !== undefined && !existsSync(needs)) return { spread: spreadOf([]), unit: 'x', needs }
      const { ratio, ...times } = await compare(floor, ours, { rounds, budgetMs: 1 }, wall)
      return { ...times, spread: ratio, unit: 'x', target }
    },
  }
}

/** Starts an MCP server, lists its tools and closes it. */
async function listTools(...args: string[]): Promise<void> {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  await client.listTools()
  await client.close()
}

const root = fileURLToPath(new URL('.', import.meta.url))

export const start: readonly Bench[] = [
  importBench,
  startBench('import toolport and the memory adapter', ([imported = Number.NaN]) => imported),
  startBench('createRuntime and the first read_file', ([, called = Number.NaN]) => called),
  againstBench(
    'toolport call read_file, node -e 0',
    () => node('-e', '0'),
    () => node(CLI, 'call', 'read_file', '{"path":"package.json"}'),
    2.2,
  ),
  againstBench(
    "MCP until tools are listed, MCP's file server",
    () => listTools(SERVER, root),
    () => listTools(CLI, 'mcp', '--root', root),
    1,
    SERVER,
  ),
]
