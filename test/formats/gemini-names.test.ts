import { createRuntime, defineTool, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { runToolCalls, toGeminiTools } from 'toolport/formats'
import { afterEach, describe, expect, it } from 'vitest'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function runtimeWith(names: readonly string[]): ToolRuntime {
  const tools = names.map((name) =>
    defineTool({ name, description: `It is ${name}`, inputSchema: { type: 'object', properties: {} }, run: () => name }),
  )
  const runtime = createRuntime({ fs: createMemoryFs(), tools })
  closing.push(() => runtime.dispose())
  return runtime
}

/** What the tools answer, each called by the name that it was rendered with; by their descriptions. */
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

describe('names for Gemini', () => {
  it('are of one tool each, which answers to it', async () => {
    const runtime = runtimeWith(NAMES)
    const names = toGeminiTools(runtime).functionDeclarations.map(({ name }) => name)
    expect(new Set(names).size).toBe(NAMES.length)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
    const said = await answers(runtime)
    expect(said).toEqual(NAMES.toSorted().map((name) => [`It is ${name}`, name]))
  })

  it('mean the same tool where a part of the tools was rendered', async () => {
    const runtime = runtimeWith(NAMES)
    for (const entry of runtime.getModelManifest())
      expect(await answers(runtime, toGeminiTools([entry]))).toEqual([[`It is ${entry.name}`, entry.name]])
  })

  it('mean the same tool after others have come', async () => {
    const runtime = runtimeWith(['1a'])
    const rendered = toGeminiTools(runtime)
    runtime.registry.register(defineTool({ name: '_1a', description: 'Another', inputSchema: { type: 'object' }, run: () => 'another' }))
    expect(await answers(runtime, rendered)).toEqual([['It is 1a', '1a']])
  })
})
