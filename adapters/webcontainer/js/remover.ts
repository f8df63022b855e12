import type { WebContainerProcessesLike } from '../container-like.js'
import { within } from '../shell/within.js'
import { ANSWER_MS, type PrivateFolder, removeFolder } from './private-folder.js'

/** Removes what is private; what could not be removed is tried again with the next one, and at the end. */
export interface Remover {
  remove(container: WebContainerProcessesLike, folder: PrivateFolder): Promise<void>
  done(): Promise<void>
}

export function createRemover(): Remover {
  const left = new Map<string, WebContainerProcessesLike>()
  const pending = new Set<Promise<unknown>>()

  async function sweep(): Promise<void> {
    for (const [name, container] of left) if (await within(ANSWER_MS, removeFolder(container, name))) left.delete(name)
  }

  return {
    async remove(container, folder) {
      const removing = folder.remove().then(async (gone) => {
        if (gone) await sweep()
        else left.set(folder.name, container)
      })
      pending.add(removing)
      await removing.finally(() => pending.delete(removing))
    },
    async done() {
      await Promise.all(pending)
      await sweep()
    },
  }
}
