import * as fs from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ToolRuntime } from 'toolport'
import { createNodeRuntime } from 'toolport/node'
import type { Bench } from './bench.js'
import { caller, FILE, inTurn, type Job, jobs, NEW, OLD } from './jobs.js'
import { type Clock, compare, cpu, spreadOf, type Task, wall } from './measure.js'
import { memoryRuntime } from './memory-tools.js'
import { base, save } from './node-tools.js'
import { NEEDLE, RARE, ROOT, type World } from './worlds.js'

/** Folder where the other libraries are installed, because they are not dependencies of this project. */
const HOME = '.cache/peers'

type Name = Exclude<keyof typeof jobs, 'write'>

/** Calls of another library that do the same as ours. */
interface Calls extends Partial<Record<Name, Task>> {
  readonly close?: () => Promise<void>
}

interface Peer {
  readonly package: string
  readonly lacks?: readonly Name[]
  /** `root`: a directory that contains the world's files. */
  readonly open: (world: World, root: string) => Promise<Calls>
}

/** The caller declares the type as far as it is used, because the package is not installed when types are checked. */
async function load<T>(specifier: string): Promise<T> {
  const path = createRequire(join(process.cwd(), HOME, 'package.json')).resolve(specifier)
  return (await import(pathToFileURL(path).href)) as T
}

const versionIn = (name: string): string => JSON.parse(fs.readFileSync(join(HOME, 'node_modules', name, 'package.json'), 'utf8')).version

interface LangChainTool {
  readonly name: string
  invoke(input: unknown): Promise<unknown>
}

/** An edit and its reversal in turn. */
const edits = (): (() => readonly [string, string]) => inTurn([[OLD, NEW] as const, [NEW, OLD] as const])

interface Deepagents {
  createFilesystemMiddleware(options: { backend: unknown }): { readonly tools: readonly LangChainTool[] }
  readonly StateBackend: new (runtime: { state: { files: Record<string, unknown> } }) => object
  readonly FilesystemBackend: new (options: { rootDir: string; virtualMode: boolean }) => object
}

/** `isKept`: edits are persisted, so every second edit reverts the one before it. */
function deepagentsCalls(tools: readonly LangChainTool[], root: string, isKept: boolean): Calls {
  const invoke = async (name: string, input: object): Promise<unknown> => tools.find((tool) => tool.name === name)?.invoke(input)
  const file_path = `${root}/${FILE}`
  const next = isKept ? edits() : () => [OLD, NEW] as const
  return {
    read: () => invoke('read_file', { file_path, limit: 2000 }),
    edit: () => {
      const [old_string, new_string] = next()
      return invoke('edit_file', { file_path, old_string, new_string })
    },
    grep: () => invoke('grep', { pattern: NEEDLE }),
    rare: () => invoke('grep', { pattern: RARE }),
    glob: () => invoke('glob', { pattern: '**/*.md', path: root || '/' }),
  }
}

interface CloudflareState {
  readFile(path: string): Promise<string>
  replaceInFile(path: string, search: string, replacement: string): Promise<unknown>
  searchFiles(pattern: string, query: string, options: { regex: boolean }): Promise<unknown>
  glob(pattern: string): Promise<string[]>
  find(path: string): Promise<unknown>
}

interface JustBash {
  readonly Bash: new (options: {
    files: Record<string, string>
  }) => { exec(command: string): Promise<{ stdout: string; exitCode: number }> }
}

interface AnthropicTool {
  readonly name: string
  run(input: unknown): Promise<unknown>
}

