import type { Workspace } from '../../src/types/workspace.js'

/** Makes durable what the work has written, also when it failed: then its own failure is told, which says what is left. */
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
