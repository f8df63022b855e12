import { patiently } from './faults.js'
import { type DirHandle, type FileHandle, type Place, unlessMissing } from './handles.js'
import type { Intent, Intents } from './intents.js'
import { type Fill, fillNew, hasMove, hasSyncAccess, swap } from './write-file.js'

const COPIED_AT_ONCE = 4 * 1024 * 1024
export const TEMP = 'temp-'

/** The steps that change files, each of which happens whole or not at all. */
export class Disk {
  readonly #system: DirHandle
  readonly #intents: Intents
  /** Files can be moved over others. Else a new content is written beside the old one by the browser, and put in its place. */
  readonly moves: boolean = hasMove() && hasSyncAccess()
  #temps = 0

  constructor(system: DirHandle, intents: Intents) {
    this.#system = system
    this.#intents = intents
  }

  /** @param path of the workspace, of the same place. @param isNew nothing is there yet */
  async replace(to: Place, path: string, isNew: boolean, fill: Fill): Promise<void> {
    if (this.moves) await this.#replaceByMove(to, fill)
    else if (!isNew) await swap(await to.dir.getFileHandle(to.name), fill)
    else await this.noted({ kind: 'create', path }, () => createBySwap(to, fill))
  }

  /** A temporary file is in a directory that the workspace does not see. */
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
   * A file, over another or not. Where that is a copy, both are there for a moment: the caller notes it. When it fails nothing has changed,
   * unless it throws `Unfinished`.
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

  /** Notes what is begun. When it fails it has been undone; what cannot be undone throws `Unfinished`. */
  async noted(intent: Intent, work: () => Promise<void>): Promise<void> {
    const done = await this.#intents.begin(intent)
    let failed: { readonly cause: unknown } | undefined
    try {
      await work()
    } catch (cause) {
      if (cause instanceof Unfinished) throw cause
      failed = { cause }
    }
    // With the note still there, the next opening would do it again, to what is there then.
    await done().catch((cause: unknown) => {
      throw new Unfinished(cause)
    })
    if (failed) throw failed.cause
  }
}

/** Something was done by half, and its note stays. Nothing may be changed before it was opened anew. */
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

/** Piece by piece: a large file need not fit into memory. */
export function copyOf(file: FileHandle): Fill {
  return async (sink) => {
    const content = await patiently(() => file.getFile())
    for (let at = 0; at < content.size; at += COPIED_AT_ONCE) {
      await sink.write(new Uint8Array(await content.slice(at, at + COPIED_AT_ONCE).arrayBuffer()))
    }
  }
}
