// @module-tag clients
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { examplesOf, root } from './docs/examples.js'
import { isUnreachable, NEWER_NODE, type NewFolder, newFolder } from './new-folder.js'

// Runs programs with `@mastra/core`, installed into a folder of its own: it is too large for every `npm ci`.

const PACKAGES = ['@mastra/core@1.71.0', 'just-bash@3', 'tsx@4']
const run = promisify(execFile)

/** Answers the requests of a program of docs/clients.md instead of OpenAI. Ends the process with 1 unless the program sends exactly two. */
const modelThat = (tool: string): string => `
import { scriptedModel } from 'toolport/testing'
const model = scriptedModel([{ name: '${tool}', input: { path: 'package.json' } }, 'my-agent'])
globalThis.fetch = model.fetch
process.on('exit', () => {
  const told = JSON.stringify(model.requests[1]?.body ?? '')
  if (model.requests.length !== 2 || !told.includes('the-name')) process.exitCode = 1
})
`

/** An agent that calls every tool of a workspace. Prints the answers that the model reads, by the id of the call. */
const WORKSPACE = `
import { Agent } from '@mastra/core/agent'
import * as mastra from '@mastra/core/workspace'
import { createRuntime, fileTools, searchTools, shellTools } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { mastraFilesystem, mastraSandbox } from 'toolport/formats'
import { scriptedModel } from 'toolport/testing'

const files = {
  '.gitignore': 'ignored\\n',
  'a.txt': 'one\\ntwo\\nthree\\n',
  'crlf.txt': 'one\\r\\ntwo\\r\\n',
  'ignored/two.txt': 'two',
  'data.bin': new Uint8Array(30_000).fill(0xff),
  'latin1.c': Uint8Array.from([0x63, 0xe9, 0x0a]),
  'p.png': Uint8Array.from([0x89, 0x50, 0x4e, 0x47]),
  'src/b.ts': 'const two = 2\\n',
  'skills/greet/SKILL.md': '---\\nname: greet\\ndescription: Says hello in Welsh\\n---\\nSay shwmae.\\n',
}
const runtime = createRuntime({
  fs: createMemoryFs({ files }),
  shell: createJustBashShell({ scratch: createMemoryFs() }),
  tools: [...fileTools(), ...searchTools(), ...shellTools()],
})
const filesystem: mastra.WorkspaceFilesystem = mastraFilesystem(runtime, { errors: mastra, Buffer })
const sandbox: mastra.WorkspaceSandbox = mastraSandbox(runtime)
const workspace = new mastra.Workspace({
  filesystem,
  sandbox,
  bm25: true,
  autoIndexPaths: ['.'],
  skills: ['./skills'],
  tools: { mastra_workspace_write_file: { requireReadBeforeWrite: ({ args }) => args.path === 'src/b.ts' } },
})
await workspace.init()
const call = (id: string, name: string, input: object) => ({ id, name: \`mastra_workspace_\${name}\`, input })
const model = scriptedModel([
  call('read', 'read_file', { path: 'a.txt', offset: 2, limit: 1 }),
  call('read-long', 'read_file', { path: '/workspace/a.txt' }),
  call('read-missing', 'read_file', { path: 'none.txt' }),
  call('read-dot', 'read_file', { path: './a.txt' }),
  call('read-slash', 'read_file', { path: 'a.txt/' }),
  call('read-image', 'read_file', { path: 'p.png' }),
  call('read-binary', 'read_file', { path: 'latin1.c' }),
  call('read-base64', 'read_file', { path: 'latin1.c', encoding: 'base64' }),
  call('stat-dot', 'file_stat', { path: './a.txt' }),
  call('stat', 'file_stat', { path: 'a.txt' }),
  call('stat-missing', 'file_stat', { path: 'none.txt' }),
  call('list', 'list_files', {}),
  call('list-slash', 'list_files', { path: 'src/' }),
  call('list-missing', 'list_files', { path: 'none' }),
  call('grep', 'grep', { pattern: 't[w]o' }),
  call('grep-glob', 'grep', { pattern: 'two', path: 'src/**/*.ts' }),
  call('grep-dot', 'grep', { pattern: 'two', path: './src' }),
  call('grep-long', 'grep', { pattern: 'two', path: '/workspace/src' }),
  call('search', 'search', { query: 'three' }),
  call('unread', 'write_file', { path: 'src/b.ts', content: 'x' }),
  call('write', 'write_file', { path: 'new/c.txt', content: 'c\\n' }),
  call('write-again', 'write_file', { path: 'new/c.txt', content: 'x', overwrite: false }),
  call('write-long', 'write_file', { path: '/workspace/a.txt', content: 'x' }),
  call('write-above', 'write_file', { path: '../x', content: 'x' }),
  call('edit', 'edit_file', { path: 'a.txt', old_string: 'two', new_string: '2' }),
  call('edit-crlf', 'edit_file', { path: 'crlf.txt', old_string: 'two', new_string: '2' }),
  call('edit-binary', 'edit_file', { path: 'latin1.c', old_string: 'c', new_string: 'd' }),
  call('mkdir', 'mkdir', { path: 'empty/deep' }),
  call('delete-full', 'delete', { path: 'src' }),
  call('delete', 'delete', { path: 'src', recursive: true }),
  call('delete-file', 'delete', { path: 'new/c.txt' }),
  call('delete-missing', 'delete', { path: 'none' }),
  call('execute', 'execute_command', { command: 'pwd; cat a.txt; echo oops >&2; exit 3' }),
  call('change', 'execute_command', { command: 'echo four >> a.txt' }),
  call('execute-late', 'execute_command', { command: 'echo up; sleep 600', timeout: 1 }),
  { id: 'skill', name: 'skill', input: { name: 'greet' } },
  'Done.',
])
globalThis.fetch = model.fetch
const agent = new Agent({ id: 'worker', name: 'worker', instructions: 'Work.', model: 'openai/gpt-5.5', workspace })
const { text } = await agent.generate('Go.', { maxSteps: 100 })
const answers: Record<string, string> = {}
const collect = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  const { call_id, output } = value as { call_id?: unknown; output?: unknown }
  if (typeof call_id === 'string' && output !== undefined) answers[call_id] = typeof output === 'string' ? output : JSON.stringify(output)
  for (const each of Object.values(value)) collect(each)
}
collect(model.requests.at(-1)?.body)
const mounted = new mastra.CompositeFilesystem({ mounts: { '/files': mastraFilesystem(runtime, { errors: mastra, Buffer }) } })
await mounted.copyFile('/files/a.txt', '/files/copy.txt')
const mount = [await mounted.readFile('/files/copy.txt', { encoding: 'utf-8' }), (await mounted.readdir('/files/new')).length]
const controller = new AbortController()
const onStdout = () => controller.abort()
const stopped = await sandbox.executeCommand?.('echo up; sleep 600', [], { abortSignal: controller.signal, onStdout })
const bytes = await filesystem.readFile('latin1.c')
const system = JSON.stringify(model.requests[0]?.body)
await workspace.destroy()
const { tools = [] } = model.requests[0] ?? {}
const result = { text, tools, system, answers, mount, stopped, isBuffer: Buffer.isBuffer(bytes), files: await runtime.workspace.files() }
console.log(JSON.stringify(result))
await runtime.dispose()
`

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [`${root}node_modules/@types`],
  },
  files: ['workspace.ts', 'agent-2.ts'],
}

