// @module-tag clients
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { examplesOf, root } from './docs/examples.js'
import { isUnreachable, newFolder } from './new-folder.js'

// Follows docs/clients.md in an empty folder: installs the packed package and the packages that a section names, and runs its programs with
// a stand-in for the model.

const run = promisify(execFile)
const PAGE = 'docs/clients.md'
const NAME = 'the-name'
const DONE = 'it-is-done'

/** Replaces `fetch` by the model, and ends the process with 1 unless its second request has the content of package.json. */
const replaceFetch = (fetch: string): string => `
${fetch}
process.on('exit', () => {
  if (bodies.length !== 2 || !JSON.stringify(bodies[1]).includes('${NAME}')) process.exitCode = 1
})
`

const scripted = (call: object): string =>
  replaceFetch(`
import { scriptedModel } from 'toolport/testing'
const model = scriptedModel([${JSON.stringify(call)}, '${DONE}'])
const bodies = []
globalThis.fetch = async (input, init) => {
  bodies.push(await new Request(input, init).clone().text())
  return model.fetch(input, init)
}`)

const GEMINI = replaceFetch(`
const parts = [{ functionCall: { name: 'read_file', args: { path: 'package.json' } } }, { text: '${DONE}' }]
const bodies = []
globalThis.fetch = async (input, init) => {
  bodies.push(await new Request(input, init).text())
  return Response.json({ candidates: [{ content: { role: 'model', parts: [parts[bodies.length - 1]] }, finishReason: 'STOP' }] })
}`)

const READ = { name: 'read_file', input: { path: 'package.json' } }

interface Client {
  /** Heading of the section. */
  readonly section: string
  /** The fetch of the model. Default: a scripted model that reads package.json. */
  readonly model?: string
  /** Packages that the page only describes, with their versions. */
  readonly further?: readonly string[]
  /** Text in front of the program. */
  readonly before?: string
}

const CLIENTS: readonly Client[] = [
  { section: 'OpenAI' },
  { section: 'Anthropic' },
  { section: 'Gemini', model: GEMINI },
  { section: 'AI SDK' },
  { section: 'LangChain and LangGraph' },
  { section: 'OpenAI Agents' },
  {
    section: 'TanStack AI',
    further: ['@tanstack/ai-openai'],
    before: "import { openaiText } from '@tanstack/ai-openai'\nconst adapter = openaiText('gpt-5.5')\n",
  },
  { section: 'bash-tool', model: scripted({ name: 'bash', input: { command: 'cat package.json' } }) },
  { section: 'deepagents', model: scripted({ name: 'read_file', input: { file_path: '/package.json' } }) },
]

async function sectionOf(heading: string): Promise<string> {
  const page = await readFile(root + PAGE, 'utf8')
  const [, text = ''] = page.split(`\n## ${heading}\n`)
  return text.split('\n## ')[0] ?? ''
}

/** The packages of the section's `npm install`, in the versions of this repository. */
async function packagesOf(section: string): Promise<readonly string[]> {
  const { devDependencies } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { devDependencies: Record<string, string> }
  const [, names = ''] = /`npm install ([^`]+)`/.exec(section) ?? []
  return names.split(' ').map((name) => (devDependencies[name] === undefined ? name : `${name}@${devDependencies[name]}`))
}

it.for(CLIENTS)(
  'the programs for $section run in an empty folder',
  { timeout: 300_000 },
  async ({ section: heading, model = scripted(READ), further = [], before = '' }, { skip }) => {
    const section = await sectionOf(heading)
    const programs = examplesOf(PAGE, 'ts').filter(({ code }) => section.includes(code))
    expect(programs.length).toBeGreaterThan(0)
    const here = await newFolder(NAME, [packed().tarball, 'tsx@4', ...(await packagesOf(section)), ...further])
    onTestFinished(() => here.remove())
    skip(isUnreachable(here), 'the registry of npm cannot be reached')
    expect(here.problem).toBe('')
    const { folder } = here
    await writeFile(join(folder, 'model.mjs'), model)
    const keys = { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none', GEMINI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' }
    for (const { code } of programs) {
      await writeFile(join(folder, 'agent.ts'), before + code)
      const env = { PATH: process.env.PATH, HOME: folder, ...keys }
      const { stdout } = await run(process.execPath, ['--import', 'tsx', '--import', './model.mjs', 'agent.ts'], { cwd: folder, env })
      expect(stdout).toContain(DONE)
    }
  },
)
