// @module-tag test-kit
import { createFetch } from 'toolport/adapters/fetch'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestRuntime, openCassette } from 'toolport/testing'
import { expect, it } from 'vitest'

const PROGRAM = `
import { writeFile } from 'node:fs/promises'
const seen = await invokeTool('read_file', { path: 'seed.txt' })
await invokeTool('write_file', { path: 'a.txt', content: 'by a tool' })
const answer = await fetch('https://data.example/x')
await writeFile('b.txt', await answer.text())
console.log('printed', Math.random())
export default { seen: JSON.stringify(seen).includes('sown'), now: Date.now() }
`

it('a cassette replays programs with their calls, requests, files and results, without the engine', async () => {
  let text: string | undefined
  let asked = 0
  const run = async (): Promise<unknown> => {
    const cassette = await openCassette({
      read: async () => text,
      write: async (written) => {
        text = written
      },
    })
    const answer = async (): Promise<Response> => {
      asked++
      return Response.json({ data: [1, 2] })
    }
    const fetch = createFetch({ origins: ['https://data.example'], fetch: answer })
    const { runtime, calls, files } = createTestRuntime({
      cassette,
      fetch,
      ...(cassette.mode === 'record' && { js: createQuickJs({ worker: false }) }),
      jsTools: { grants: { fetch: true, tools: ['read_file', 'write_file'] } },
      files: { 'seed.txt': 'sown' },
    })
    await runtime.execute({ name: 'run_js', input: { code: PROGRAM } })
    await runtime.execute({ name: 'read_file', input: { path: 'b.txt' } })
    await runtime.execute({ name: 'run_js', input: { code: 'throw new Error("no")' } })
    const all = { calls, files: await files() }
    await runtime.dispose()
    await cassette.close()
    return all
  }
  const recorded = await run()
  expect(recorded).toMatchObject({
    calls: [
      { name: 'run_js', result: { output: { exit_code: 0, result: { seen: true } } } },
      { name: 'read_file', result: { ok: true } },
      { name: 'write_file', result: { ok: true } },
      { name: 'read_file', result: { ok: true } },
      { name: 'run_js', result: { output: { exit_code: 1 } } },
    ],
    files: { 'seed.txt': 'sown', 'a.txt': 'by a tool', 'b.txt': '{"data":[1,2]}' },
  })
  expect(await run()).toEqual(recorded)
  expect(asked).toBe(1)
})
