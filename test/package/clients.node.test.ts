// @module-tag clients
import { scriptedModel } from 'toolport/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { examplesOf, runExample } from './docs/examples.js'

// Runs the programs of docs/clients.md, unchanged, with the real SDKs and stand-ins for the servers.

const PAGE = 'docs/clients.md'
const NAME = '"name": "toolport"'
const read = { name: 'read_file', input: { path: 'package.json' } }

beforeEach(() => {
  for (const key of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY']) vi.stubEnv(key, 'none')
  vi.stubEnv('OPENAI_AGENTS_DISABLE_TRACING', '1')
})
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

let answer: typeof fetch
/** The client of OpenAI Agents keeps the `fetch` of its first use, so every program gets the same one. */
const modelFetch: typeof fetch = (...given) => answer(...given)

/** Runs a program. Returns its output and the requests that it sends. */
async function play(number: number, call: { name: string; input: unknown } = read, page = PAGE) {
  const model = scriptedModel([call, 'toolport'])
  answer = model.fetch
  vi.stubGlobal('fetch', modelFetch)
  const { printed } = await runExample(page, number)
  return { printed, requests: model.requests }
}

const blocks = [expect.objectContaining({ type: 'text', text: 'toolport' })]

describe('examples with a scripted model', () => {
  it.each<[number: number, what: string, printed: unknown]>([
    [1, 'OpenAI, Responses', 'toolport'],
    [2, 'OpenAI, Chat Completions', 'toolport'],
    [3, 'Anthropic, Messages', blocks],
    [4, 'Anthropic, tool runner', blocks],
    [7, 'AI SDK', 'toolport'],
    [8, 'LangChain', 'toolport'],
    [9, 'OpenAI Agents', 'toolport'],
  ])('%i, %s', async (number, _what, printed) => {
    const played = await play(number)
    expect(played.printed).toEqual([[printed]])
    expect(played.requests).toHaveLength(2)
    expect(played.requests[0]?.tools).toContain('read_file')
    expect(JSON.stringify(played.requests[1]?.body)).toContain(JSON.stringify(NAME).slice(1, -1))
  })

  it('10, a SandboxAgent of OpenAI Agents', async () => {
    const played = await play(10, { name: 'exec_command', input: { cmd: `grep '${NAME}' package.json` } })
    expect(played.printed).toEqual([['toolport']])
    expect(played.requests[0]?.tools).toEqual(expect.arrayContaining(['exec_command', 'view_image']))
    expect(played.requests[1]?.messages.at(-1)?.text).toContain(NAME)
  })

  it('12, bash-tool', async () => {
    const played = await play(12, { name: 'bash', input: { command: `grep '${NAME}' package.json` } })
    expect(played.printed).toEqual([['toolport']])
    expect(played.requests[0]?.tools).toEqual(['bash', 'readFile', 'writeFile'])
    expect(JSON.stringify(played.requests[1]?.body)).toContain('toolport')
  })
})

describe('examples with a scripted Gemini', () => {
  it.each<[number: number, what: string]>([
    [5, 'a loop'],
    [6, 'automatic function calling'],
  ])('%i, %s', async (number) => {
    const bodies: { contents: unknown; tools: [{ functionDeclarations: { name: string }[] }] }[] = []
    const answers = [{ functionCall: { name: 'read_file', args: { path: 'package.json' } } }, { text: 'toolport' }]
    vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
      const request = new Request(input, init)
      expect(request.url).toMatch(/\/models\/[^/]+:generateContent$/)
      const part = answers[bodies.length]
      bodies.push(await request.json())
      return Response.json({ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] })
    })
    const { printed } = await runExample(PAGE, number)
    expect(printed).toEqual([['toolport']])
    expect(bodies).toHaveLength(2)
    expect(bodies[0]?.tools[0].functionDeclarations.map(({ name }) => name)).toContain('read_file')
    expect(bodies[1]?.contents).toEqual([
      expect.objectContaining({ role: 'user' }),
      { role: 'model', parts: [answers[0]] },
      {
        role: 'user',
        parts: [{ functionResponse: expect.objectContaining({ name: 'read_file', response: { output: expect.stringContaining(NAME) } }) }],
      },
    ])
  })
})

