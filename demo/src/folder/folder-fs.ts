import type { FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { MEMORY_LIMITS } from '../homes/homes.js'
import { createPace } from '../pace.js'
import type { OpenedFolder } from './collect.js'

/**
 * Creates an in-memory storage with the files of a folder. Yields between files, because thousands of files at once would block the page.
 */
export async function folderFs({ files }: Pick<OpenedFolder, 'files'>): Promise<FsAdapter> {
  const fs = createMemoryFs(MEMORY_LIMITS)
  const made = new Set<string>()
  const pace = createPace()
  for (const [path, bytes] of Object.entries(files)) {
    await makeParents(fs, path, made)
    await fs.write(`/${path}`, bytes, { create: 'exclusive' })
    await pace()
  }
  return fs
}

async function makeParents(fs: FsAdapter, path: string, made: Set<string>): Promise<void> {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const directory = `/${path.slice(0, end)}`
    if (!made.has(directory)) await fs.mkdir(directory)
    made.add(directory)
  }
}
