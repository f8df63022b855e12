import type { Session } from '../session.js'
import { isKept } from './homes.js'

export interface LeavingOptions {
  readonly current: () => Session
  /** How many files are not what they were when the workspace was opened, as of the last look. */
  readonly changed: () => number
}

/** Guards a workspace that is gone with the tab: what was done in it is not lost without a question. */
export interface Leaving {
  /** For `beforeunload`: the browser asks in its own words, and only where something would be lost. */
  onUnload(event: BeforeUnloadEvent): void
}

export function createLeaving({ current, changed }: LeavingOptions): Leaving {
  const isAtRisk = (): boolean => !isKept(current().home) && changed() > 0
  return {
    onUnload(event) {
      if (isAtRisk()) event.preventDefault()
    },
  }
}
