import { FsError, ShellError } from '../../src/errors/index.js'
import type { WebContainerLike, WebContainerProcessesLike } from './container-like.js'
import type { ContainerFolder } from './folder-of.js'

type Awaitable<T> = T | Promise<T>

/**
 * Returns the given container, or else the storage's container, which this call boots if needed. @throws {ShellError} `unavailable` if it
 * cannot run processes
 */
export async function processesOf(
  container: Awaitable<WebContainerProcessesLike> | undefined,
  folder: ContainerFolder,
): Promise<WebContainerProcessesLike> {
  return checked(await started(container, folder))
}

async function started(container: Awaitable<WebContainerProcessesLike> | undefined, folder: ContainerFolder): Promise<WebContainerLike> {
  try {
    return await (container ?? folder.container())
  } catch (cause) {
    const reason = FsError.is(cause) || cause instanceof Error ? cause.message : String(cause)
    throw new ShellError('unavailable', `Cannot run the command: the container did not start: ${reason}`, { cause })
  }
}

function checked(container: WebContainerLike): WebContainerProcessesLike {
  const { spawn, workdir } = container as Partial<WebContainerProcessesLike>
  if (typeof spawn === 'function' && typeof workdir === 'string' && workdir.startsWith('/')) return container as WebContainerProcessesLike
  throw new ShellError(
    'unavailable',
    'Cannot run the command: the container has no "spawn" or no "workdir", pass the one of @webcontainer/api',
  )
}
