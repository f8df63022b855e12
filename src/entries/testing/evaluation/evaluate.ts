import { required } from '../../../errors/required.js'
import { systemHost } from '../../../host.js'
import { forEachLimited } from '../../../ops/concurrency.js'
import { runtimeOn } from '../test-runtime.js'
import { runCase, wordsOf } from './case.js'
import { runModel } from './loop.js'
import type {
  EvaluatedModel,
  EvaluateOptions,
  EvaluationAgent,
  EvaluationCase,
  EvaluationReport,
  EvaluationResult,
  ModelOf,
} from './types.js'

interface Cell<Model> {
  readonly task: EvaluationCase
  readonly model: ModelOf<Model>
  readonly name: string
}

/**
 * Runs every case with every model, each over its own workspace in memory. A case that fails, throws or uses up its budget is a result, not
 * an exception. If `signal` aborts, the evaluation stops early and still reports every case.
 *
 * @throws TypeError, RangeError for invalid options, and the errors of `onResult`
 */
export async function evaluate<Model = EvaluatedModel>(options: EvaluateOptions<Model>): Promise<EvaluationReport> {
  const cells = cellsOf(options)
  const { cases, model, models, agent = runModel as unknown as EvaluationAgent<Model>, ...others } = options
  const { system, score, passScore = 1, budget = {}, concurrency = 4, host = systemHost, signal, onResult, ...runtime } = others
  const { steps = 20, ms = 300_000 } = budget
  checkNumbers({ concurrency, 'budget.steps': steps, 'budget.ms': ms })
  if (!(passScore >= 0 && passScore <= 1)) throw new RangeError(`Cannot evaluate with passScore ${passScore}: expected 0 to 1`)
  const results: EvaluationResult[] = []
  await forEachLimited([...cells.entries()], concurrency, async ([index, { task, ...cell }]) => {
    let test: ReturnType<typeof runtimeOn>
    try {
      test = runtimeOn(host, { ...runtime, files: task.files })
    } catch (error) {
      const counts = { steps: 0, calls: 0, tokens: null, ms: 0 }
      results[index] = { case: task.name, model: cell.name, status: 'error', score: 0, reason: wordsOf(error), ...counts }
      await onResult?.(results[index], undefined)
      return
    }
    const run = { ...test, case: task, system, maxSteps: steps }
    try {
      const outcome = await runCase<Model>(run, { ...cell, agent, score: task.score ?? score, passScore, ms, signal })
      results[index] = outcome.result
      await onResult?.(outcome.result, outcome.run)
    } finally {
      await test.runtime.dispose()
    }
  })
  return { total: results.length, passed: results.filter(({ status }) => status === 'passed').length, results }
}

function cellsOf<Model>(options: EvaluateOptions<Model>): Cell<Model>[] {
  const { cases, model, models = {}, agent } = required('evaluate', 'options with cases and a model', options)
  if (!Array.isArray(required('evaluate', 'the option "cases", a list of cases', cases)) || cases.length === 0)
    throw new TypeError('evaluate needs the option "cases", a list of one case or more')
  const named = Object.entries(models)
  if (model !== undefined && named.length > 0) throw new TypeError('Cannot evaluate with both "model" and "models"')
  if (!agent && model === undefined && named.length === 0) throw new TypeError('evaluate needs the option "model", or "models" by name')
  const all = named.length > 0 ? named : [[nameOf(model), model as ModelOf<Model>] as const]
  if (!agent) for (const [name, one] of all) checkModel(name, one)
  const seen = new Set<string>()
  for (const task of cases) {
    required('evaluate', 'a name for each case', task?.name)
    required('evaluate', `a prompt for the case "${task.name}"`, task.prompt)
    if (!task.score && !options.score) throw new TypeError(`evaluate needs a score for the case "${task.name}", or one for all cases`)
    if (seen.has(task.name)) throw new TypeError(`Cannot evaluate two cases with the name "${task.name}"`)
    seen.add(task.name)
  }
  return cases.flatMap((task) => all.map(([name, one]) => ({ task, name, model: one })))
}

function checkModel(name: string, model: unknown): void {
  if (typeof model === 'function' || typeof (model as EvaluatedModel | null)?.doGenerate === 'function') return
  throw new TypeError(
    `Cannot evaluate the model "${name}": expected a LanguageModelV4 of AI SDK, or a function that makes one. For another client, pass \`agent\``,
  )
}

const nameOf = (model: unknown): string => {
  const id = (model as { readonly modelId?: unknown } | null | undefined)?.modelId
  return typeof id === 'string' && id !== '' ? id : 'model'
}

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!(Number.isSafeInteger(value) && value > 0))
      throw new RangeError(`Cannot evaluate with ${name} ${value}: expected a whole number from 1`)
  }
}
