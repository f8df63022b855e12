import type { LanguageModel } from 'ai'
import { UnreachableError } from './failures.js'
import type { ModelSettings } from './settings.js'

/** A model and its options. */
export interface ModelParts {
  readonly model: LanguageModel
  /** Maximum number of tokens per answer. */
  readonly room?: number
}

/** Anthropic requires a limit. AI SDK assumes 4,096 for unknown models, which is too small to write a file. */
const ANTHROPIC_ROOM = 32_000

/** Creates the model that the settings name. Loads each protocol on first use. */
export async function createModel({ kind, address, model, key }: ModelSettings): Promise<ModelParts> {
  const common = { baseURL: address, fetch: pageFetch }
  switch (kind) {
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return { model: createOpenAICompatible({ ...common, name: 'openai-compatible', ...(key && { apiKey: key }) })(model) }
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      // Anthropic rejects requests from web pages without this header.
      const headers = { 'anthropic-dangerous-direct-browser-access': 'true' }
      return { model: createAnthropic({ ...common, apiKey: key, headers })(model), room: ANTHROPIC_ROOM }
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return { model: createGoogleGenerativeAI({ ...common, apiKey: key })(model) }
    }
  }
}

/**
 * Fetches without following redirects, which would receive the API key. Removes AI SDK's `user-agent`, a header that servers reject from
 * web pages (CORS).
 */
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
    // AI SDK cannot distinguish this error from a connection lost in the middle of an answer.
    throw new UnreachableError('No answer began', { cause: error })
  }
}
