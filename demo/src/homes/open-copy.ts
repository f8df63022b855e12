import type { PackageSource } from '../packages/registry.js'
import type { Session } from '../session.js'
import type { Copy } from './copy-workspace.js'
import type { Home } from './homes.js'
import { openSession } from './open-session.js'
import type { Task } from './task-bar.js'

export interface OpenCopyOptions {
  /** Refuses a home that holds something. */
  readonly onlyNew: boolean
  readonly packages: PackageSource | undefined
  readonly task: Task | undefined
}

export interface OpenedCopy {
  readonly next: Session
  /** Undefined: it held something, which was left as it was. */
  readonly copy: Copy | undefined
  /** Why the checkpoints were not taken along; undefined: they were. */
  readonly lost: string | undefined
}

/** Opens a workspace where it lives. One that holds nothing becomes a copy of `original`: with its checkpoints, or without if need be. */
export async function openCopy(home: Home, original: Session, { onlyNew, packages, task }: OpenCopyOptions): Promise<OpenedCopy> {
  const { copyWorkspace, HistoryError } = await import('./copy-workspace.js')
  async function open(history: boolean): Promise<Omit<OpenedCopy, 'lost'>> {
    let copy: Copy | undefined
    let beginning: string | undefined
    const next = await openSession(home, {
      onlyNew,
      packages,
      signal: task?.signal,
      async fill(workspace) {
        copy = await copyWorkspace(original, workspace, { ...task, history })
        beginning = copy.moments.get(await original.beginning())?.id
      },
      beginning: () => beginning,
    })
    return { next, copy }
  }

  try {
    return { ...(await open(true)), lost: undefined }
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
    return { ...(await open(false)), lost: error.message }
  }
}
