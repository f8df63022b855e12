import type { ModuleFault } from './types.js'

/** Thrown inside resolution, handed out as `Resolution.error`. */
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

/** The fault of an `Unresolved`; everything else is thrown on. */
export function faultOf(error: unknown): ModuleFault {
  if (error instanceof Unresolved) return error.fault
  throw error
}
