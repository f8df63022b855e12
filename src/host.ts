// The only file of `src` that uses the clock, randomness and timers.
import type { Host } from './types/host.js'

declare const setTimeout: (body: () => void, ms: number) => unknown
declare const clearTimeout: (timer: unknown) => void
declare const setImmediate: ((body: () => void) => unknown) | undefined
declare const MessageChannel:
  | (new () => {
      port1: { onmessage: (() => void) | null }
      port2: { postMessage(value: null): void }
    })
  | undefined

/**
 * Every fifth turn comes from a timer, the others from messages. workerd delivers messages before any timer, so that messages alone would
 * delay aborts. Browsers stretch nested timers to 4 ms, so that timers alone would be slow.
 */
const TIMER_EVERY = 5

/** In a hidden page, timers fire once a second and later once a minute, which would almost stop the work. */
const isHidden = (): boolean => (globalThis as { readonly document?: { readonly hidden?: boolean } }).document?.hidden === true

/** Waits for a macrotask: with `setImmediate` if it exists (a channel would keep Node alive), else with one shared message channel. */
function createYield(): () => Promise<void> {
  if (typeof setImmediate === 'function') {
    const immediate = setImmediate
    return () => new Promise((resolve) => immediate(resolve))
  }
  const waiting: (() => void)[] = []
  // workerd has MessageChannel since compatibility date 2025-08-15.
  const Channel = typeof MessageChannel === 'function' ? MessageChannel : undefined
  let channel: InstanceType<NonNullable<typeof MessageChannel>> | undefined
  let turns = 0
  return () =>
    new Promise((resolve) => {
      if (!Channel || (++turns % TIMER_EVERY === 0 && !isHidden())) return void setTimeout(resolve, 0)
      if (!channel) {
        channel = new Channel()
        channel.port1.onmessage = () => waiting.shift()?.()
      }
      waiting.push(resolve)
      channel.port2.postMessage(null)
    })
}

function sleep(ms: number, signal?: AbortSignal, options?: { readonly background?: boolean }): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    // Where a timer is a number (browsers), it has no `unref`.
    if (options?.background) (timer as { unref?(): void }).unref?.()
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** The runtime's own clock, randomness and timers. */
export const systemHost: Host = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep,
  yield: createYield(),
}
