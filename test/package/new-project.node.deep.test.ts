// @module-tag package
// @module-tag test-kit
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { newFolder } from './new-folder.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
let project: string

/** The example of docs/test-kit.md that contains these words. */
async function exampleWith(words: string): Promise<string> {
  const page = await readFile(`${root}docs/test-kit.md`, 'utf8')
  const example = [...page.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```/gm)]
    .map(([, code]) => code as string)
    .find((code) => code.includes(words))
  return example ?? Promise.reject(new Error(`docs/test-kit.md has no example with ${words}`))
}

/** Runs a command like a newcomer on a terminal, without the variables of the test runner that runs this file. */
async function npx(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_|TEST$|JEST)/.test(name))
  const { stdout, stderr } = await run('npx', ['--no-install', ...args], { cwd: project, env: { ...Object.fromEntries(own), ...env } })
  return stdout + stderr
}

beforeAll(async () => {
  const { devDependencies } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { devDependencies: Record<string, string> }
  const versions = ['vitest', 'typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`)
  const { folder, problem, remove } = await newFolder('new', [packed().tarball, ...versions, 'jest@30', '@jest/globals@30'], ['--save-dev'])
  project = folder
  expect(problem).toBe('')
  return remove
}, 600_000)

it('runs the example with Vitest', async () => {
  await writeFile(join(project, 'vitest.test.ts'), await exampleWith("declare module 'vitest'"))
  expect(await npx(['vitest', 'run', 'vitest.test.ts'])).toMatch(/1 passed/)
})

it('runs the example with Jest', async () => {
  await writeFile(join(project, 'jest.test.js'), await exampleWith('@jest/globals'))
  expect(await npx(['jest', 'jest.test.js'], { NODE_OPTIONS: '--experimental-vm-modules' })).toMatch(/1 passed/)
})

it('runs the example with node:test', async () => {
  await writeFile(join(project, 'node.test.js'), await exampleWith("'node:test'"))
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'node.test.js'], {
    cwd: project,
    env: { PATH: process.env.PATH },
  })
  expect(stdout).toMatch(/^# pass 1$/m)
})

it('has matcher types for each runner', async () => {
  const extension = (await exampleWith("declare module 'expect'")).replace(
    /^/,
    "import type { ToolportMatchers } from 'toolport/testing'\n",
  )
  await writeFile(join(project, 'jest-types.test.ts'), extension + (await exampleWith('@jest/globals')))
  await writeFile(join(project, 'vitest-types.test.ts'), await exampleWith("declare module 'vitest'"))
  await writeFile(join(project, 'node-types.test.ts'), await exampleWith("'node:test'"))
  await writeFile(join(project, 'wrong.ts'), (await exampleWith("'node:test'")).replace("'write_file', {", '1, {'))
  const files = ['jest-types.test.ts', 'vitest-types.test.ts', 'node-types.test.ts', 'wrong.ts']
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node']
  const error = await npx(['tsc', ...options, ...files]).catch((failed: { stdout: string }) => failed.stdout)
  // The intended mistake is the only error.
  expect(error.match(/error TS/g)).toHaveLength(1)
  expect(error).toContain('wrong.ts')
})
