import { FsError, ShellError } from '../../src/errors/index.js'
import { required } from '../../src/errors/required.js'
import type { FsAdapter } from '../../src/types/fs.js'
import type { Host } from '../../src/types/host.js'
import type { ShellAdapter, ShellCommandSource, ShellExecOptions } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import { type BashFs, toBashFs } from '../../src/workspace/facades/to-bash-fs.js'
import { hasCommandFolders } from './command-files.js'
import type { JqOptions } from './commands/jq/module.js'
import { commandsFor } from './commands/shared/injected.js'
import type { Engine, EngineCall } from './engine.js'
import { wellFormed } from './escaped-bytes.js'
import { isHosted, openEngine, type WorkerOption } from './host/open-engine.js'
import type { JustBashModule } from './library.js'
import type { JustBashLimits } from './limits.js'
import { damagedState } from './state/shape.js'
import { LOAD_MS, unstartedProcess } from './unstarted-process.js'

/** Options of `createJustBashShell`. Only `scratch` is required. */
export interface JustBashShellOptions {
  /**
   * Storage of the private directories `/tmp /home /bin /usr/bin /dev`, which all commands of the shell share. It holds no workspace files.
   */
  readonly scratch: FsAdapter
  /** Variables of every command, in addition to HOME, PATH, USER, LANG, TMPDIR and TERM. The machine's environment is invisible. */
  readonly env?: Readonly<Record<string, string>>
  /** The only allowed commands, besides the builtins of bash. Default: all commands of this build. */
  readonly allow?: readonly string[]
  /** Further commands, such as `git(...)`. They replace commands of the same name. */
  readonly commands?: readonly ShellCommandSource[]
  /**
   * Options of `jq` (the real jq 1.8.2, from the optional peer jq-wasm), which loads on first use. In Node, the package is found without
   * options. In all other environments, `wasm` gives its URL. If the package is missing, `jq` fails.
   */
  readonly jq?: JqOptions
  readonly limits?: JustBashLimits
  /** Another build of just-bash: `() => import('just-bash')` adds tar, gzip and more in Node. Default: the build in this package. */
  readonly load?: () => Promise<JustBashModule>
  /**
   * Runs commands in workers, so that a stop can terminate a command that does not yield (`can.hardKill`). `true`: web workers, started
   * with `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })`, which bundlers support. A function: starts a worker
   * whose script calls `serveShell()` (Node: `createShellWorker` of `toolport/adapters/node`). `auto`: web workers, or this thread if no
   * worker starts. Default: `false`. Incompatible with another build (`load`).
   */
  readonly worker?: WorkerOption
}

const BASE_ENV: Readonly<Record<string, string>> = {
  HOME: '/home',
  PATH: '/usr/bin:/bin',
  USER: 'user',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  TERM: 'dumb',
}

/**
 * Creates a virtual bash: just-bash over the workspace, with the same behaviour in every runtime. Without `worker`, commands run in this
 * thread and yield to the event loop between commands, so that a stop takes effect. A single command on many megabytes may not yield.
 */
