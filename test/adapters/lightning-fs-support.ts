import { createLightningFs, type LightningFs, type LightningFsOptions } from 'toolport/adapters/lightning-fs'
import { onTestFinished } from 'vitest'
import { byName, settled, whenFree } from './browser-storages.js'

export { refusal, settled, utf8 } from './browser-storages.js'

export const newName = (): string => `lightning-${crypto.randomUUID()}`

/** A storage that is closed, and its database deleted, at the end of the test. */
export const lightningFs: (options?: Partial<LightningFsOptions>) => LightningFs = byName(newName, createLightningFs, (name) =>
  settled(indexedDB.deleteDatabase(name)),
)

/** Opens the raw database, while no adapter has it open. */
export async function inDatabase<T>(name: string, look: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(name)
  opening.onupgradeneeded = () => void opening.result.createObjectStore(`${name}_files`)
  const db = await settled(opening)
  try {
    return await look(db.transaction(`${name}_files`, 'readwrite').objectStore(`${name}_files`))
  } finally {
    db.close()
  }
}

export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Another page, whose databases and locks are lost when it is removed during its work. */
export interface OtherPage {
  readonly indexedDB: IDBFactory
  readonly locks: LockManager
  kill(): void
}

export function otherPage(): OtherPage {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  const { indexedDB, navigator } = frame.contentWindow as unknown as { indexedDB: IDBFactory; navigator: Navigator }
  return { indexedDB, locks: navigator.locks, kill: () => frame.remove() }
}

export const openSoon = (name: string): Promise<LightningFs> => whenFree(() => lightningFs({ name }))
