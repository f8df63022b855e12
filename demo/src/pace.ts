const SLICE_MS = 20

/** Lets the page do what waits to be done. */
export const giveWay = (): Promise<void> => (isHidden() ? messageTurn() : new Promise((resolve) => setTimeout(resolve)))

/** Tests run a part of the page without one. */
const isHidden = (): boolean => typeof document !== 'undefined' && document.hidden

/** Timers of a page that nobody looks at come once in a second, and later once in a minute: an agent at work would hardly go on. */
function messageTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

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
