import { type BigIntStats, lstatSync, type PathLike } from 'node:fs'
import { Fault } from './faults.js'

export function versionOf(stat: BigIntStats): string {
  return `${stat.ino}-${stat.mtimeNs}-${stat.ctimeNs}-${stat.size}`
}

/** Synchronous, so that nothing of this process comes between the look and the change after it. @throws {Fault} ESTALE */
export function checkVersion(path: PathLike, expect: string | undefined): void {
  if (expect === undefined) return
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stat) throw new Fault('ESTALE', 'it was removed since it was read')
  if (versionOf(stat) !== expect) throw new Fault('ESTALE')
}
