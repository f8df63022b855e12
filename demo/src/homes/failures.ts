import { choiceOf, type Home } from './homes.js'

/** Somebody has it open; also where that is told in words of ours. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'EBUSY') || isBusy(error.cause))

/** Of a workspace that is open elsewhere, for whoever asked for it. One tab at a time may have one, in every storage that is kept. */
export function busyFailure({ kind, name }: Home, cause: unknown): Error {
  const { label } = choiceOf(kind)
  return new Error(`“${name}” is open already, most likely in another tab, and ${label} is for one tab at a time. Close it there first.`, {
    cause,
  })
}
