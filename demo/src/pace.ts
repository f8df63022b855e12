const SLICE_MS = 20

/** Lets the page do what waits to be done. */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

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
