// @module-tag clients
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { examplesOf, root } from './docs/examples.js'
import { isUnreachable, newFolder } from './new-folder.js'

// Follows docs/clients.md and docs/drop-ins.md in an empty folder: installs the packed package and the packages that a section names, and
// runs its programs with a stand-in for the model. Follows docs/traces.md with a stand-in for the collector.

const run = promisify(execFile)
const DROP_INS = 'docs/drop-ins.md'
const NAME = 'the-name'
const DONE = 'it-is-done'

/** Replaces `fetch` with the model. The process exits with 1 if its second request lacks a text. Default: the name in package.json. */
const replaceFetch = (fetch: string, told = NAME): string => `
${fetch}
process.on('exit', () => {
  if (bodies.length !== 2 || !JSON.stringify(bodies[1]).includes('${told}')) process.exitCode = 1
})
`

const scripted = (call: object, told?: string): string =>
  replaceFetch(
    `
import { scriptedModel } from 'toolport/testing'
const model = scriptedModel([${JSON.stringify(call)}, '${DONE}'])
const bodies = []
globalThis.fetch = async (input, init) => {
  bodies.push(await new Request(input, init).clone().text())
  return model.fetch(input, init)
}`,
    told,
  )

const GEMINI = replaceFetch(`
const parts = [{ functionCall: { name: 'read_file', args: { path: 'package.json' } } }, { text: '${DONE}' }]
const bodies = []
globalThis.fetch = async (input, init) => {
  bodies.push(await new Request(input, init).text())
  return Response.json({ candidates: [{ content: { role: 'model', parts: [parts[bodies.length - 1]] }, finishReason: 'STOP' }] })
}`)

/** Answers with items for the tools `shell` and `apply_patch` of OpenAI. */
const OPENAI_ITEMS = replaceFetch(
  `
const operation = { type: 'update_file', path: 'a.txt', diff: '@@\\n one\\n-two\\n+2\\n' }
const outputs = [
  [
    { type: 'apply_patch_call', id: 'p', call_id: 'p', status: 'completed', operation },
    { type: 'shell_call', id: 's', call_id: 's', status: 'completed', action: { commands: ['tr "\\\\n" , < a.txt'] } },
  ],
  [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: '${DONE}' }] }],
]
const bodies = []
globalThis.fetch = async (input, init) => {
  bodies.push(await new Request(input, init).text())
  return Response.json({ id: 'r', object: 'response', status: 'completed', output: outputs[bodies.length - 1], usage: {} })
}`,
  'one,2,',
)

const READ = { name: 'read_file', input: { path: 'package.json' } }

const REMEMBER = { name: 'memory', input: { command: 'create', path: '/memories/notes.md', file_text: 'Prefers tabs.' } }

interface Client {
  /** Default: docs/clients.md. */
  readonly page?: string
  /** Heading of the section. */
  readonly section: string
  /** The fetch of the model, for each program. Default: a scripted model that reads package.json. */
  readonly models?: readonly string[]
  /** Packages that the page only describes, with their versions. */
  readonly further?: readonly string[]
  /** Text in front of the program. */
  readonly before?: string
  /** What the program prints. Default: the answer of the model. */
  readonly prints?: string
}

const CLIENTS: readonly Client[] = [
  { section: 'OpenAI' },
  { section: 'Anthropic' },
  { section: 'Gemini', models: [GEMINI, GEMINI] },
  { section: 'AI SDK' },
  { section: 'LangChain and LangGraph' },
  { section: 'OpenAI Agents', models: [scripted(READ), scripted({ name: 'exec_command', input: { cmd: 'cat package.json' } })] },
  {
    section: 'TanStack AI',
    further: ['@tanstack/ai-openai'],
    before: "import { openaiText } from '@tanstack/ai-openai'\nconst adapter = openaiText('gpt-5.5')\n",
  },
  { section: 'bash-tool', models: [scripted({ name: 'bash', input: { command: 'cat package.json' } })] },
  { section: 'deepagents', models: [scripted({ name: 'read_file', input: { file_path: '/package.json' } })] },
  {
    page: DROP_INS,
    section: 'AI SDK: sandbox session',
    models: [scripted({ name: 'shell', input: { command: 'echo sum=$(bash sum.sh 2 3)' } }, 'sum=5')],
  },
  { page: DROP_INS, section: 'OpenAI Agents: editor and shell', models: [OPENAI_ITEMS] },
  { page: DROP_INS, section: 'Anthropic: memory handlers', models: [scripted(REMEMBER, 'File created successfully')] },
  { page: DROP_INS, section: 'just-bash: filesystem', models: [''], prints: 'sorted.txt' },
]

