import type { Workspace } from '../../src/types/workspace.js'

/** Flushes after the work, even if it failed. If it failed, its own error is thrown, not that of the flush. */
export async function stored<T>(workspace: Workspace, work: Promise<T>): Promise<T> {
  const flush = async (): Promise<void> => {
    if (!workspace.fs.can.durableOnAck) await workspace.flush()
  }
  const result = await work.catch(async (error: unknown) => {
    await flush().catch(() => undefined)
    throw error
  })
  await flush()
  return result
}
