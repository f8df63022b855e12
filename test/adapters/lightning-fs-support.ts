import { createLightningFs, type LightningFs, type LightningFsOptions } from 'toolport/adapters/lightning-fs'
import { expect, onTestFinished } from 'vitest'

const open = new Map<string, LightningFs[]>()

export const newName = (): string => `lightning-${crypto.randomUUID()}`

/** Closed, and its database deleted, at the end of the test. */
export function lightningFs(options: Partial<LightningFsOptions> = {}): LightningFs {
  const name = options.name ?? newName()
  const fs = createLightningFs({ ...options, name })
  const others = open.get(name)
  if (others) others.push(fs)
  else {
    open.set(name, [fs])
    onTestFinished(() => drop(name))
  }
  return fs
}

async function drop(name: string): Promise<void> {
  await Promise.all((open.get(name) ?? []).map((fs) => fs.close().catch(() => undefined)))
  open.delete(name)
  await settled(indexedDB.deleteDatabase(name))
}

export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** The database as it is, for looking into it while no adapter has it open. */
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

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export const refusal = (code: string, part: string): Error =>
  expect.objectContaining({ name: 'FsError', code, message: expect.stringContaining(part) })

/** A page of its own: what it has open ends with it, in the middle of its work. */
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

/** The browser frees a lock some time after its page is gone. */
export async function openSoon(name: string): Promise<LightningFs> {
  for (;;) {
    const fs = lightningFs({ name })
    try {
      await fs.open()
      return fs
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('EBUSY')) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
