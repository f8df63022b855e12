import { messageOf } from '../notice.js'
import type { PackageSource } from '../packages/registry.js'
import type { Files, Session } from '../session.js'
import { isBusy } from './failures.js'
import { lastHome } from './known-homes.js'
import { openSession, writeFiles } from './open-session.js'

/** Reopens the stored workspace that was open last. If that fails, reports the failure and starts as on a first visit. */
export async function reopen(
  seed: () => Promise<Files>,
  packages: PackageSource | undefined,
  tell: (text: string) => void,
): Promise<Session | undefined> {
  const home = lastHome()
  if (!home) return undefined
  try {
    return await openSession(home, { fill: async (workspace) => writeFiles(workspace, await seed()), packages })
  } catch (error) {
    tell(
      isBusy(error)
        ? `“${home.name}” is open in another tab. Close that tab and load this page again; what you do here is in memory.`
        : `“${home.name}” could not be opened, and this is in memory: ${messageOf(error)}`,
    )
    return undefined
  }
}
