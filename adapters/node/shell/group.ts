import { setTimeout } from 'node:timers/promises'

/** Sends a signal to the processes that one leads; false when there is none that may be reached. */
export type Reach = (leader: number, signal: NodeJS.Signals | 0) => boolean

/** The leaders of commands that are running. If this process ends, they would go on without it. */
const live = new Map<number, Reach>()
const POLL_MS = 5

export function enlist(leader: number, reach: Reach): void {
  if (live.size === 0) process.on('exit', killAll)
  live.set(leader, reach)
}

export function discharge(leader: number): void {
  if (live.delete(leader) && live.size === 0) process.off('exit', killAll)
}

function killAll(): void {
  for (const [leader, reach] of live) reach(leader, 'SIGKILL')
}

/** Sends a signal to every process of the group; false when there is none that may be reached. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    // ESRCH: nobody is left. EPERM: only programs of another user are (`sudo`), which cannot be ended from here.
    return false
  }
}

/** Resolves when `done()` is true, at the latest after `ms`. */
export async function waitUntil(done: () => boolean, ms: number): Promise<void> {
  for (const until = performance.now() + ms; !done() && performance.now() < until; ) await setTimeout(POLL_MS)
}

/** From TERM to KILL for what a command left behind. */
const REMNANT_MS = 30
/** After KILL nothing runs any more, but it may take a while until the system has forgotten it. With the others far less than 250 ms. */
export const KILLED_MS = 20

/** Ends what is left of those that one leads. */
export async function endRemnant(leader: number, reach: Reach): Promise<void> {
  if (!reach(leader, 'SIGTERM')) return
  await waitUntil(() => !reach(leader, 0), REMNANT_MS)
  if (reach(leader, 'SIGKILL')) await waitUntil(() => !reach(leader, 'SIGKILL'), KILLED_MS)
}
