/** Promise events of the engine. Values are passed as their bits. Equal bits mean the same value. */
export interface Heard {
  rejected(promise: bigint, reason: bigint): void
  handled(promise: bigint): void
}

interface Told {
  readonly promise: bigint
  readonly reason: bigint
}

/**
 * Identifies rejections that the engine itself causes. If a module without top-level await throws, the engine rejects an unreachable
 * promise. Right after it, the engine rejects the module's promise with the same reason, which the importer handles. No program code runs
 * between the two.
 */
export interface ModuleRejections extends Heard {
  /** Returns and forgets the unreachable promise of a module that failed with this reason. */
  take(reason: bigint): bigint | undefined
  /** Returns the promises of the module that has just failed: its own promise, and the unreachable promise if there is one. */
  latest(reason: bigint): bigint[]
  /** Call if the next event is not related to the previous one. */
  forget(): void
  clear(): void
}

export function createModuleRejections(): ModuleRejections {
  /** Maps a reason to the unreachable promise that was rejected with it. */
  const left = new Map<bigint, bigint>()
  let before: Told | undefined
  let last: Told | undefined
  const forget = (): void => {
    before = last = undefined
  }
  return {
    rejected(promise, reason) {
      before = last
      last = { promise, reason }
    },
    handled(promise) {
      if (before && last?.promise === promise && last.reason === before.reason) left.set(before.reason, before.promise)
      forget()
    },
    take(reason) {
      const found = left.get(reason)
      left.delete(reason)
      return found
    },
    latest(reason) {
      return [last, before].flatMap((told) => (told?.reason === reason ? [told.promise] : []))
    },
    forget,
    clear() {
      forget()
      left.clear()
    },
  }
}
