import { ShellError } from '../../src/errors/index.js'
import type { ShellProcess } from '../../src/types/shell.js'

/** Minimum number of milliseconds to wait for the engine to load, even if the timeout of the command is shorter. */
export const LOAD_MS = 2000

/** Returns a process that has already ended, as if it had been killed at once. */
export function unstartedProcess(): ShellProcess {
  const write = async (): Promise<never> => {
    throw new ShellError('not_running', 'The command was stopped before it began.')
  }
  return { transport: 'pipe', write, kill: async () => undefined, exited: Promise.resolve({ exitCode: 137, signal: 'SIGKILL' }) }
}