const inMemory: readonly Peer[] = [
  {
    package: 'deepagents',
    lacks: ['list'],
    async open(world) {
      const { createFilesystemMiddleware, StateBackend } = await load<Deepagents>('deepagents')
      const time = new Date(0).toISOString()
      const file = (content: string): object => ({ content, mimeType: 'text/plain', created_at: time, modified_at: time })
      const files = Object.fromEntries([...world].map(([path, text]) => [path, file(text)]))
      return deepagentsCalls(createFilesystemMiddleware({ backend: new StateBackend({ state: { files } }) }).tools, ROOT, false)
    },
  },
  {
    package: '@cloudflare/shell',
    async open(world) {
      const { createMemoryStateBackend } = await load<{ createMemoryStateBackend(options: object): CloudflareState }>('@cloudflare/shell')
      const state = createMemoryStateBackend({ files: Object.fromEntries(world) })
      const next = edits()
      return {
        read: () => state.readFile(`${ROOT}/${FILE}`),
        edit: () => state.replaceInFile(`${ROOT}/${FILE}`, ...next()),
        grep: () => state.searchFiles(`${ROOT}/**/*.ts`, NEEDLE, { regex: true }),
        rare: () => state.searchFiles(`${ROOT}/**/*.ts`, RARE, { regex: true }),
        glob: () => state.glob(`${ROOT}/**/*.md`),
        list: () => state.find(ROOT),
      }
    },
  },
  {
    package: 'just-bash',
    async open(world) {
      const { Bash } = await load<JustBash>('just-bash')
      const bash = new Bash({ files: Object.fromEntries(world) })
      const run =
        (...commands: readonly string[]): Task =>
        async () => {
          for (const command of commands) {
            const { exitCode } = await bash.exec(`cd ${ROOT}; ${command}`)
            if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}`)
          }
        }
      return {
        read: run(`cat -n ${FILE}`),
        edit: run(`sed -i 's/value50 = compute(/value50 = compute(/' ${FILE}`),
        grep: run(`grep -rn ${NEEDLE} .`),
        rare: run(`grep -rn ${RARE} .`),
        glob: run("find . -name '*.md'"),
        list: run("find . -printf '%y %s %p\\n'"),
      }
    },
  },
]

const onDirectory: readonly Peer[] = [
  {
    package: 'deepagents',
    lacks: ['list'],
    async open(_, root) {
      const { createFilesystemMiddleware, FilesystemBackend } = await load<Deepagents>('deepagents')
      const backend = new FilesystemBackend({ rootDir: root, virtualMode: true })
      return deepagentsCalls(createFilesystemMiddleware({ backend }).tools, '', true)
    },
  },
  {
    package: '@anthropic-ai/sdk',
    // Its glob needs `fs.glob` of Node 22.
    lacks: 'glob' in fs ? ['list'] : ['list', 'glob'],
    async open(_, root) {
      const { betaAgentToolset20260401 } = await load<{ betaAgentToolset20260401(context: { workdir: string }): AnthropicTool[] }>(
        '@anthropic-ai/sdk/tools/agent-toolset/node',
      )
      const tools = betaAgentToolset20260401({ workdir: root })
      const next = edits()
      const run = (name: string, input: object): unknown => tools.find((tool) => tool.name === name)?.run(input)
      return {
        read: () => run('read', { file_path: FILE }),
        edit: () => {
          const [old_string, new_string] = next()
          return run('edit', { file_path: FILE, old_string, new_string })
        },
        grep: () => run('grep', { pattern: NEEDLE }),
        rare: () => run('grep', { pattern: RARE }),
        glob: () => run('glob', { pattern: '**/*.md' }),
      }
    },
  },
  {
    package: '@modelcontextprotocol/server-filesystem',
    lacks: ['grep', 'rare'],
    async open(_, root) {
      const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
      const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
      const client = new Client({ name: 'bench', version: '0' })
      const server = join(HOME, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, root], stderr: 'ignore' }))
      const next = edits()
      const call = async (name: string, input: Record<string, unknown>): Promise<void> => {
        const { isError } = await client.callTool({ name, arguments: input })
        if (isError) throw new Error(`${name} failed`)
      }
      return {
        read: () => call('read_text_file', { path: join(root, FILE) }),
        edit: () => {
          const [oldText, newText] = next()
          return call('edit_file', { path: join(root, FILE), edits: [{ oldText, newText }] })
        },
        glob: () => call('search_files', { path: root, pattern: '**/*.md' }),
        list: () => call('directory_tree', { path: root }),
        close: () => client.close(),
      }
    },
  },
]

/** Compares with our calls as the floor, so that the ratio says how many times longer the other library takes. */
function beside(peers: readonly Peer[], group: string, clock: Clock, runtimeOf: (world: World, root: string) => ToolRuntime): Bench[] {
  const names: readonly Name[] = ['read', 'edit', 'grep', 'rare', 'glob', 'list']
  return names.flatMap((name) =>
    peers.filter(({ lacks = [] }) => !lacks.includes(name)).map((peer) => oneBeside(peer, name, group, clock, runtimeOf)),
  )
}

function oneBeside(peer: Peer, name: Name, group: string, clock: Clock, runtimeOf: (world: World, root: string) => ToolRuntime): Bench {
  const job: Job = jobs[name]
  const isThere = fs.existsSync(join(HOME, 'node_modules', peer.package))
  const version = isThere ? ` ${versionIn(peer.package)}` : ''
  return {
    group,
    name: `${name}: ${peer.package}${version}`,
    async run({ rounds, budgetMs }) {
      if (!isThere) return { spread: spreadOf([]), unit: 'x', needs: `${peer.package} in ${HOME}` }
      const root = await realpath(await mkdtemp(join(base, 'toolport-peers-')))
      const [oursIn, theirsIn] = [join(root, 'ours'), join(root, 'theirs')]
      const world = job.world()
      for (const each of [oursIn, theirsIn]) {
        fs.mkdirSync(each)
        save(each, world)
      }
      const runtime = runtimeOf(world, oursIn)
      const calls = await peer.open(world, theirsIn)
      try {
        const theirs = calls[name]
        if (!theirs) throw new Error(`${peer.package} has no ${name}`)
        const plan = { rounds: Math.min(rounds, 5), budgetMs }
        const { floor, ours, ratio } = await compare(caller(runtime, job.tool, job.inputs), theirs, plan, clock)
        return { floor, ours, spread: ratio, unit: 'x' }
      } finally {
        await calls.close?.()
        await runtime.dispose()
        await rm(root, { recursive: true })
      }
    },
  }
}

export const peers: readonly Bench[] = [
  ...beside(inMemory, 'other libraries in memory: the floor is the call of Toolport', cpu, memoryRuntime),
  ...beside(onDirectory, `other libraries in ${base}: the floor is the call of Toolport`, wall, (_, root) => createNodeRuntime({ root })),
]
