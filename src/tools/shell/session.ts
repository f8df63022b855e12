import type { ShellResult, ShellState } from '../../types/shell.js'
import type { ToolContext } from '../../types/tool.js'

/**
 * What lasts from command to command, as in a terminal. A variable of the shell's own environment that a command unsets is back in the
 * next one: variables can be added to what the adapter gives, not taken away.
 */
export class ShellSession {
  /** Where the last command ended: a virtual path, or one of the shell's own. */
  cwd: string | undefined
  /** What it had exported. */
  env: Readonly<Record<string, string>> | undefined
  /** What else it left behind, where the shell can hand that on: plain variables, functions, options. */
  state: ShellState | undefined
  #begun = 0
  #kept = 0

  /** A number for one command that begins now. */
  begin(): number {
    return ++this.#begun
  }

  /**
   * Keeps how a command ended, unless one that began after it has ended before: that one is later in the session. Where the end is not
   * known, as after a timeout, what was known before stays.
   */
  keep(command: number, { cwd, env, state }: ShellResult): void {
    if (command < this.#kept) return
    this.#kept = command
    this.cwd = cwd
    this.env = env
    if (state !== undefined) this.state = state
  }
}

/** One session for each runtime, known by the one object that all its calls share. */
const sessions = new WeakMap<ToolContext['versions'], ShellSession>()

/** The session of the runtime. `reset` begins a new one; what still runs in the old one does not reach it. */
export function sessionOf({ versions }: ToolContext, reset: boolean): ShellSession {
  const known = sessions.get(versions)
  if (known && !reset) return known
  const session = new ShellSession()
  sessions.set(versions, session)
  return session
}
