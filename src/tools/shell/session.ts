import type { ShellResult, ShellState } from '../../types/shell.js'
import type { ToolContext } from '../../types/tool.js'

/**
 * State that lasts from command to command, as in a terminal. A command can only add variables to the adapter's own environment: if it
 * unsets one of them, the next command has the variable again.
 */
export class ShellSession {
  /** The directory in which the last command ended: a virtual path, or a private path of the shell. */
  cwd: string | undefined
  /** The exported variables of the last command. */
  env: Readonly<Record<string, string>> | undefined
  /** The rest of the last command's state, if the shell can pass it on: unexported variables, functions, options. */
  state: ShellState | undefined
  #begun = 0
  #kept = 0

  /** Returns a number for a command that begins now. */
  begin(): number {
    return ++this.#begun
  }

  /**
   * Stores the state after a command, unless a later command has already ended. If the directory is unknown, as after a timeout, the
   * previous state stays.
   */
  keep(command: number, { cwd, env, state }: ShellResult): void {
    if (command < this.#kept) return
    this.#kept = command
    this.cwd = cwd
    this.env = env
    if (state !== undefined) this.state = state
  }
}

/** One session per runtime, keyed by the object that all its calls share. */
const sessions = new WeakMap<ToolContext['versions'], ShellSession>()

/**
 * Returns the session of the runtime. `reset` starts a new session. Commands that still run in the old session do not affect the new one.
 */
export function sessionOf({ versions }: ToolContext, reset: boolean): ShellSession {
  const known = sessions.get(versions)
  if (known && !reset) return known
  const session = new ShellSession()
  sessions.set(versions, session)
  return session
}
