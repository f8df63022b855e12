// @module-tag cli
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateText, isStepCount } from 'ai'
import { toAiSdkTools } from 'toolport/formats'
import { createTestRuntime, openCassette, scriptedModel, virtualShell } from 'toolport/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedCli } from './cli-support.js'

const toolport = sharedCli()
let root: string
let text = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolport-replay-'))
  const cassette = await openCassette({
    read: async () => undefined,
    write: async (written) => {
      text = written
    },
  })
  const { runtime } = createTestRuntime({ cassette, files: { 'a.txt': 'one\n\u001b[31mtwo\n' }, shell: virtualShell() })
  const model = scriptedModel([
    [
      { name: 'read_file', input: { path: 'a.txt' } },
      { name: 'read_file', input: { path: 'missing' } },
    ],
    { name: 'bash', input: { command: 'echo hi > b.txt; rm a.txt; cat b.txt' } },
    'Done.',
  ])
  await generateText({ model: cassette.model(model), tools: toAiSdkTools(runtime), prompt: 'Go.', stopWhen: isStepCount(9) })
  await runtime.dispose()
  await cassette.close()
  await writeFile(join(root, 'same.jsonl'), text)
})

afterAll(() => rm(root, { recursive: true }))

it('toolport replay shows a cassette and replays it', async () => {
  const { code, stdout, stderr } = await toolport(root, ['replay', 'same.jsonl'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(`   2  model (1 messages)
      calls read_file {"path":"a.txt"}
      calls read_file {"path":"missing"}
   3  call read_file {"path":"a.txt"}
           1	one
           2	⟨U+001B⟩[31mtwo
   4  call read_file {"path":"missing"}
      ENOENT: Cannot read "/workspace/missing": no such file or directory
   5  model (3 messages)
      calls bash {"command":"echo hi > b.txt; rm a.txt; cat b.txt"}
   6  call bash {"command":"echo hi > b.txt; rm a.txt; cat b.txt"}
      hi
   7  shell echo hi > b.txt; rm a.txt; cat b.txt
      hi
      removed a.txt
      changed b.txt
   8  model (5 messages)
      Done.
Replayed 3 calls: all answers are as recorded.
`)
  expect(JSON.parse((await toolport(root, ['replay', 'same.jsonl', '--json'])).stdout)).toEqual({ calls: 3 })
})

it('toolport replay reports the first difference and exits with 1', async () => {
  await writeFile(join(root, 'other.jsonl'), text.replace('"answered":{"exitCode":0,"stdout":"hi', '"answered":{"exitCode":0,"stdout":"ho'))
  const { code, stderr } = await toolport(root, ['replay', 'other.jsonl'])
  expect(code).toBe(1)
  expect(stderr).toContain('Cannot replay the cassette: a call answers otherwise than line 6 at output.stdout.')
  expect(stderr).toContain('  recorded: "hi\\n"\n  now:      "ho\\n"')
  const told = await toolport(root, ['replay', 'other.jsonl', '--json'])
  expect([told.code, JSON.parse(told.stdout)]).toMatchObject([1, { difference: { line: 6 } }])
})

it('toolport replay rejects an invalid cassette and exits with 2', async () => {
  await writeFile(join(root, 'no.jsonl'), '{"name":"read_file"}\n')
  for (const [operands, words] of [
    [['no.jsonl'], 'Cannot read the cassette: expected {"cassette":1,...} on line 1'],
    [['missing.jsonl'], 'Cannot read "missing.jsonl": ENOENT'],
    [[], '"replay" needs the file of a cassette'],
    [['same.jsonl', '--preset', 'none'], 'There is no preset "none"'],
  ] as const) {
    const { code, stderr } = await toolport(root, ['replay', ...operands])
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  }
  expect((await toolport(root, ['repla'])).stderr).toContain('did you mean "replay"?')
})
