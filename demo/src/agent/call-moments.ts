import type { Checkpoint } from 'toolport'

/** What the workspace was before each call that may write. */
export interface CallMoments {
  note(call: string, checkpoint: Checkpoint): void
  /** Undefined: it was not kept, or not taken along. */
  of(call: string): Checkpoint | undefined
  /** From now on they are those of a copy: by the ids that they had, the moments there. More may come. */
  goOn(copied: ReadonlyMap<string, Checkpoint>): void
}

export function createCallMoments(): CallMoments {
  const noted = new Map<string, { readonly checkpoint: Checkpoint; readonly copies: number }>()
  const copies: ReadonlyMap<string, Checkpoint>[] = []
  return {
    note: (call, checkpoint) => void noted.set(call, { checkpoint, copies: copies.length }),
    of(call) {
      const found = noted.get(call)
      // Looked up as late as this: what a copy has is not complete when it is taken up.
      return copies.slice(found?.copies).reduce((moment, copy) => moment && copy.get(moment.id), found?.checkpoint)
    },
    goOn: (copied) => void copies.push(copied),
  }
}
