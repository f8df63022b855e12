// @module-tag mcp
// Runs the command line of the MCP Inspector with `toolport mcp`. The Inspector is installed into a folder of its own, because with its web
// page it is too large for every `npm ci`.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI, startMcpHttp } from '../entries/cli-support.js'
import { isUnreachable, NEWER_NODE, type NewFolder, newFolder } from './new-folder.js'

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const run = promisify(execFile)

let here: NewFolder
let root: string

beforeAll(async () => {
  here = await newFolder('inspector', NEWER_NODE ? [INSPECTOR] : [], ['--ignore-scripts'])
  root = join(here.folder, 'project')
  await mkdir(root)
  await writeFile(join(root, 'a.txt'), 'hello\n')
}, 300_000)
afterAll(() => here.remove())

/** Returns the result of one method. */
async function inspect(...args: readonly string[]): Promise<unknown> {
  const inspector = join(here.folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
  const env = { PATH: process.env.PATH, HOME: here.folder }
  return JSON.parse((await run(NEWER_NODE ?? '', [inspector, '--cli', ...args], { cwd: here.folder, env })).stdout)
}

/** Starts a server. Returns the arguments that name it to the Inspector, and a function that stops it. */
const SERVERS = {
  async stdio() {
    const server = { command: process.execPath, args: [CLI, 'mcp', '--root', root] }
    await writeFile(join(here.folder, 'mcp.json'), JSON.stringify({ mcpServers: { toolport: server } }))
    return { target: ['--config', 'mcp.json', '--server', 'toolport'], stop: async () => {} }
  },
  async HTTP() {
    const { url, token, stop } = await startMcpHttp(root, ['--root', root])
    return { target: [url.href, '--transport', 'http', '--header', `Authorization: Bearer ${token}`], stop }
  },
}

describe.skipIf(NEWER_NODE === undefined)('the MCP Inspector', () => {
  it.for([
    ['stdio', 'legacy'],
    ['stdio', 'modern'],
    ['HTTP', 'legacy'],
    ['HTTP', 'modern'],
  ] as const)('lists and calls tools over %s, in the %s protocol', async ([transport, era], { skip }) => {
    skip(isUnreachable(here), 'the registry of npm cannot be reached')
    expect(here.problem).toBe('')
    const { target, stop } = await SERVERS[transport]()
    try {
      const server = [...target, '--protocol-era', era]
      const read = expect.objectContaining({ name: 'read_file' })
      expect(await inspect(...server, '--method', 'tools/list')).toMatchObject({ tools: expect.arrayContaining([read]) })
      const call = ['--method', 'tools/call', '--tool-name', 'read_file', '--tool-arg', 'path=a.txt']
      expect(await inspect(...server, ...call)).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('hello') }] })
    } finally {
      await stop()
    }
  })
})
