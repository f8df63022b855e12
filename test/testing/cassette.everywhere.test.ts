// @module-tag test-kit
import { generateText, isStepCount, streamText } from 'ai'
import OpenAI from 'openai'
import { createRuntime, defineTool, type FetchAdapter } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { runToolCalls, toAiSdkTools } from 'toolport/formats'
import { standard } from 'toolport/presets/standard'
import {
  type Cassette,
  type CassetteStorage,
  createTestRuntime,
  openCassette,
  replayCassette,
  scriptedModel,
  type TestRuntime,
  virtualShell,
} from 'toolport/testing'
import { describe, expect, it, vi } from 'vitest'
import { madeRegistry, REGISTRY } from '../packages/install-support.js'
import { kept, lines, run } from './cassette-support.js'

const FILES = { 'a.txt': 'one\ntwo\n', 'logo.png': new Uint8Array([0x89, 0x50, 0xff]) }

it('replays shell commands and their file changes without the shell', async () => {
  const storage = kept()
  const body = async ({ runtime }: TestRuntime): Promise<void> => {
    await runtime.call('bash', {
      command: 'mkdir -p d/e; echo three > d/e/b.txt; chmod 755 d/e/b.txt; ln -s a.txt l; echo $RANDOM; export X=1',
    })
    await runtime.call('bash', {
      command: 'rm -r d/e logo.png; sed -i s/one/uno/ a.txt; echo $X; echo oops >&2; false; printf "\\\\xff" > bin',
    })
    await runtime.call('edit_file', { path: 'a.txt', edits: [{ old_string: 'two', new_string: 'due' }] })
    await runtime.execute({ name: 'bash', input: { command: 'cat missing' } })
  }
  const recorded = await run(storage, body, { files: FILES, shell: virtualShell() })
  expect(recorded.mode).toBe('record')
  const text = storage.text
  const replayed = await run(storage, body, { files: FILES })
  expect(replayed).toEqual({ ...recorded, mode: 'replay' })
  expect(replayed.files).toEqual({ 'a.txt': 'uno\ndue\n', bin: new Uint8Array([0xff]) })
  expect(storage.text).toBe(text)
  expect(lines(storage).map(({ kind }) => kind ?? 'header')).toEqual([
    'header',
    ...['call', 'shell', 'call', 'shell', 'call', 'call', 'shell'],
  ])
  expect(lines(storage)[2]).toMatchObject({
    asked: { command: expect.stringContaining('mkdir') },
    answered: { exitCode: 0, stderr: '' },
    changed: { d: { dir: true }, 'd/e': { dir: true }, 'd/e/b.txt': { text: 'three\n', mode: 0o755 }, l: { link: 'a.txt' } },
  })
  const { calls, difference, files } = await replayCassette(text ?? '')
  expect({ calls, difference, files }).toEqual({ calls: 4, difference: undefined, files: recorded.files })
})

/** Reads two files, one of which is missing, edits the other, and ends. */
const SCRIPT = [
  [
    { name: 'read_file', input: { path: 'a.txt' } },
    { name: 'read_file', input: { path: 'missing' } },
  ],
  { name: 'edit_file', input: { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'uno' }] } },
  'Done.',
]
const never: FetchAdapter = { name: 'never', fetch: () => Promise.reject(new Error('The network was asked')) }
const refuse: typeof fetch = () => Promise.reject(new Error('The network was asked'))

