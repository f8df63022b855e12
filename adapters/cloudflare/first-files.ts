import { write } from './contents.js'
import type { Database } from './database.js'
import { mkdir } from './entries.js'
import { Fault, toFsError } from './faults.js'
import { locate } from './lookup.js'

const encoder = new TextEncoder()

/** Writes the first content of a new filesystem. @throws {FsError} that names the path */
export function addFiles(db: Database, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    try {
      addFile(db, path.startsWith('/') ? path : `/${path}`, typeof content === 'string' ? encoder.encode(content) : content)
    } catch (cause) {
      throw toFsError(cause, 'write', path)
    }
  }
}

function addFile(db: Database, path: string, bytes: Uint8Array): void {
  if (path.slice(1).split('/').some(isNoName)) throw new Fault('EINVAL', 'write the path without empty, "." and ".." components')
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    const directory = path.slice(0, end)
    const { node } = locate(db, directory)
    if (!node) mkdir(db, directory)
    else if (node.kind !== 'dir') throw new Fault('EEXIST', `"${directory}" is a file too`)
  }
  if (locate(db, path).node) throw new Fault('EEXIST')
  write(db, path, bytes, 'exclusive')
}

const isNoName = (name: string): boolean => name === '' || name === '.' || name === '..'
