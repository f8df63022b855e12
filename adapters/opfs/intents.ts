import { patiently } from './faults.js'
import { type DirHandle, unlessMissing } from './handles.js'
import { fileText, writeWhole } from './write-file.js'

/**
 * A change of several steps, with virtual paths. The storage records the intent before the change, and undoes or completes the change after
 * a crash.
 */
export type Intent =
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** `size`: the file's size before the append. */
  | { readonly kind: 'append'; readonly path: string; readonly size: number }
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'fill' }

export const INTENT = 'intent-'

export class Intents {
  readonly #dir: DirHandle
  #last = 0

  constructor(dir: DirHandle) {
    this.#dir = dir
  }

  /** Records the intent. Resolves with a function that removes the record. */
  async begin(intent: Intent): Promise<() => Promise<void>> {
    const name = `${INTENT}${++this.#last}`
    try {
      await writeWhole(await this.#dir.getFileHandle(name, { create: true }), new TextEncoder().encode(JSON.stringify(intent)))
    } catch (cause) {
      await unlessMissing(this.#dir.removeEntry(name)).catch(() => undefined)
      throw cause
    }
    return () => patiently(() => this.#dir.removeEntry(name))
  }

  /** Intents left by an earlier session, oldest first. Skips incomplete records, because their changes never started. */
  async left(): Promise<Intent[]> {
    const found: { readonly order: number; readonly intent: Intent }[] = []
    for await (const [name, handle] of this.#dir.entries()) {
      if (!name.startsWith(INTENT) || handle.kind !== 'file') continue
      const intent = parse(await fileText(handle))
      if (intent) found.push({ order: Number(name.slice(INTENT.length)), intent })
    }
    return found.sort((a, b) => a.order - b.order).map(({ intent }) => intent)
  }
}

function parse(text: string): Intent | undefined {
  try {
    return JSON.parse(text) as Intent
  } catch {
    return undefined
  }
}
