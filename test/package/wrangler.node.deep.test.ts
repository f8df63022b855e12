// @module-tag clients
// Follows the section "Cloudflare Agents" of docs/clients.md in an empty folder: runs its commands with the packed package, and
// `npx wrangler dev`. A client of the MCP SDK connects to the addresses that the page names.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { callTool, connectHttp } from '../entries/mcp-support.js'
import { examplesOf } from './docs/examples.js'
import { folderAfter, isUnreachable, NEWER_NODE, NEWER_PATH, serveWithNpx } from './new-folder.js'

const PAGE = 'docs/clients.md'
const WRANGLER = 'wrangler@4.164.0'
/** Turns off telemetry and downloads of wrangler. */
const OFFLINE = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: 'true',
}

interface Worker {
  readonly name: string
  /** Two paths of an MCP server that lead to different workspaces. */
  readonly servers: readonly (readonly [mine: string, other: string])[]
}

const WORKERS: readonly Worker[] = [
  { name: 'my-worker', servers: [['/mcp/my-name', '/mcp/other-name']] },
  {
    name: 'my-agents',
    servers: [
      ['/agents/workspace/my-name', '/agents/workspace/other-name'],
      // One workspace per session.
      ['/mcp', '/mcp'],
    ],
  },
]

/** The commands of the page, its `wrangler.json` and its `worker.js` for a Worker. */
function filesOf(name: string): readonly [commands: string, config: string, program: string] {
  const all = examplesOf(PAGE, 'sh', 'json', 'js')
  const at = all.findIndex(({ code }) => code.includes(`cd ${name}\n`))
  const found = all.slice(at, at + 3)
  expect(found.map(({ language }) => language)).toEqual(['sh', 'json', 'js'])
  return found.map(({ code }) => code) as [string, string, string]
}

async function connect(url: URL) {
  const client = await connectHttp(url)
  onTestFinished(() => client.close())
  return client
}

it.for(WORKERS)(
  'wrangler dev serves the Worker $name over MCP, with a separate workspace for each name',
  { timeout: 600_000 },
  async ({ name, servers }, { skip }) => {
    skip(NEWER_NODE === undefined, 'wrangler needs a newer Node: set NEWER_NODE to the path of Node 22.19 or later')
    const [commands, config, program] = filesOf(name)
    const { tarball } = packed()
    const pinned = commands.replace(' toolport ', ` ${tarball} `).replace(/ wrangler$/m, ` ${WRANGLER}`)
    for (const part of [tarball, WRANGLER]) expect(pinned).toContain(part)
    const here = await folderAfter(pinned, { ...process.env, PATH: NEWER_PATH })
    onTestFinished(() => here.remove())
    skip(isUnreachable(here), 'the registry of npm cannot be reached')
    expect(here.problem).toBe('')
    const folder = join(here.folder, name)
    await writeFile(join(folder, 'wrangler.json'), config)
    await writeFile(join(folder, 'worker.js'), program)
    const env = { PATH: NEWER_PATH, HOME: here.folder, ...OFFLINE }
    const address = await serveWithNpx(['wrangler', 'dev', '--port', '0'], folder, env)
    for (const [path, other] of servers) {
      const client = await connect(new URL(path, address))
      expect(await callTool(client, 'write_file', { path: 'a.txt', content: 'hello' })).not.toHaveProperty('isError')
      const read = { content: [{ text: expect.stringContaining('hello') }] }
      expect(await callTool(client, 'read_file', { path: 'a.txt' })).toMatchObject(read)
      expect(await callTool(await connect(new URL(other, address)), 'read_file', { path: 'a.txt' })).toMatchObject({ isError: true })
    }
  },
)
