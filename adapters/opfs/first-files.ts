import { type Files, planFiles } from '../shared/first-files.js'
import { write } from './contents.js'
import { Unfinished } from './disk.js'
import { mkdir } from './entries.js'
import type { Store } from './store.js'

/** Into a storage that holds nothing: all of them, or after a crash, at the next opening, all of them anew. */
export async function writeFirst(store: Store, files: Files): Promise<void> {
  const plan = planFiles(files)
  if (plan.files.length === 0 || (await store.list(store.tree.root)).size > 0) return
  await store.disk.noted({ kind: 'fill' }, async () => {
    try {
      for (const path of plan.dirs) await mkdir(store, path)
      await Promise.all(plan.files.map(({ path, bytes }) => write(store, path, bytes)))
    } catch (cause) {
      throw new Unfinished(cause)
    }
  })
}
