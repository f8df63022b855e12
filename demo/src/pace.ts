import { systemHost } from 'toolport'

const SLICE_MS = 20

/** Lets the page do what waits to be done. In a page that nobody looks at, timers would hardly come. */
export const giveWay = (): Promise<void> => (isHidden() ? systemHost.yield() : new Promise((resolve) => setTimeout(resolve)))

/** Tests run a part of the page without one. */
const isHidden = (): boolean => (globalThis as { readonly document?: Document }).document?.hidden === true

/** For a long loop: gives way when it has run for a while. */
export function createPace(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < SLICE_MS) return
    await giveWay()
    began = performance.now()
  }
}

/** Does something later, unless what it gives is called before. */
export type After = (body: () => void, ms: number) => () => void

export const afterMs: After = (body, ms) => {
  const timer = setTimeout(body, ms)
  return () => clearTimeout(timer)
}

/** What takes no longer needs no word. */
export const QUICK_MS = 300

/** Does something, and calls `onLong` once that takes long. */
export async function whenLong<T>(onLong: () => void, work: () => Promise<T>, after: After = afterMs): Promise<T> {
  const isQuick = after(onLong, QUICK_MS)
  try {
    return await work()
  } finally {
    isQuick()
  }
}
