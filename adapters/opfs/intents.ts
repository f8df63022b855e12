import { patiently } from './faults.js'
import { type DirHandle, unlessMissing } from './handles.js'
import { fileText, writeWhole } from './write-file.js'

/** What is about to be done in more than one step, with paths of the workspace. Noted first, and undone or finished after a crash. */
export type Intent =
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** `size` is what the file had. */
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

  /** Resolves, when it is noted, with the function that says it is done. */
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

  /** Those that an earlier user left, oldest first. One that was not noted whole was not begun. */
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