describe('recorded model requests', () => {
  it.each(['generate', 'stream'])('are replayed without the model: AI SDK, %s', async (how) => {
    const storage = kept()
    const loop = async ({ runtime }: TestRuntime, cassette: Cassette): Promise<string> => {
      const model = cassette.model(scriptedModel(storage.text === undefined ? SCRIPT : []))
      const options = { model, tools: toAiSdkTools(runtime), prompt: 'Go.', stopWhen: isStepCount(9), maxRetries: 0 }
      return how === 'generate' ? (await generateText(options)).text : streamText(options).text
    }
    const recorded = await run(storage, loop, { files: FILES })
    expect(recorded.value).toBe('Done.')
    expect(await run(storage, loop, { files: FILES })).toEqual({ ...recorded, mode: 'replay' })
    expect(lines(storage).map(({ kind }) => kind)).toEqual([undefined, 'model', 'call', 'call', 'model', 'call', 'model'])
  })

  it.each([false, true])('are replayed without the network: an OpenAI client, streamed: %s', async (stream) => {
    const storage = kept()
    const loop = async ({ runtime }: TestRuntime, cassette: Cassette): Promise<unknown> => {
      const real = storage.text === undefined ? scriptedModel(SCRIPT).fetch : refuse
      const client = new OpenAI({
        apiKey: 'sk-0123456789abcdefghij',
        fetch: cassette.fetch(real),
        maxRetries: 0,
        dangerouslyAllowBrowser: true,
      })
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go.' }]
      for (;;) {
        const { completions } = client.chat
        const completion = stream
          ? await completions.stream({ model: 'gpt', messages }).finalChatCompletion()
          : await completions.create({ model: 'gpt', messages })
        const ran = await runToolCalls(runtime, completion)
        if (ran.calls.length === 0) return completion.choices[0]?.message.content
        messages.push(...(ran.messages as OpenAI.ChatCompletionMessageParam[]))
      }
    }
    const recorded = await run(storage, loop, { files: FILES })
    expect(recorded.value).toBe('Done.')
    expect(await run(storage, loop, { files: FILES })).toEqual({ ...recorded, mode: 'replay' })
    expect(storage.text).not.toContain('sk-0123')
    expect(lines(storage)[1]).toMatchObject({ asked: { method: 'POST', body: { model: 'gpt' } } })
  })

  it('keep the status of a failed response', async () => {
    const storage = kept()
    const ask = async (_: TestRuntime, cassette: Cassette): Promise<number> => {
      const real = storage.text === undefined ? scriptedModel([{ error: { status: 503 } }]).fetch : refuse
      return (await cassette.fetch(real)('https://api.example/v1/messages', { method: 'POST', body: '{}' })).status
    }
    expect((await run(storage, ask)).value).toBe(503)
    expect((await run(storage, ask)).value).toBe(503)
  })
})

describe('recorded requests of tools', () => {
  it('are replayed in any order: packages', async () => {
    const storage = kept()
    const { fetch, asked } = await madeRegistry([
      { name: 'a', version: '1.0.0', dependencies: { b: '1', c: '1' }, files: { 'index.js': 'a' } },
      { name: 'b', version: '1.2.0' },
      { name: 'c', version: '1.0.3', dependencies: { b: '1' } },
    ])
    const options = { fetch, js: createQuickJs(), jsTools: { registry: REGISTRY } }
    const body = ({ runtime }: TestRuntime): Promise<unknown> => runtime.call('install_js_packages', { packages: ['a'] })
    const recorded = await run(storage, body, options)
    const count = asked.length
    expect(Object.keys(recorded.files)).toContain('node_modules/c/package.json')
    expect(await run(storage, body, { jsTools: options.jsTools, fetch: never })).toEqual({ ...recorded, mode: 'replay' })
    expect(asked).toHaveLength(count)
    const replayed = await replayCassette(storage.text ?? '', { preset: standard({ jsTools: options.jsTools }) })
    expect(replayed).toEqual({ calls: 1, difference: undefined, files: recorded.files })
  })

  it('fail as recorded', async () => {
    const storage = kept()
    const fetch = createFetch({ origins: ['https://other.example'] })
    const options = { fetch, webSearch: { provider: 'exa', baseUrl: 'https://search.example' } } as const
    const body = ({ runtime }: TestRuntime): Promise<unknown> => runtime.execute({ name: 'web_search', input: { query: 'x' } })
    const recorded = await run(storage, body, options)
    expect(recorded.value).toMatchObject({ ok: false })
    expect(await run(storage, body, { ...options, fetch: never })).toEqual({ ...recorded, mode: 'replay' })
  })
})

