import { patiently } from './faults.js'
import { type DirHandle, unlessMissing } from './handles.js'
import { fileText, writeWhole } from './write-file.js'

/**
 * A change that takes several steps, with virtual paths. The storage records the intent before the change. After a crash, the next opening
 * undoes or completes the change.
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

  /** Records an intent. Resolves to a function that removes the record. */
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

  /**
   * Returns the intents that an earlier session has left, oldest first. Skips incomplete records, because the changes that they describe
   * never started.
   */
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
