import type { Session } from '../session.js'
import type { Loss } from './ask-to-leave.js'
import { isKept } from './homes.js'

export interface LeavingOptions {
  /** Holds the question. */
  readonly host: HTMLElement
  readonly current: () => Session
  /** How many files are not what they were when the workspace was opened, as of the last look. */
  readonly changed: () => number
  readonly look: () => Promise<unknown>
  /** How many texts of the editor are not saved. */
  readonly unsaved: () => number
  /** How many of them there is no room for, so that not even a kept workspace could offer them again. */
  readonly lacking: () => number
  /** The page opens this workspace again when it is loaded again, and so offers them. */
  readonly isOpenedAgain: () => boolean
  /** A call, a command or a conversation is under way, which ends with the workspace. */
  readonly isRunning: () => boolean
}

/** Guards a workspace that is gone with the tab: what was done in it is not lost without a question. */
export interface Leaving {
  /** For `beforeunload`: the browser asks in its own words, and only where something would be lost. */
  onUnload(event: BeforeUnloadEvent): void
  /** Before another workspace takes its place: true where nothing would be lost, or that is wanted. */
  mayLeave(): Promise<boolean>
  /** Before it goes on elsewhere, where all but what is running is kept. */
  mayGoOn(): Promise<boolean>
  /**
   * A copy goes on. One that knows no earlier moments (`knows`: false) begins with the changes: where neither is kept, they are still to be
   * lost, there and in copies of it.
   */
  goesOn(copy: Session, knows: boolean): void
}

export function createLeaving({ host, current, changed, look, isRunning, ...texts }: LeavingOptions): Leaving {
  const changedBefore = new WeakSet<Session>()
  const isAtRisk = (): boolean => !isKept(current().home) && (changed() > 0 || changedBefore.has(current()))
  async function mayLose(loss: Loss): Promise<boolean> {
    if (loss.changed === undefined && loss.unsaved === 0 && !loss.isRunning) return true
    return (await import('./ask-to-leave.js')).askToLeave(host, current(), loss)
  }
  return {
    onUnload(event) {
      if (isAtRisk() || (!texts.isOpenedAgain() && texts.unsaved() > 0)) event.preventDefault()
    },
    async mayLeave() {
      await look()
      return mayLose({
        changed: isAtRisk() ? changed() : undefined,
        // A kept workspace offers them when it is opened again.
        unsaved: isKept(current().home) ? texts.lacking() : texts.unsaved(),
        isRunning: isRunning(),
      })
    },
    mayGoOn: () => mayLose({ changed: undefined, unsaved: 0, isRunning: isRunning() }),
    goesOn(copy, knows) {
      if (!isKept(current().home) && (changedBefore.has(current()) || (!knows && changed() > 0))) changedBefore.add(copy)
    },
  }
}
