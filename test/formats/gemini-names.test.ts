// @module-tag formats
import { createRuntime, createToolRegistry, defineTool, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { runToolCalls, toGeminiTools } from 'toolport/formats'
import { afterEach, describe, expect, it } from 'vitest'
import { aliasOf, geminiName } from '../../src/formats/gemini-names.js'
import fc from '../fast-check.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const tool = (name: string) =>
  defineTool({ name, description: `It is ${name}`, inputSchema: { type: 'object', properties: {} }, run: () => name })

function runtimeWith(names: readonly string[]): ToolRuntime {
  const runtime = createRuntime({ fs: createMemoryFs(), tools: names.map(tool) })
  closing.push(() => runtime.dispose())
  return runtime
}

/** Calls each tool by its rendered name. Returns pairs of its description and its answer. */
async function answers(runtime: ToolRuntime, rendered = toGeminiTools(runtime)): Promise<[said: string, answered: unknown][]> {
  const parts = rendered.functionDeclarations.map(({ name }) => ({ functionCall: { name, args: {} } }))
  const { calls } = await runToolCalls(runtime, { candidates: [{ content: { role: 'model', parts } }] })
  return rendered.functionDeclarations.map(({ description }, index) => [description, calls[index]?.result.output])
}

const LONG = 'a'.repeat(62)
const NAMES = [
  '1a',
  '_1a',
  '__1a',
  '-1a',
  '1.a',
  `1${LONG}b`,
  `1${LONG}c`,
  `_1${LONG}`,
  `-${LONG}b`,
  'dotted.name',
  'dotted_name',
  '__proto__',
]

describe('tool names for Gemini', () => {
  it('are unique, and each calls its tool', async () => {
    const runtime = runtimeWith(NAMES)
    const names = toGeminiTools(runtime).functionDeclarations.map(({ name }) => name)
    expect(new Set(names).size).toBe(NAMES.length)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
    const said = await answers(runtime)
    expect(said).toEqual(NAMES.toSorted().map((name) => [`It is ${name}`, name]))
  })

  it('call the same tool if only some of the tools were rendered', async () => {
    const runtime = runtimeWith(NAMES)
    for (const entry of runtime.getModelManifest())
      expect(await answers(runtime, toGeminiTools([entry]))).toEqual([[`It is ${entry.name}`, entry.name]])
  })

  it('call the same tool after another tool gets a name from the rendered part', async () => {
    for (const name of ['1a', `1${LONG}b`]) {
      const runtime = runtimeWith([name])
      const rendered = toGeminiTools(runtime)
      const [taken] = rendered.functionDeclarations
      const named = defineTool({ name: String(taken?.name), description: 'Another', inputSchema: { type: 'object' }, run: () => 'another' })
      runtime.registry.register(named)
      expect(await answers(runtime, rendered)).toEqual([[`It is ${name}`, name]])
      expect(await answers(runtime)).toEqual(expect.arrayContaining([['Another', 'another']]))
    }
  })

  it('stay the same when other tools are disabled', async () => {
    const runtime = runtimeWith(NAMES)
    const before = toGeminiTools(runtime)
    for (const disabled of NAMES) {
      runtime.registry.disable(disabled)
      const others = before.functionDeclarations.filter(({ description }) => description !== `It is ${disabled}`)
      expect(toGeminiTools(runtime).functionDeclarations).toEqual(others)
      expect(await answers(runtime, { functionDeclarations: others })).toEqual(
        NAMES.toSorted().flatMap((name) => (name === disabled ? [] : [[`It is ${name}`, name]])),
      )
      runtime.registry.enable(disabled)
    }
  })

  it('are distinct for any aliases and can be mapped back', () => {
    const mark = fc.string({ unit: fc.constantFrom('_', '0', '1', '-', 'a'), maxLength: 4 })
    const middle = fc.string({ unit: fc.constantFrom('_', '0', 'a'), minLength: 1, maxLength: 64 })
    const alias = fc.tuple(mark, middle).map((parts) => parts.join('').slice(0, 64))
    // Includes names that equal the rendered names of other tools.
    const aliases = fc.uniqueArray(alias, { minLength: 1, maxLength: 8 }).map((given) => {
      const once = given.map(geminiName)
      return [...new Set([...given, ...once, ...once.map(geminiName), ...once.map((name) => name.slice(1)).filter((name) => name !== '')])]
    })
    fc.assert(
      fc.property(aliases, (given) => {
        const names = given.map(geminiName)
        expect(new Set(names).size).toBe(given.length)
        for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
        const registry = createToolRegistry().registerMany(given.map(tool))
        const back = names.map((name) => aliasOf(name, { registry, getModelManifest: () => registry.getModelManifest() }))
        expect(back).toEqual(given)
      }),
    )
  })

  it('call the same tool after other tools were added', async () => {
    const runtime = runtimeWith(['1a'])
    const rendered = toGeminiTools(runtime)
    runtime.registry.register(defineTool({ name: '_1a', description: 'Another', inputSchema: { type: 'object' }, run: () => 'another' }))
    expect(await answers(runtime, rendered)).toEqual([['It is 1a', '1a']])
  })
})