it('11, TanStack AI, with an adapter of the test', async () => {
  const adapter = `
    const seen: unknown[] = []
    const step = (...events: object[]) => events.map((event) => ({ timestamp: 0, model: 'm', runId: 'r', threadId: 't', ...event }))
    const steps = [
      step(
        { type: 'RUN_STARTED' },
        { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'read_file', toolName: 'read_file', index: 0 },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"path":"package.json"}' },
        { type: 'TOOL_CALL_END', toolCallId: 'c1', toolCallName: 'read_file', toolName: 'read_file', input: { path: 'package.json' } },
        { type: 'RUN_FINISHED', finishReason: 'tool_calls' },
      ),
      step(
        { type: 'RUN_STARTED' },
        { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'toolport', content: 'toolport' },
        { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
        { type: 'RUN_FINISHED', finishReason: 'stop' },
      ),
    ]
    const adapter: any = {
      kind: 'text', name: 'stand-in', model: 'm',
      async *chatStream(options: { messages: unknown }) {
        seen.push(JSON.parse(JSON.stringify(options.messages)))
        yield* steps[seen.length - 1]
      },
    }
  `
  const { printed, exports } = await runExample(PAGE, 11, adapter, 'export { seen }\n')
  expect(printed).toEqual([['toolport']])
  const [, second] = exports.seen as [unknown, unknown]
  expect(second).toEqual([
    expect.objectContaining({ role: 'user' }),
    expect.objectContaining({ role: 'assistant' }),
    expect.objectContaining({ role: 'tool', content: [{ type: 'text', content: expect.stringContaining(NAME) }] }),
  ])
})

it('13, Cloudflare: the Durable Object serves MCP, and the Worker chooses it by name', async () => {
  vi.doMock('cloudflare:workers', () => ({
    DurableObject: class {
      readonly ctx: unknown
      constructor(ctx: unknown) {
        this.ctx = ctx
      }
    },
  }))
  closing.push(() => vi.doUnmock('cloudflare:workers'))
  const { exports } = await runExample(PAGE, 13)
  const { Workspace, default: worker } = exports as {
    Workspace: new (ctx: object) => { fetch(request: Request): Promise<Response>; runtime: { dispose(): Promise<void> } }
    default: { fetch(request: Request, env: object): Promise<Response> | Response }
  }
  const workspace = new Workspace({})
  const env = { Workspace: { idFromName: (name: string) => name, get: (id: string) => (id === 'mine' ? workspace : undefined) } }
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const request = new Request('http://localhost/mcp/mine', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
  })
  expect(await (await worker.fetch(request, env)).text()).toContain('"name":"toolport"')
  expect((await worker.fetch(new Request('http://localhost/mcp/'), env)).status).toBe(404)
  await workspace.runtime.dispose()
})

it('17, deepagents', async () => {
  const played = await play(17, { name: 'read_file', input: { file_path: '/package.json' } })
  expect(played.printed).toEqual([['toolport']])
  expect(played.requests).toHaveLength(2)
  expect(played.requests[0]?.tools).toEqual(expect.arrayContaining(['ls', 'read_file', 'execute']))
  expect(JSON.stringify(played.requests[1]?.body)).toContain(JSON.stringify(NAME).slice(1, -1))
})

