// @module-tag clients
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { examplesOf } from './docs/examples.js'

// Runs the program of docs/clients.md with `@mastra/core`, installed into a folder of its own: it is too large for every `npm ci`.

const MASTRA = '@mastra/core@1.71.0'
const run = promisify(execFile)

/** Answers the requests of the program instead of OpenAI, and ends the process with 1 unless it sends exactly two. */
const MODEL = `
import { scriptedModel } from 'toolport/testing'
const model = scriptedModel([{ name: 'read_file', input: { path: 'package.json' } }, 'my-agent'])
globalThis.fetch = model.fetch
process.on('exit', () => {
  const told = JSON.stringify(model.requests[1]?.body ?? '')
  if (model.requests.length !== 2 || !told.includes('the-name')) process.exitCode = 1
})
`

function needsNewerNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < 22 || (major === 22 && minor < 13)
}

it('runs an agent of Mastra', async ({ skip }) => {
  skip(needsNewerNode(), `@mastra/core needs Node 22.13 or later, and this is ${process.versions.node}`)
  const folder = await mkdtemp(join(tmpdir(), 'toolport-mastra-'))
  try {
    await writeFile(join(folder, 'package.json'), '{ "name": "the-name", "private": true, "type": "module" }\n')
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', packed().tarball, MASTRA, 'tsx@4']
    const problem = await run('npm', install, { cwd: folder }).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    )
    skip(/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(problem), 'the registry of npm cannot be reached')
    expect(problem).toBe('')
    const program = examplesOf('docs/clients.md', 'ts').find(({ code }) => code.includes("from '@mastra/core/agent'"))
    await writeFile(join(folder, 'agent.ts'), program?.code ?? '')
    await writeFile(join(folder, 'model.mjs'), MODEL)
    const env = { PATH: process.env.PATH, HOME: folder, OPENAI_API_KEY: 'none', MASTRA_TELEMETRY_DISABLED: '1' }
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--import', './model.mjs', 'agent.ts'], { cwd: folder, env })
    expect(stdout.trim()).toBe('my-agent')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