async function sectionOf(page: string, heading: string): Promise<string> {
  const [, text = ''] = (await readFile(root + page, 'utf8')).split(`\n## ${heading}\n`)
  return text.split('\n## ')[0] ?? ''
}

/** The packages of the section's `npm install` commands, in the versions of this repository. */
async function packagesOf(section: string): Promise<readonly string[]> {
  const { devDependencies } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { devDependencies: Record<string, string> }
  const names = [...section.matchAll(/`npm install ([^`]+)`/g)].flatMap(([, list = '']) => list.split(' '))
  return [...new Set(names)].map((name) => (devDependencies[name] === undefined ? name : `${name}@${devDependencies[name]}`))
}

it.for(CLIENTS)(
  'the programs for $section run in an empty folder',
  { timeout: 300_000 },
  async ({ page = 'docs/clients.md', section: heading, models = [], further = [], before = '', prints = DONE }, { skip }) => {
    const section = await sectionOf(page, heading)
    const programs = examplesOf(page, 'ts').filter(({ code }) => section.includes(code))
    expect(programs.length).toBeGreaterThan(0)
    const here = await newFolder(NAME, [packed().tarball, 'tsx@4', ...(await packagesOf(section)), ...further])
    onTestFinished(() => here.remove())
    skip(isUnreachable(here), 'the registry of npm cannot be reached')
    expect(here.problem).toBe('')
    const { folder } = here
    const keys = { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none', GEMINI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' }
    for (const [i, { code }] of programs.entries()) {
      await writeFile(join(folder, 'model.mjs'), models[i] ?? scripted(READ))
      await writeFile(join(folder, 'agent.ts'), before + code)
      const env = { PATH: process.env.PATH, HOME: folder, ...keys }
      const { stdout } = await run(process.execPath, ['--import', 'tsx', '--import', './model.mjs', 'agent.ts'], { cwd: folder, env })
      expect(stdout).toContain(prints)
    }
  },
)

const AGENT = `
import { createNodeRuntime } from 'toolport/node'
import { traceToolCalls } from 'toolport/otel'
const runtime = createNodeRuntime({ root: '.' })
traceToolCalls(runtime)
await runtime.call('glob', { pattern: '*.json' })
await runtime.dispose()
`

it('the recipe for OTLP sends the spans of a short program', { timeout: 300_000 }, async ({ skip }) => {
  const section = await sectionOf('docs/traces.md', 'Send spans with OTLP')
  const here = await newFolder(NAME, [packed().tarball, '@opentelemetry/api', ...(await packagesOf(section))])
  onTestFinished(() => here.remove())
  skip(isUnreachable(here), 'the registry of npm cannot be reached')
  expect(here.problem).toBe('')
  const sent: string[] = []
  const collector = createServer(async (request, response) => {
    sent.push(`${request.url} ${await new Response(request as unknown as ReadableStream).text()}`)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void collector.close())
  await once(collector, 'listening')
  await writeFile(join(here.folder, 'agent.js'), AGENT)
  const [commands] = examplesOf('docs/traces.md', 'sh').filter(({ code }) => section.includes(code))
  const script = commands?.code.replace('localhost:4318', `127.0.0.1:${(collector.address() as AddressInfo).port}`) ?? ''
  await run('sh', ['-ec', script], { cwd: here.folder, env: { PATH: process.env.PATH, HOME: here.folder } })
  expect(sent).toEqual([expect.stringMatching(/^\/v1\/traces .*execute_tool glob/)])
})
