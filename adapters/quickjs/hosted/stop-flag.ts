import type { EndReason } from '../job.js'

/**
 * Tells a busy worker to stop its program. Messages do not reach a busy worker, so the flag is in shared memory, which the worker reads at
 * each interrupt check. Only the thread that started the worker writes to the flag.
 */
export type StopFlag = Int32Array<SharedArrayBuffer>

/** A reason is stored as its index in this list plus 1; 0 lets the program continue. */
const REASONS: readonly EndReason[] = ['timeout', 'abort']

interface Globals {
  readonly SharedArrayBuffer?: unknown
  readonly crossOriginIsolated?: boolean
}

/** Whether shared memory is available. Node always supports it, browsers only on pages that are cross-origin isolated. */
const canShare = (): boolean => {
  const { SharedArrayBuffer: shared, crossOriginIsolated } = globalThis as Globals
  return typeof shared === 'function' && crossOriginIsolated !== false
}

/** Creates a flag for one worker. Returns undefined if there is no shared memory. */
export const createStopFlag = (): StopFlag | undefined =>
  canShare() ? new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) : undefined

export const raise = (flag: StopFlag, reason: EndReason): void => void Atomics.store(flag, 0, REASONS.indexOf(reason) + 1)

/** Lowers the flag. Call before the next program. */
export const lower = (flag: StopFlag): void => void Atomics.store(flag, 0, 0)

export const raised = (flag: StopFlag): EndReason | undefined => REASONS[Atomics.load(flag, 0) - 1]
