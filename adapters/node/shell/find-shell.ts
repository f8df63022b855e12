import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ShellError } from '../../../src/errors/index.js'
import { readDeclarations } from './declarations.js'

export type Dialect = 'bash' | 'zsh' | 'sh'

export interface FoundShell {
  /** Absolute path on this machine. */
  readonly file: string
  readonly dialect: Dialect
  /** State of the shell in an empty environment. Known only after the probe. */
  readonly atStart?: ShellStart
}

export interface ShellStart {
  /** Options that are on, as bash lists them (`a:b:c`). */
  readonly options: string
  /**
   * The variables that the shell sets itself, as printed by `declare -p`. They include PATH, SHELL and TERM unless the environment has
   * them.
   */
  readonly variables: ReadonlySet<string>
}

const DEFAULTS = ['bash', 'zsh', 'sh']
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'
/** Milliseconds until the probe is stopped. */
const PROBE_MS = 10_000

const PROBE = 'echo "$SHELLOPTS:$BASHOPTS"; declare -p'

const run = promisify(execFile)

/**
 * Finds candidate shells and returns the best first. `wanted`: a path, or a name on PATH. Default: all available of bash, zsh and sh.
 *
 * @throws {ShellError} `unavailable` if no shell is found
 */
export function findShells(wanted: string | undefined): readonly [FoundShell, ...FoundShell[]] {
  const [first, ...rest] = (wanted === undefined ? DEFAULTS : [wanted]).flatMap((name) => {
    const file = find(name)
    return file === undefined ? [] : [{ file, dialect: dialectOf(file) }]
  })
  if (first) return [first, ...rest]
  const what = wanted === undefined ? `none of ${DEFAULTS.join(', ')} is on the PATH` : `"${wanted}" is not an executable file`
  throw new ShellError('unavailable', `Cannot use a shell of this machine: ${what}`)
}

/** @throws {ShellError} `unavailable` */
export async function firstThatRuns(shells: readonly FoundShell[]): Promise<FoundShell> {
  let failure: unknown
  for (const shell of shells) {
    try {
      const probe = ['-c', shell.dialect === 'bash' ? PROBE : ':']
      const { stdout } = await run(shell.file, probe, { cwd: '/', env: {}, timeout: PROBE_MS, killSignal: 'SIGKILL' })
      return { ...shell, atStart: startOf(stdout) }
    } catch (cause) {
      failure = cause
    }
  }
  const names = shells.map(({ file }) => basename(file)).join(', ')
  throw new ShellError('unavailable', `Cannot use a shell of this machine: ${names} does not run`, { cause: failure })
}

function startOf(printed: string): ShellStart {
  const end = printed.indexOf('\n')
  return {
    options: printed.slice(0, Math.max(0, end)),
    variables: new Set(readDeclarations(printed.slice(end + 1)).map(({ text }) => text)),
  }
}

function find(name: string): string | undefined {
  if (name.includes('/')) return isExecutable(resolve(name)) ? resolve(name) : undefined
  const folders = (process.env.PATH || DEFAULT_PATH).split(delimiter)
  // An empty entry means the working directory, from which no shell must be started.
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => resolve(join(folder, name)))
    .find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Returns the dialect of a shell. Shells other than bash and zsh are treated as POSIX `sh`. */
function dialectOf(file: string): Dialect {
  const name = basename(file)
  return name === 'bash' || name === 'zsh' ? name : 'sh'
}
