import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js'
import { type CreateRuntimeOptions, createRuntime, type ToolResult, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import {
  createMcpHandler,
  createMcpServer,
  type McpHandler,
  type McpHandlerOptions,
  type McpServer,
  type McpServerOptions,
  toNodeListener,
} from 'toolport/mcp'
import { standard } from 'toolport/presets/standard'
import { lazyQuickJs } from '../../src/entries/shared/quickjs.js'
import { virtualShell } from '../../src/entries/shared/virtual-shell.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const FILES = {
  'src/a.ts': 'export const a = 1\n',
  'src/b c.ts': 'export const b = 2\n',
  'docs/ä#1.md': '# One\n',
  'README.md': '# Hello\n',
  'pixel.png': Uint8Array.from(Buffer.from(PIXEL, 'base64')),
  'data.bin': Uint8Array.from([1, 0, 255]),
}

/** A runtime with the standard tools, a shell and JavaScript, on files in memory. */
export function standardRuntime(options: Partial<CreateRuntimeOptions> = {}): ToolRuntime {
  return createRuntime({
    fs: createMemoryFs({ files: FILES }),
    preset: standard(),
    shell: virtualShell(),
    js: lazyQuickJs({}),
    ...options,
  } as CreateRuntimeOptions)
}

export const newClient = (capabilities = {}): Client => new Client({ name: 'test', version: '1' }, { capabilities })

export interface Connected {
  readonly client: Client
  readonly mcp: McpServer
}

export async function connectInMemory(runtime: ToolRuntime, options?: McpServerOptions, client = newClient()): Promise<Connected> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const mcp = createMcpServer(runtime, options)
  await mcp.connect(far)
  await client.connect(near)
  return { client, mcp }
}

export interface HttpServed {
  readonly url: URL
  readonly handler: McpHandler
  readonly close: () => Promise<void>
}

/** Serves the handler on the loopback interface. */
export async function serveHttp(runtime: ToolRuntime, options?: McpHandlerOptions): Promise<HttpServed> {
  const handler = createMcpHandler(runtime, options)
  const server = createServer(toNodeListener(handler))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    await handler.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), handler, close }
}

export async function connectHttp(url: URL, client = newClient()): Promise<Client> {
  // `sessionId` may be undefined, which the interface does not allow with `exactOptionalPropertyTypes`.
  await client.connect(new StreamableHTTPClientTransport(url) as Transport)
  return client
}

export async function callTool(client: Client, name: string, input: object = {}, options?: RequestOptions): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...input } }, undefined, options)) as CallToolResult
}

/** For many requests at once, because the client's default timeout is a minute. */
export const PATIENT: RequestOptions = { timeout: 280_000 }

/** The first message of the handshake. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
export const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export const LOOP = { name: 'bash', arguments: { command: 'echo go; while true; do :; done' } }
export const JS_LOOP = { name: 'run_js', arguments: { code: 'console.log("go"); while (true) {}' } }

type Loop = typeof LOOP | typeof JS_LOOP

export interface NextCall {
  /** Resolves at the call's first output. */
  readonly running: Promise<void>
  readonly ended: Promise<ToolResult>
}

/** Returns promises about the next call that starts. */
export function nextCall(runtime: ToolRuntime): NextCall {
  let id: string | undefined
  let run = (): void => {}
  const running = new Promise<void>((resolve) => {
    run = resolve
  })
  const ended = new Promise<ToolResult>((resolve) => {
    const stop = runtime.on((event) => {
      if (event.type === 'call_start') id ??= event.callId
      if (event.callId !== id) return
      if (event.type === 'progress') run()
      if (event.type !== 'call_end') return
      stop()
      resolve(event.result)
    })
  })
  return { running, ended }
}

/** Cancels a running loop, and resolves when its tool has ended. `npm run bench -- --filter MCP` measures how long that takes. */
export async function cancelLoop(client: Client, runtime: ToolRuntime, loop: Loop = LOOP): Promise<void> {
  const cancel = new AbortController()
  const { running, ended } = nextCall(runtime)
  const refused = client.callTool(loop, undefined, { signal: cancel.signal }).then(
    () => Promise.reject(new Error('A cancelled call was answered')),
    () => {},
  )
  await running
  cancel.abort('enough')
  await ended
  await refused
}

