import type { FsErrorCode } from '../../src/errors/index.js'
import type { FileKind } from '../../src/types/fs.js'
import type { Database } from './database.js'
import { Fault } from './faults.js'
import { LEAF, LOOKUP_DEPTH } from './queries.js'
import { ROOT } from './schema.js'
import type { SqlValue } from './storage-like.js'

/** The place of a node in the tree. */
export interface Place {
  readonly parent: number
  readonly name: string
}

export interface Node extends Place {
  readonly id: number
  readonly kind: FileKind
  readonly size: number
  readonly mtime: number
  readonly mode: number
  readonly version: string | null
  readonly target: string | null
}

/** What must be known about a directory to change its entries. */
export interface Directory extends Place {
  /** Modification time of the directory, or undefined if the lookup did not read the time. */
  readonly mtime: number | undefined
}

/** The result of looking up a path whose parent directories all exist. */
export interface Spot {
  /** The place of the entry, whether the entry exists or not. */
  readonly place: Place
  readonly directory: Directory
  readonly node: Node | undefined
}

/** Matches lone surrogates, which SQLite would silently replace. */
const LONE_SURROGATE = /\p{Surrogate}/u

export function checkText(text: string, what: string): void {
  if (LONE_SURROGATE.test(text) || text.includes('\0')) throw new Fault('EINVAL', `${what} is no Unicode text without NUL`)
}

/** Looks up a path component by component. @throws {Fault} ENOENT, ENOTDIR or ELOOP for a component before the last */
export function locate(db: Database, path: string): Spot {
  checkText(path, 'the path')
  const names = path === '/' ? [ROOT.name] : path.slice(1).split('/')
  let parent: number = path === '/' ? ROOT.parent : ROOT.id
  let directory: Place = ROOT
  for (let start = 0; ; start += LOOKUP_DEPTH) {
    const part = names.slice(start, start + LOOKUP_DEPTH)
    const depth = part.length
    const cells = db.first(db.queries.lookup(depth), ...part.slice(1), parent, part[0] ?? '')
    const isLast = start + depth === names.length
    for (let i = 1; i < (isLast ? depth : depth + 1); i++) {
      const code = obstacle(cells[2 * i - 1])
      if (code) throw new Fault(code)
      directory = { parent, name: part[i - 1] ?? '' }
      parent = cells[2 * i - 2] as number
    }
    if (!isLast) continue
    const place = { parent, name: part[depth - 1] ?? '' }
    const mtime = cells[2 * depth + LEAF.length] as number | undefined
    return { place, directory: { ...directory, mtime }, node: nodeOf(place, cells.slice(2 * depth - 2)) }
  }
}

function obstacle(kind: SqlValue | undefined): FsErrorCode | undefined {
  if (kind === 'dir') return undefined
  return kind === 'file' ? 'ENOTDIR' : kind === 'symlink' ? 'ELOOP' : 'ENOENT'
}

function nodeOf({ parent, name }: Place, [id = null, kind, size, mtime, mode, version, target]: readonly SqlValue[]): Node | undefined {
  return id === null ? undefined : ({ parent, name, id, kind, size, mtime, mode, version, target } as Node)
}

/** @throws {Fault} ENOENT if the entry does not exist, or like `locate` */
export function find(db: Database, path: string): Node {
  const { node } = locate(db, path)
  if (!node) throw new Fault('ENOENT')
  return node
}

export function findFile(db: Database, path: string): Node {
  return asFile(find(db, path))
}

export function asFile(node: Node): Node {
  if (node.kind !== 'file') throw new Fault(node.kind === 'dir' ? 'EISDIR' : 'ELOOP')
  return node
}
