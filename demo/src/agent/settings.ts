import { readKept, writeKept } from '../kept.js'

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
