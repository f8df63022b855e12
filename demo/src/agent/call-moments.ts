import type { Checkpoint } from 'toolport'

/** Maps each call that may write to the checkpoint taken before it. */
export interface CallMoments {
  note(call: string, checkpoint: Checkpoint): void
  /** Returns undefined if the checkpoint was not stored or not copied. */
  of(call: string): Checkpoint | undefined
  /** Switches to a copy of the workspace. `copied` maps old checkpoint ids to the copy's checkpoints, and may still grow. */
  goOn(copied: ReadonlyMap<string, Checkpoint>): void
}

export function createCallMoments(): CallMoments {
  const noted = new Map<string, { readonly checkpoint: Checkpoint; readonly copies: number }>()
  const copies: ReadonlyMap<string, Checkpoint>[] = []
  return {
    note: (call, checkpoint) => void noted.set(call, { checkpoint, copies: copies.length }),
    of(call) {
      const found = noted.get(call)
      // Looks up the copies as late as possible, because `copied` may still grow after `goOn`.
      return copies.slice(found?.copies).reduce((moment, copy) => moment && copy.get(moment.id), found?.checkpoint)
    },
    goOn: (copied) => void copies.push(copied),
  }
}
