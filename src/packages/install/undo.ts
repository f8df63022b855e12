import { FsError } from '../../errors/index.js'

/** A log of completed steps, to roll them back if a later step fails. */
export interface Undo {
  /** Records how to undo a step. */
  did(step: () => Promise<unknown>): void
  /** Rolls back all steps, last first, as far as possible. Returns the error to throw. */
  run(error: unknown): Promise<unknown>
}

export function createUndo(): Undo {
  const steps: (() => Promise<unknown>)[] = []
  return {
    did: (step) => void steps.push(step),
    async run(error) {
      let failed = 0
      // Ignore errors of undo steps, because the caller reports the first error.
      for (let step = steps.pop(); step; step = steps.pop()) await step().catch(() => failed++)
      if (failed === 0 || !FsError.is(error)) return error
      const { code, op, path, dest, detail = error.message } = error
      const note = `${failed} ${failed === 1 ? 'change' : 'changes'} could not be undone: install again to repair node_modules`
      return new FsError({ code, op, path, ...(dest !== undefined && { dest }), detail: `${detail}; ${note}`, cause: error })
    },
  }
}
