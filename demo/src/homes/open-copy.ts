import type { PackageSource } from '../packages/registry.js'
import type { Session } from '../session.js'
import type { Copy } from './copy-workspace.js'
import type { Home } from './homes.js'
import { openSession } from './open-session.js'
import type { Task } from './task-bar.js'

export interface OpenCopyOptions {
  /** Fails if the target is not empty. */
  readonly onlyNew: boolean
  readonly packages: PackageSource | undefined
  readonly task: Task | undefined
}

export interface OpenedCopy {
  readonly next: Session
  /** Undefined: the target was not empty and stayed unchanged. */
  readonly copy: Copy | undefined
  /** Why the checkpoints were not copied. Undefined: they were copied. */
  readonly lost: string | undefined
}

/**
 * Number of oldest checkpoints to skip in the second attempt, after the original dropped a checkpoint during the first one. Leaves room for
 * further drops.
 */
const LEFT_OUT = 50

/** Opens a workspace. An empty workspace becomes a copy of `original`: with its checkpoints, or without them if necessary. */
export async function openCopy(home: Home, original: Session, { onlyNew, packages, task }: OpenCopyOptions): Promise<OpenedCopy> {
  const { copyWorkspace, HistoryError } = await import('./copy-workspace.js')
  const oldest = async (): Promise<string | undefined> => (await original.checkpoints())[0]?.id
  async function open(how: { readonly history?: boolean; readonly leaveOut?: number }): Promise<OpenedCopy> {
    let copy: Copy | undefined
    let beginning: string | undefined
    const next = await openSession(home, {
      onlyNew,
      packages,
      signal: task?.signal,
      async fill(workspace) {
        copy = await copyWorkspace(original, workspace, { ...task, ...how })
        const [first] = copy.moments.values()
        beginning = (copy.moments.get(await original.beginning()) ?? first)?.id
      },
      beginning: () => beginning,
    })
    return { next, copy, lost: undefined }
  }

  const before = await oldest()
  try {
    return await open({}).catch(async (error: unknown) => {
      if (error instanceof HistoryError && (await oldest()) !== before) return open({ leaveOut: LEFT_OUT })
      throw error
    })
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
    return { ...(await open({ history: false })), lost: error.message }
  }
}
