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
      json.replaceAll('+', '\\u002b').replaceAll('\\\\', '\\u005c'),
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

it('redacts secrets that their escapes change, and keeps a short one without its escapes', async () => {
  const texts = [JSON.stringify('p\\ssw0rd'), '?a=pa%2Bss1', '?a=%C3%A9%25bb-é', '"abc12345\\\\"', 'pssw0rd, pa ss1']
  const { input } = await recorded({ texts, last: { password: 'p\\ssw0rd' } }, ['pa+ss1', 'é%bb-é', 'abc12345\\'])
  expect(input).toMatchObject({ texts: ['"[redacted]"', '?a=[redacted]', '?a=[redacted]', '"[redacted]"', 'pssw0rd, pa ss1'] })
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

it.each([
  ['a file of variables', 'API_KEY=hunter1hunter1', 'hunter1hunter1'],
  ['a quoted variable', "export DB_PASSWORD='p@ss$word1!'", 'p@ss$word1!'],
  ['JSON in JSON', JSON.stringify(JSON.stringify({ password: 'p@ss1"wörd' })), 'p@ss1"wörd'],
  ['the password of a URL', 'git clone https://me:pass-word1@host.example/', 'pass-word1'],
  ['the token of a URL', 'https://a.example/?page_token=CAUQ12345', 'CAUQ12345'],
  ['a cookie', 'Cookie: theme=dark; sid=s3ss1on-one', 's3ss1on-one'],
  ['a set cookie', 'Set-Cookie: sid=s3ss1on-one; Path=/workspace/app1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 's3ss1on-one'],
  ['authorization', 'Authorization: Bearer tok_12345abcd', 'tok_12345abcd'],
  ['basic authentication', `Authorization: Basic ${btoa('me:hunter-one1')}`, 'hunter-one1'],
  ['a header with a key', 'curl -H "X-Auth-Key: c2547eb745079dac"', 'c2547eb745079dac'],
  ['a link', '[x](https://a.example/?token=abc12345)', 'abc12345'],
  ['a call', "fetch('https://a.example/?token=abc12345')", 'abc12345'],
  ['a sentence', 'It sends Bearer tok_12345abcd.', 'tok_12345abcd'],
  ['the key of an Azure service', 'Ocp-Apim-Subscription-Key: c2547eb745079dac', 'c2547eb745079dac'],
])('redacts a secret that it knows from %s, where it stands without its name', async (_, text, secret) => {
  const { input, replay } = await recorded({ early: `it is ${secret}, or not`, text, late: ['echo', secret, base64(`xy:${secret}`)] })
  expect(JSON.stringify(input)).not.toContain(JSON.stringify(secret).slice(1, -1))
  expect(input).toMatchObject({ early: 'it is [redacted], or not', late: ['echo', '[redacted]', expect.any(String)] })
  await replay()
})

it('redacts under more names', async () => {
  const { input } = await recorded({
    headers: { 'X-Auth-Key': 'c2547eb745079dac', 'Ocp-Apim-Subscription-Key': 'c3547eb745079dac', AccountKey: 'c4547eb745079dac' },
    env: { PWD: '/workspace/app-1', OLDPWD: 'C:\\app-1', DB_PASS: 'correct-horse', pwd: 'hunter-one', pass: 12, bypass: 'correct-way' },
    text: 'https://a.example/?X-Amz-Signature=c5547eb745079dac&b=1&X-Goog-Signature=c6547eb745079dac PWD=/workspace/app1 DB_PASS=hunter1one',
    more: "AccountKey=c7547eb745079dac==;token=abcdefg1$$rest pwd='p@ssw0rd!' ",
  })
  const hidden = '[redacted]'
  expect(input).toEqual({
    headers: { 'X-Auth-Key': hidden, 'Ocp-Apim-Subscription-Key': hidden, AccountKey: hidden },
    env: { PWD: '/workspace/app-1', OLDPWD: 'C:\\app-1', DB_PASS: hidden, pwd: hidden, pass: 12, bypass: 'correct-way' },
    text: 'https://a.example/?X-Amz-Signature=[redacted]&b=1&X-Goog-Signature=[redacted] PWD=/workspace/app1 DB_PASS=[redacted]',
    more: "AccountKey=[redacted];token=[redacted] pwd='[redacted]' ",
  })
})

it('keeps relative paths of a working directory and of a passed test', async () => {
  const input = { pwd: 'packages/app-1', tests: [{ pass: 'src/App.test.ts' }], text: 'cat packages/app-1/a.ts src/App.test.ts' }
  expect((await recorded(input)).input).toEqual(input)
  expect((await recorded({ pass: 'x7Kq/9fZt2' })).input).toEqual({ pass: '[redacted]' })
})

it('leaves words, names and paths where they stand alone, if they look like secrets elsewhere', async () => {
  const alone = [
    ...[
      'postgres',
      'undefined',
      'YOUR_API_KEY_1',
      'created_at_1',
      'src/auth/token2.ts',
      'process.env.API_KEY1',
      'generate_token_v2',
      'DB_PASS_1',
    ],
    ...['2026-10-21T07', 'example1.com', 'chapter-12', '/workspace/app1', '20261021', 'Wed, 21 Oct 2026 07:28:00 GMT', 'test_login_1'],
  ]
  const { input } = await recorded({
    text: [
      'postgres://postgres:postgres@localhost/db https://me:$DB_PASS_1@host/ ?key=undefined&token=YOUR_API_KEY_1, sort-key: created_at_1',
      'secret: src/auth/token2.ts, API_KEY=process.env.API_KEY1, token = generate_token_v2, TOKEN=2026-10-21T07',
      'token="example1.com", ?sort_key=chapter-12, Set-Cookie: a=b; Path=/workspace/app1; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
      'PASSWORD=20261021, PASS: test_login_1, AUTH_TOKEN=generate_token_v2(user)',
    ].join('\n'),
    alone,
  })
  expect(input).toMatchObject({ alone })
})

it('shows a difference beside a redacted secret without the secret', async () => {
  const { replay } = await recorded({ quiet: true, command: 'login tok_12345abcd; echo on', last: { api_key: 'tok_12345abcd' } })
  const message = async (command: string, last: unknown = 0): Promise<string> => {
    const error = await replay({ quiet: true, command, last }).catch((cause: Error) => cause)
    return (error as Error).message
  }
  const off = await message('login tok_12345abcd; echo off')
  expect(off).toContain(
    'recorded: "login [redacted]; echo on"\n  now:      "login [redacted]; echo off"\n  place:    line 1, column 25 of the text',
  )
  const last = await message('login tok_12345abcd; echo on', 'tok_12345abcd')
  expect(last).toContain('  recorded: {"api_key":"[redacted]"}\n  now:      …\n')
  for (const text of [off, last, await message('sign-in tok_12345abcd; echo on'), await message('login tok_12345abcd')]) {
    expect(text).not.toContain('tok_12345abcd')
    expect(text).toContain('\n  recorded request: {"id":"call_1"')
  }
})

it.each([
  ['curl -H "X: tok_12345abcd" url', 'curl -H "X: null" url', '"curl -H \\"X: …"'],
  ['pass tok_12345abcd on', 'pass correct horse one two off', '"pass [redacted] on…"'],
  ['use tok_12345abcd and go', 'use tok_12345abcd and then tok_12345abcd', '"use [redacted] and …"'],
])('shows how %j differs from %j without a secret', async (command, other, now) => {
  const { replay } = await recorded({ quiet: true, command, last: { api_key: 'tok_12345abcd' } })
  await expect(replay({ quiet: true, command: other, last: 0 })).rejects.toThrow(`\n  now:      ${now}\n  place: `)
})

it('does not wait long for a hostile text', async () => {
  const texts = [
    'cookie:'.repeat(40_000),
    'eyJ-'.repeat(60_000),
    `token='${"token='".repeat(30_000)}`,
    'token='.repeat(100_000),
    `?token=${'a1/'.repeat(100_000)}A`,
    '?key'.repeat(60_000),
    '\\n'.repeat(60_000),
    '\\\\"'.repeat(499),
    '%25'.repeat(60_000),
  ]
  const { input } = await recorded({ quiet: true, texts, secrets: ['\\"'.repeat(500), 'n1n1n1n1n1'].map((password) => ({ password })) })
  expect((input as { texts: readonly string[] }).texts).toHaveLength(texts.length)
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
