import type { EndReason } from '../job.js'

/**
 * Tells a busy worker to stop its program: no message reaches it, but this is shared memory, which it reads whenever the engine asks
 * whether to go on. Only the thread that started the worker writes to it.
 */
export type StopFlag = Int32Array<SharedArrayBuffer>

/** What stands for them is the place in this list, from 1; 0 is to go on. */
const REASONS: readonly EndReason[] = ['timeout', 'abort']

interface Globals {
  readonly SharedArrayBuffer?: unknown
  readonly crossOriginIsolated?: boolean
}

/** Memory is shared with workers everywhere in Node, and in browsers by pages that are cross-origin isolated. */
const canShare = (): boolean => {
  const { SharedArrayBuffer: shared, crossOriginIsolated } = globalThis as Globals
  return typeof shared === 'function' && crossOriginIsolated !== false
}

/** For one worker. Undefined where no memory is shared. */
export const createStopFlag = (): StopFlag | undefined =>
  canShare() ? new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) : undefined

export const raise = (flag: StopFlag, reason: EndReason): void => void Atomics.store(flag, 0, REASONS.indexOf(reason) + 1)

/** Before the next program. */
export const lower = (flag: StopFlag): void => void Atomics.store(flag, 0, 0)

export const raised = (flag: StopFlag): EndReason | undefined => REASONS[Atomics.load(flag, 0) - 1]
