import { ShellError, UnsupportedError } from '../../src/errors/index.js'
import { startOnce } from '../../src/ops/start-once.js'
import type { ShellAdapter, ShellExecOptions, ShellProcess, ShellResult, ShellSpawnOptions } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import { tableOf } from '../../src/workspace/mounts/mounted-storages.js'
import { joinPath } from '../../src/workspace/paths.js'
import { checkEnvironment, checkStart } from '../shared/process/checks.js'
import type { Stop } from '../shared/process/stop.js'
import { createUnderWay } from './active-runs.js'
import type { WebContainerProcessesLike } from './container-like.js'
import { type ContainerFolder, folderOf } from './folder-of.js'
import { processesOf } from './processes.js'
import { startBackground } from './shell/background.js'
import { environment } from './shell/environment.js'
import { execute, notRun, type Prepared } from './shell/execute.js'
import { type Form, parseReport, scriptOf } from './shell/form.js'
import { findPlace, type Place, pathOf } from './shell/places.js'
import { PrivateFiles } from './shell/private-files.js'
import { startProcess } from './shell/process.js'
import { within } from './shell/timeout.js'

type Awaitable<T> = T | Promise<T>

/** Options of `createWebContainerShell`. */
export interface WebContainerShellOptions {
  /**
   * The container of the workspace's storage. Default: the container that the storage was created with, which the adapter boots if needed.
   */
  readonly container?: Awaitable<WebContainerProcessesLike>
  /**
   * A terminal merges stdout and stderr. `merged` (default) leaves errors among the output, in the original order. `file` redirects errors
   * to a file in the container, reports them when the command ends, and returns them as `stderr`.
   */
  readonly stderr?: 'merged' | 'file'
  /** Variables to add to the environment of every command. */
  readonly env?: Readonly<Record<string, string>>
}

/** An opened container and the capabilities of its shell. */
interface Opened {
  readonly container: WebContainerProcessesLike
  readonly form: Form
  /** Full path of the workspace's folder. */
  readonly base: string
}

/**
 * Runs commands with the shell of a WebContainer (`jsh`), in the workspace's folder. When the adapter opens, it detects which features the
 * shell supports. See docs/webcontainer.md.
 *
 * The container can only kill a whole process, without a choice of signal, and reports nothing about child processes, so `can.hardKill` is
 * false. If a process does not end, the call still returns and the process keeps running. Background jobs of a command keep running.
 *
 * The returned function throws {UnsupportedError} if the storage was not created by `createWebContainerFs`.
 */
export function createWebContainerShell(options: WebContainerShellOptions = {}): (workspace: Workspace) => ShellAdapter {
  const { env = {} } = options
  checkEnvironment(env)
  return (workspace) => {
    const folder = folderOf(tableOf(workspace.fs)?.root.fs ?? workspace.fs)
    if (!folder) throw needsContainer(workspace.fs.name)
    return createShell(workspace, folder, { ...options, env: { ...env } })
  }
}

function needsContainer(name: string): UnsupportedError {
  const message = `Cannot use the shell of a WebContainer: the storage "${name}" is none, make it with createWebContainerFs, or use the virtual shell (just-bash)`
  return new UnsupportedError('shell', message, name)
}

function createShell(workspace: Workspace, folder: ContainerFolder, options: WebContainerShellOptions): ShellAdapter {
  const token = Math.floor(workspace.host.random() * 2 ** 48).toString(36)
  const underWay = createUnderWay()
  let commands = 0
  let opened: Opened | undefined

  /** Opens the container once. After a failure, the next call retries. */
  const open = startOnce(async () => {
    const container = await processesOf(options.container, folder)
    // The folder must exist before a command runs in it.
    await workspace.fs.open?.()
    const base = folder.root === '' ? container.workdir : joinPath(container.workdir, folder.root)
    opened = { container, base, form: await findForm(container, options.stderr === 'file', token) }
    return opened
  })

  async function prepare(given: ShellExecOptions): Promise<Prepared> {
    const { container, form, base } = await open()
    const place = await findPlace(workspace, base, given.cwd ?? workspace.cwd)
    const env = environment(container.path, false, options.env, given.env, { PWD: place.host })
    return { container, form, place, env, token: `${token}-${commands++}`, pathOf: (host) => pathOf(workspace, base, host) }
  }

  async function run(command: string, given: ShellExecOptions, stop: Stop): Promise<ShellResult> {
    const prepared = await Promise.race([prepare(given), stop.happened])
    if (!prepared || stop.reason !== undefined) return notRun(given, stop, given.cwd ?? workspace.cwd)
    return execute(prepared, command, given, stop)
  }

  async function spawn(command: string, given: ShellSpawnOptions, stop: Stop): Promise<ShellProcess> {
    const { container, base } = await open()
    const place: Place = await findPlace(workspace, base, given.cwd ?? workspace.cwd)
    const env = environment(container.path, given.terminal !== undefined, options.env, given.env, { PWD: place.host })
    if (stop.reason !== undefined) throw abortedBefore()
    return startBackground(container, command, { place, env, given })
  }

  function check(command: string, env: Readonly<Record<string, string>> = {}): void {
    checkStart(command, env, { closed: underWay.closed, readOnly: workspace.readOnly })
  }

  return {
    name: 'webcontainer',
    get can() {
      const separateStderr = opened ? opened.form.stderr : options.stderr === 'file'
      return { pty: true, separateStderr, hardKill: false, dialect: 'jsh' }
    },
    async open() {
      if (underWay.closed) throw new ShellError('unavailable', 'Cannot open the shell: it is closed')
      await open()
    },
    async exec(command, given = {}) {
      check(command, given.env)
      return underWay.run(given, (stop) => run(command, given, stop))
    },
    async spawn(command, given = {}) {
      check(command, given.env)
      return underWay.spawn(given, (stop) => spawn(command, given, stop), abortedBefore)
    },
    close: () => underWay.close(),
  }
}

function abortedBefore(): ShellError {
  return new ShellError('spawn_failed', 'Cannot start the command: it was aborted before it ran')
}

const BARE: Form = { stdin: false, stderr: false, report: false }

/** Maximum milliseconds of a trial command: a shell that does not support the syntax may wait for the terminal. */
const TRIAL_MS = 10_000

const SAID = 'toolport\n'

/** Tries forms until one works, starting with the most capable one, because the syntax of the shell is not documented. */
async function findForm(container: WebContainerProcessesLike, stderr: boolean, token: string): Promise<Form> {
  for (const form of candidates(stderr)) if (await works(container, form, token)) return form
  return BARE
}

function candidates(stderr: boolean): Form[] {
  const forms: Form[] = [
    { stdin: true, stderr, report: true },
    { stdin: true, stderr, report: false },
  ]
  return stderr ? [...forms, ...candidates(false)] : forms
}

/** @throws {ShellError} `spawn_failed` if the trial could not start */
async function works(container: WebContainerProcessesLike, form: Form, token: string): Promise<boolean> {
  const files = new PrivateFiles(container, `${token}-try`)
  let output = ''
  try {
    await files.writeStdin(SAID)
    const script = scriptOf('cat; false', form, files.paths)
    const process = await startProcess(container, {
      script,
      lines: true,
      onOutput: (text) => {
        output += text
      },
    })
    const end = await within(TRIAL_MS, process.ended)
    if (end) await process.settle()
    else process.kill()
    process.letGo()
    if (end?.code !== 1 || output !== SAID) return false
    if (form.stderr && (await files.read('err')) === undefined) return false
    return !form.report || parseReport((await files.read('end')) ?? '') !== undefined
  } finally {
    await files.remove()
  }
}
