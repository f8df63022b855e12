import type { ShellResult, ShellState } from '../../types/shell.js'
import type { ToolContext } from '../../types/tool.js'

/**
 * State that lasts from command to command, as in a terminal. If a command unsets a variable of the adapter's own environment, the next
 * command has it again: variables can only be added to the adapter's.
 */
export class ShellSession {
  /** Where the last command ended: a virtual path, or a path of the shell's own. */
  cwd: string | undefined
  /** The exported variables of the last command. */
  env: Readonly<Record<string, string>> | undefined
  /** The rest of its state, if the shell can pass it on: plain variables, functions, options. */
  state: ShellState | undefined
  #begun = 0
  #kept = 0

  /** A number for a command that begins now. */
  begin(): number {
    return ++this.#begun
  }

  /**
   * Stores how a command ended, unless a later command has already ended. If the end is unknown, as after a timeout, the previous state
   * stays.
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

/** The session of the runtime. `reset` starts a new one; commands that still run in the old one do not affect it. */
export function sessionOf({ versions }: ToolContext, reset: boolean): ShellSession {
  const known = sessions.get(versions)
  if (known && !reset) return known
  const session = new ShellSession()
  sessions.set(versions, session)
  return session
}
