import { choiceOf, type Home } from './homes.js'

/** Whether another tab or process has the workspace open. Also checks the causes of the error. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'EBUSY') || isBusy(error.cause))

/** The error for a workspace that is open elsewhere. In every persistent storage, only one tab at a time can open a workspace. */
export function busyFailure({ kind, name }: Home, cause: unknown): Error {
  const { label } = choiceOf(kind)
  return new Error(`“${name}” is open already, most likely in another tab, and ${label} is for one tab at a time. Close it there first.`, {
    cause,
  })
}
