import { readKept, writeKept } from '../kept.js'

export type ProviderKind = 'openai' | 'anthropic' | 'google'

/** Which model answers, and its address. */
export interface ModelSettings {
  readonly kind: ProviderKind
  /** Base URL without a trailing slash. */
  readonly address: string
  readonly model: string
  /** Empty: no API key is sent. */
  readonly key: string
  /** Timeout: seconds without any data from the model. */
  readonly patience: number
}

/** Stores the model settings. The API key is only stored if the user asks for that. */
export interface SettingsStore {
  /** `lacksKey`: the model had an API key that was not stored. */
  load(): { readonly settings: ModelSettings; readonly keepsKey: boolean; readonly lacksKey: boolean } | undefined
  save(settings: ModelSettings, keepKey: boolean): void
  forget(): void
}

/** Stores the settings in the browser's storage under the key `at`. Undefined: stores nothing. */
export function createSettingsStore(at: string | undefined): SettingsStore {
  return {
    load() {
      const stored = readKept(at, isStored)
      if (!stored) return undefined
      const { hadKey, key = '', ...others } = stored
      return { settings: { ...others, key }, keepsKey: key !== '', lacksKey: hadKey && key === '' }
    },
    save({ key, ...others }, keepKey) {
      const hadKey = key !== ''
      writeKept(at, keepKey && hadKey ? { ...others, hadKey, key } : { ...others, hadKey })
    },
    forget() {
      writeKept(at, undefined)
    },
  }
}

type Stored = Omit<ModelSettings, 'key'> & { readonly hadKey: boolean; readonly key?: string }

const KINDS: readonly unknown[] = ['openai', 'anthropic', 'google'] satisfies ProviderKind[]

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false
  const { kind, address, model, key, hadKey, patience } = value as Readonly<Record<string, unknown>>
  return (
    KINDS.includes(kind) &&
    typeof address === 'string' &&
    typeof model === 'string' &&
    typeof patience === 'number' &&
    typeof hadKey === 'boolean' &&
    (key === undefined || typeof key === 'string')
  )
}
