import type { Session } from '../session.js'
import type { Loss } from './ask-to-leave.js'
import { isKept } from './homes.js'

export interface LeavingOptions {
  /** Container of the dialog. */
  readonly host: HTMLElement
  readonly current: () => Session
  /** Number of files that have changed since the workspace was opened, as of the last snapshot. */
  readonly changed: () => number
  readonly look: () => Promise<unknown>
  /** Number of unsaved files in the editor. */
  readonly unsaved: () => number
  /** Number of unsaved files whose drafts do not fit into the browser's storage. Leaving loses these drafts, even in a stored workspace. */
  readonly lacking: () => number
  /** Whether a reload opens this workspace again and offers its drafts. */
  readonly isOpenedAgain: () => boolean
  /** Whether a call, a command or a conversation is running, which closing the workspace would stop. */
  readonly isRunning: () => boolean
}

/** Asks before changes in an in-memory workspace are lost. */
export interface Leaving {
  /** Handler of `beforeunload`: the browser asks in its own words, only if something would be lost. */
  onUnload(event: BeforeUnloadEvent): void
  /** Call before switching to another workspace. True if nothing would be lost, or the user agrees. */
  mayLeave(): Promise<boolean>
  /** Call before continuing in a copy. Only running work would be lost. */
  mayGoOn(): Promise<boolean>
  /**
   * Call when a copy becomes the open workspace. `knows`: whether the copy has the history. Without the history, the copy counts no earlier
   * changes. If neither workspace is stored, those changes can still be lost, so the copy and its own copies remember that.
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
        // A stored workspace offers its drafts when it is opened again.
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
