import type { ModelRequest } from './request.js'

/** A tool call of the model. */
export interface ScriptedCall {
  readonly name: string
  /** Sent as JSON; default `{}`. */
  readonly input?: unknown
  /** Raw text to send instead of `input`, such as malformed JSON. */
  readonly arguments?: string
  /** Default `scripted_1`, `scripted_2`, ... */
  readonly id?: string
}

/** A failed request. In a step with `text`, the failure comes in the middle of the answer, after the text. */
export interface ScriptedError {
  /** HTTP status; default 500. 0: a lost connection. */
  readonly status?: number
  readonly message?: string
  /** Headers of the HTTP response, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One answer with all its parts. */
export interface ScriptedAnswer {
  /** The text of the answer. A list contains the pieces to stream; a string is streamed word by word. */
  readonly text?: string | readonly string[]
  /** Tool calls, all in the same answer. */
  readonly calls?: readonly ScriptedCall[]
  /** The text with which the model refuses. */
  readonly refusal?: string
  /** `length`: the answer is cut off at the token limit. Default: derived from the parts. */
  readonly finish?: 'stop' | 'length'
  readonly error?: ScriptedError
  /** Whether the answer sends nothing more after `text`, until the caller aborts. */
  readonly stall?: boolean
  /** Token counts; default 0. */
  readonly usage?: { readonly input?: number; readonly output?: number }
}

/** One answer of the model: text, one call, several calls, or an object with all parts. */
export type ScriptedStep = string | ScriptedCall | readonly ScriptedCall[] | ScriptedAnswer

/** The answers of the model: one step per request, in order. A function receives the request that it answers. */
export type ModelScript = readonly (ScriptedStep | ((request: ModelRequest) => ScriptedStep | Promise<ScriptedStep>))[]

/** An answer before the conversion to the format of an API. */
export interface Answer {
  /** Number of the request, from 1. */
  readonly number: number
  readonly pieces: readonly string[]
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly refusal: string | undefined
  readonly finish: 'stop' | 'calls' | 'length' | 'refusal'
  readonly error: Required<ScriptedError> | undefined
  readonly stall: boolean
  readonly usage: { readonly input: number; readonly output: number }
}

export function answerOf(step: ScriptedStep, number: number, nextId: () => string): Answer {
  const { text = [], calls = [], refusal, finish, error, stall = false, usage } = partsOf(step)
  return {
    number,
    pieces: typeof text === 'string' ? text.split(/(?<=\s)(?=\S)/) : text,
    calls: calls.map(({ id = nextId(), name, input = {}, arguments: raw = JSON.stringify(input) }) => ({ id, name, arguments: raw })),
    refusal,
    finish: finish ?? (refusal !== undefined ? 'refusal' : calls.length > 0 ? 'calls' : 'stop'),
    error: error && { status: 500, message: 'The scripted model failed', headers: {}, ...error },
    stall,
    usage: { input: 0, output: 0, ...usage },
  }
}

function partsOf(step: ScriptedStep): ScriptedAnswer {
  if (typeof step === 'string') return { text: step }
  if (Array.isArray(step)) return { calls: step }
  return 'name' in step ? { calls: [step] } : (step as ScriptedAnswer)
}
