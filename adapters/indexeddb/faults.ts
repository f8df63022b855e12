import type { FsError } from '../../src/errors/index.js'
import { Fault, nameOf, toFsError as toError, type Where } from '../shared/fault.js'

export const toFsError = (error: unknown, where: Where): FsError => toError(error, where, faultOf)

function faultOf(cause: unknown): Fault {
  if (nameOf(cause) === 'QuotaExceededError') return new Fault('ENOSPC', 'the browser gives this site no more storage', cause)
  return new Fault('EIO', `the database failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
}
