import { ShellError } from '../../src/errors/index.js'
import type { ShellProcess } from '../../src/types/shell.js'

/** Minimum time for loading the engine, which does not count towards a command's timeout. */
export const LOAD_MS = 2000

/** Returns a process that ended as if killed at once. */
export function unstartedProcess(): ShellProcess {
  const write = async (): Promise<never> => {
    throw new ShellError('not_running', 'The command was stopped before it began.')
  }
  return { transport: 'pipe', write, kill: async () => undefined, exited: Promise.resolve({ exitCode: 137, signal: 'SIGKILL' }) }
}