it('replays approvals without asking', async () => {
  const storage = kept()
  const asked: unknown[] = []
  const policy = (approve: () => boolean) => ({
    policy: { tools: [{ tools: 'write_file', action: 'ask' as const }], approve: (): boolean => approve() },
  })
  const body = async ({ runtime }: TestRuntime): Promise<void> => {
    for (const path of ['yes', 'no']) await runtime.execute({ name: 'write_file', input: { path, content: path } })
  }
  const recorded = await run(
    storage,
    body,
    policy(() => asked.push(1) === 1),
  )
  expect(recorded.files).toEqual({ yes: 'yes' })
  expect(
    await run(
      storage,
      body,
      policy(() => asked.push(1) > 0),
    ),
  ).toEqual({ ...recorded, mode: 'replay' })
  expect(asked).toHaveLength(2)
  const { tools } = policy(() => true).policy
  expect(await replayCassette(storage.text ?? '', { policy: { tools } })).toMatchObject({ difference: undefined, files: { yes: 'yes' } })
})

it('replays a background session with output, input, exit and files', async () => {
  const storage = kept()
  const record = async (): Promise<unknown> => {
    const cassette = await openCassette(storage)
    const fs = createMemoryFs({ now: () => cassette.host.now() })
    const runtime = createRuntime(cassette.attach({ fs, preset: standard(), shell: virtualShell() }))
    const results: unknown[] = []
    const call = async (name: string, input: object = {}): Promise<Record<string, unknown>> => {
      const result = await runtime.call(name, input)
      results.push(result)
      return result as Record<string, unknown>
    }
    const command = 'echo begun; read line; echo "got $line" | tee got.txt; echo oops >&2; exit 3'
    const { session_id } = await call('bash', { command, run_in_background: true })
    const read = (): Promise<Record<string, unknown>> => call('read_background_bash', { session_id, wait_ms: 20_000 })
    await read()
    await call('bash', { command: 'echo beside' })
    await call('write_background_bash', { session_id, input: 'hello' })
    while ((await read()).running) await call('list_background_bash')
    await call('list_background_bash')
    await call('read_file', { path: 'got.txt' })
    results.push(await runtime.workspace.files())
    await runtime.dispose()
    await cassette.close()
    return results
  }
  const recorded = await record()
  expect(JSON.stringify(recorded)).toContain('got hello')
  for (let round = 0; round < 10; round++) expect(await record()).toEqual(recorded)
  expect(await replayCassette(storage.text ?? '')).toMatchObject({ difference: undefined, files: { 'got.txt': 'got hello\n' } })
})

it('replays time and random numbers of the real clock', async () => {
  const storage = kept()
  const record = async (): Promise<unknown[]> => {
    const cassette = await openCassette(storage)
    const { host } = cassette
    const fs = createMemoryFs({ files: { 'a.txt': 'one' }, now: () => host.now() })
    const runtime = createRuntime(cassette.attach({ fs, preset: standard(), shell: virtualShell() }, { files: { 'a.txt': 'one' } }))
    const results: unknown[] = [new Date(host.now()).getFullYear()]
    for (const command of ['sleep 0.05; date +%s.%N; echo $RANDOM', 'echo two > b.txt', 'ls -l --time-style=full-iso']) {
      results.push(await runtime.call('bash', { command }))
    }
    results.push(await runtime.workspace.stat('b.txt').then(({ mtimeMs }) => mtimeMs))
    await host.sleep(5)
    results.push(host.now(), host.random())
    await runtime.dispose()
    await cassette.close()
    return results
  }
  const recorded = await record()
  expect(recorded[1]).toMatchObject({ duration_ms: expect.any(Number) })
  expect((recorded[1] as { duration_ms: number }).duration_ms).toBeGreaterThan(40)
  expect(await record()).toEqual(recorded)
  expect(await replayCassette(storage.text ?? '')).toMatchObject({ calls: 3, difference: undefined })
  // Recorded times cannot be mixed with current ones, so everything is recorded again.
  expect((await openCassette(storage, { mode: 'update' })).mode).toBe('record')
})

