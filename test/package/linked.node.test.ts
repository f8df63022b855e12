// @module-tag package
// @module-tag mcp
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { INITIALIZE } from '../entries/mcp-support.js'

const from = fileURLToPath(new URL('../../', import.meta.url))

const { dependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }

/** Installs the package into a new folder, with links to its dependencies and to these packages. Returns the folder. */
function install(...packages: readonly string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-linked-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const installed = join(root, 'node_modules/toolport')
  cpSync(join(packed().app, 'node_modules/toolport'), installed, { recursive: true })
  for (const name of [...Object.keys(dependencies), ...packages]) {
    const link = join(root, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(from, 'node_modules', name), link)
  }
  return root
}

/** Runs a program in this folder, and returns its output. */
function run(root: string, program: string): string {
  writeFileSync(join(root, 'main.mjs'), program)
  return execFileSync(process.execPath, ['main.mjs'], { cwd: root, encoding: 'utf8' })
}

it('createNodeJs runs programs if packages are links to a store elsewhere', () => {
  const root = install()
  mkdirSync(join(root, 'work'))
  const program = `import { createNodeJs } from 'toolport/adapters/node'
import { createNodeRuntime } from 'toolport/node'
const tools = createNodeRuntime({ root: 'work', js: createNodeJs() })
const { stdout, stderr } = await tools.call('run_js', { code: 'console.log(1)' })
process.stdout.write(stdout + stderr)
await tools.dispose()
`
  expect(run(root, program)).toBe('1\n')
})

it('toolport mcp runs without the MCP SDK', () => {
  const root = install()
  const cli = join(root, 'node_modules/toolport/dist/lib/cli.js')
  const input = `${JSON.stringify(INITIALIZE)}\n`
  const answer = execFileSync(process.execPath, [cli, 'mcp', '--memory'], { cwd: root, input, encoding: 'utf8' })
  expect(JSON.parse(answer)).toMatchObject({ result: { serverInfo: { name: 'toolport' } } })
})

it('createMcpServer uses the installed MCP SDK, with its transports, handlers and classes', () => {
  const root = install('@modelcontextprotocol/sdk')
  const program = `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { ListPromptsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { createMcpServer } from 'toolport/mcp'
import { createNodeRuntime } from 'toolport/node'
const tools = createNodeRuntime({ root: '.' })
const { server, connect } = createMcpServer(tools)
server.registerCapabilities({ prompts: {} })
server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ name: 'mine' }] }))
const [near, far] = InMemoryTransport.createLinkedPair()
await connect(far)
const client = new Client({ name: 'test', version: '1' })
await client.connect(near)
const listed = await client.listTools()
console.log((await client.listPrompts()).prompts[0].name, listed.tools.some(({ name }) => name === 'read_file'), server instanceof Server)
await client.close()
await tools.dispose()
`
  expect(run(root, program)).toBe('mine true true\n')
})
