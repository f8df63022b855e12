export type ProviderKind = 'openai' | 'anthropic' | 'google'

/** Which model answers, and where it is. */
export interface ModelSettings {
  readonly kind: ProviderKind
  /** Where the protocol begins, without a slash at the end. */
  readonly address: string
  readonly model: string
  /** Empty: none is sent. */
  readonly key: string
  /** Seconds without a sign of the model after which it is given up. */
  readonly patience: number
}

export interface ProviderChoice {
  readonly kind: ProviderKind
  readonly label: string
  readonly about: string
  readonly address: string
  /** What a model is called there. */
  readonly example: string
  /** It answers nobody without one. */
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

/** What is wrong with an address, in words; undefined: nothing. The page's own rules let it ask nobody else. */
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

/** Where settings are kept. The key is only in what is stored when the user has asked for that. */
export interface SettingsStore {
  /** `lacksKey`: the model was used with one that was not kept. */
  load(): { readonly settings: ModelSettings; readonly keepsKey: boolean; readonly lacksKey: boolean } | undefined
  save(settings: ModelSettings, keepKey: boolean): void
  forget(): void
}

/** In the browser's storage under a key; undefined: nowhere. */
export function createSettingsStore(at: string | undefined): SettingsStore {
  return {
    load() {
      const stored = at === undefined ? undefined : read(at)
      if (!stored) return undefined
      const { hadKey, key = '', ...others } = stored
      return { settings: { ...others, key }, keepsKey: key !== '', lacksKey: hadKey && key === '' }
    },
    save({ key, ...others }, keepKey) {
      const hadKey = key !== ''
      if (at !== undefined) write(at, JSON.stringify(keepKey && hadKey ? { ...others, hadKey, key } : { ...others, hadKey }))
    },
    forget() {
      if (at !== undefined) write(at, undefined)
    },
  }
}

type Stored = Omit<ModelSettings, 'key'> & { readonly hadKey: boolean; readonly key?: string }

function read(at: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(at) ?? 'null')
    return isStored(value) ? value : undefined
  } catch {
    return undefined // Storage is blocked, or holds what is not ours.
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false
  const { kind, address, model, key, hadKey, patience } = value as Readonly<Record<string, unknown>>
  return (
    providerChoices.some((choice) => choice.kind === kind) &&
    typeof address === 'string' &&
    typeof model === 'string' &&
    typeof patience === 'number' &&
    typeof hadKey === 'boolean' &&
    (key === undefined || typeof key === 'string')
  )
}

function write(at: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(at)
    else localStorage.setItem(at, text)
  } catch {
    // Storage is blocked: the settings last as long as the page.
  }
}