const programs = examplesOf('docs/clients.md', 'ts').filter(({ code }) => code.includes("from '@mastra/core/agent'"))
let here: NewFolder

beforeAll(async () => {
  here = await newFolder('the-name', NEWER_NODE ? [packed().tarball, ...PACKAGES] : [])
  await writeFile(join(here.folder, 'workspace.ts'), WORKSPACE)
  for (const [i, { code }] of programs.entries()) await writeFile(join(here.folder, `agent-${i + 1}.ts`), code)
})

afterAll(() => here.remove())

beforeEach(({ skip }) => {
  skip(NEWER_NODE === undefined, '@mastra/core needs a newer Node: set NEWER_NODE to the path of Node 22.19 or later')
  skip(isUnreachable(here), 'the registry of npm cannot be reached')
  expect(here.problem).toBe('')
})

/** Runs a program in the folder. Returns what it prints. */
async function play(program: string, ...before: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: here.folder, OPENAI_API_KEY: 'none', MASTRA_TELEMETRY_DISABLED: '1' }
  const options = ['tsx', ...before].flatMap((name) => ['--import', name])
  const { stdout } = await run(NEWER_NODE ?? '', [...options, program], { cwd: here.folder, env, maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

it.each([
  [1, 'with the tools of the runtime', 'read_file'],
  [2, 'with a workspace of Mastra', 'mastra_workspace_read_file'],
])('runs the agent %i of docs/clients.md, %s', async (number, _what, tool) => {
  expect(programs).toHaveLength(2)
  await writeFile(join(here.folder, 'model.mjs'), modelThat(tool))
  expect(await play(`agent-${number}.ts`, './model.mjs')).toBe('my-agent')
})

it('the filesystem and the sandbox have the types of Mastra', async () => {
  await writeFile(join(here.folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  const tsc = [`${root}node_modules/typescript/bin/tsc`, '-p', here.folder, '--pretty', 'false']
  const { stdout } = await run(process.execPath, tsc, { cwd: here.folder }).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

it('the tools of a Mastra workspace read, search, change and delete files, and run commands', async () => {
  const { text, tools, system, answers, mount, stopped, isBuffer, files } = JSON.parse(await play('workspace.ts'))
  expect(text).toBe('Done.')
  expect(tools).toEqual(expect.arrayContaining(['mastra_workspace_edit_file', 'mastra_workspace_execute_command']))
  expect(tools).not.toContain('mastra_workspace_kill_process')
  expect(system).toContain('relative to /workspace, where commands start')
  expect(system).toContain('Every command runs in a fresh shell')
  expect(system).toContain('Says hello in Welsh')

  expect(answers.read).toMatch(/^a\.txt \(lines 2-2 of 4, 14 bytes\)\n.*two$/)
  expect(answers['read-long']).toContain('Use "a.txt"')
  for (const id of ['read-dot', 'read-slash', 'stat-dot']) expect(answers[id]).toContain('Use "a.txt"')
  expect(answers['read-missing']).toContain('ENOENT')
  expect(answers['read-image']).toContain('image/png')
  expect(answers['read-binary']).toContain('the file is not UTF-8')
  expect(answers['read-base64']).toContain(`base64)\n${Buffer.from([0x63, 0xe9, 0x0a]).toString('base64')}`)
  expect(answers.stat).toMatch(/^a\.txt Type: file Size: 14 bytes Modified: 2/)
  expect(answers['stat-missing']).toBe('none.txt: not found')
  expect(answers.list).toContain('.\nskills\n\tgreet\nsrc\n\tb.ts\na.txt\n')
  expect(answers['list-slash']).toContain('Use "src"')
  expect(answers['list-missing']).toContain('ENOENT')
  expect(answers.grep).toContain('3 matches across 3 files (1 path skipped: read error)\n---\n')
  expect(answers.grep).toContain('./src/b.ts:1:7: const two = 2')
  expect(answers['grep-glob']).toContain('src/b.ts:1:7: const two = 2')
  expect(answers['grep-dot']).toContain('src/b.ts:1:7: const two = 2')
  expect(answers['grep-long']).toContain('target path not found')
  expect(answers.search).toContain('a.txt')
  expect(answers.unread).toContain('has not been read')
  expect(answers.write).toBe('Wrote 2 bytes to new/c.txt')
  expect(answers['write-again']).toContain('EEXIST')
  expect(answers['write-long']).toContain('Use "a.txt"')
  expect(answers['write-above']).toContain('outside the workspace')
  expect(answers.edit).toContain('Replaced 1 occurrence in a.txt')
  expect(answers['edit-crlf']).toContain('Replaced 1 occurrence in crlf.txt')
  expect(answers['edit-binary']).toContain('the file is not UTF-8')
  expect(answers['delete-full']).toContain('ENOTEMPTY')
  expect(answers.delete).toBe('Deleted src')
  expect(answers['delete-file']).toBe('Deleted new/c.txt')
  expect(answers['delete-missing']).toContain('ENOENT')
  expect(answers.execute).toBe('stdout:\n/workspace\none\n2\nthree\n\n\nstderr:\noops\n\nExit code: 3')
  expect(answers['execute-late']).toContain('timed out')
  expect(answers['execute-late']).toContain('Exit code: 124')
  expect(answers.skill).toContain('shwmae')

  expect(mount).toEqual(['one\n2\nthree\nfour\n', 0])
  expect(stopped).toMatchObject({ success: false, killed: true, stdout: 'up\n' })
  expect(isBuffer).toBe(true)
  expect(files).toMatchObject({ 'a.txt': 'one\n2\nthree\nfour\n', 'crlf.txt': 'one\r\n2\r\n', 'copy.txt': 'one\n2\nthree\nfour\n' })
  expect(Object.keys(files)).not.toContain('src/b.ts')
})
