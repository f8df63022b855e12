import { languageModel, type ScriptedLanguageModel } from './ai-sdk.js'
import { modelFetch } from './http.js'
import type { ModelRequest } from './request.js'
import { Script } from './script.js'
import type { ModelScript } from './step.js'

/** A model that plays a script: a `LanguageModelV4` for AI SDK, and a `fetch` for the clients of OpenAI and Anthropic. */
export interface ScriptedModel extends ScriptedLanguageModel {
  /**
   * Answers `.../chat/completions` and `.../responses` as OpenAI does, `.../messages` as Anthropic does, streamed where asked for. A request
   * beyond the script is answered with status 400, which clients do not retry, and the reason.
   */
  readonly fetch: typeof fetch
  /** What the model was asked so far. */
  readonly requests: readonly ModelRequest[]
  /** Steps that no request has asked for yet. */
  readonly remaining: number
}

/**
 * Answers each request with the next step of the script. A request beyond the script fails, with a message that says so. Sets no timers: a
 * stalled answer ends with the caller's abort.
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
