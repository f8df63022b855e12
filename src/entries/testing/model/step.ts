import type { ModelRequest } from './request.js'

/** A tool call of the model. */
export interface ScriptedCall {
  readonly name: string
  /** Sent as JSON; default `{}`. */
  readonly input?: unknown
  /** Sent as they are in place of `input`: malformed JSON, for instance. */
  readonly arguments?: string
  /** Default `scripted_1`, `scripted_2`, ... */
  readonly id?: string
}

/** A failed request; after `text`, a failure in the middle of the answer. */
export interface ScriptedError {
  /** HTTP status; default 500. 0: the connection is lost. */
  readonly status?: number
  readonly message?: string
  /** Of the HTTP response, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One answer with all its parts. */
export interface ScriptedAnswer {
  /** A list: the pieces in which it is streamed. A string is streamed word by word. */
  readonly text?: string | readonly string[]
  /** Called in parallel. */
  readonly calls?: readonly ScriptedCall[]
  /** The model declines, with these words. */
  readonly refusal?: string
  /** `length`: cut off at the token limit. Default what the parts say. */
  readonly finish?: 'stop' | 'length'
  readonly error?: ScriptedError
  /** After `text` nothing more comes until the caller aborts. */
  readonly stall?: boolean
  /** Tokens; default 0. */
  readonly usage?: { readonly input?: number; readonly output?: number }
}

/** Text, one call, parallel calls, or an answer with all its parts. */
export type ScriptedStep = string | ScriptedCall | readonly ScriptedCall[] | ScriptedAnswer

/** Steps in the order of the requests. A function is given the request it answers. */
export type ModelScript = readonly (ScriptedStep | ((request: ModelRequest) => ScriptedStep | Promise<ScriptedStep>))[]

/** An answer as the APIs render it. */
export interface Answer {
  /** Counts the requests from 1. */
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
