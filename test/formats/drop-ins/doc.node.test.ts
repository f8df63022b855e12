// @module-tag drop-ins
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'

const root = new URL('../../../', import.meta.url)
const doc = await readFile(new URL('docs/drop-ins.md', root), 'utf8')
const blocks = [...doc.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code as string)
const folder = fileURLToPath(new URL('.cache/drop-ins/', root))

afterEach(() => vi.restoreAllMocks())

/** Runs a block as it stands and gives what it printed. */
async function run(index: number): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}${index}.ts`, blocks[index] as string)
  await import(/* @vite-ignore */ `${folder}${index}.ts`)
  return log.mock.calls
}

describe('docs/drop-ins.md', () => {
  it('has a sandbox that works when pasted', async () => {
    expect(await run(0)).toEqual([[{ exitCode: 0, stdout: '5\n', stderr: '' }], ['echo $(( $1 + $2 ))\n']])
  })

  it('has an editor and a shell that work when pasted', async () => {
    const [[tools, edited] = [], [ran] = []] = await run(1)
    expect(tools).toBe(2)
    expect(edited).toMatchObject({ status: 'completed' })
    expect(ran).toMatchObject({ output: [{ stdout: 'one\n2\n' }, { outcome: { type: 'exit', exitCode: 3 } }] })
  })

  it('has a memory that works when pasted', async () => {
    expect(await run(2)).toEqual([
      ['File created successfully at: /memories/notes.md'],
      ["Here's the content of /memories/notes.md with line numbers:\n     1\tPrefers tabs."],
    ])
  })

  it('has a filesystem that works when pasted', async () => {
    expect(await run(3)).toEqual([['a\nb\n', { 'a.txt': 'b\na\n', 'sorted.txt': 'a\nb\n' }]])
    expect(blocks).toHaveLength(4)
  })

  it('links to what exists', async () => {
    for (const [, target] of doc.matchAll(/\]\(([^)#:]+)\)/g)) await readFile(new URL(`docs/${target}`, root))
  })
})
