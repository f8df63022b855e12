import { FsError, type FsErrorCode, hasCode, ignoreCodes } from '../../errors/index.js'
import { isReserved } from '../checkpoints/engine.js'
import { parentPath } from '../paths.js'
import { type MountTable, outerPath, type Place } from './mount-table.js'

/** The paths that the caller requested. Errors name only these paths. */
export interface Asked {
  readonly op: string
  readonly path: string
  readonly dest?: string
}

export function refuse(code: FsErrorCode, asked: Asked, detail?: string): FsError {
  return new FsError({ code, ...asked, ...(detail !== undefined && { detail }) })
}

type Body<T> = (place: Place) => Promise<T>

/** Calls the storage that serves a path. Its errors name the caller's paths. */
export class Calls {
  readonly table: MountTable

  constructor(table: MountTable) {
    this.table = table
  }

  /** @throws {FsError} ENOENT for the folder in which another workspace on a mounted storage keeps its checkpoints */
  at(path: string, asked: Asked): Place {
    const place = this.table.place(path)
    if (isReservedAt(place)) throw refuse('ENOENT', asked)
    return place
  }

  /** The location of an entry to change. @throws {FsError} EROFS EACCES */
  changing(asked: Asked, path: string = asked.path): Place {
    const place = this.table.place(path)
    if (isReservedAt(place)) throw refuse('EACCES', asked, 'the name is reserved for checkpoints: choose another')
    if (place.mount.readOnly) throw refuse('EROFS', asked, `the mount "${place.mount.label}" is read-only`)
    return place
  }

  /** @throws {FsError} EBUSY */
  refuseFixed(asked: Asked, path: string = asked.path): void {
    if (!this.table.isFixed(path)) return
    throw refuse('EBUSY', asked, this.table.isPoint(path) ? 'another storage is mounted there' : 'another storage is mounted in it')
  }

  async look<T>(asked: Asked, body: Body<T>): Promise<T> {
    const place = this.at(asked.path, asked)
    return this.run(place, asked, () => body(place))
  }

  async change(asked: Asked, body: Body<void>): Promise<void> {
    const place = this.changing(asked)
    return this.run(place, asked, () => body(place))
  }

  async create(asked: Asked, body: Body<void>): Promise<void> {
    const place = this.changing(asked)
    return this.createAt(place, asked, () => body(place))
  }

  async run<T>(place: Place, asked: Asked, body: () => Promise<T>): Promise<T> {
    try {
      return await body()
    } catch (error) {
      const code = hasCode(error, 'ENOTDIR', 'ELOOP') && (await this.#isHidden(asked)) ? 'ENOENT' : undefined
      throw told(error, place, asked, code)
    }
  }

  /**
   * Like `run`, for calls that create an entry in a directory. A directory above a mount point may be missing in its own storage: then
   * creates it and retries.
   */
  async createAt<T>(place: Place, asked: Asked, body: () => Promise<T>, path: string = asked.dest ?? asked.path): Promise<T> {
    try {
      return await this.run(place, asked, body)
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || !(await this.#makeLeads(path, asked))) throw error
      return this.run(place, asked, body)
    }
  }

  /** Creates the missing directories above mount points that lead to a path. Returns whether it created one. */
  async #makeLeads(path: string, asked: Asked): Promise<boolean> {
    const folder = parentPath(path)
    if (!this.table.isLead(folder)) return false
    let made = false
    for (const lead of [...this.table.leadsAbove(folder), folder]) {
      const place = this.table.place(lead)
      const kind = await this.#kind(place)
      if (kind === 'dir') continue
      if (kind !== undefined)
        throw refuse('ENOTDIR', asked, `the storage of "${lead}" has a ${kind === 'file' ? 'file' : 'link'} at this path`)
      await this.run(place, asked, () => place.mount.fs.mkdir(place.inner)).catch((error: unknown) => {
        // Somebody else created it first.
        if (!hasCode(error, 'EEXIST')) throw error
      })
      made = true
    }
    return made
  }

  /**
   * Whether the storage has a file or link in place of a directory above a mount point. The directory hides that entry, so the call's
   * result must not show it.
   */
  async #isHidden({ path, dest }: Asked): Promise<boolean> {
    for (const lead of [path, ...(dest === undefined ? [] : [dest])].flatMap((each) => this.table.leadsAbove(each))) {
      const kind = await this.#kind(this.table.place(lead)).catch(() => undefined)
      if (kind === 'file' || kind === 'symlink') return true
    }
    return false
  }

  /** Returns the kind of an entry. Undefined: no entry. */
  async #kind({ mount, inner }: Place): Promise<string | undefined> {
    return (await mount.fs.lstat(inner).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'ELOOP')))?.kind
  }
}

function isReservedAt({ mount, inner }: Place): boolean {
  return mount.at !== '/' && isReserved(inner, mount.fs.can.caseSensitive)
}

/** Returns an error with the caller's paths. A storage that removes a tree may name a path below the requested path. */
function told(error: unknown, { mount }: Place, asked: Asked, code: FsErrorCode | undefined): FsError {
  if (!FsError.is(error)) return new FsError({ code: 'EIO', ...asked, cause: error })
  const named = outerPath(mount, error.path)
  const path = named.startsWith(`${asked.path}/`) ? named : asked.path
  if (code) return new FsError({ code, ...asked, cause: error })
  return new FsError({ code: error.code, ...asked, path, ...(error.detail !== undefined && { detail: error.detail }), cause: error })
}
