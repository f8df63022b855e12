import { setImmediate } from 'node:timers'

/** Milliseconds for which short system calls may hold the event loop. */
const SLICE_MS = 8
/** Times as long as a storage has made the event loop wait, the thread pool waits for it instead. */
const PATIENCE = 50

/** When the first short call of this turn of the event loop began. */
let since: number | undefined
let turn: Promise<void> | undefined
let patientUntil = 0

/** Whether the slice of this turn is used up. */
export function isSliceOver(): boolean {
  const now = performance.now()
  if (since === undefined) {
    since = now
    setImmediate(() => {
      since = undefined
    })
  }
  return now - since >= SLICE_MS
}

async function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}

/**
 * Runs short system calls. At once is a tenth of what the way through the thread pool takes; `later` goes that way, for a while after the
 * storage has made the event loop wait (a network, a disk asleep).
 */
export async function brief<T>(atOnce: () => T, later: () => Promise<T>): Promise<T> {
  while (isSliceOver()) await nextTurn()
  const begin = performance.now()
  if (begin < patientUntil) return later()
  try {
    return atOnce()
  } finally {
    const end = performance.now()
    if (end - begin >= SLICE_MS) patientUntil = end + PATIENCE * (end - begin)
  }
}
