import type { Host } from '../../../types/host.js'
import type { TestRuntime, TestRuntimeOptions } from '../test-runtime.js'

/** Tokens that the model read and wrote. */
export interface EvaluationTokens {
  readonly input: number
  readonly output: number
}

/** A task, and the function that scores the resulting workspace. */
export interface EvaluationCase {
  /** Unique among the cases. */
  readonly name: string
  /** The task, sent as the user's message. */
  readonly prompt: string
  /** Initial files of the workspace, as for `createTestRuntime`. */
  readonly files?: TestRuntimeOptions['files']
  /** Scores this case. Default: the option `score` of `evaluate`. */
  readonly score?: EvaluationScore
}

/**
 * Scores a finished run by its workspace, calls and text. The case passes if the function returns nothing, true or 1. It fails if the
 * function throws (an assertion, for instance) or returns false. A number from 0 to 1 passes if it is at least the option `passScore`.
 */
export type EvaluationScore = (run: EvaluatedRun) => unknown

/** A running case, with a runtime and files of its own. */
export interface EvaluationRun<Model = EvaluatedModel> extends Omit<TestRuntime, 'host'> {
  readonly case: EvaluationCase
  readonly model: Model
  readonly host: Host
  readonly system: string | undefined
  /** Aborts on timeout, after too many steps, and when the evaluation is aborted. */
  readonly signal: AbortSignal
  /** The maximum number of steps. */
  readonly maxSteps: number
  /**
   * Counts one model response, with its tokens if known.
   * @throws Error for a step beyond `maxSteps`, after aborting `signal`
   */
  step(tokens?: { readonly input?: number | undefined; readonly output?: number | undefined }): void
}

/** A run whose agent has finished. */
export interface EvaluatedRun extends Omit<EvaluationRun<unknown>, 'step'> {
  /** The last text of the model, or the text that the agent returned. */
  readonly text: string
  /** Number of model responses. */
  readonly steps: number
}

/** The shape of an AI SDK model (`LanguageModelV4`). */
export interface EvaluatedModel {
  readonly modelId?: string
  doGenerate(options: never): PromiseLike<{
    readonly content: readonly { readonly type: string }[]
    readonly usage: { readonly inputTokens: unknown; readonly outputTokens: unknown }
  }>
}

/** An agent: runs the model with the tools of `run.runtime` until the task is done, and returns the last text. */
export type EvaluationAgent<Model> = (run: EvaluationRun<Model>) => unknown

/** A model, or a function that creates one for each case. */
export type ModelOf<Model> = Model | ((task: EvaluationCase) => Model | Promise<Model>)

/**
 * Options of `evaluate`: cases, models and a budget, with the options of `createTestRuntime` for the runtime of each case. The clock is the
 * real one unless you pass `host`.
 */
export interface EvaluateOptions<Model = EvaluatedModel>
  extends Omit<TestRuntimeOptions, 'files' | 'now' | 'seed' | 'faults' | 'cassette' | 'model'> {
  readonly cases: readonly EvaluationCase[]
  /** The model that runs all cases. Not required with an `agent`. */
  readonly model?: ModelOf<Model>
  /** Several models by name, instead of `model`. Each model runs every case. */
  readonly models?: Readonly<Record<string, ModelOf<Model>>>
  /** Default: a plain loop that asks the model and runs its calls until an answer has no calls. */
  readonly agent?: EvaluationAgent<Model>
  /** System prompt of the plain loop. */
  readonly system?: string
  /** Scores cases without their own `score`. */
  readonly score?: EvaluationScore
  /** The lowest score that passes, from 0 to 1; default 1. */
  readonly passScore?: number
  /** Limits of one case. `steps`: model responses (default 20). `ms`: duration, including scoring (default 300,000). */
  readonly budget?: { readonly steps?: number; readonly ms?: number }
  /** Number of cases that run concurrently; default 4. */
  readonly concurrency?: number
  readonly host?: Host
  /** Stops the evaluation. The report lists unfinished cases as `aborted`. */
  readonly signal?: AbortSignal
  /** Called when a case has ended, before its runtime is disposed. If it throws, the evaluation rejects. */
  readonly onResult?: (result: EvaluationResult, run: EvaluatedRun | undefined) => unknown
}

/** The outcome of a case. Plain JSON. */
export interface EvaluationResult {
  readonly case: string
  /** The name in `models`; otherwise the model's `modelId`, or `model`. */
  readonly model: string
  /** `error`: the model, the agent or a hook failed. `steps`, `timeout`: the case used up its budget. */
  readonly status: 'passed' | 'failed' | 'error' | 'steps' | 'timeout' | 'aborted'
  /** From 0 to 1. */
  readonly score: number
  /** Number of model responses. */
  readonly steps: number
  /** Number of finished tool calls. */
  readonly calls: number
  /** Null if the model reported no tokens. */
  readonly tokens: EvaluationTokens | null
  readonly ms: number
  /** Why the case did not pass. */
  readonly reason?: string
}

/** The outcome of an evaluation. The results are in the order of the cases, and within a case in the order of the models. Plain JSON. */
export interface EvaluationReport {
  readonly total: number
  readonly passed: number
  readonly results: readonly EvaluationResult[]
}
