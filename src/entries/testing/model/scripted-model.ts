import { languageModel, type ScriptedLanguageModel } from './ai-sdk.js'
import { modelFetch } from './http.js'
import type { ModelRequest } from './request.js'
import { Script } from './script.js'
import type { ModelScript } from './step.js'

/** A model that follows a script: a `LanguageModelV4` for AI SDK, and a `fetch` for the clients of OpenAI and Anthropic. */
export interface ScriptedModel extends ScriptedLanguageModel {
  /**
   * Answers `.../chat/completions` and `.../responses` as OpenAI does, and `.../messages` as Anthropic does, streamed if requested. A
   * request beyond the end of the script gets status 400, which clients do not retry, with the reason.
   */
  readonly fetch: typeof fetch
  /** The requests so far. */
  readonly requests: readonly ModelRequest[]
  /** Number of steps that are still unused. */
  readonly remaining: number
}

/**
 * Creates a model that answers each request with the next step of the script. A request beyond the end of the script fails with a message
 * that says so. Sets no timers: a stalled answer ends when the caller aborts.
 */
export function scriptedModel(steps: ModelScript): ScriptedModel {
  const script = new Script(steps)
  return {
    ...languageModel(script),
    fetch: modelFetch(script),
    requests: script.requests,
    get remaining() {
      return script.remaining
    },
  }
}