it('replays changes of the clock by the test, in this test only', async () => {
  const storage = kept()
  let begun = false
  const body = async ({ runtime, host }: TestRuntime): Promise<unknown> => {
    await host.advance(1000)
    await runtime.call('write_file', { path: 'a.txt', content: 'one' })
    begun = false
    const calling = runtime.call('wait', {})
    while (!begun) await host.yield()
    await host.advance(500)
    return calling
  }
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    inputSchema: { type: 'object', properties: {} },
    run: async (_, { host }) => {
      begun = true
      await host.sleep(500)
      return host.now()
    },
  })
  const options = { preset: standard(), tools: [wait] }
  const recorded = await run(storage, body, options)
  expect(recorded.value).toBe(Date.UTC(2025, 0, 1) + 1500)
  expect(await run(storage, body, options)).toEqual({ ...recorded, mode: 'replay' })
  await expect(replayCassette(storage.text ?? '', options)).rejects.toThrow(
    'Cannot replay line 3: the test moved the clock during the call',
  )
})

describe('a replay that differs', () => {
  const body =
    (command: string, path: string, then: readonly string[] = []) =>
    async ({ runtime }: TestRuntime): Promise<void> => {
      await runtime.execute({ name: 'bash', input: { command } })
      await runtime.execute({ name: 'read_file', input: { path } })
      for (const more of then) await runtime.execute({ name: 'read_file', input: { path: more } })
    }
  const recordedText = async (): Promise<string> => {
    const storage = kept()
    await run(storage, body('echo hi', 'a.txt'), { files: FILES, shell: virtualShell() })
    return storage.text ?? ''
  }

  it('names the first difference: the request, the recording, and how to accept it', async () => {
    const storage = kept(await recordedText())
    const differing = run(storage, body('echo ho', 'b.txt'), { files: FILES })
    await expect(differing).rejects.toMatchObject({ name: 'CassetteError', line: 2 })
    await expect(differing).rejects.toThrow(
      [
        'Cannot replay the cassette: a call differs from line 2 at input.command.',
        '  asked:    {"id":"call_1","name":"bash","input":{"command":"echo ho"}}',
        '  recorded: "echo hi"',
        '  now:      "echo ho"',
        '  place:    line 1, column 7 of the text',
        'To accept the change, run once with mode "update"; "record" records everything anew.',
      ].join('\n'),
    )
  })

  it('names a different result of a call', async () => {
    const storage = kept(await recordedText())
    const differing = run(storage, body('echo hi', 'a.txt'), { files: { ...FILES, 'a.txt': 'one\ntwo!\n' } })
    await expect(differing).rejects.toThrow(/a call answers otherwise than line 4 at output\.\w+/)
    await expect(differing).rejects.toThrow(/now: +.*two!/)
  })

  it('names an additional call and unused entries', async () => {
    const storage = kept(await recordedText())
    await expect(run(storage, body('echo hi', 'a.txt', ['a.txt']), { files: FILES })).rejects.toThrow(
      'it has no further entry of kind "call".\n  asked: {"id":"call_3","name":"read_file"',
    )
    await expect(run(storage, () => Promise.resolve(), { files: FILES })).rejects.toThrow(
      'the run did not use line 2 and 2 more.\n  recorded: call {"id":"call_1","name":"bash"',
    )
  })

  it('does not change the cassette, and fails all later requests', async () => {
    const text = await recordedText()
    const storage = kept(text)
    const cassette = await openCassette(storage, { mode: 'replay' })
    const { runtime } = createTestRuntime({ cassette })
    await runtime.execute({ name: 'read_file', input: { path: 'a.txt' } })
    expect(await runtime.execute({ name: 'bash', input: { command: 'echo hi' } })).toMatchObject({
      error: expect.stringContaining('a call differs from line 2 at name'),
    })
    await expect(cassette.close()).rejects.toThrow('a call differs from line 2 at name')
    expect(storage.text).toBe(text)
  })

  it('is accepted in mode "update", which records only what changed', async () => {
    const storage = kept(await recordedText())
    const before = storage.text?.split('\n') ?? []
    const options = { files: FILES, shell: virtualShell() }
    const updated = await run(storage, body('echo hi', 'a.txt', ['b.txt']), options, { mode: 'update' })
    const after = storage.text?.split('\n') ?? []
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4))
    expect(after).toHaveLength(before.length + 1)
    expect(await run(storage, body('echo hi', 'a.txt', ['b.txt']), { files: FILES })).toEqual({ ...updated, mode: 'replay' })
    await run(storage, body('echo ho', 'a.txt'), options, { mode: 'update' })
    expect(lines(storage).map(({ kind, asked }) => [kind, (asked as { command?: string } | undefined)?.command])).toEqual([
      [undefined, undefined],
      ['call', undefined],
      ['shell', 'echo ho'],
      ['call', undefined],
    ])
  })

  it('is found by replayCassette wherever one character of the cassette changed', async () => {
    const text = await recordedText()
    expect((await replayCassette(text)).difference).toBeUndefined()
    const places = ['"echo hi"', 'hi\\n', '"exitCode":0', '"a.txt"', '1\\tone', '"bash"', '"exit_code":0']
    for (const place of places) {
      const at = text.lastIndexOf(place) + 1
      const changed = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
      const { difference } = await replayCassette(changed)
      expect(difference?.line, place).toBeGreaterThan(1)
    }
  })
})

