/** What the engine tells of its promises: the bits of its values, which are equal for the same value. */
export interface Heard {
  rejected(promise: bigint, reason: bigint): void
  handled(promise: bigint): void
}

interface Told {
  readonly promise: bigint
  readonly reason: bigint
}

/**
 * Which rejections are the engine's own. For a module without top-level await that throws it rejects a promise that nothing can reach, then
 * in the same breath that of the module with the same reason, which who imports it handles. No code of a program runs between the two.
 */
export interface ModuleRejections extends Heard {
  /** The promise that the engine has left behind for a module that failed with this. */
  take(reason: bigint): bigint | undefined
  /** Those of the module that has just failed: its own, and the one left behind if there is one. */
  latest(reason: bigint): bigint[]
  /** What comes now follows nothing. */
  forget(): void
  clear(): void
}

export function createModuleRejections(): ModuleRejections {
  /** Left behind, by their reason. */
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