export function createJustBashShell(options: JustBashShellOptions): (workspace: Workspace) => ShellAdapter {
  const call = 'createJustBashShell'
  const scratch = required(
    call,
    'the option "scratch", a storage for its private folders: createMemoryFs() does',
    options?.scratch,
    'readdir',
  )
  const { limits = {}, load, allow, jq, worker = false } = options
  const mayHost = isHosted(worker, load)
  return (workspace) => {
    const commands = commandsFor(options.commands ?? [], workspace)
    const fs = toBashFs(workspace, { scratch })
    const base = { ...BASE_ENV, ...options.env }
    const closing = new AbortController()
    let closed = false
    let hardKill = mayHost
    let opening: Promise<Engine> | undefined
    let opened: Engine | undefined

    const open = async (): Promise<Engine> => {
      const extended = await hasCommandFolders(scratch)
      const parts = { fs, host: workspace.host, cwd: workspace.cwd, limits, extended, load, allow, commands, jq }
      const { engine, hosted } = await openEngine(worker, parts, closing.signal)
      hardKill = hosted
      opened = engine
      return engine
    }
    const ready = async (): Promise<Engine> => {
      if (closed) throw new ShellError('unavailable', 'The shell is closed.')
      opening ??= open().catch((error: unknown) => {
        // Invalid options stay invalid, but failed loads are retried.
        if (!(error instanceof TypeError)) opening = undefined
        throw error
      })
      return opening
    }
    const within = async (bounds: Bounds): Promise<Engine | 'abort' | 'timeout'> =>
      opened && !closed ? opened : unlessOver(ready(), bounds, workspace.host)
    const begin = async ({ cwd: wanted = workspace.cwd, env }: Place): Promise<Begin> => {
      // The root always exists, so it needs no check.
      const cwd = wanted === workspace.root ? wanted : await directory(fs, workspace.cwd, wanted)
      return { cwd, env: { ...base, ...env, PWD: cwd } }
    }

    return {
      name: 'just-bash',
      can: {
        pty: false,
        separateStderr: true,
        get hardKill() {
          return hardKill
        },
        dialect: 'bash',
        // Custom commands and other builds are not isolated.
        isolated: !options.commands?.length && !load,
      },
      async open() {
        await ready()
      },
      async exec(command, given = {}) {
        const { signal, env, timeoutMs } = given
        const engine = await within({ signal, timeoutMs })
        if (typeof engine === 'string') {
          const timedOut = engine === 'timeout'
          return { ...NOT_RUN, timedOut, aborted: !timedOut, cwd: given.cwd ?? workspace.cwd, env: { ...base, ...env } }
        }
        // Inside the shell, a lone surrogate encodes an invalid UTF-8 byte, so lone surrogates from outside are replaced.
        return told(engine.exec({ command: wellFormed(command), ...(await begin(given)), options: given }))
      },
      async spawn(command, given = {}) {
        const engine = await within({ signal: given.signal })
        if (typeof engine === 'string') return unstartedProcess()
        return told(engine.spawn({ command: wellFormed(command), ...(await begin(given)), options: given }))
      },
      async close() {
        closed = true
        closing.abort()
        await (await opening?.catch(() => undefined))?.close()
      },
    }
  }
}

const NOT_RUN = { exitCode: null, stdout: '', stderr: '', truncated: false } as const

/** The longest delay of a timer. For a longer delay, the timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

interface Bounds {
  readonly signal: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** Resolves to the result of the work, or to the bound that is reached first. So a call ends even if the shell never opens. */
async function unlessOver<T>(work: Promise<T>, { signal, timeoutMs }: Bounds, host: Pick<Host, 'sleep'>): Promise<T | 'abort' | 'timeout'> {
  const done = new AbortController()
  let abort = (): void => undefined
  const aborted = new Promise<'abort'>((resolve) => {
    abort = () => resolve('abort')
  })
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  const isTimed = timeoutMs !== undefined && timeoutMs <= MAX_TIMER_MS
  const late = isTimed ? [host.sleep(Math.max(timeoutMs, LOAD_MS), done.signal).then((): 'timeout' => 'timeout')] : []
  try {
    return await Promise.race([work, aborted, ...late])
  } finally {
    done.abort()
    signal?.removeEventListener('abort', abort)
  }
}

/** Replaces the error for a state that cannot be sent to a worker: no state of this shell causes this error. @throws {InputError} */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && error.name === 'DataCloneError') throw damagedState()
    throw error
  }
}

type Place = Pick<ShellExecOptions, 'cwd' | 'env'>
type Begin = Pick<EngineCall, 'cwd' | 'env'>

/** @throws {FsError} ENOENT, ENOTDIR */
async function directory(fs: BashFs, base: string, given: string): Promise<string> {
  const path = fs.resolvePath(base, given)
  const { isDirectory } = await fs.stat(path)
  if (!isDirectory) throw new FsError({ code: 'ENOTDIR', op: 'run a command in', path })
  return path
}
