import type { Fields, ModelMessage, ModelRequest } from './request.js'
import type { Answer, ScriptedError } from './step.js'

/** A server-sent event. */
export interface ServerEvent {
  readonly event?: string
  /** JSON, or literal text. */
  readonly data: Fields | string
}

/** Converts requests and answers of one HTTP API. */
export interface Dialect {
  readonly api: Exclude<ModelRequest['api'], 'ai-sdk'>
  /** Suffix of the API's request path, such as `/chat/completions`. */
  readonly path: string
  messages(body: Fields): ModelMessage[]
  tool(tool: Fields): unknown
  answer(answer: Answer, body: Fields): Fields
  /** Returns the events of a streamed answer: its content, and its end. */
  events(answer: Answer, body: Fields): { readonly content: readonly ServerEvent[]; readonly end: readonly ServerEvent[] }
  failure(error: Required<ScriptedError>): Fields
  /** Returns the event of a failure in the middle of a stream. */
  failed(error: Required<ScriptedError>): ServerEvent
}
