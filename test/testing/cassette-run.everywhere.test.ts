// @module-tag test-kit
import { standard } from 'toolport/presets/standard'
import { type CassetteError, type ReplayCassetteOptions, replayCassette } from 'toolport/testing'
import { expect, it } from 'vitest'
import { service } from '../service.js'

const { text, files } = await service('cassette')

/** The same options as in the recording. */
const options: ReplayCassetteOptions = {
  preset: standard({
    jsTools: { registry: 'https://registry.example/', grants: { tools: true, fetch: true } },
    webSearch: { provider: 'serper', baseUrl: 'https://search.example' },
  }),
  policy: { tools: [{ tools: 'delete_file', action: 'ask' }] },
  checkpoints: { automatic: true },
}

const toBase64 = (content: string | Uint8Array): string =>
  btoa(Array.from(typeof content === 'string' ? new TextEncoder().encode(content) : content, (byte) => String.fromCharCode(byte)).join(''))

const lines = text.trimEnd().split('\n')

it('a long recording from Node with another time zone and locale replays to the same bytes ten times', async () => {
  expect(lines.filter((line) => line.startsWith('{"kind":"call"')).length).toBeGreaterThan(100)
  for (const kind of ['shell', 'js', 'fetch', 'process', 'approval', 'time']) expect(text).toContain(`\n{"kind":"${kind}"`)
  for (const tool of ['edit_file', 'grep', 'bash', 'run_js', 'install_js_packages', 'web_search', 'read_background_bash'])
    expect(text).toContain(`"name":"${tool}"`)
  for (let round = 0; round < 10; round++) {
    const { difference, files: left } = await replayCassette(text, options)
    expect(difference).toBeUndefined()
    expect(Object.fromEntries(Object.entries(left).map(([path, content]) => [path, toBase64(content)]))).toEqual(files)
  }
})

/** Changes one letter or digit, the first one at or after `at`. Returns the changed line and the message of the replay. */
async function replayAfterChange(at: number): Promise<{ readonly line: number; readonly message: string }> {
  const place = at + text.slice(at).search(/[a-z0-9]/i)
  const other = /\d/.test(text[place] ?? '') ? (Number(text[place]) + 1) % 10 : text[place] === 'x' ? 'y' : 'x'
  const changed = `${text.slice(0, place)}${other}${text.slice(place + 1)}`
  const { difference } = await replayCassette(changed, options).catch((error: unknown) => ({ difference: error as CassetteError }))
  return { line: text.slice(0, place).split('\n').length, message: difference?.message ?? '' }
}

it('a replay names the line of a changed byte, in any of twenty places', async () => {
  for (let place = 0; place < 20; place++) {
    const { line, message } = await replayAfterChange(Math.floor(((place + 0.5) * text.length) / 20))
    expect(message).toMatch(new RegExp(`line ${line} (?:was edited after the recording|of the cassette)`))
  }
})

it('a replay compares the answers, even if the line of a command was edited', async () => {
  const { line, message } = await replayAfterChange(text.indexOf('got eins'))
  expect(message).toMatch(/^Cannot replay the cassette: a call answers otherwise than line \d+ at /)
  expect(message).toContain(`In the file, line ${line} was edited after the recording.`)
})
