import type { Host } from '../../../types/host.js'
import type { TestRuntime, TestRuntimeOptions } from '../test-runtime.js'

/** Tokens that the model read and wrote. */
export interface EvaluationTokens {
  readonly input: number
  readonly output: number
}

/** A task, and the function that judges its workspace. */
export interface EvaluationCase {
  /** Unique among the cases. */
  readonly name: string
  /** The task, as the user's message. */
  readonly prompt: string
  /** Initial files of the workspace, as for `createTestRuntime`. */
  readonly files?: TestRuntimeOptions['files']
  /** Default the `score` of all cases. */
  readonly score?: EvaluationScore
}

/**
 * Judges a finished run by its workspace, calls and text. Passes if it returns nothing, true or 1. Fails if it throws (an assertion, for
 * instance) or returns false. A number from 0 to 1 is the score, which passes from the option `passScore` up.
 */
export type EvaluationScore = (run: EvaluatedRun) => unknown

/** A case under way: its own runtime over its own files. */
export interface EvaluationRun<Model = EvaluatedModel> extends Omit<TestRuntime, 'host'> {
  readonly case: EvaluationCase
  readonly model: Model
  readonly host: Host
  readonly system: string | undefined
  /** Aborts at the end of the time, at too many steps, and when the evaluation is aborted. */
  readonly signal: AbortSignal
  /** The budget. */
  readonly maxSteps: number
  /**
   * Counts one answer of the model, with its tokens if known.
   * @throws Error beyond the budget, and aborts `signal`
   */
  step(tokens?: { readonly input?: number | undefined; readonly output?: number | undefined }): void
}

/** A run whose agent has ended. */
export interface EvaluatedRun extends Omit<EvaluationRun<unknown>, 'step'> {
  /** The last text of the model, or what the agent returned. */
  readonly text: string
  /** Answers of the model. */
  readonly steps: number
}

/** A model of AI SDK (`LanguageModelV4`), by its shape. */
export interface EvaluatedModel {
  readonly modelId?: string
  doGenerate(options: never): PromiseLike<{
    readonly content: readonly { readonly type: string }[]
    readonly usage: { readonly inputTokens: unknown; readonly outputTokens: unknown }
  }>
}

/** Runs the model with the tools of `run.runtime` until the task is done, and returns the last text. */
export type EvaluationAgent<Model> = (run: EvaluationRun<Model>) => unknown

/** A model, or a function that makes one for each case. */
export type ModelOf<Model> = Model | ((task: EvaluationCase) => Model | Promise<Model>)

/**
 * Options of `evaluate`: cases, models and a budget, with the options of `createTestRuntime` for the runtime of each case. The clock is
 * real unless `host` is another.
 */
export interface EvaluateOptions<Model = EvaluatedModel>
  extends Omit<TestRuntimeOptions, 'files' | 'now' | 'seed' | 'faults' | 'cassette' | 'model'> {
  readonly cases: readonly EvaluationCase[]
  /** One model. An `agent` can do without. */
  readonly model?: ModelOf<Model>
  /** Several models by name, in place of `model`: each runs every case. */
  readonly models?: Readonly<Record<string, ModelOf<Model>>>
  /** Default a plain loop: asks the model, runs its calls, until an answer has no calls. */
  readonly agent?: EvaluationAgent<Model>
  /** System prompt of the plain loop. */
  readonly system?: string
  /** Judges cases without a `score` of their own. */
  readonly score?: EvaluationScore
  /** The lowest score that passes, from 0 to 1; default 1. */
  readonly passScore?: number
  /** What one case may use: answers of the model (default 20), and milliseconds with its scoring (default 300,000). */
  readonly budget?: { readonly steps?: number; readonly ms?: number }
  /** Cases that run at once; default 4. */
  readonly concurrency?: number
  readonly host?: Host
  /** Ends the evaluation: cases that have not ended are reported as `aborted`. */
  readonly signal?: AbortSignal
  /** Called when a case has ended, before its runtime is disposed. What it throws rejects the evaluation. */
  readonly onResult?: (result: EvaluationResult, run: EvaluatedRun | undefined) => unknown
}

/** How a case ended. Plain JSON. */
export interface EvaluationResult {
  readonly case: string
  /** Its name in `models`, its `modelId`, or `model`. */
  readonly model: string
  /** `error`: the model, the agent or a hook failed. `steps`, `timeout`: the budget was used up. */
  readonly status: 'passed' | 'failed' | 'error' | 'steps' | 'timeout' | 'aborted'
  /** From 0 to 1. */
  readonly score: number
  /** Answers of the model. */
  readonly steps: number
  /** Tool calls that have ended. */
  readonly calls: number
  /** Null where the model told none. */
  readonly tokens: EvaluationTokens | null
  readonly ms: number
  /** Why the case did not pass. */
  readonly reason?: string
}

/** The results in the order of the cases, for each case in the order of the models. Plain JSON. */
export interface EvaluationReport {
  readonly total: number
  readonly passed: number
  readonly results: readonly EvaluationResult[]
}
