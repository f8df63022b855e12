import { FsError, type FsErrorCode, hasCode } from '../../errors/index.js'
import type { FsAdapter, FsEntry, FsOther, FsStat, ReadOptions } from '../../types/fs.js'

/** An error without paths: the overlay adds the paths of the call. */
export class Refusal extends Error {
  readonly code: FsErrorCode
  readonly detail: string | undefined

  constructor(code: FsErrorCode, detail?: string, cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause })
    this.code = code
    this.detail = detail
  }
}

/** Read access to the lower storage. Rejects with `Refusal`, because paths in the lower storage may differ from the overlay's. */
export class Lower {
  readonly adapter: FsAdapter

  constructor(adapter: FsAdapter) {
    this.adapter = adapter
  }

  lstat(path: string): Promise<FsStat> {
    return refusing(this.adapter.lstat(path))
  }

  /** Looks up an entry. Undefined: no entry. */
  async find(path: string): Promise<FsStat | undefined> {
    try {
      return await this.adapter.lstat(path)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
      throw refusal(error)
    }
  }

  readdir(path: string): Promise<(FsEntry | FsOther)[]> {
    return refusing(this.adapter.readdir(path))
  }

  /** Lists a directory. Empty if the directory was removed. */
  async list(path: string): Promise<(FsEntry | FsOther)[]> {
    try {
      return await this.adapter.readdir(path)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return []
      throw refusal(error)
    }
  }

  read(path: string, options?: ReadOptions): Promise<Uint8Array> {
    return refusing(this.adapter.read(path, options))
  }

  readlink(path: string): Promise<string> {
    if (!this.adapter.readlink) throw new Refusal('EINVAL', 'it is not a link')
    return refusing(this.adapter.readlink(path))
  }
}

async function refusing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw refusal(error)
  }
}

function refusal(error: unknown): Refusal {
  return FsError.is(error) ? new Refusal(error.code, error.detail, error) : new Refusal('EIO', undefined, error)
}
