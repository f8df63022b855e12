import { ShellError } from '../../src/errors/index.js'
import type { ShellProcess } from '../../src/types/shell.js'

/** The time of a command does not count until it runs: so long what it runs in may take to load at the least. */
export const LOAD_MS = 2000

/** Has ended as if it had been killed at once. */
export function unstartedProcess(): ShellProcess {
  const write = async (): Promise<never> => {
    throw new ShellError('not_running', 'The command was stopped before it began.')
  }
  return { transport: 'pipe', write, kill: async () => undefined, exited: Promise.resolve({ exitCode: 137, signal: 'SIGKILL' }) }
}
