import type { AgentPane } from './agent/agent-pane.js'
import type { Copy } from './homes/copy-workspace.js'
import { messageOf } from './notice.js'
import { giveWay } from './pace.js'
import type { Session, Snapshot } from './session.js'

/** How another workspace is taken up. */
export interface Changing {
  /** What is open goes on there, with what is not saved in the editor and the conversation. Default: it is left. */
  readonly copy?: Copy | undefined
  /** Aborted until it is taken up: it is not. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Takes up another workspace, and leaves the one that is open. Where it rejects, that stays, and `next` is closed. Gives what failed
 * afterwards, to be told; undefined: nothing.
 */
export type Change = (next: Session, how?: Changing) => Promise<string | undefined>

export interface ChangeOptions {
  readonly current: () => Session
  readonly agent: Pick<AgentPane, 'isBusy' | 'stop' | 'goOn'>
  /** From now on it is what is open. */
  readonly take: (next: Session, snapshot: Snapshot) => void
  /** Shows what is open now. */
  readonly show: (copy: Copy | undefined) => Promise<void>
  /** The files have changed. */
  readonly lookAgain: () => Promise<void>
}

export function createChange({ current, agent, take, show, lookAgain }: ChangeOptions): Change {
  /** All that the agent does has to be there before anything is left. */
  async function settle(copy: Copy, mayGoOn: () => void): Promise<void> {
    do {
      await agent.stop()
      await copy.follow()
      mayGoOn()
      // It may have been told something meanwhile.
    } while (agent.isBusy)
  }

  return async (next, { copy, signal } = {}) => {
    const left = current()
    const mayGoOn = (): void => {
      signal?.throwIfAborted()
      if (copy && current() !== left) throw new Error('Another workspace has been opened meanwhile.')
    }
    let snapshot: Snapshot
    // It was made in one go.
    await giveWay()
    try {
      snapshot = await next.snapshot()
      mayGoOn()
      if (copy) await settle(copy, mayGoOn)
    } catch (error) {
      await next.close()
      throw error
    }
    const before = current()
    if (copy) agent.goOn(next, copy.moments)
    take(next, snapshot)
    const problems: string[] = []
    async function attempt<T>(work: () => Promise<T>, problem: string): Promise<T | undefined> {
      try {
        return await work()
      } catch (error) {
        problems.push(`${problem}: ${messageOf(error)}`)
        return undefined
      }
    }
    await attempt(() => show(copy), 'not all of it could be shown')
    // What was at work in the one that is left may have changed something until it was stopped.
    const isMore = await attempt(async () => copy?.finish(), 'what was changed last could not be put there')
    if (isMore) await attempt(lookAgain, 'not all of it could be shown')
    await attempt(() => before.close(), 'the one before could not be closed')
    if (problems.length === 0) return undefined
    return `${copy ? `This goes on in “${next.name}”` : `“${next.name}” is open now`}, but ${problems.join('; ')}`
  }
}
