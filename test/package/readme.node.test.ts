import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'

const root = new URL('../../', import.meta.url)
const readme = await readFile(new URL('README.md', root), 'utf8')
const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code as string)
const folder = fileURLToPath(new URL('.cache/readme/', root))

afterEach(() => vi.restoreAllMocks())

/** Runs a block as it stands and gives what it printed. */
async function run(code: string, name: string): Promise<unknown[][]> {
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}${name}.ts`, code)
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await import(/* @vite-ignore */ `${folder}${name}.ts`)
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
    expect(printed[0]?.[0]).toBe(9)
    expect(printed[0]?.[1]).toContain('Edited /workspace/src/a.ts')
    expect(printed[1]).toEqual([{ lines: 1 }])
  })

  it('has no other programs', () => {
    expect(blocks).toHaveLength(2)
  })

  it('links to what exists', async () => {
    for (const [, target] of readme.matchAll(/\]\(([^)#:]+)\)/g)) await readFile(new URL(target as string, root))
  })
})
