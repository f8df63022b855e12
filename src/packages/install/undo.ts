import { FsError } from '../../errors/index.js'

/** Steps that were done, to take them back when what they are part of cannot be finished. */
export interface Undo {
  /** How to take back what was just done. */
  did(step: () => Promise<unknown>): void
  /** Takes everything back, the last first, as far as it can, and gives the error to throw. */
  run(error: unknown): Promise<unknown>
}

export function createUndo(): Undo {
  const steps: (() => Promise<unknown>)[] = []
  return {
    did: (step) => void steps.push(step),
    async run(error) {
      let failed = 0
      // The first error is the one to tell.
      for (let step = steps.pop(); step; step = steps.pop()) await step().catch(() => failed++)
      if (failed === 0 || !FsError.is(error)) return error
      const { code, op, path, dest, detail = error.message } = error
      const note = `${failed} ${failed === 1 ? 'change' : 'changes'} could not be taken back: install again to mend node_modules`
      return new FsError({ code, op, path, ...(dest !== undefined && { dest }), detail: `${detail}; ${note}`, cause: error })
    },
  }
}
