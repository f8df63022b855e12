import type { LanguageModel } from 'ai'
import type { ModelSettings } from './settings.js'

/** The model that the settings name. Each protocol loads when it is first used. */
export async function createModel({ kind, address, model, key }: ModelSettings): Promise<LanguageModel> {
  const common = { baseURL: address, fetch: pageFetch }
  switch (kind) {
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ ...common, name: 'openai-compatible', ...(key && { apiKey: key }) })(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      // Without this Anthropic answers no page.
      return createAnthropic({ ...common, apiKey: key, headers: { 'anthropic-dangerous-direct-browser-access': 'true' } })(model)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ ...common, apiKey: key })(model)
    }
  }
}

/** Asks for the model and nobody else: what redirects would be given the key, and a `user-agent` of ours is a header that servers refuse to pages. */
const pageFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.delete('user-agent')
  return fetch(input, { ...init, headers, redirect: 'error', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' })
}
