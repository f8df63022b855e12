import type { ProviderKind } from './settings.js'

export interface ProviderChoice {
  readonly kind: ProviderKind
  readonly label: string
  readonly about: string
  readonly address: string
  /** Example of a model name. */
  readonly example: string
  /** Whether the provider requires an API key. */
  readonly needsKey: boolean
}

export const providerChoices: readonly ProviderChoice[] = [
  {
    kind: 'openai',
    label: 'OpenAI-compatible',
    about: 'OpenAI, OpenRouter, Ollama, LM Studio, vLLM and others',
    address: 'https://api.openai.com/v1',
    example: 'gpt-5.2',
    needsKey: false,
  },
  {
    kind: 'anthropic',
    label: 'Anthropic',
    about: 'Claude, by the Messages API',
    address: 'https://api.anthropic.com/v1',
    example: 'claude-sonnet-4-5',
    needsKey: true,
  },
  {
    kind: 'google',
    label: 'Gemini',
    about: 'Google’s Gemini API',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    example: 'gemini-3-pro',
    needsKey: true,
  },
]

export const PATIENCE = 120

export const providerOf = (kind: ProviderKind): ProviderChoice =>
  providerChoices.find((choice) => choice.kind === kind) ?? (providerChoices[0] as ProviderChoice)

const LOOPBACK = ['localhost', '127.0.0.1']

/** Why an address is invalid; undefined if it is valid. The page's CSP blocks all other addresses. */
export function addressProblem(address: string): string | undefined {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return 'This is no address. It begins with https:// or, on this computer, http://localhost.'
  }
  if (url.username || url.password) return 'The address must not hold a user or a password: the key has a field of its own.'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:' && LOOPBACK.includes(url.hostname)) return undefined
  return 'The page asks https:// addresses, and http:// ones on this computer only (localhost or 127.0.0.1).'
}
