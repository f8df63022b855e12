/** Work that yields every few milliseconds, so that the caller can let other work run in between. */
export type Steps<T> = Generator<void, T>

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
