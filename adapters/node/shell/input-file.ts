import { openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A descriptor, the caller's to close, from which `text` can be read: of a file without a name any more, as shells make them for
 * here-documents. Unlike a pipe it can be opened again by name (`cat /dev/stdin`). undefined where there is no room for one.
 */
export async function openInput(text: string): Promise<number | undefined> {
  let folder: string | undefined
  try {
    folder = await mkdtemp(join(tmpdir(), 'toolport-input-'))
    const name = join(folder, 'input')
    await writeFile(name, text, { mode: 0o600 })
    return openSync(name, 'r')
  } catch {
    return undefined
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}
