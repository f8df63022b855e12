import type { Context } from '../library-types.js'

/** Takes the value that a script has assigned to SECONDS. It counts from the next command on. */
export function takeSeconds({ place, state: { env } }: Context, nowMs: number): void {
  const assigned = env.get('SECONDS')
  if (assigned === undefined) return
  place.startMs = nowMs - (Number.parseInt(assigned, 10) || 0) * 1000
  env.delete('SECONDS')
}

export function secondsOf(context: Context, nowMs: number): number {
  takeSeconds(context, nowMs)
  return Math.floor((nowMs - context.place.startMs) / 1000)
}
