import type { ModuleFault } from './types.js'

/** Thrown within module resolution, and returned as `Resolution.error`. */
export class Unresolved extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }

  get fault(): ModuleFault {
    return { code: this.code, message: this.message }
  }
}

/** Returns the fault of an `Unresolved`. Rethrows all other errors. */
export function faultOf(error: unknown): ModuleFault {
  if (error instanceof Unresolved) return error.fault
  throw error
}
