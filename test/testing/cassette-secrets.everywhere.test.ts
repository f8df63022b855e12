// @module-tag test-kit
import { createRuntime, defineTool } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { standard } from 'toolport/presets/standard'
import {
  type Cassette,
  type CassetteStorage,
  openCassette,
  replayCassette,
  scriptedModel,
  type TestRuntime,
  virtualShell,
} from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { kept, lines, run } from './cassette-support.js'

it('a cassette omits known and recognised secrets', async () => {
  const storage = kept()
  const command = 'echo "token: ghp_0123456789abcdefghijABCD my-own-word 123-45"'
  const body = async ({ runtime }: TestRuntime): Promise<void> => {
    await runtime.call('bash', { command, env: { API_KEY: 'plain-text-key' } })
    await runtime.call('bash', { command: 'echo $API_KEY' })
  }
  const redact = ['my-own-word', /\d{3}-\d\d\b/]
  await run(storage, body, { shell: virtualShell() }, { redact })
  for (const secret of ['ghp_', 'my-own-word', '123-45', '"plain-text-key"']) expect(storage.text).not.toContain(secret)
  expect(storage.text).toContain('token: [redacted] [redacted] [redacted]')
})

it('a cassette omits secrets in text, in JSON within text, in pieces and under several names', async () => {
  const storage = kept()
  const lines = [
    'DB_PASSWORD=hunter2hunter2',
    '{"api_key": "hunter3hunter3"}',
    'curl -H "X-Api-Key: hunter4hunter4" https://me:hunter5@host.example',
    'Authorization: Basic aHVudGVyNjpodW50ZXI2',
    'sk_live_hunter7hunter7hunter7 glpat-hunter8hunter8hunter8',
  ]
  const body = async ({ runtime }: TestRuntime): Promise<void> => {
    await runtime.call('write_file', { path: 'a.env', content: lines.join('\n') })
    await runtime.call('bash', { command: 'cat a.env', env: { AWS_SECRET_ACCESS_KEY: 'hunter9/hunter9', WORD_TOKEN: 'function' } })
    await runtime.call('bash', {
      command: 'echo hunter9/hunter9; echo function; echo \'say "own"\'; printf ghp_01234567; sleep 0; printf 89abcdefghijklmn',
      env: { ghp_0123456789hunter3abcdefghij: '1' },
    })
  }
  await run(storage, body, { shell: virtualShell() }, { redact: ['say "own"', /(['"])pw:.*?\1/] })
  expect(storage.text).not.toMatch(/hunter\d|say \\+"own|ghp_0123456789/)
  expect(storage.text).toContain('echo function')
})

const SECRET = ['token ghp_', '01234567', '89', 'abcdefghijklmn', ' end']
const INPUT = { path: 'a.txt', password: 'correct horse battery' }

describe('secrets in several events of a stream are redacted', () => {
  const expectNoSecret = (text: string | undefined): void => {
    expect(text).not.toMatch(/ghp_|01234567|abcdefghijklmn|correct|horse|battery/)
  }

  it.each(['chat/completions', 'responses', 'messages'])('%s', async (path) => {
    const storage = kept()
    const ask = async (_: TestRuntime, cassette: Cassette): Promise<string> => {
      const real = scriptedModel([{ text: SECRET, calls: [{ name: 'log_in', input: INPUT }] }])
      const body = JSON.stringify({ model: 'any', stream: true, max_tokens: 9, messages: [], input: [] })
      const response = await cassette.fetch(real.fetch)(`https://api.example/v1/${path}`, { method: 'POST', body })
      return response.text()
    }
    const recorded = await run(storage, ask)
    expect(String(recorded.value)).toContain('ghp_')
    expectNoSecret(storage.text)
    const replayed = String((await run(storage, ask)).value)
    expectNoSecret(replayed)
    expect(replayed).toContain('token [redacted]')
    // The stream still has all its events, and each is valid JSON.
    expect(replayed.split('\n')).toHaveLength(String(recorded.value).split('\n').length)
    for (const [, event = ''] of replayed.matchAll(/^data: (\{.*)$/gm)) JSON.parse(event)
  })

  it('AI SDK', async () => {
    const storage = kept()
    const ask = async (_: TestRuntime, cassette: Cassette): Promise<string> => {
      const model = cassette.model(scriptedModel([{ text: SECRET, calls: [{ name: 'log_in', input: INPUT }] }]))
      const { stream } = await model.doStream({ prompt: [] })
      let text = ''
      for (const reader = stream.getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) return text
        if (value.type === 'text-delta') text += value.delta
      }
    }
    expect((await run(storage, ask)).value).toBe(SECRET.join(''))
    expectNoSecret(storage.text)
    expect((await run(storage, ask)).value).toBe('token [redacted] end')
  })
})

it('redacts a secret in the events of a stream that is named after them', async () => {
  const storage = kept()
  const ask = async ({ runtime }: TestRuntime, cassette: Cassette): Promise<void> => {
    const real = scriptedModel([{ text: ['correct ho', 'rse battery', ' it is'] }])
    const body = JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'Say correct horse battery.' }] })
    await cassette.fetch(real.fetch)('https://api.example/v1/chat/completions', { method: 'POST', body })
    await runtime.call('bash', { command: 'true', env: { DB_PASSWORD: 'correct horse battery' } })
  }
  await run(storage, ask, { shell: virtualShell() })
  expect(storage.text).not.toMatch(/correct|horse|battery/)
  expect(storage.text).toContain(' it is')
  await run(storage, ask)
})

it('a secret printed in pieces across calls is redacted, or writing is rejected', async () => {
  const record = async (storage: CassetteStorage, pieces: readonly (readonly [string, string])[], last = 'true'): Promise<unknown[]> => {
    const cassette = await openCassette(storage)
    const fs = createMemoryFs({ now: () => cassette.host.now() })
    const runtime = createRuntime(cassette.attach({ fs, preset: standard(), shell: virtualShell() }))
    const results: unknown[] = []
    const call = async (name: string, input: object): Promise<unknown> => results[results.push(await runtime.call(name, input)) - 1]
    // The command does not contain any of the pieces as a whole.
    const command = pieces.map(([start, end]) => `printf '${start}%s' '${end}'; read line`).join('; ')
    const { session_id } = (await call('bash', { command, run_in_background: true })) as { readonly session_id: string }
    for (const _ of pieces) {
      await call('read_background_bash', { session_id, wait_ms: 20_000 })
      await call('write_background_bash', { session_id, input: 'on' })
    }
    await call('bash', { command: last }).catch(() => undefined)
    await runtime.dispose()
    await cassette.close()
    return results
  }
  const storage = kept()
  // Each piece is as long as `[redacted]`, because results contain the length of the output.
  const pieces = [
    ['ghp_', '012345'],
    ['6789abcd', 'ef'],
    ['ghij', 'klmnop'],
  ] as const
  const last = 'echo 6789abcdef; echo on'
  expect(JSON.stringify(await record(storage, pieces, last))).toContain('ghp_012345')
  expect(storage.text).not.toMatch(/ghp_012345|6789abcdef|ghijklmnop/)
  // The replay does not know that the piece in the command is a secret.
  expect(JSON.stringify(await record(storage, pieces, last))).toContain('[redacted]')
  for (const other of ['echo 6789abcdef; echo off', 'echo; echo on', 'ls 6789abcdef; echo on'])
    await expect(record(storage, pieces, other)).rejects.toThrow(/a call differs from line \d+ at input\.command/)
  // The first piece looks like a whole secret.
  const long = kept()
  const key = [
    ['x-----BEGIN PRIVATE ', 'KEY-----MIIEvQIBAD'],
    ['ANBgkqhkiG', '9w0BAQEFAAS'],
    ['CBKcwgg', 'SjAgEAAoIB'],
  ] as const
  await record(long, key)
  expect(long.text).not.toMatch(/MIIEvQ|ANBgkqhkiG9w0|CBKcwggSjAg/)
  const short = [
    ['gh', 'p_'],
    ['0123', '456'],
    ['789', 'abc'],
    ['defg', 'hij'],
    ['kl', 'mn'],
  ] as const
  await expect(record(kept(), short)).rejects.toThrow('printed a secret in pieces of less than 8 characters')
})

it('cookies in lists, objects and attributes, and variables with secret names are redacted', async () => {
  const storage = kept()
  const show = defineTool({
    name: 'show',
    description: 'Shows.',
    inputSchema: { type: 'object', additionalProperties: true },
    run: (input) => ({ content: `saw ${JSON.stringify(input)}`, cookies: { type: 'object', sid: 'c' } }),
  })
  const input = {
    cookies: [{ name: 'sid', value: 'hunter-1-hunter', path: '/' }, 'theme=hunter-2'],
    jar: { cookies: { sid: 'hunter-3', nested: { more: 'hunter-4' } } },
    'Set-Cookie': [{ name: 'sid', value: 'hunter-5', httpOnly: true }],
    setCookie: 'sid=hunter-6',
    one: { key: 'sid', value: 'hunter-7', domain: 'a.example', expires: 'never' },
    env: [
      { name: 'API_KEY', value: 'hunter-8' },
      { name: 'HOME', value: '/home/me' },
    ],
  }
  const options = { preset: standard(), tools: [show] }
  await run(storage, ({ runtime }) => runtime.call('show', input), options)
  expect(storage.text).not.toContain('hunter')
  expect(lines(storage)[1]).toMatchObject({
    asked: {
      input: {
        cookies: [{ name: 'sid', value: '[redacted]', path: '/' }, '[redacted]'],
        jar: { cookies: { sid: '[redacted]', nested: { more: '[redacted]' } } },
        one: { key: 'sid', value: '[redacted]', domain: 'a.example' },
        env: [{ value: '[redacted]' }, { name: 'HOME', value: '/home/me' }],
      },
    },
  })
  expect((await replayCassette(storage.text ?? '', options)).difference).toBeUndefined()
})

const IDS = ['123e4567-e89b-42d3-a456-426614174000', '00000000-e89b-42d3-a456-426614174000'] as const
const HASH = 'run_9f86d081884c7d659a2feaa0c55ad015'

describe('ids in a cassette', () => {
  it('stay unchanged in files, commands and inputs, so that a replay gives the same bytes', async () => {
    const storage = kept()
    const files = { 'a.txt': `${IDS[0]} ${HASH}\n` }
    const body = async ({ runtime }: TestRuntime): Promise<void> => {
      await runtime.call('bash', { command: `cat a.txt > b.txt; echo ${IDS[1]} >> b.txt` })
      await runtime.call('read_file', { path: 'b.txt' })
    }
    const recorded = await run(storage, body, { files, shell: virtualShell() })
    expect(recorded.files).toEqual({ ...files, 'b.txt': `${IDS[0]} ${HASH}\n${IDS[1]}\n` })
    expect(await run(storage, body, { files })).toEqual({ ...recorded, mode: 'replay' })
    expect(await replayCassette(storage.text ?? '')).toMatchObject({ difference: undefined, files: recorded.files })
  })

  const ask = (body: object) => async (_: TestRuntime, cassette: Cassette) => {
    const real = scriptedModel(['Done.']).fetch
    await cassette.fetch(real)('https://api.example/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) })
  }

  it.each([
    ['a text', (id: string) => ({ messages: [{ role: 'user', content: `Delete ${id}.` }] })],
    ['the input of a tool', (id: string) => ({ messages: [{ role: 'assistant', content: [{ type: 'tool_use', input: { id } }] }] })],
    ['the metadata', (id: string) => ({ messages: [], metadata: { order_id: id } })],
  ])('ids of a user in %s are compared', async (_, body) => {
    const storage = kept()
    await run(storage, ask(body(IDS[0])))
    await run(storage, ask(body(IDS[0])))
    await expect(run(storage, ask(body(IDS[1])))).rejects.toThrow('a model differs from line 2')
  })

  it('ids of a client or provider are numbered, also in later texts', async () => {
    const storage = kept()
    const call = { name: 'read_file', input: { path: 'missing' } }
    const loop =
      (message: string, id: string) =>
      async ({ runtime }: TestRuntime, cassette: Cassette): Promise<unknown> => {
        const real = scriptedModel([{ calls: [{ ...call, id }] }, 'Done.'])
        const send = async (messages: unknown): Promise<Response> =>
          cassette.fetch(real.fetch)('https://api.example/v1/chat/completions', { method: 'POST', body: JSON.stringify({ messages }) })
        const { choices } = (await (await send([{ id: message, role: 'user', content: 'Go.' }])).json()) as {
          choices: [{ message: { tool_calls: [{ id: string }] } }]
        }
        const [made] = choices[0].message.tool_calls
        const content = JSON.stringify((await runtime.execute({ ...call, id: made.id })).output)
        await send([{ role: 'tool', tool_call_id: made.id, content }])
        return content
      }
    await run(storage, loop(IDS[0], 'call_0a1b2c3d4e5f6a7b8c9d0e1f'))
    for (const id of [IDS[0], 'call_0a1b']) expect(storage.text).not.toContain(id)
    const { value } = await run(storage, loop(IDS[1], 'unused'))
    expect(value).toContain('"callId":"id_0002"')
  })
})
