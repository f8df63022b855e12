import { systemHost } from 'toolport'

const SLICE_MS = 20

/** Yields to the page's pending tasks. Avoids timers in a hidden page, because browsers throttle them. */
export const giveWay = (): Promise<void> => (isHidden() ? systemHost.yield() : new Promise((resolve) => setTimeout(resolve)))

/** Tests run parts of the page without a document. */
const isHidden = (): boolean => (globalThis as { readonly document?: Document }).document?.hidden === true

/** For long loops: the returned function yields once a time slice is used up. */
export function createPace(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < SLICE_MS) return
    await giveWay()
    began = performance.now()
  }
}

/** Runs `body` after `ms`. The returned function cancels that. */
export type After = (body: () => void, ms: number) => () => void

export const afterMs: After = (body, ms) => {
  const timer = setTimeout(body, ms)
  return () => clearTimeout(timer)
}

/** Milliseconds. Shorter work shows no progress message. */
export const QUICK_MS = 300

/** Runs `work`, and calls `onLong` if that takes long. */
export async function whenLong<T>(onLong: () => void, work: () => Promise<T>, after: After = afterMs): Promise<T> {
  const isQuick = after(onLong, QUICK_MS)
  try {
    return await work()
  } finally {
    isQuick()
  }
}
