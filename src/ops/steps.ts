/** Long work that stops every few milliseconds, so that whoever runs it can give way in between. */
export type Steps<T> = Generator<void, T>

/** The whole work at once. */
export function finish<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
