// @module-tag test-kit
import { generateText, isStepCount, type LanguageModel } from 'ai'
import { toAiSdkTools } from 'toolport/formats'
import {
  assertions,
  createTestHost,
  type EvaluateOptions,
  type EvaluationCase,
  evaluate,
  evaluationTable,
  type ModelScript,
  type ScriptedModel,
  scriptedModel,
  virtualShell,
} from 'toolport/testing'
import { expect, it } from 'vitest'

const FILES = { 'a.ts': 'const port = 80\n' }
const EDIT = { name: 'edit_file', input: { path: 'a.ts', edits: [{ old_string: '80', new_string: '8080' }] } }
const PORT: EvaluationCase = {
  name: 'port',
  prompt: 'Set the port to 8080.',
  files: FILES,
  score: async (run) => assertions.toHaveChanged(run, { 'a.ts': /8080/ }),
}
const host = createTestHost()

/** A model with another script for each case. */
const scripted =
  (scripts: Readonly<Record<string, ModelScript>>) =>
  ({ name }: EvaluationCase): ScriptedModel =>
    scriptedModel(scripts[name] ?? [])

const outcomes = async (options: Partial<EvaluateOptions>): Promise<unknown> => {
  const { results } = await evaluate({ cases: [PORT], host, ...options })
  return results.map(({ case: name, model, status, reason }) => [name, model, status, reason])
}

it('evaluate runs each case on its own files with the tools of the runtime', async () => {
  const model = scriptedModel([
    { name: 'read_file', input: { path: 'a.ts' }, id: 'r' },
    { calls: [EDIT, { name: 'bash', input: { command: 'cat a.ts' } }], usage: { input: 10, output: 5 } },
    { text: 'Done.', usage: { input: 20, output: 1 } },
  ])
  const seen: unknown[] = []
  const report = await evaluate({
    cases: [{ ...PORT, score: async (run) => run.text === 'Done.' && (await run.files())['a.ts'] === 'const port = 8080\n' }],
    model,
    system: 'Be brief.',
    shell: virtualShell(),
    host,
    onResult: ({ status }, run) =>
      seen.push(
        status,
        run?.steps,
        run?.calls.map(({ name }) => name),
      ),
  })
  expect(report).toEqual({
    total: 1,
    passed: 1,
    results: [{ case: 'port', model: 'scripted', status: 'passed', score: 1, steps: 3, calls: 3, tokens: { input: 30, output: 6 }, ms: 0 }],
  })
  expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  expect(seen).toEqual(['passed', 3, ['read_file', 'edit_file', 'bash']])
  expect(model.requests[0]?.tools).toContain('bash')
  expect(model.requests[2]?.messages).toMatchObject([
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Set the port to 8080.' },
    { role: 'assistant', calls: [{ id: 'r', name: 'read_file', input: { path: 'a.ts' } }] },
    { role: 'tool', callId: 'r', text: expect.stringContaining('const port = 80') },
    { role: 'assistant', calls: [{ name: 'edit_file', input: EDIT.input }, { name: 'bash' }] },
    { role: 'tool', callId: 'scripted_1' },
    { role: 'tool', callId: 'scripted_2', text: expect.stringContaining('8080') },
  ])
})

it('evaluate compares models, and evaluationTable prints a table', async () => {
  const report = await evaluate({
    cases: [PORT, { name: 'a | b', prompt: 'Say yes.', score: ({ text }) => (text === 'yes' ? 1 : 0.5) }],
    models: {
      good: scripted({ port: [EDIT, 'Done.'], 'a | b': ['yes'] }),
      poor: scripted({ port: ['I would rather not.'], 'a | b': [{ text: 'no', usage: { input: 7, output: 2 } }] }),
    },
    host,
  })
  expect(evaluationTable(report)).toBe(
    `| case   | model | result | score | steps | calls | tokens in | tokens out |  time |
|--------|-------|--------|------:|------:|------:|----------:|-----------:|------:|
| port   | good  | passed |     1 |     2 |     1 |         0 |          0 | 0.0 s |
| port   | poor  | failed |     0 |     1 |     0 |         0 |          0 | 0.0 s |
| a \\| b | good  | passed |     1 |     1 |     0 |         0 |          0 | 0.0 s |
| a \\| b | poor  | failed |   0.5 |     1 |     0 |         7 |          2 | 0.0 s |

- good: 2 of 2 passed
- poor: 0 of 2 passed

- port (poor): Expected other changes: "a.ts" has not changed
  "a.ts" differs:
    expected: /8080/
    found:    "const port = 80\\n"
- a | b (poor): The score 0.5 is below 1
`,
  )
})

it('evaluate reports why each case failed, and continues', async () => {
  const cases = ['throws', 'false', 'number', 'wrong', 'error', 'lost', 'steps', 'malformed'].map((name) => ({ ...PORT, name }))
  const scores: Readonly<Record<string, unknown>> = { false: false, number: 0.4, wrong: 'yes' }
  const read = { name: 'read_file', input: { path: 'a.ts' } }
  const results = await outcomes({
    cases: cases.map((task) => (task.name in scores ? { ...task, score: () => scores[task.name] } : task)),
    model: scripted({
      ...Object.fromEntries(['throws', 'false', 'number', 'wrong'].map((name) => [name, ['Done.']])),
      error: [{ error: { status: 500, message: 'Overloaded' } }],
      lost: [read],
      steps: [read, read, read, 'late'],
      malformed: [{ name: 'edit_file', arguments: '{"path' }, EDIT, 'Done.'],
    }),
    passScore: 0.5,
    budget: { steps: 3 },
  })
  expect(results).toEqual([
    ['throws', 'model', 'failed', expect.stringContaining('"a.ts" has not changed')],
    ['false', 'model', 'failed', 'The score is false'],
    ['number', 'model', 'failed', 'The score 0.4 is below 0.5'],
    ['wrong', 'model', 'error', 'The score is yes. Return a boolean, a number from 0 to 1 or nothing, or throw.'],
    ['error', 'model', 'error', 'Overloaded'],
    ['lost', 'model', 'error', expect.stringContaining('Cannot answer model request 2: the script has 1 step')],
    ['steps', 'model', 'steps', 'Used up the budget of 3 steps'],
    ['malformed', 'model', 'passed', undefined],
  ])
})

