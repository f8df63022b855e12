// @module-tag test-kit
import { standard } from 'toolport/presets/standard'
import { type ReplayCassetteOptions, replayCassette } from 'toolport/testing'
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
  for (let round = 0; round < 10; round++) {
    const { difference, files: left } = await replayCassette(text, options)
    expect(difference).toBeUndefined()
    expect(Object.fromEntries(Object.entries(left).map(([path, content]) => [path, toBase64(content)]))).toEqual(files)
  }
})

it('a replay names the line of any changed byte', async () => {
  const answered = lines.flatMap((line, index) => (/^\{"kind":"call".*"answered":\{"ok":true/.test(line) ? [index] : []))
  const places = Array.from({ length: 20 }, (_, place) => answered[Math.floor((place * answered.length) / 20)] as number)
  for (const index of places) {
    const line = lines[index] as string
    const at = line.indexOf('"text":"', line.indexOf('"content":')) + '"text":"'.length
    const inOutput = at > 8 ? at : line.indexOf('"output":') + '"output":{"'.length
    const changed = `${line.slice(0, inOutput)}${line[inOutput] === 'x' ? 'y' : 'x'}${line.slice(inOutput + 1)}`
    const { difference } = await replayCassette(lines.with(index, changed).join('\n'), options)
    expect(difference?.line, line).toBe(index + 1)
  }
})
