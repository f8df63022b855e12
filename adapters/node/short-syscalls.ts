import { setImmediate } from 'node:timers'

/** Milliseconds that short system calls may block the event loop per turn. */
const SLICE_MS = 8
/**
 * The storage counts as slow after three calls that each block for a whole slice, with few short calls in between. On a busy machine single
 * calls block too, but rarely.
 */
const SLOW = { each: 10, most: 25 }
/** After a slow call, later calls use the thread pool for this many times the duration of the slow call. */
const PATIENCE = 50

/** Time at which the first short call in this turn of the event loop began. */
let since: number | undefined
let turn: Promise<void> | undefined
let slowness = 0
let patientUntil = 0

/** Whether this turn of the event loop has used up its slice. */
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
 * Runs a short system call synchronously, which takes a tenth of the time that the thread pool needs. If the storage (a network, a sleeping
 * disk) has repeatedly blocked the event loop, uses `later`, which runs in the thread pool, for a while.
 */
export async function brief<T>(atOnce: () => T, later: () => Promise<T>): Promise<T> {
  while (isSliceOver()) await nextTurn()
  const begin = performance.now()
  if (begin < patientUntil) return later()
  try {
    return atOnce()
  } finally {
    const end = performance.now()
    slowness = end - begin < SLICE_MS ? Math.max(0, slowness - 1) : slowness + SLOW.each
    if (slowness > SLOW.most) {
      slowness = 0
      patientUntil = end + PATIENCE * (end - begin)
    }
  }
}
