import type { FsCapabilities } from '../../types/fs.js'

const PERSISTENCE = ['memory', 'best-effort', 'durable'] as const

/** What every one of them can. */
export function weakest(all: readonly FsCapabilities[]): FsCapabilities {
  const every = (has: (can: FsCapabilities) => boolean): boolean => all.every(has)
  return {
    mode: every(({ mode }) => mode),
    atomicReplace: every(({ atomicReplace }) => atomicReplace),
    dirRename: every(({ dirRename }) => dirRename),
    durableOnAck: every(({ durableOnAck }) => durableOnAck),
    caseSensitive: every(({ caseSensitive }) => caseSensitive),
    raceSafe: every(({ raceSafe }) => raceSafe),
    persistence: PERSISTENCE[Math.min(...all.map(({ persistence }) => PERSISTENCE.indexOf(persistence)))] ?? 'memory',
  }
}