it('evaluate ends a case at its timeout, even if its score hangs or its agent ignores the signal', async () => {
  const clock = createTestHost()
  const never = new Promise(() => {})
  const stalls = { ...PORT, name: 'stalls' }
  const run = outcomes({
    cases: [stalls, { ...PORT, name: 'hangs', score: () => never }],
    models: { scripted: scripted({ stalls: [{ stall: true }], hangs: ['Done.'] }) },
    budget: { ms: 2000 },
    host: clock,
  })
  const ignores = outcomes({ agent: () => never, budget: { ms: 2000 }, host: clock })
  await clock.advance(2000)
  const reason = 'Did not end within 2000 ms'
  expect(await run).toEqual([
    ['stalls', 'scripted', 'timeout', reason],
    ['hangs', 'scripted', 'timeout', reason],
  ])
  expect(await ignores).toEqual([['port', 'model', 'timeout', reason]])
  expect(clock.sleeping).toBe(0)
})

it('evaluate reports every case after an abort', async () => {
  const controller = new AbortController()
  const cases = ['one', 'two', 'three'].map((name) => ({ ...PORT, name }))
  const results = await outcomes({
    cases,
    concurrency: 1,
    model: ({ name }) =>
      scriptedModel([
        () => {
          if (name === 'two') controller.abort()
          return name === 'two' ? { stall: true } : EDIT
        },
        'Done.',
      ]),
    signal: controller.signal,
  })
  expect(results).toEqual([
    ['one', 'model', 'passed', undefined],
    ['two', 'model', 'aborted', 'The evaluation was aborted'],
    ['three', 'model', 'aborted', 'The evaluation was aborted'],
  ])
})

it('evaluate runs a limited number of cases in parallel and keeps their order', async () => {
  const clock = createTestHost()
  let [running, most] = [0, 0]
  const report = evaluate({
    cases: [5, 4, 3, 2, 1].map((ms) => ({ ...PORT, name: `${ms} ms`, score: () => true })),
    agent: async ({ case: { name } }) => {
      most = Math.max(most, ++running)
      await clock.sleep(Number.parseInt(name, 10))
      running--
    },
    concurrency: 2,
    host: clock,
  })
  await clock.advance(20)
  expect((await report).results.map(({ case: name, ms }) => [name, ms])).toEqual([5, 4, 3, 2, 1].map((ms) => [`${ms} ms`, ms]))
  expect(most).toBe(2)
})

it('evaluate accepts an agent with its own client', async () => {
  const made: LanguageModel = scriptedModel([{ ...EDIT, id: 'e' }, 'Done.'])
  const { results } = await evaluate({
    cases: [{ ...PORT, score: ({ text, model }) => text === 'Done.' && model === made }],
    model: made,
    agent: ({ case: { prompt }, model, runtime, signal, maxSteps, step }) =>
      generateText({
        ...{ model, prompt, tools: toAiSdkTools(runtime), abortSignal: signal, stopWhen: isStepCount(maxSteps) },
        onStepFinish: ({ usage }) => step({ input: usage.inputTokens }),
      }),
    host,
  })
  expect(results).toMatchObject([{ status: 'passed', steps: 2, calls: 1, tokens: { input: 0, output: 0 } }])
  const many = await outcomes({
    agent: ({ step }) => {
      for (let count = 0; count < 9; count++) step()
    },
    budget: { steps: 3 },
  })
  expect(many).toEqual([['port', 'model', 'steps', 'Used up the budget of 3 steps']])
})

it('evaluate rejects invalid options', async () => {
  const model = scriptedModel([])
  for (const [options, words] of [
    [{ model: undefined }, 'evaluate needs the option "model", or "models" by name'],
    [{ model, models: { a: model } }, 'Cannot evaluate with both "model" and "models"'],
    [{ models: { a: 'gpt' } }, 'the model "a": expected a LanguageModelV4'],
    [{ cases: [] }, 'evaluate needs the option "cases", a list of one case or more'],
    [{ cases: [PORT, PORT] }, 'two cases with the name "port"'],
    [{ cases: [{ name: 'a', prompt: 'b' }] }, 'needs a score for the case "a"'],
    [{ cases: [{ name: 'a' }] }, 'a prompt for the case "a"'],
    [{ concurrency: 0 }, 'concurrency 0: expected a whole number from 1'],
    [{ budget: { steps: 1.5 } }, 'budget.steps 1.5'],
    [{ passScore: 2 }, 'passScore 2: expected 0 to 1'],
  ] as const) {
    const wrong = { cases: [PORT], ...('models' in options ? {} : { model }), ...options } as unknown as EvaluateOptions
    await expect(evaluate(wrong)).rejects.toThrow(words)
  }
})

it('evaluate reports invalid files and errors without a message as results', async () => {
  const report = await evaluate({
    cases: [
      { name: 'outside', prompt: 'a', files: { '../x': '' } },
      { name: 'odd', prompt: 'b' },
    ],
    agent: () => {
      throw Object.create(null)
    },
    score: () => true,
  })
  expect(report.results.map(({ status, reason }) => [status, reason])).toEqual([
    ['error', expect.stringContaining('../x')],
    ['error', 'Something without a message was thrown'],
  ])
})