it('names an entry without an answer, and mode "update" records it', async () => {
  const storage = kept()
  const body = ({ runtime }: TestRuntime): Promise<unknown> => runtime.call('bash', { command: 'echo hi' })
  await run(storage, body, { shell: virtualShell() })
  const whole = storage.text as string
  storage.text = whole.replace(/^(\{"kind":"shell","asked":.*?),"answered".*$/m, '$1}')
  expect(storage.text).not.toBe(whole)
  const line = storage.text.split('\n').findIndex((one) => one.startsWith('{"kind":"shell"')) + 1
  const { difference } = await replayCassette(storage.text)
  expect(difference).toMatchObject({ line, message: expect.stringContaining(`line ${line} has no answer`) })
  await run(storage, body, { shell: virtualShell() }, { mode: 'update' })
  expect(storage.text).toBe(whole)
})

it('ignores files that path rules hide, and accepts one runtime', async () => {
  const storage = kept()
  const policy = { paths: [{ paths: 'secret', action: 'deny' as const }] }
  const body = ({ runtime }: TestRuntime): Promise<unknown> => runtime.call('bash', { command: 'cat secret/key; echo hi > a.txt' })
  const files = { 'secret/key': 'x' }
  const recorded = await run(storage, body, { files, policy, shell: virtualShell() })
  expect(recorded.files).toMatchObject({ 'a.txt': 'hi\n' })
  expect(await run(storage, body, { files, policy })).toEqual({ ...recorded, mode: 'replay' })
  const cassette = await openCassette(storage)
  createTestRuntime({ cassette })
  expect(() => createTestRuntime({ cassette })).toThrow('it has a runtime already')
})

describe('an edited line', () => {
  const body = ({ runtime }: TestRuntime): Promise<unknown> => runtime.call('bash', { command: 'echo hi' })
  const shell = { shell: virtualShell() }
  async function edited(from: string, to: string): Promise<string> {
    const storage = kept()
    await run(storage, body, shell)
    return (storage.text as string).replace(from, to)
  }

  it('is accepted if its checksum was deleted', async () => {
    const text = await edited('"exitCode":0', '"exitCode":0,"note":1')
    await expect(run(kept(text), body)).rejects.toThrow(
      /line 3 was edited after the recording. All answers are as recorded.\nTo keep the edit, delete "sum"/,
    )
    await run(kept(text.replace(/(exitCode":0,"note.*),"sum":"\w+"/, '$1')), body)
  })

  it('is recorded again in mode "update"', async () => {
    const storage = kept(await edited('hi\\n', 'HI\\n'))
    await run(storage, body, shell, { mode: 'update' })
    expect(storage.text).toBe(await edited('', ''))
  })

  it('with an unknown field is rejected', async () => {
    const opened = openCassette(kept(await edited('"sum":"', '"sun":"').then((text) => text.replace('"sum":"', '"sun":"'))))
    await expect(opened).rejects.toMatchObject({ line: 2, message: expect.stringContaining('the field "sun" is unknown') })
  })
})

describe('a replay of a real clock', () => {
  /** Runs a tool that works for some time, which no clock of the runtime measures, and then sleeps. */
  async function waiting(storage: CassetteStorage, work: number, sleep: number): Promise<void> {
    const cassette = await openCassette(storage)
    const tool = defineTool({
      name: 'wait',
      description: 'Waits',
      inputSchema: { type: 'object' },
      run: async (_, { host }) => {
        await new Promise((resolve) => setTimeout(resolve, work))
        await host.sleep(sleep)
      },
    })
    const runtime = createRuntime(cassette.attach({ fs: createMemoryFs(), tools: [tool] }))
    await runtime.execute({ name: 'wait', input: {} })
    await runtime.dispose()
    await cassette.close()
  }

  /** Replays with timers that the test moves on, a second after the other. */
  async function replayed(storage: CassetteStorage, work: number, sleep: number): Promise<unknown> {
    const { setTimeout: later } = globalThis
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let result: unknown
      const ended = waiting(storage, work, sleep).then(
        () => {
          result = 'as recorded'
        },
        (error: unknown) => {
          result = error
        },
      )
      while (result === undefined) {
        await new Promise((resolve) => later(resolve, 5))
        await vi.advanceTimersByTimeAsync(1000)
      }
      await ended
      return result
    } finally {
      vi.useRealTimers()
    }
  }

  it.each([
    ['as long as in the recording', 0, 20, 'as recorded'],
    ['and works longer', 8000, 20, 'as recorded'],
    [
      'and sleeps longer',
      0,
      30,
      expect.objectContaining({ line: 3, message: expect.stringContaining('no sleep ends at the time of line 3') }),
    ],
  ])('runs %s', async (_, work, sleep, result) => {
    const storage = kept()
    await waiting(storage, 0, 20)
    expect(await replayed(storage, work, sleep)).toEqual(result)
  })
})

