import { setImmediate } from 'node:timers'

/** Milliseconds for which short system calls may hold the event loop. */
const SLICE_MS = 8
/** A storage is slow when a third call holds the event loop that long, with few between: a busy machine holds up one among hundreds. */
const SLOW = { each: 10, most: 25 }
/** Times as long as a slow storage has made the event loop wait, the thread pool waits for it instead. */
const PATIENCE = 50

/** When the first short call of this turn of the event loop began. */
let since: number | undefined
let turn: Promise<void> | undefined
let slowness = 0
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
 * storage has made the event loop wait again and again (a network, a disk asleep).
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
