import type { AgentPane } from './agent/agent-pane.js'
import type { Copy } from './homes/copy-workspace.js'
import { messageOf } from './notice.js'
import { giveWay } from './pace.js'
import type { Session, Snapshot } from './session.js'

/** Options for switching to another workspace. */
export interface Changing {
  /** Continue the open workspace in this copy, with its unsaved files and its conversation. Default: leave the open workspace. */
  readonly copy?: Copy | undefined
  /** Cancels the switch, if aborted before the new workspace is active. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Switches to another workspace and closes the open one. If the switch rejects, the open workspace stays and `next` is closed. Resolves to
 * a message about problems after the switch, or undefined.
 */
export type Change = (next: Session, how?: Changing) => Promise<string | undefined>

export interface ChangeOptions {
  readonly current: () => Session
  readonly agent: Pick<AgentPane, 'isBusy' | 'stop' | 'goOn'>
  /** Makes `next` the open workspace. */
  readonly take: (next: Session, snapshot: Snapshot) => void
  /** Shows the open workspace. */
  readonly show: (copy: Copy | undefined) => Promise<void>
  readonly lookAgain: () => Promise<void>
}

export function createChange({ current, agent, take, show, lookAgain }: ChangeOptions): Change {
  /** Stops the agent and copies its last changes before the switch. */
  async function settle(copy: Copy, mayGoOn: () => void): Promise<void> {
    do {
      await agent.stop()
      await copy.follow()
      mayGoOn()
      // The user may have sent a message meanwhile.
    } while (agent.isBusy)
  }

  return async (next, { copy, signal } = {}) => {
    const left = current()
    const mayGoOn = (): void => {
      signal?.throwIfAborted()
      if (copy && current() !== left) throw new Error('Another workspace has been opened meanwhile.')
    }
    let snapshot: Snapshot
    // Yields first, because making the copy may have blocked the page.
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
    // Work in the old workspace may have changed files until it was stopped.
    const isMore = await attempt(async () => copy?.finish(), 'what was changed last could not be put there')
    if (isMore) await attempt(lookAgain, 'not all of it could be shown')
    await attempt(() => before.close(), 'the one before could not be closed')
    if (problems.length === 0) return undefined
    return `${copy ? `This goes on in “${next.name}”` : `“${next.name}” is open now`}, but ${problems.join('; ')}`
  }
}
