import { encodeUtf8 } from '../../../src/ops/utf8.js'
import type { WebContainerProcessesLike } from '../container-like.js'
import { within } from '../shell/timeout.js'

/** Maximum milliseconds to wait for an answer: a container that was torn down in the meantime never answers. */
export const ANSWER_MS = 5000
const ATTEMPTS = 3

/** The files of one run, in a folder next to the workspace's folder. */
export interface PrivateFolder {
  /** The folder's path, relative to the container's working directory. */
  readonly name: string
  /** Full path in the container. */
  readonly path: string
  /** @throws errors of the container */
  write(name: string, text: string): Promise<void>
  /** Removes the folder after pending writes, and rejects later writes. Returns whether the removal succeeded. */
  remove(): Promise<boolean>
}

export function createPrivateFolder(container: WebContainerProcessesLike, name: string): PrivateFolder {
  const pending = new Set<Promise<unknown>>()
  let made: Promise<void> | undefined
  let gone = false

  async function put(file: string, text: string): Promise<void> {
    made ??= (async () => container.fs.mkdir(name))()
    await made
    if (gone) throw new Error('the program is being ended')
    await container.fs.writeFile(`${name}/${file}`, encodeUtf8(text))
  }

  return {
    name,
    path: `${container.workdir}/${name}`,
    async write(file, text) {
      if (gone) throw new Error('the program is being ended')
      const writing = put(file, text)
      pending.add(writing)
      try {
        await writing
      } finally {
        pending.delete(writing)
      }
    },
    async remove() {
      gone = true
      if (!made) return true
      const removed = Promise.allSettled(pending).then(() => removeFolder(container, name))
      return (await within(ANSWER_MS, removed)) ?? false
    },
  }
}

/** Returns whether the folder was removed. */
export async function removeFolder(container: WebContainerProcessesLike, name: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await container.fs.rm(name, { recursive: true, force: true })
      return true
    } catch {
      // Retry.
    }
  }
  return false
}
