// @module-tag package
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'

const root = new URL('../../', import.meta.url)
const readme = await readFile(new URL('README.md', root), 'utf8')
const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code as string)
const folder = fileURLToPath(new URL('.cache/readme/', root))

afterEach(() => vi.restoreAllMocks())

/** Loads a block as it stands. */
async function load(code: string, name: string): Promise<Record<string, unknown>> {
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}${name}.ts`, code)
  return import(/* @vite-ignore */ `${folder}${name}.ts`)
}

/** Runs a block as it stands and gives what it printed. */
async function run(code: string, name: string): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await load(code, name)
  return log.mock.calls
}

describe('README', () => {
  it('opens with one sentence, a program of three lines and the two commands', () => {
    const [, sentence = '', program = '', , commands = ''] = readme.split('\n\n')
    expect(sentence.split(/\.\s/)).toHaveLength(1)
    expect(program.trim().split('\n').slice(1, -1)).toHaveLength(3)
    expect(commands).toContain('npm ci && npm start')
    expect(commands).toContain('npm ci && npm test')
  })

  it('has a first program that works when pasted', async () => {
    const [[output]] = (await run(blocks[0] as string, 'first')) as [[{ files_searched: number }]]
    expect(output.files_searched).toBeGreaterThan(100)
  })

  it('has a second program that works when pasted', async () => {
    const printed = await run(blocks[1] as string, 'second')
    expect(printed[0]?.[0]).toBe(10)
    expect(printed[0]?.[1]).toContain('Edited /workspace/src/a.ts')
    expect(printed[1]).toEqual([{ lines: 1 }])
  })

  it('has a program for the browser that works when pasted', async () => {
    const [[output]] = (await run(blocks[2] as string, 'browser')) as [[unknown]]
    expect(output).toMatchObject({ exit_code: 0, stdout: 'export const b = 2\nexport const a = 1\n', cwd: '/workspace/src' })
  })

  it('has a class for a Durable Object that works when pasted', async () => {
    const { Agent } = (await load(blocks[3] as string, 'cloudflare')) as {
      Agent: new (ctx: object) => { fetch(request: Request): Promise<Response> }
    }
    const body = JSON.stringify({ name: 'bash', input: { command: 'echo hi | tr a-z A-Z' } })
    const response = await new Agent({}).fetch(new Request('http://agent/', { method: 'POST', body }))
    expect(await response.json()).toMatchObject({ ok: true, output: { exit_code: 0, stdout: 'HI\n' } })
  })

  it('has a program with JavaScript that works when pasted', async () => {
    const [[output]] = (await run(blocks[4] as string, 'javascript')) as [[unknown]]
    expect(output).toMatchObject({ exit_code: 0, result: [2, 4, 6] })
  })

  it('has a program that goes back, branches and exports, and works when pasted', async () => {
    const printed = await run(blocks[5] as string, 'back')
    expect(printed[0]?.[0]).toMatchObject({ applied: [{ path: '/workspace/b.txt' }], conflicts: [] })
    expect(printed[1]?.[0]).toBeGreaterThan(50)
  })

  it('has a program for a preset that works when pasted', async () => {
    const printed = await run(blocks[6] as string, 'preset')
    expect(printed).toEqual([[{ Error: { call_id: 'call_123', error: { FileNotFound: '/workspace/missing.txt' } } }]])
  })

  it('has no other programs', () => {
    expect(blocks).toHaveLength(7)
  })

  it('links to what exists', async () => {
    for (const [, target] of readme.matchAll(/\]\(([^)#:]+)\)/g)) await readFile(new URL(target as string, root))
  })
})
