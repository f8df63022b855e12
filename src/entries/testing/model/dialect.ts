import type { Fields, ModelMessage, ModelRequest } from './request.js'
import type { Answer, ScriptedError } from './step.js'

/** A server-sent event. */
export interface ServerEvent {
  readonly event?: string
  /** JSON, or a text as it is. */
  readonly data: Fields | string
}

/** How one HTTP API says what is asked and answered. */
export interface Dialect {
  readonly api: Exclude<ModelRequest['api'], 'ai-sdk'>
  /** How the path of its requests ends. */
  readonly path: string
  messages(body: Fields): ModelMessage[]
  tool(tool: Fields): unknown
  answer(answer: Answer, body: Fields): Fields
  /** Of an answer before its end, and its end. */
  events(answer: Answer, body: Fields): { readonly content: readonly ServerEvent[]; readonly end: readonly ServerEvent[] }
  failure(error: Required<ScriptedError>): Fields
  /** In the middle of a stream. */
  failed(error: Required<ScriptedError>): ServerEvent
}
