// @module-tag runtime
import { expect, test } from 'vitest'
import { reply } from '../../src/core/define-tool.js'
import { toModelText } from '../../src/core/result.js'
import type { ContentPart } from '../../src/types/tool.js'
import fc from '../fast-check.js'
import { testRuntime, toolOf } from './support.js'

const bytes = (text: string): number => new TextEncoder().encode(text).length
const long = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n')
const limits = { outputBytes: 1000 }

test('a long text is cut in the middle for the model, and the output stays complete', async () => {
  const { runtime, events } = testRuntime([toolOf(() => long)], { limits })
  const result = await runtime.execute({ name: 'probe' })
  expect(result.ok && result.output).toBe(long)
  const text = toModelText(result)
  expect(bytes(text)).toBeLessThanOrEqual(1000)
  expect(text).toMatch(/^line 0\n[\s\S]*\n\[\.\.\. (\d+) bytes left out: request less in one call \.\.\.\]\n[\s\S]*line 999$/)
  const cut = Number(/(\d+) bytes left out/.exec(text)?.[1])
  expect(bytes(long) - cut).toBe(bytes(text) - bytes(/\n\[\.\.\..*\.\.\.\]\n/.exec(text)?.[0] ?? ''))
  expect(events.find(({ type }) => type === 'truncated')).toEqual({ type: 'truncated', callId: 'call_1', tool: 'probe', bytes: cut })
})

test('a text of exactly the limit is not cut', async () => {
  const exact = 'é'.repeat(500)
  const tools = [toolOf(() => exact, { name: 'text' }), toolOf(() => ({ a: 'x'.repeat(992) }), { name: 'json' })]
  const { runtime, events } = testRuntime(tools, { limits })
  expect(await runtime.execute({ name: 'text' })).toEqual({ ok: true, output: exact })
  expect(await runtime.execute({ name: 'json' })).toEqual({ ok: true, output: { a: 'x'.repeat(992) } })
  expect(events.filter(({ type }) => type === 'truncated')).toEqual([])
})

test('JSON, own texts and text parts are cut too, but images are not', async () => {
  const image: ContentPart = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(5000) }
  const { runtime } = testRuntime(
    [
      toolOf(() => ({ lines: long.split('\n') }), { name: 'json' }),
      toolOf(() => ({ n: 1 }), { name: 'own', toText: () => long }),
      toolOf(() => reply({ n: 1 }, [{ type: 'text', text: long }, image, { type: 'text', text: 'the end' }]), { name: 'parts' }),
      toolOf(() => reply({ n: 1 }, [image]), { name: 'image' }),
    ],
    { limits },
  )
  expect(toModelText(await runtime.execute({ name: 'json' }))).toMatch(/^\{"lines":\["line 0"[\s\S]*left out[\s\S]*"line 999"\]\}$/)
  expect(await runtime.execute({ name: 'own' })).toMatchObject({
    output: { n: 1 },
    content: [{ text: expect.stringContaining('left out') }],
  })
  expect(await runtime.execute({ name: 'parts' })).toMatchObject({
    content: [{ type: 'text', text: expect.stringMatching(/^line 0[\s\S]*left out[\s\S]*the end$/) }, image],
  })
  expect(await runtime.execute({ name: 'image' })).toMatchObject({ content: [image] })
})

test('`spill` saves a cut output in the workspace', async () => {
  const { runtime, files, events } = testRuntime([toolOf(() => long)], { limits, spill: true })
  const text = toModelText(await runtime.execute({ id: '../../etc/x y', name: 'probe' }))
  expect(text).toContain('the full output is in "/workspace/.toolport/outputs/______etc_x_y.txt" ...]')
  expect(await files()).toEqual({ '.toolport/outputs/______etc_x_y.txt': long })
  expect(events).toContainEqual(expect.objectContaining({ type: 'truncated', spilled: '/workspace/.toolport/outputs/______etc_x_y.txt' }))
})

test('a saved output is not overwritten by later ids', async () => {
  const { runtime, files, events } = testRuntime([toolOf(({ n }) => `${String(n)}${long}`)], { limits, spill: true })
  const ids = ['a/b', 'a_b', 'a/b', ...new Array<string>(10).fill('a/b')]
  for (const [n, id] of ids.entries()) await runtime.execute({ id, name: 'probe', input: { n } })
  const spilled = events.flatMap((event) => (event.type === 'truncated' ? [String(event.spilled)] : []))
  expect(spilled.slice(0, 3)).toEqual(['a_b', 'a_b_2', 'a_b_3'].map((name) => `/workspace/.toolport/outputs/${name}.txt`))
  expect(new Set(spilled).size).toBe(13)
  const kept = await files()
  expect(spilled.map((path) => kept[path.slice('/workspace/'.length)])).toEqual(ids.map((_, n) => `${n}${long}`))
})

test('the note names read_file only if this tool exists', async () => {
  const { runtime } = testRuntime([toolOf(() => long), toolOf(() => 1, { name: 'read_file' })], { limits, spill: true })
  expect(toModelText(await runtime.execute({ name: 'probe' }))).toContain('call_1.txt", use read_file to read parts of it ...]')
  runtime.registry.disable('read_file')
  expect(toModelText(await runtime.execute({ name: 'probe' }))).not.toContain('read_file')
})

test('an output that cannot be saved is cut, with a log event', async () => {
  const readOnly = testRuntime([toolOf(() => long)], { limits, spill: true, policy: { readOnly: true } })
  expect(toModelText(await readOnly.runtime.execute({ name: 'probe' }))).toContain('request less')
  expect(readOnly.events.filter(({ type }) => type === 'log')).toEqual([])
  const full = testRuntime([toolOf(() => long)], { limits, spill: true, quotas: { bytes: 10 } })
  expect(toModelText(await full.runtime.execute({ name: 'probe' }))).toContain('request less')
  expect(full.events).toContainEqual(
    expect.objectContaining({ type: 'log', message: expect.stringContaining('Cannot save the full output: ENOSPC') }),
  )
  expect(await full.files()).toEqual({})
})

test('an output with a lone surrogate is saved', async () => {
  const { runtime, files } = testRuntime([toolOf(() => `\ud800${long}`)], { limits, spill: true })
  await runtime.execute({ name: 'probe' })
  expect(await files()).toEqual({ '.toolport/outputs/call_1.txt': `\ufffd${long}` })
})

test('property: the model text never exceeds the limit and splits no character', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', minLength: 0, maxLength: 400 }),
      fc.integer({ min: 120, max: 600 }),
      async (text, outputBytes) => {
        const { runtime } = testRuntime([toolOf(() => text)], { limits: { outputBytes } })
        const shown = toModelText(await runtime.execute({ name: 'probe' }))
        expect(bytes(shown)).toBeLessThanOrEqual(outputBytes)
        expect(shown).not.toContain('\ufffd')
        if (bytes(text) <= outputBytes) expect(shown).toBe(text)
      },
    ),
  )
})
