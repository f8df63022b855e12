import { FsError, ShellError } from '../../src/errors/index.js'
import type { FsAdapter } from '../../src/types/fs.js'
import type { ShellAdapter, ShellResult } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import { type BashFs, toBashFs } from '../../src/workspace/facades/to-bash-fs.js'
import { CommandFiles } from './command-files.js'
import { type JustBashModule, type Library, loadLibrary } from './library.js'
import type { JustBashLimits } from './limits.js'
import { runCommand } from './run-command.js'
import { Stops } from './stop.js'
import { outputFiles } from './syntax/streaming.js'

export interface JustBashShellOptions {
  /** Storage of the private `/tmp /home /bin /usr/bin /dev`, shared by all commands of the shell; nothing of the workspace is put there. */
  readonly scratch: FsAdapter
  /** Variables that every command begins with, over HOME, PATH, USER, LANG, TMPDIR and TERM. Nothing comes from the machine. */
  readonly env?: Readonly<Record<string, string>>
  /** The only commands there are, beside the builtins of bash. Default: all that work in this build. */
  readonly commands?: readonly string[]
  readonly limits?: JustBashLimits
  /** Another build of just-bash: `() => import('just-bash')` has tar, gzip and more in Node. Default: the one in this package. */
  readonly load?: () => Promise<JustBashModule>
}

const BASE_ENV: Readonly<Record<string, string>> = {
  HOME: '/home',
  PATH: '/usr/bin:/bin',
  USER: 'user',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  TERM: 'dumb',
}

interface Opened {
  readonly library: Library
  readonly commands: CommandFiles
}

/**
 * A bash without a machine: just-bash over the workspace, the same in every runtime. Its commands run in this thread and give way to the
 * event loop between commands, so that a stop gets through; one command on many megabytes does not.
 */
export function createJustBashShell(options: JustBashShellOptions): (workspace: Workspace) => ShellAdapter {
  return (workspace) => {
    const fs = toBashFs(workspace, { scratch: options.scratch })
    const stops = new Stops()
    const files = outputFiles(workspace.host.random())
    const limits = options.limits ?? {}
    const base = { ...BASE_ENV, ...options.env }
    let opening: Promise<Opened> | undefined
    let opened: Opened | undefined

    const open = async (): Promise<Opened> => {
      const library = await loadLibrary(options.load, options.commands)
      opened = { library, commands: await CommandFiles.open(library.names, options.scratch) }
      return opened
    }
    const ready = (): Opened | Promise<Opened> => {
      if (stops.closed) throw new ShellError('unavailable', 'The shell is closed.')
      opening ??= open()
      return opened ?? opening
    }

    return {
      name: 'just-bash',
      can: { pty: false, separateStderr: true, hardKill: false, dialect: 'bash' },
      async open() {
        await ready()
      },
      async exec(command, given = {}): Promise<ShellResult> {
        const { library, commands } = await ready()
        const wanted = given.cwd ?? workspace.cwd
        // The root is always there.
        const cwd = wanted === workspace.root ? wanted : await directory(fs, workspace.cwd, wanted)
        const env = { ...base, ...given.env, PWD: cwd }
        return runCommand({ library, commands, fs, host: workspace.host, limits, stops, files }, { command, cwd, env, options: given })
      },
      async close() {
        stops.close()
      },
    }
  }
}

/** @throws {FsError} ENOENT, ENOTDIR */
async function directory(fs: BashFs, base: string, given: string): Promise<string> {
  const path = fs.resolvePath(base, given)
  const { isDirectory } = await fs.stat(path)
  if (!isDirectory) throw new FsError({ code: 'ENOTDIR', op: 'run a command in', path })
  return path
}