describe('loops in docs/formats.md', () => {
  const runtime = `
    import { createRuntime } from 'toolport'
    import { createJustBashShell } from 'toolport/adapters/just-bash'
    import { createMemoryFs } from 'toolport/adapters/memory'
    import { standard } from 'toolport/presets/standard'
    const shell = createJustBashShell({ scratch: createMemoryFs() })
    const runtime = createRuntime({ fs: createMemoryFs({ files: { 'test.sh': 'exit 1' } }), shell, preset: standard() })
  `
  const after = 'export const files = await runtime.workspace.files()\nawait runtime.dispose()\n'

  it.each<[number: number, what: string, call: { name: string; input: unknown }]>([
    [1, 'OpenAI', { name: 'write_file', input: { path: 'test.sh', content: 'exit 0' } }],
    [5, "Anthropic's own tool types", { name: 'bash', input: { command: 'printf "exit 0" > test.sh' } }],
  ])('%i, %s', async (number, _what, call) => {
    const model = scriptedModel([call, 'Done.'])
    vi.stubGlobal('fetch', model.fetch)
    const { exports } = await runExample('docs/formats.md', number, runtime, after)
    expect(exports.files).toEqual({ 'test.sh': 'exit 0' })
    expect(model.remaining).toBe(0)
  })
})

describe('programs in docs/drop-ins.md', () => {
  const DROP_INS = 'docs/drop-ins.md'

  it('1, a sandbox of AI SDK', async () => {
    const played = await play(1, { name: 'shell', input: { command: 'bash sum.sh 2 3' } }, DROP_INS)
    expect(played.printed).toEqual([['toolport']])
    expect(played.requests[1]?.messages.at(-1)?.text).toContain('"stdout":"5\\n"')
  })

  it('2, an editor and a shell of OpenAI Agents', async () => {
    const operation = { type: 'update_file', path: 'a.txt', diff: '@@\n one\n-two\n+2\n' }
    const outputs = [
      [
        { type: 'apply_patch_call', id: 'p', call_id: 'p', status: 'completed', operation },
        { type: 'shell_call', id: 's', call_id: 's', status: 'completed', action: { commands: ['cat a.txt', 'exit 3'] } },
      ],
      [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] }],
    ]
    const bodies: { input: unknown[]; tools: { type: string }[] }[] = []
    answer = async (input, init) => {
      const output = outputs[bodies.length]
      bodies.push(await new Request(input, init).json())
      return Response.json({ id: 'r', object: 'response', status: 'completed', output, usage: {} })
    }
    vi.stubGlobal('fetch', modelFetch)
    const { printed } = await runExample(DROP_INS, 2)
    expect(printed).toEqual([['Done.', { 'a.txt': 'one\n2\n' }]])
    expect(bodies[0]?.tools.map(({ type }) => type)).toEqual(['apply_patch', 'shell'])
    expect(bodies[1]?.input.slice(-2)).toEqual([
      expect.objectContaining({ type: 'apply_patch_call_output', call_id: 'p', status: 'completed' }),
      expect.objectContaining({
        type: 'shell_call_output',
        call_id: 's',
        output: [
          expect.objectContaining({ stdout: 'one\n2\n', outcome: { type: 'exit', exit_code: 0 } }),
          expect.objectContaining({ outcome: { type: 'exit', exit_code: 3 } }),
        ],
      }),
    ])
  })

  it('3, a memory of Anthropic', async () => {
    const input = { command: 'create', path: '/memories/notes.md', file_text: 'Prefers tabs.\n' }
    const played = await play(3, { name: 'memory', input }, DROP_INS)
    expect(played.printed).toEqual([[blocks, { 'memories/notes.md': 'Prefers tabs.\n' }]])
    expect(played.requests[1]?.messages.at(-1)?.text).toBe('File created successfully at: /memories/notes.md')
  })
})

it('docs/traces.md 1 prints a span', async () => {
  const dir = vi.spyOn(console, 'dir').mockImplementation(() => undefined)
  closing.push(() => dir.mockRestore())
  await runExample('docs/traces.md', 1)
  expect(dir.mock.calls).toEqual([[expect.objectContaining({ name: 'execute_tool glob' }), expect.anything()]])
})

// 14 runs in cloudflare-agents.node.test.ts, 15 and 16 in mastra.node.deep.test.ts.
it('every example in the page is run', () => {
  expect(examplesOf(PAGE, 'ts', 'js')).toHaveLength(17)
})
