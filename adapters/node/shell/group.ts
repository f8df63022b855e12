import { setTimeout } from 'node:timers/promises'

/** Sends a signal to all processes that belong to a leader. Returns false if no process can be signalled. */
export type Reach = (leader: number, signal: NodeJS.Signals | 0) => boolean

/** Leaders of running commands. They are killed when this process exits, because they would outlive it. */
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

/** Sends a signal to every process of the group. Returns false if none can be signalled. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    // ESRCH: no process is left. EPERM: only processes of another user are left (`sudo`), which we cannot signal.
    return false
  }
}

/** Resolves when `done()` is true, or after `ms` milliseconds. */
export async function waitUntil(done: () => boolean, ms: number): Promise<void> {
  for (const until = performance.now() + ms; !done() && performance.now() < until; ) await setTimeout(POLL_MS)
}

/** Milliseconds between TERM and KILL for leftover processes. */
const REMNANT_MS = 30
/**
 * Milliseconds to wait after KILL. The processes no longer run, but the system may still list them. All delays together stay far below 250
 * ms.
 */
export const KILLED_MS = 20

/** Ends the processes that a leader has left behind. */
export async function endRemnant(leader: number, reach: Reach): Promise<void> {
  if (!reach(leader, 'SIGTERM')) return
  await waitUntil(() => !reach(leader, 0), REMNANT_MS)
  if (reach(leader, 'SIGKILL')) await waitUntil(() => !reach(leader, 'SIGKILL'), KILLED_MS)
}
