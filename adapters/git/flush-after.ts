import type { Workspace } from '../../src/types/workspace.js'

/** Flushes after the work, even if the work failed. In this case, throws the error of the work instead of an error of the flush. */
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
