import { createAnsiCleaner } from '../../../ops/ansi.js'
import { fieldsOf } from '../model/request.js'
import { Stop, Stopped } from './stop.js'
import type { EvaluatedRun, EvaluationAgent, EvaluationResult, EvaluationRun, EvaluationScore, ModelOf } from './types.js'

export interface CaseOptions<Model> {
  /** Name of the model. */
  readonly name: string
  readonly model: ModelOf<Model>
  readonly agent: EvaluationAgent<Model>
  readonly score: EvaluationScore | undefined
  readonly passScore: number
  readonly ms: number
  readonly signal: AbortSignal | undefined
}

export type CaseBase = Omit<EvaluationRun<unknown>, 'model' | 'signal' | 'step'>

type Outcome = Pick<EvaluationResult, 'status' | 'score' | 'reason'>

/** Runs the agent, then the score, within the budget. Never rejects. The result has `run` if the agent has finished. */
export async function runCase<Model>(
  base: CaseBase,
  { name, model, agent, score, passScore, ms, signal }: CaseOptions<Model>,
): Promise<{ readonly result: EvaluationResult; readonly run: EvaluatedRun | undefined }> {
  const begun = base.host.now()
  const stop = new Stop(signal)
  const { counted, step } = counter(base.maxSteps, stop)
  void base.host.sleep(ms, stop.done).then(() => {
    if (!stop.done.aborted) stop.because(new Stopped('timeout', `Did not end within ${ms} ms`))
  })
  let run: EvaluatedRun | undefined
  let calls: number | undefined
  const outcome = async (): Promise<Outcome> => {
    try {
      const made = await stop.race(() => (typeof model === 'function' ? (model as (task: unknown) => Model)(base.case) : model))
      const answer = await stop.race(() => agent({ ...base, model: made, signal: stop.signal, step }))
      run = { ...base, model: made, signal: stop.signal, text: textOf(answer), steps: counted.steps }
      calls = base.calls.length
      return verdict(await stop.race(() => score?.(run as EvaluatedRun)), passScore)
    } catch (error) {
      const status = stop.reason?.status ?? (run ? 'failed' : 'error')
      return { status, score: 0, reason: wordsOf(stop.reason ?? error) }
    }
  }
  const { reason, ...ended } = await outcome()
  stop.end()
  const { steps, tokens } = counted
  const counts = { steps, calls: calls ?? base.calls.length, tokens, ms: base.host.now() - begun }
  return { result: { case: base.case.name, model: name, ...ended, ...counts, ...(reason !== undefined && { reason }) }, run }
}

function counter(maxSteps: number, stop: Stop) {
  const counted: { steps: number; tokens: EvaluationResult['tokens'] } = { steps: 0, tokens: null }
  const step: EvaluationRun['step'] = ({ input, output } = {}) => {
    if (counted.steps === maxSteps) throw stop.because(new Stopped('steps', `Used up the budget of ${maxSteps} steps`))
    counted.steps++
    if (input === undefined && output === undefined) return
    counted.tokens = { input: (counted.tokens?.input ?? 0) + (input ?? 0), output: (counted.tokens?.output ?? 0) + (output ?? 0) }
  }
  return { counted, step }
}

/**
 * Returns the text of an agent's answer: the answer itself if it is a string, otherwise its field `text`, as in the result of AI SDK's
 * `generateText`.
 */
function textOf(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : fieldsOf(answer).text
  return typeof text === 'string' ? text : ''
}

function verdict(returned: unknown, passScore: number): Outcome {
  const score = returned === undefined || returned === null ? 1 : typeof returned === 'boolean' ? Number(returned) : returned
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) {
    const reason = `The score is ${String(returned)}. Return a boolean, a number from 0 to 1 or nothing, or throw.`
    return { status: 'error', score: 0, reason }
  }
  if (score >= passScore) return { status: 'passed', score }
  return { status: 'failed', score, reason: returned === false ? 'The score is false' : `The score ${score} is below ${passScore}` }
}

/** Returns the message of an error, without the terminal colours that assertion libraries add. */
export function wordsOf(error: unknown): string {
  const cleaner = createAnsiCleaner()
  const text = error instanceof Error && error.message !== '' ? error.message : asText(error)
  return cleaner.push(text) + cleaner.end()
}

/** Converts a thrown value to text. Programs can throw any value, including one that `String` cannot convert. */
function asText(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'Something without a message was thrown'
  }
}
