// @module-tag package
// @module-tag drop-ins
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Example, examplesOf, nameOf, pages, root, runExample, writeExamples } from './docs/examples.js'

/** Examples that do not compile as they are -> reason. The test fails if one of them compiles. */
const UNCHECKED: Readonly<Record<string, string>> = {
  'docs/performance.md ts 1': 'ctx stands for that of a Worker with SQLite, which always has storage',
  'docs/virtual-shell.md ts 1': 'one line for each choice, which the first example of the page imports',
  'docs/virtual-shell.md js 2': 'goes on with the imports of the first example',
  'docs/virtual-shell.md js 3': 'goes on with the imports of the first example; fetch is that of createFetch',
  'docs/virtual-shell.md js 4': 'one import for each bundler',
}

/** Compiler errors by example. */
function compile(examples: readonly Example[]): Map<string, string[]> {
  const files = writeExamples('types', examples)
  const folder = `${root}.cache/docs/types/`
  const config = {
    extends: `${root}test/tsconfig.json`,
    compilerOptions: { noUncheckedIndexedAccess: false, rootDir: root },
    include: ['.', `${root}test/package/docs/globals.d.ts`],
    exclude: [],
  }
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config))
  const tsc = [`${root}node_modules/typescript/bin/tsc`, '-p', folder, '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, tsc, { encoding: 'utf8', cwd: folder })
  const errors = new Map<string, string[]>()
  for (const [line, file = ''] of stdout.matchAll(/^([^(\s]+)\(\d.*$/gm)) {
    const example = files.get(file)
    // JavaScript has no syntax for parameter types.
    if (file.endsWith('.js') && /TS70(06|31)/.test(line)) continue
    if (example) errors.set(nameOf(example), [...(errors.get(nameOf(example)) ?? []), line])
  }
  return errors
}

describe('examples of README.md and docs', () => {
  it('compile, except listed ones with a reason', () => {
    const errors = compile([
      ...pages.flatMap((page) => examplesOf(page, 'ts', 'js')),
      { page: 'wrong', language: 'ts', number: 1, code: 'createRuntime()\n' },
    ])
    expect(errors.get('wrong ts 1'), 'a mistake is found').toHaveLength(1)
    errors.delete('wrong ts 1')
    expect(Object.fromEntries([...errors].filter(([name]) => !(name in UNCHECKED)))).toEqual({})
    expect([...errors.keys()].sort()).toEqual(Object.keys(UNCHECKED).sort())
  })

  it('sh examples are valid bash and name existing scripts', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
    for (const example of pages.flatMap((page) => examplesOf(page, 'sh'))) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: example.code, encoding: 'utf8' })
      expect(status, `${nameOf(example)}: ${stderr}`).toBe(0)
      for (const [, script = ''] of example.code.matchAll(/\bnpm run ([\w:-]+)/g)) expect(scripts, nameOf(example)).toHaveProperty([script])
      for (const [, file = ''] of example.code.matchAll(/\bnode ((?:scripts|test)\/\S+)/g)) readFileSync(root + file)
    }
  })

  it('json examples are valid JSON', () => {
    for (const example of pages.flatMap((page) => examplesOf(page, 'json')))
      expect(() => JSON.parse(example.code), nameOf(example)).not.toThrow()
  })
})

describe('README.md', () => {
  it('has at most 150 lines, and starts with a sentence, a three-line program and two commands', () => {
    const readme = readFileSync(`${root}README.md`, 'utf8')
    const [, sentence = '', program = '', , commands = ''] = readme.split('\n\n')
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
    expect(sentence.split(/\.\s/)).toHaveLength(1)
    expect(program.trim().split('\n').slice(1, -1)).toHaveLength(3)
    expect(commands).toContain('npm ci && npm start')
    expect(commands).toContain('npm ci && npm test')
  })

  it('has a Durable Object class that works when pasted', async () => {
    const { Agent } = (await runExample('README.md', 3)).exports as {
      Agent: new (ctx: object) => { fetch(request: Request): Promise<Response> }
    }
    const body = JSON.stringify({ name: 'bash', input: { command: 'echo hi | tr a-z A-Z' } })
    const response = await new Agent({}).fetch(new Request('http://agent/', { method: 'POST', body }))
    expect(await response.json()).toMatchObject({ ok: true, output: { exit_code: 0, stdout: 'HI\n' } })
  })

  it('runs every example', () => {
    expect(examplesOf('README.md', 'ts', 'js')).toHaveLength(4)
  })
})

