import type { LanguageModel } from 'ai'
import { UnreachableError } from './failures.js'
import type { ModelSettings } from './settings.js'

/** What is asked of a model, beside the conversation. */
export interface ModelParts {
  readonly model: LanguageModel
  /** Tokens of one answer. */
  readonly room?: number
}

/** Anthropic has to be told, and 4,096, which is assumed for models that AI SDK does not know, are little for a file. */
const ANTHROPIC_ROOM = 32_000

/** The model that the settings name. Each protocol loads when it is first used. */
export async function createModel({ kind, address, model, key }: ModelSettings): Promise<ModelParts> {
  const common = { baseURL: address, fetch: pageFetch }
  switch (kind) {
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return { model: createOpenAICompatible({ ...common, name: 'openai-compatible', ...(key && { apiKey: key }) })(model) }
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      // Without this Anthropic answers no page.
      const headers = { 'anthropic-dangerous-direct-browser-access': 'true' }
      return { model: createAnthropic({ ...common, apiKey: key, headers })(model), room: ANTHROPIC_ROOM }
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return { model: createGoogleGenerativeAI({ ...common, apiKey: key })(model) }
    }
  }
}

/** Asks for the model and nobody else: what redirects would be given the key, and a `user-agent` of ours is a header that servers refuse to pages. */
const pageFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.delete('user-agent')
  try {
    return await fetch(input, {
      ...init,
      headers,
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    })
  } catch (error) {
    if (init?.signal?.aborted) throw error
    // AI SDK cannot tell it from a connection that is lost in the middle of an answer.
    throw new UnreachableError('No answer began', { cause: error })
  }
}
