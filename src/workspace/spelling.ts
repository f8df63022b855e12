import { FsError } from '../errors/index.js'
import { isWithin, joinPath } from './paths.js'
import type { VirtualFs } from './virtual-fs.js'

const PLAIN = /^[\0-\x7f]*$/

/** The error for a path where nothing is. Names the entry that is there with the same characters in another Unicode form (NFC, NFD). */
export async function missing(fs: VirtualFs, path: string, op: string): Promise<FsError> {
  const twin = await otherSpelling(fs, path)
  if (twin === undefined) return new FsError({ code: 'ENOENT', op, path })
  return new FsError({ code: 'ENOENT', op, path, detail: `no such file or directory, but "${escaped(twin)}" is there, ${FORM}` })
}

/** @throws {FsError} EEXIST before a second file is made under a name that looks the same */
export async function refuseTwin(fs: VirtualFs, path: string, op: string): Promise<void> {
  const twin = await otherSpelling(fs, path)
  if (twin === undefined) return
  const detail = `"${escaped(twin)}" is there, ${FORM}: use that path, or move that file first`
  throw new FsError({ code: 'EEXIST', op, path, detail })
}

const FORM = 'the same name in another Unicode form (NFC, NFD)'

/** As JSON has it, so that the spelling survives a model. */
const escaped = (path: string): string => path.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** As much of the path as is there, where the storage spells a name in it in another way. */
async function otherSpelling(fs: VirtualFs, path: string): Promise<string | undefined> {
  if (PLAIN.test(path)) return undefined
  let at = fs.root
  for (const name of path.slice(at === '/' ? 1 : at.length + 1).split('/')) {
    const found = await nameIn(fs, at, name)
    if (found === undefined) break
    at = joinPath(at, found)
  }
  return isWithin(path, at) ? undefined : at
}

async function nameIn(fs: VirtualFs, folder: string, name: string): Promise<string | undefined> {
  // What cannot be listed has nothing to offer.
  const names = await fs.readdir(folder).then(
    (entries) => entries.map((entry) => entry.name),
    (): string[] => [],
  )
  if (names.includes(name)) return name
  const form = name.normalize('NFC')
  return names.find((other) => other.normalize('NFC') === form)
}