const some = (fields: object): object => expect.objectContaining(fields)
const one = (text: string): string => expect.stringContaining(text)

describe('examples that run', () => {
  it.each<[page: string, number: number, what: string, printed: unknown[][]]>([
    ['README.md', 1, 'the first program', [[some({ files_searched: expect.toSatisfy((count) => Number(count) > 100) })]]],
    [
      'README.md',
      2,
      'in the browser',
      [[some({ exit_code: 0, stdout: 'export const b = 2\nexport const a = 1\n', cwd: '/workspace/src' })]],
    ],
    ['README.md', 4, 'in memory', [[10, one('Edited /workspace/src/a.ts')], [{ lines: 1 }]]],
    ['docs/browser.md', 1, 'in the browser', [[some({ exit_code: 0, stdout: one('1 src/a.ts') })]]],
    ['docs/node-fs.md', 1, 'as the fs of Node', [['one']]],
    ['docs/node.md', 1, 'on a directory', [[some({ paths: expect.arrayContaining([`${root}docs/node.md`]) })]]],
    ['docs/node.md', 2, 'with JavaScript', [[some({ exit_code: 0, result: [2, 4, 6] })]]],
    ['docs/node.md', 3, 'in memory', [[some({ matches: [some({ text: 'one' })] })]]],
    [
      'docs/checkpoints.md',
      1,
      'with a restore and a branch',
      [[{ 'a.txt': 'one\n' }], [some({ applied: [some({ path: '/workspace/b.txt' })], conflicts: [] })]],
    ],
    [
      'docs/git.md',
      1,
      'with git',
      [[[some({ path: 'notes.md', worktree: 'modified' })]], [one('diff --git a/notes.md')], [['Add a line', 'Begin the notes']]],
    ],
    ['docs/javascript.md', 1, 'in the sandbox', [[some({ exit_code: 0, result: 2 })]]],
    ['docs/drop-ins.md', 4, 'a filesystem of just-bash', [['a\nb\n', { 'a.txt': 'b\na\n', 'sorted.txt': 'a\nb\n' }]]],
    ['docs/policies.md', 1, 'with rules', [[false], ['asked about', 'delete_file', { path: 'notes.md' }], [false]]],
    ['docs/policies.md', 2, 'with rules for commands', []],
    ['docs/virtual-shell.md', 1, 'in the virtual shell', [['a\nb\n']]],
  ])('%s %i, %s', async (page, number, _what, printed) => {
    expect((await runExample(page, number)).printed).toEqual(printed)
  })

  const SCRIPTED = "import { scriptedModel } from 'toolport/testing'\n"
  /** The model deletes a file, pushes and writes a file. The person approves what AI SDK asks, and the model answers. */
  const APPROVAL = {
    before: `
      ${SCRIPTED}import { generateText, isStepCount } from 'ai'
      import { fileTools, shellTools } from 'toolport'
      import { createJustBashShell } from 'toolport/adapters/just-bash'
      import { createMemoryFs } from 'toolport/adapters/memory'
      const fs = createMemoryFs({ files: { 'a.txt': 'one' } })
      const shell = createJustBashShell({ scratch: createMemoryFs() })
      const tools = [...fileTools(), ...shellTools()]
    `,
    after: `
      const bash = (command: string) => ({ name: 'bash', input: { command } })
      const model = scriptedModel([[{ name: 'delete_file', input: { path: 'a.txt' } }, bash('git push'), bash('echo one > b.txt')], 'Done.'])
      const user = { role: 'user' as const, content: 'Tidy up.' }
      const { content, response } = await generateText({ model, tools: aiTools, messages: [user], stopWhen: isStepCount(5) })
      const before = await runtime.workspace.files()
      const requests = content.filter((part) => part.type === 'tool-approval-request')
      const approvals = requests.map(({ approvalId }) => ({ type: 'tool-approval-response' as const, approvalId, approved: true }))
      const messages = [user, ...response.messages, { role: 'tool' as const, content: approvals }]
      const { text } = await generateText({ model, tools: aiTools, messages, stopWhen: isStepCount(5) })
      const asked = requests.map(({ toolCall }) => toolCall.toolName)
      export const got = [asked, before, text, await runtime.workspace.files()]
    `,
    expected: [['delete_file', 'bash'], { 'a.txt': 'one', 'b.txt': 'one\n' }, 'Done.', { 'b.txt': 'one\n' }],
  }
  const workspace =
    "import { createTestWorkspace } from 'toolport/testing'\nconst { workspace } = createTestWorkspace({ files: { 'a.txt': 'one\\n' } })\n"
  const runtime = `${workspace}import { createRuntime, fileTools } from 'toolport'\nconst runtime = createRuntime({ workspace, tools: fileTools() })\n`

  it.each<[page: string, number: number, what: string, before: string, after: string, expected: unknown]>([
    [
      'docs/archives.md',
      2,
      'as a zip file',
      workspace,
      'export const got = await workspace.files()',
      { 'a.txt': 'one\n', 'copy/a.txt': 'one\n' },
    ],
    ['docs/checkpoints.md', 2, 'with checkpoints', workspace, 'export const got = await workspace.files()', { 'a.txt': 'changed' }],
    ['docs/formats.md', 2, 'with schemas of outputs', runtime, 'export const got = tools.every(({ outputSchema }) => outputSchema)', true],
    [
      'docs/formats.md',
      3,
      'with AI SDK',
      `${SCRIPTED}const model = scriptedModel([{ name: 'bash', input: { command: 'echo exit 0 > test.sh; bash test.sh' } }, 'Done.'])\n`,
      'export const got = [text, await runtime.workspace.files()]',
      ['Done.', { 'test.sh': 'exit 0\n' }],
    ],
    ['docs/formats.md', 4, 'with the approval of AI SDK', APPROVAL.before, APPROVAL.after, APPROVAL.expected],
    ['docs/mcp.md', 4, 'with a client of MCP', runtime, 'export const got = (await client.listTools()).tools.length', 6],
    ['docs/storages.md', 1, 'on a directory', '', 'export const got = runtime.workspace.root', root.slice(0, -1)],
    ['docs/storages.md', 7, 'on memfs', '', 'export const got = await runtime.workspace.files()', { 'a.txt': 'hello\n' }],
  ])('%s %i, %s', async (page, number, _what, before, after, expected) => {
    expect((await runExample(page, number, before, after)).exports.got).toEqual(expected)
  })

  it('docs/cli.md 1, a configuration file', async () => {
    const { default: config } = (await runExample('docs/cli.md', 1)).exports as { default: (given: object) => object }
    expect(config({ env: {}, cwd: '/' })).toMatchObject({ shell: 'virtual', tools: [{ name: 'today' }] })
  })

  it('docs/presets.md 1, with a preset', async () => {
    const files = "const files = { 'src/greet.js': 'export const a = 1\\n' }\n"
    const { exports } = await runExample('docs/presets.md', 1, files, 'export const wire = runtime.toWire(result, call)\n')
    expect(exports.wire).toEqual({ ok: 'src/greet.js (1 lines total, showing 1)\n     1\texport const a = 1' })
  })
})
