import { type BigIntStats, lstatSync, type PathLike } from 'node:fs'
import { Fault } from './faults.js'

export function versionOf(stat: BigIntStats): string {
  return `${stat.ino}-${stat.mtimeNs}-${stat.ctimeNs}-${stat.size}`
}

/**
 * Checks the version of a file. Synchronous, so that no other code of this process runs between this check and the change that follows.
 * @throws {Fault} ESTALE
 */
export function checkVersion(path: PathLike, expect: string | undefined): void {
  if (expect === undefined) return
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stat) throw new Fault('ESTALE', 'it was removed since it was read')
  if (versionOf(stat) !== expect) throw new Fault('ESTALE')
}