export function textOf(result: CallToolResult): string {
  return result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/**
 * The progress notifications of a command that prints these lines. The command ends when the client has received all of them, because the
 * SDK drops progress that arrives together with the response.
 */
export async function progressOf(client: Client, ...lines: readonly string[]): Promise<readonly Progress[]> {
  const seen: Progress[] = []
  const said = (): string => seen.map(({ message }) => message).join('')
  const all = lines.map((line) => `${line}\n`).join('')
  const echoes = lines.map((line) => `echo ${line}; sleep 0.05;`).join(' ')
  const command = `${echoes} until [ -e seen.txt ]; do sleep 0.01; done; rm seen.txt`
  await client.callTool({ name: 'bash', arguments: { command } }, undefined, {
    onprogress: (progress) => {
      seen.push(progress)
      if (said() === all) void client.callTool({ name: 'write_file', arguments: { path: 'seen.txt', content: '' } })
    },
  })
  return seen
}

const DEADLINE_MS = 60_000

/** Waits until `holds` returns true. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${DEADLINE_MS} ms: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/**
 * Each tool of the preset with a valid input, in an order in which all of them succeed. `{id}` stands for the background session,
 * `{checkpoint}` for the checkpoint that the client has seen last.
 */
export const EVERY_TOOL: readonly (readonly [string, object])[] = [
  ['list_files', { recursive: true }],
  ['glob', { pattern: '**/*.ts' }],
  ['grep', { pattern: 'export' }],
  ['read_file', { path: 'src/a.ts' }],
  ['write_file', { path: 'n.txt', content: 'one\n' }],
  ['edit_file', { path: 'n.txt', edits: [{ old_string: 'one', new_string: 'two' }] }],
  ['apply_patch', { patch: '--- a/n.txt\n+++ b/n.txt\n@@ -1 +1 @@\n-two\n+three\n' }],
  ['move_file', { from: 'n.txt', to: 'm.txt' }],
  ['delete_file', { path: 'm.txt' }],
  ['list_checkpoints', {}],
  ['diff_checkpoint', { checkpoint: '{checkpoint}' }],
  ['restore_checkpoint', { checkpoint: '{checkpoint}', dry_run: true }],
  ['bash', { command: 'echo hi' }],
  ['bash', { command: 'cat', run_in_background: true }],
  ['list_background_bash', {}],
  ['write_background_bash', { session_id: '{id}', input: 'hi' }],
  ['read_background_bash', { session_id: '{id}' }],
  ['resize_background_bash', { session_id: '{id}', cols: 100, rows: 30 }],
  ['stop_background_bash', { session_id: '{id}' }],
  ['run_js', { code: 'console.log(1 + 1)' }],
  ['write_file', { path: 'm.mjs', content: 'console.log("m")' }],
  ['run_js_module', { module: 'm.mjs' }],
  ['start_background_js', { code: 'await new Promise(() => setTimeout(() => {}, 60000))' }],
  ['list_background_js', {}],
  ['read_background_js', { session_id: '{id}' }],
  ['write_background_js', { session_id: '{id}', input: 'x' }],
  ['stop_background_js', { session_id: '{id}', force: true }],
  ['create_persistent_tool', { name: 'greet', description: 'Greets.', handler_code: 'return "hello"' }],
]

/** Fails, because the virtual shell has no terminals. */
const NO_TERMINALS = 'resize_background_bash'

interface EveryToolOptions {
  /** Returns the id of a checkpoint. Without it, the checkpoint tools fail. */
  readonly checkpoint?: () => Promise<string>
}

/** Calls each tool of the standard preset, and returns the failed ones. The client validates structured content against its schema. */
export async function callEveryTool(client: Client, { checkpoint }: EveryToolOptions = {}): Promise<readonly string[]> {
  const tools: string[] = []
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor })
    tools.push(...page.tools.map(({ name }) => name))
    cursor = page.nextCursor
    more = cursor !== undefined
  }
  const called = new Set<string>()
  const failed: string[] = []
  let id = ''
  let point = 'none'
  for (const [name, given] of EVERY_TOOL) {
    const input = JSON.parse(JSON.stringify(given).replace('{id}', id).replace('{checkpoint}', point))
    const result = await callTool(client, name, input, PATIENT)
    called.add(name)
    if (result.isError && name !== NO_TERMINALS) failed.push(name)
    id = /\bbg-(?:bash|js)-[\w-]+/.exec(textOf(result))?.[0] ?? id
    if (name === 'list_checkpoints' && checkpoint) point = await checkpoint()
  }
  const missed = tools.filter((name) => !called.has(name))
  if (missed.length > 0) throw new Error(`Not called: ${missed.join(', ')}`)
  return failed
}
