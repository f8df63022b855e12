// @module-tag test-kit
import { defineTool, type FetchAdapter } from 'toolport'
import { standard } from 'toolport/presets/standard'
import { replayCassette, type TestRuntime } from 'toolport/testing'
import { expect, it } from 'vitest'
import { kept, lines, run } from './cassette-support.js'

/** Returns its input, or nothing if the input has a field `quiet`. */
const show = defineTool({
  name: 'show',
  description: 'Shows.',
  inputSchema: { type: 'object', additionalProperties: true },
  run: (input) => ('quiet' in input ? {} : { shown: JSON.parse(JSON.stringify(input)) }),
})
const options = { preset: standard(), tools: [show] }

/**
 * Records a call with this input. Returns the cassette's text, the recorded input, and a function that replays the call with another input.
 */
async function recorded(
  input: object,
  redact: readonly (string | RegExp)[] = [],
): Promise<{ readonly text: string; readonly input: object; replay(other?: object): Promise<unknown> }> {
  const storage = kept()
  const call = (given: object): Promise<unknown> => run(storage, ({ runtime }) => runtime.call('show', given), options, { redact })
  await call(input)
  const text = storage.text as string
  expect((await replayCassette(text, { ...options, redact })).difference).toBeUndefined()
  const [, { asked } = {}] = lines(storage) as { asked?: { input: object } }[]
  return { text, input: asked?.input ?? {}, replay: (other = input) => call(other) }
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

it('redacts cookies and authorization in plain text, in any case', async () => {
  const { text, replay } = await recorded({
    log: [
      '> cookie: sid=hunter-1; theme="hunter-2"; last=hunter-3',
      '< SET-COOKIE: sid=hunter-4; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly',
      'authorization: bearer hunterhunter',
      'Proxy-Authorization: BASIC aHVudGVyOmh1bnRlcg==',
      'AUTHORIZATION: hunter5hunter5',
      "curl -H 'Cookie: sid=hunter-6' https://a.example/",
      '{"Set-Cookie":"sid=hunter-7; Secure","other":"stays-1"}',
      JSON.stringify({ headers: '{"cookie":"sid=\\"hunter-8\\"; a=hunter-9","authorization":"bearer hunterhunter"}', other: 'stays-2' }),
    ].join('\n'),
  })
  expect(text).not.toMatch(/hunter|aHVudGVy/)
  expect(text).toContain('stays-1')
  expect(text).toContain('stays-2')
  await replay()
})

it('keeps words, numbers, DNS records and log probabilities', async () => {
  const input = {
    text: [
      'Cookie: see the table; Authorization: required',
      'Set document.cookie = "theme=dark; path=/" or headers: { cookie: "sid=" + id }.',
      'TXT "v=DMARC1; p=none; rua=mailto:a@a.example", key=value; other=value',
      'Bearer authentication. A Bearer token, and Basic programming.',
      'token: the, max_tokens: 4096, "token_type":"bearer"',
    ].join('\n'),
    dns: [{ name: 'www', type: 'TXT', value: 'v=spf1 include:a.example', domain: 'a.example', ttl: 300 }],
    logprobs: {
      content: [{ token: ' according-to-1', logprob: -0.1, bytes: [32], top_logprobs: [{ token: 'internationalization', logprob: -2 }] }],
    },
    chosenCandidates: [{ token: 'abcd-1234', tokenId: 7, logProbability: -0.1 }],
    token: 'the',
    tokens: [{ token: 'and' }, { token: 12_345_678 }, { token: '123456' }],
    max_tokens: 4096,
    token_type: 'bearer',
    auth: [{ type: 'none' }],
  }
  expect((await recorded(input)).input).toEqual(input)
  const { input: password } = await recorded({ password: 'the', client_secret: 7, env: [{ name: 'DB_PASSWORD', value: 'word' }] })
  expect(password).toEqual({ password: '[redacted]', client_secret: '[redacted]', env: [{ name: 'DB_PASSWORD', value: '[redacted]' }] })
})

it('redacts a known secret in JSON, URLs and base64, also before its name', async () => {
  const own = 'my "own" wörd/+\n\\1'
  const named = '{named}-kéy/+"\\\\\n7'
  const inTexts = (secret: string): readonly string[] => {
    const json = JSON.stringify(secret)
    const bytes = base64(secret)
    return [
      json,
      JSON.stringify(json),
      JSON.stringify(JSON.stringify(json)),
      json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
      json.replaceAll('/', '\\/'),
      encodeURIComponent(secret),
      encodeURIComponent(encodeURIComponent(secret)),
      encodeURI(secret).toLowerCase(),
      String(new URLSearchParams({ secret })),
      bytes,
      bytes.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
      encodeURIComponent(bytes),
      base64(`a:${secret}`),
      base64(`ab:${secret}, and on`),
      base64(`abc:${secret}, and on`),
      bytes.replace(/.{6}/g, '$&\n'),
      JSON.stringify(bytes.replace(/.{6}/g, '$&\r\n')),
    ]
  }
  const texts = [...inTexts(own), ...inTexts(named)].map((text) => `x ${text} y`)
  const { input, replay } = await recorded({ texts, last: { api_key: named } }, [own])
  const cleaned = (input as { texts: readonly string[] }).texts
  for (const [index, text] of cleaned.entries()) expect(text, texts[index]).toMatch(/^x [\w=:"\\]{0,8}\[redacted\][\w/+=,%"\\\s]{0,20} y$/)
  await replay()
  await expect(replay({ texts: texts.with(3, 'x other y'), last: { api_key: named } })).rejects.toThrow(
    'a call differs from line 2 at input',
  )
})

it('finds a secret in linear time', async () => {
  const secrets = ['\\"'.repeat(500), `-\\\\${'\\'.repeat(50)}-\\1`, `${'%25'.repeat(100)}1`, '\\ '.repeat(400), 'k-'.repeat(50_000)]
  const texts = ['\\'.repeat(1_000), '\\"'.repeat(499), '-'.repeat(1_000), `-${'\\'.repeat(1_000)}`, '%25'.repeat(2_000), '\\ '.repeat(399)]
  const { text } = await recorded({ quiet: true, texts, secrets: secrets.map((password) => ({ password })) })
  for (const secret of secrets) expect(text).not.toContain(JSON.stringify(secret).slice(1, -1))
})

it('replays requests that contain a secret from an earlier response, encoded', async () => {
  const fetch: FetchAdapter = {
    name: 'service',
    fetch: async ({ url }) => Response.json(url.endsWith('/login') ? { access_token: 'hunter/hunter+1' } : { url }),
  }
  const visit = defineTool({
    name: 'visit',
    description: 'Logs in and visits.',
    inputSchema: { type: 'object', properties: {} },
    run: async (_, context) => {
      const ask = async (url: string, body?: string): Promise<unknown> =>
        (await context.fetch?.fetch({ url, method: 'POST', ...(body !== undefined && { body }) }))?.json()
      const { access_token: token } = (await ask('https://a.example/login')) as { access_token: string }
      await ask(`https://a.example/?q=${encodeURIComponent(`me: ${token}.`)}`, btoa(`me:${token}`))
      await ask('https://a.example/', `basic=${btoa(`me:${token}`)}`)
      return 'done'
    },
  })
  const storage = kept()
  const body = ({ runtime }: TestRuntime): Promise<unknown> => runtime.call('visit', {})
  const visiting = { preset: standard(), tools: [visit] }
  await run(storage, body, { ...visiting, fetch })
  expect(storage.text).not.toMatch(/hunter|aHVudGVyL2h1bnRlcisx|h1bnRlc/)
  await run(storage, body, visiting)
})

it('detects a changed text beside a redacted secret', async () => {
  const { replay } = await recorded({ env: 'API_KEY=hunter1hunter1\nDEBUG=1' })
  await expect(replay({ env: 'API_KEY=hunter1hunter1\nEVIL_FLAG=1\nDEBUG=1' })).rejects.toThrow('a call differs from line 2 at input.env')
})

it('redacts a named secret also without its scheme', async () => {
  const { text } = await recorded({ headers: { authorization: 'Bearer tok_12345abcd' }, command: 'login tok_12345abcd' })
  expect(text).not.toContain('tok_12345abcd')
})

it('redacts secrets in text bytes and keeps binary data', async () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const png = Uint8Array.of(0x89, 0x50, 0xff, ...bytes('API_KEY=hunter1hunter1'))
  const input = {
    env: bytes('API_KEY=hunter1hunter1\n'),
    png,
    content: { base64: base64('{"token":"hunter2hunter2"}') },
    data: base64('Ä secret=hunter3hunter3'),
  }
  const files = { '.env': bytes('API_KEY=hunter1hunter1\n'), 'a.png': png }
  const storage = kept()
  const body =
    (given: object) =>
    ({ runtime }: TestRuntime): Promise<unknown> =>
      runtime.call('show', given)
  await run(storage, body(input), { ...options, files })
  const [header, call] = lines(storage)
  const redacted = base64('API_KEY=[redacted]\n')
  const binary = btoa(String.fromCharCode(...png))
  expect(header).toMatchObject({ files: { '.env': { base64: redacted }, 'a.png': { base64: binary } } })
  expect(call).toMatchObject({
    asked: {
      input: {
        env: { 'toolport:bytes': redacted },
        png: { 'toolport:bytes': binary },
        content: { base64: base64('{"token":"[redacted]"}') },
        data: base64('Ä secret=[redacted]'),
      },
    },
  })
  await run(storage, body(input), { ...options, files })
  await expect(run(storage, body({ ...input, env: bytes('API_KEI=hunter1hunter1\n') }), { ...options, files })).rejects.toThrow(
    'a call differs from line 2 at input.env',
  )
})

it('redacts a secret in bytes that precede its name', async () => {
  const input = { quiet: true, data: new TextEncoder().encode('It is hunter-one, or not.'), last: { api_key: 'hunter-one' } }
  const { input: cleaned, replay } = await recorded(input)
  expect(cleaned).toMatchObject({ data: { 'toolport:bytes': base64('It is [redacted], or not.') } })
  await replay()
  await expect(replay({ ...input, data: new TextEncoder().encode('It is hunter-one, or none.') })).rejects.toThrow('at input.data')
})

it('keeps several redacted keys separate', async () => {
  const [one, two] = ['ghp_0123456789abcdefghijA', 'ghp_0123456789abcdefghijB'] as const
  const input = { keys: { [one]: 1, [two]: 2, 'hunter-one': 3 }, last: { api_key: 'hunter-one' } }
  const { text, input: cleaned, replay } = await recorded(input)
  expect(text).not.toMatch(/ghp_|hunter/)
  expect(Object.values((cleaned as typeof input).keys)).toEqual([1, 2, 3])
  await replay()
  for (const other of [one, two, 'hunter-one'])
    await expect(replay({ ...input, keys: { ...input.keys, [other]: 4 } })).rejects.toThrow('a call differs from line 2 at input.keys')
})
