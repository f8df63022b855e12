import { JsError, UnsupportedError } from '../../../src/errors/index.js'
import { startOnce } from '../../../src/ops/start-once.js'
import type { JsAdapter, JsProgram, JsResult, JsRunOptions } from '../../../src/types/js.js'
import type { ShellProcess } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { tableOf } from '../../../src/workspace/mounts/mounted-storages.js'
import { joinPath } from '../../../src/workspace/paths.js'
import { createOutputBuffer } from '../../shared/output-buffer.js'
import { checkEnvironment, checkProgram } from '../../shared/process/checks.js'
import type { Stop } from '../../shared/process/stop.js'
import { createUnderWay } from '../active-runs.js'
import type { WebContainerProcessesLike } from '../container-like.js'
import { type ContainerFolder, folderOf } from '../folder-of.js'
import { processesOf } from '../processes.js'
import { within } from '../shell/timeout.js'
import type { ExecuteOptions } from './execute.js'
import { failToStart } from './outcomes.js'
import { ANSWER_MS, createPrivateFolder, type PrivateFolder, removeFolder } from './private-folder.js'

type Awaitable<T> = T | Promise<T>

/** Options of `createWebContainerJs`. */
export interface WebContainerJsOptions {
  /**
   * The container of the workspace's storage. Default: the container that the storage was created with, which the adapter boots if needed.
   */
  readonly container?: Awaitable<WebContainerProcessesLike>
  /** Variables to add to the environment of every program. */
  readonly env?: Readonly<Record<string, string>>
}

type Start = Omit<ExecuteOptions, 'discard'>

/** The parts are loaded on demand, because most sessions run no program. */
const parts = (): Promise<typeof import('./parts.js')> => import('./parts.js')

/**
 * Runs project code with `node` of a WebContainer, in the workspace's folder. A program is separate from the page, but reaches all files of
 * the container and the network, whatever its grants (`can.isolated` is false). If `kill` does not end a program, the call still returns
 * and the program keeps running (`can.hardKill` is false). Nothing limits the memory of a program. See docs/javascript.md.
 *
 * The returned function throws {UnsupportedError} if the storage was not created by `createWebContainerFs`, or if the storage's root is the
 * whole working directory of the container, which leaves no place for files outside the workspace.
 */
export function createWebContainerJs(options: WebContainerJsOptions = {}): (workspace: Workspace) => JsAdapter {
  const { env = {} } = options
  checkEnvironment(env)
  return (workspace) => {
    const folder = folderOf(tableOf(workspace.fs)?.root.fs ?? workspace.fs)
    if (!folder) {
      const message = `Cannot use Node of a WebContainer: the storage "${workspace.fs.name}" is none, make it with createWebContainerFs, or use the guest engine (quickjs)`
      throw new UnsupportedError('js', message, workspace.fs.name)
    }
    if (folder.root === '') {
      const message =
        'Cannot use Node of this WebContainer: the workspace is all of its working directory, so that it would see the files of a run: give createWebContainerFs a root, such as "project"'
      throw new UnsupportedError('js', message, workspace.fs.name)
    }
    return createAdapter(workspace, folder, { ...options, env: { ...env } })
  }
}

function createAdapter(workspace: Workspace, folder: ContainerFolder, options: WebContainerJsOptions): JsAdapter {
  const token = Math.floor(workspace.host.random() * 2 ** 48).toString(36)
  const remover = createRemover()
  const underWay = createUnderWay()
  let programs = 0

  /** Opens the container once. After a failure, the next call retries. */
  const open = startOnce(async () => {
    const container = await processesOf(options.container, folder).catch(failToStart)
    // The folder must exist before a program runs in it.
    await workspace.fs.open?.()
    return container
  })

  async function prepare<P extends JsProgram>(program: P): Promise<Start & { readonly program: P }> {
    const container = await open()
    const { findProgram } = await parts()
    const placed = await findProgram(workspace, joinPath(container.workdir, folder.root), program)
    const own = `${token}-${programs++}`
    return { container, program, placed, folder: createPrivateFolder(container, `.toolport-js-${own}`), token: own, env: options.env }
  }

  function discard(container: WebContainerProcessesLike): ExecuteOptions['discard'] {
    return (made) => remover.remove(container, made)
  }

  async function run(program: JsRunOptions, stop: Stop): Promise<JsResult> {
    const prepared = await Promise.race([prepare(program), stop.happened])
    if (!prepared || stop.reason !== undefined) return createOutputBuffer(program).stopped(stop.reason)
    const { executeProgram } = await parts()
    return executeProgram({ ...prepared, discard: discard(prepared.container) }, stop)
  }

  async function spawn(program: JsProgram, stop: Stop): Promise<ShellProcess> {
    const prepared = await prepare(program)
    if (stop.reason !== undefined) throw endedBefore()
    const { startBackground } = await parts()
    return startBackground({ ...prepared, discard: discard(prepared.container) })
  }

  const endedBefore = (): JsError =>
    new JsError(underWay.closed ? 'unavailable' : 'spawn_failed', 'Cannot start the program: it was ended before it began')

  const check = (program: JsProgram): void => {
    checkProgram(program, { closed: underWay.closed, readOnly: workspace.readOnly, writer: 'a program of the container' })
    checkGrants(program)
  }

  return {
    name: 'webcontainer',
    can: { hardKill: false, memoryCap: false, nodeApi: true, isolated: false },
    async open() {
      if (underWay.closed) throw new JsError('unavailable', 'Cannot open the adapter: it is closed')
      await open()
    },
    async run(program) {
      check(program)
      return underWay.run(program, (stop) => run(program, stop))
    },
    async spawn(program) {
      check(program)
      return underWay.spawn(program, (stop) => spawn(program, stop), endedBefore)
    },
    async close() {
      await underWay.close()
      await remover.done()
    },
  }
}

/** @throws {UnsupportedError} for grants that do not include `write`, because the container cannot keep a program from writing */
function checkGrants({ grants }: JsProgram): void {
  if (grants?.fs === undefined || grants.fs === 'write') return
  const message = `Cannot run the program with grants.fs "${grants.fs}": one of the container reads and writes all of its files, grant "write", or use the guest engine (quickjs)`
  throw new UnsupportedError('js', message, 'webcontainer')
}

/** Removes the private folders of runs. Retries failed removals after the next successful removal, and in `done`. */
interface Remover {
  remove(container: WebContainerProcessesLike, folder: PrivateFolder): Promise<void>
  done(): Promise<void>
}

export function createRemover(): Remover {
  const left = new Map<string, WebContainerProcessesLike>()
  const pending = new Set<Promise<unknown>>()

  async function sweep(): Promise<void> {
    for (const [name, container] of left) if (await within(ANSWER_MS, removeFolder(container, name))) left.delete(name)
  }

  return {
    async remove(container, folder) {
      const removing = folder.remove().then(async (gone) => {
        if (gone) await sweep()
        else left.set(folder.name, container)
      })
      pending.add(removing)
      await removing.finally(() => pending.delete(removing))
    },
    async done() {
      await Promise.all(pending)
      await sweep()
    },
  }
}
