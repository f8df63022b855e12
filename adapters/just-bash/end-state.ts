import type { ShellResult } from '../../src/types/shell.js'
import type { ExecResult, ShellState } from './library-types.js'

type State = Pick<ShellResult, 'cwd' | 'env'>

/** Where a command was and what it exported when it ended. */
export class EndState {
  readonly begin: State
  #live: ShellState | undefined

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.begin = { cwd, env }
  }

  /** The state of a shell that is about to run a command. The first is the script's own; subshells leave theirs as it was. */
  see(state: ShellState): void {
    this.#live ??= state
  }

  /** @param exported the names that a shell without hooks exports, whose state is only known where its result tells it */
  after(result: ExecResult | undefined, exported: ReadonlySet<string>): State {
    if (this.#live) {
      const { cwd, env, exportedVars } = this.#live
      // What a part of a pipe does stays in `cwd`, but not in the variables.
      const pwd = env.get('PWD')
      return this.#state(pwd?.startsWith('/') ? pwd : cwd, exportedVars ?? [], (name) => env.get(name))
    }
    if (!result || !('?' in result.env)) return this.begin
    return this.#state(result.env.PWD ?? this.begin.cwd, exported, (name) => result.env[name])
  }

  #state(cwd: string, names: Iterable<string>, read: (name: string) => string | undefined): State {
    const env: Record<string, string> = {}
    for (const name of names) {
      const value = read(name)
      if (value !== undefined) env[name] = value
    }
    // The library sets `OLDPWD` from the start; bash does when the directory changes.
    if (cwd === this.begin.cwd && env.OLDPWD === cwd && this.begin.env.OLDPWD === undefined) delete env.OLDPWD
    return { cwd, env }
  }
}