describe('cassette modes', () => {
  const body = ({ runtime }: TestRuntime): Promise<unknown> => runtime.call('read_file', { path: 'a.txt' })

  it('"replay" requires a cassette, "record" rejects one', async () => {
    await expect(openCassette(kept(), { mode: 'replay' })).rejects.toThrow('it does not exist. Record it with mode "record" or "auto".')
    await expect(openCassette(kept(), { mode: 'off' as never })).rejects.toThrow('mode "off" does not exist')
    const storage = kept('{"cassette":1}\n{"end":true}\n')
    expect((await run(storage, body, { files: FILES }, { mode: 'record' })).mode).toBe('record')
    expect(lines(storage)).toHaveLength(2)
  })

  it('reject an invalid cassette with the line', async () => {
    for (const [text, line, words] of [
      ['{"cassette":2}\n', undefined, 'got version 2'],
      ['["cassette"]x\n{}\n', 1, 'a JSON object'],
      ['{"cassette":1}\n{"kind":"call"\n{"end":true}\n', 2, 'a JSON object'],
      ['{"cassette":1}\n{"kind":"calls","asked":1}\n{"end":true}', 2, 'an entry with "kind" and "asked"'],
    ] as const) {
      await expect(openCassette(kept(text))).rejects.toMatchObject({ name: 'CassetteError', line, message: expect.stringContaining(words) })
    }
  })
  it('report a truncated cassette', async () => {
    const storage = kept()
    await run(storage, body, { files: FILES })
    const text = storage.text as string
    expect((await replayCassette(text.replaceAll('\n', '\r\n'))).difference).toBeUndefined()
    for (let length = 0; length < text.length - 1; length++) {
      const opened = openCassette(kept(text.slice(0, length)), { mode: 'replay' })
      await expect(opened, `${length} characters`).rejects.toThrow(
        'Restore the file from version control, or record it again with mode "record".',
      )
    }
    const [header = '', call = ''] = text.split('\n')
    for (const [cut, words] of [
      [`${header}\n`, 'the file is cut off after line 1'],
      [`${header}\n${call}\n`, 'the file is cut off after line 2, or an older version recorded it'],
      [`${header}\n${call}\n`, 'If the file is complete, append the line {"end":true}.'],
      [`${header}\n${call.slice(0, 50)}`, 'the file is cut off in line 2'],
      [header.slice(0, 50), 'the file is cut off in line 1'],
    ] as const) {
      await expect(replayCassette(cut)).rejects.toMatchObject({ name: 'CassetteError', message: expect.stringContaining(words) })
    }
  })
})
