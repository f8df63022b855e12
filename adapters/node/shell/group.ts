import { setTimeout } from 'node:timers/promises'

/** Groups whose commands are running. If this process ends, they would go on without it. */
const live = new Set<number>()
const POLL_MS = 5

export function enlist(group: number): void {
  if (live.size === 0) process.on('exit', killAll)
  live.add(group)
}

export function discharge(group: number): void {
  if (live.delete(group) && live.size === 0) process.off('exit', killAll)
}

function killAll(): void {
  for (const group of live) signalGroup(group, 'SIGKILL')
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
