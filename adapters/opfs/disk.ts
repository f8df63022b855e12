import { patiently } from './faults.js'
import { type DirHandle, type FileHandle, type Place, unlessMissing } from './handles.js'
import type { Intent, Intents } from './intents.js'
import { type Fill, fillNew, hasMove, hasSyncAccess, swap } from './write-file.js'

const COPIED_AT_ONCE = 4 * 1024 * 1024
export const TEMP = 'temp-'

/** Changes of files that happen completely or not at all, or throw `Unfinished`. */
export class Disk {
  readonly #system: DirHandle
  readonly #intents: Intents
  /** Whether files can be moved over other files. Otherwise, `createWritable` writes to a swap file that replaces the old content. */
  readonly moves: boolean = hasMove() && hasSyncAccess()
  #temps = 0

  constructor(system: DirHandle, intents: Intents) {
    this.#system = system
    this.#intents = intents
  }

  /** Replaces or creates a file. @param path virtual path of `to`. @param isNew whether the file does not exist yet */
  async replace(to: Place, path: string, isNew: boolean, fill: Fill): Promise<void> {
    if (this.moves) await this.#replaceByMove(to, fill)
    else if (!isNew) await swap(await to.dir.getFileHandle(to.name), fill)
    else await this.noted({ kind: 'create', path }, () => createBySwap(to, fill))
  }

  /** Writes a temporary file outside of the workspace's directory, then moves it to its place. */
  async #replaceByMove(to: Place, fill: Fill): Promise<void> {
    const name = `${TEMP}${++this.#temps}`
    try {
      const file = await this.#system.getFileHandle(name, { create: true })
      await fillNew(file, fill)
      await patiently(() => file.move(to.dir, to.name))
    } catch (cause) {
      await unlessMissing(this.#system.removeEntry(name)).catch(() => undefined)
      throw cause
    }
  }

  /**
   * Moves a file, which may replace another file. If the browser can only copy, both files exist for a moment, so the caller must record an
   * intent. A failed move changes nothing, unless it throws `Unfinished`.
   */
  async move(from: Place, to: Place): Promise<void> {
    const file = await from.dir.getFileHandle(from.name)
    if (this.moves) return patiently(() => file.move(to.dir, to.name))
    const replaced = await unlessMissing(to.dir.getFileHandle(to.name))
    if (replaced) await swap(replaced, copyOf(file))
    else await createBySwap(to, copyOf(file))
    await patiently(() => from.dir.removeEntry(from.name)).catch((cause: unknown) => {
      throw new Unfinished(cause)
    })
  }

  /** Records an intent while `work` runs. If `work` fails, `work` must undo its changes or throw `Unfinished`. */
  async noted(intent: Intent, work: () => Promise<void>): Promise<void> {
    const done = await this.#intents.begin(intent)
    let failed: { readonly cause: unknown } | undefined
    try {
      await work()
    } catch (cause) {
      if (cause instanceof Unfinished) throw cause
      failed = { cause }
    }
    // Removing the record must succeed: if the record remained, the next opening would apply the intent to later files.
    await done().catch((cause: unknown) => {
      throw new Unfinished(cause)
    })
    if (failed) throw failed.cause
  }
}

/** Thrown when a change is only partly done and its intent is still recorded. The storage must be reopened before any other change. */
export class Unfinished extends Error {
  constructor(cause: unknown) {
    super('unfinished', { cause })
  }
}

async function createBySwap(to: Place, fill: Fill): Promise<void> {
  try {
    await swap(await to.dir.getFileHandle(to.name, { create: true }), fill)
  } catch (cause) {
    await unlessMissing(to.dir.removeEntry(to.name)).catch(() => {
      throw new Unfinished(cause)
    })
    throw cause
  }
}

/** Returns a function that copies a file in pieces, so that a large file need not fit into memory. */
export function copyOf(file: FileHandle): Fill {
  return async (sink) => {
    const content = await patiently(() => file.getFile())
    for (let at = 0; at < content.size; at += COPIED_AT_ONCE) {
      await sink.write(new Uint8Array(await content.slice(at, at + COPIED_AT_ONCE).arrayBuffer()))
    }
  }
}
