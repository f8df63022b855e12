// The first floor is the same turn of the same mock model with a bare AI SDK tool, which reads the file from a Map and numbers its lines.
// AI SDK validates the tool's input. The second floor calls our runtime without `toAiSdkTools`, so its ratio shows the cost of
// `toAiSdkTools` alone.
import { equal } from 'node:assert/strict'
import { generateText, isStepCount, type ToolSet, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { type ToolRuntime, toModelText } from 'toolport'
import { toAiSdkTools } from 'toolport/formats'
import * as z from 'zod'
import type { Bench } from './bench.js'
import { numbered } from './floor.js'
import { absolute, jobs, mapOf } from './jobs.js'
import { type Comparison, compare, type Plan, type Spread } from './measure.js'
import { memoryRuntime } from './memory-tools.js'

/** Number of reads in one step: enough that the rest of a turn costs little in comparison. */
const CALLS = 20
/** A turn is long and leaves much garbage, so a stable median needs a larger time budget. */
const LONGER = 8
const group = `AI SDK: generateText, two steps with ${CALLS} reads of 100 lines between them`
const { read } = jobs
const [input] = read.inputs

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

type Answer = Awaited<ReturnType<InstanceType<typeof MockLanguageModelV4>['doGenerate']>>

const call: Answer = {
  content: Array.from({ length: CALLS }, (_, n) => ({
    type: 'tool-call' as const,
    toolCallId: `c${n}`,
    toolName: read.tool,
    input: JSON.stringify(input),
  })),
  finishReason: { unified: 'tool-calls', raw: undefined },
  usage,
  warnings: [],
}
const words: Answer = { content: [{ type: 'text', text: 'Read.' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }

/** A model that calls the tools until a tool has answered. The mock keeps every prompt, so each turn uses a new mock. */
const newModel = (): InstanceType<typeof MockLanguageModelV4> =>
  new MockLanguageModelV4({ doGenerate: async ({ prompt }) => (prompt.at(-1)?.role === 'tool' ? words : call) })

/** Runs one turn and returns the tool result that the model received. */
async function turn(tools: ToolSet): Promise<unknown> {
  const model = newModel()
  const { text } = await generateText({ model, tools, prompt: 'Read the file.', stopWhen: isStepCount(3) })
  if (text !== 'Read.') throw new Error(`The turn ended with ${JSON.stringify(text)}`)
  const [part] = model.doGenerateCalls[1]?.prompt.at(-1)?.content ?? []
  return typeof part === 'object' && part.type === 'tool-result' && 'value' in part.output ? part.output.value : part
}

const bareTools = (): ToolSet => {
  const files = mapOf(read)
  return {
    [read.tool]: tool({
      description: 'Reads a file',
      inputSchema: z.strictObject({ path: z.string() }),
      execute: ({ path }) => numbered(files.get(String(absolute({ path }).path)) ?? ''),
    }),
  }
}

const byHand = (runtime: ToolRuntime): ToolSet => ({
  [read.tool]: tool({
    description: 'Reads a file',
    inputSchema: z.strictObject({ path: z.string() }),
    execute: async (given, { toolCallId, abortSignal }) =>
      toModelText(await runtime.execute({ id: toolCallId, name: read.tool, input: given }, { signal: abortSignal })),
  }),
})

const done = new Map<string, Promise<Comparison>>()

/** Runs each comparison once, for all rows that use it. */
function measured(name: 'bare' | 'by hand', plan: Plan): Promise<Comparison> {
  const before = done.get(name)
  if (before) return before
  const now = compareTurns(name, plan)
  done.set(name, now)
  return now
}

async function compareTurns(name: 'bare' | 'by hand', plan: Plan): Promise<Comparison> {
  const runtime = memoryRuntime(read.world())
  const theirs = name === 'bare' ? bareTools() : byHand(runtime)
  const ours: ToolSet = toAiSdkTools(runtime, { tools: [read.tool] })
  equal(await turn(ours), await turn(theirs))
  try {
    return await compare(
      () => turn(theirs),
      () => turn(ours),
      { ...plan, budgetMs: plan.budgetMs * LONGER },
    )
  } finally {
    await runtime.dispose()
  }
}

const ratioRow = (name: string, floor: 'bare' | 'by hand'): Bench => ({
  group,
  name,
  async run(plan) {
    const { ratio, floor: floorUs, ours } = await measured(floor, plan)
    return { floor: floorUs, ours, spread: ratio, unit: 'x' }
  },
})

const addedRow = (name: string, floor: 'bare' | 'by hand'): Bench => ({
  group,
  name,
  run: async (plan) => ({ spread: eachOf((await measured(floor, plan)).added), unit: 'us' }),
})

const eachOf = ({ min, median, max }: Spread): Spread => ({ min: min / CALLS, median: median / CALLS, max: max / CALLS })

export const aiSdk: readonly Bench[] = [
  ratioRow('our tool, to a bare one that reads a Map', 'bare'),
  addedRow('added to the loop by each call, in us', 'bare'),
  addedRow('of that, by toAiSdkTools alone', 'by hand'),
]
