import type { ExecResult, HostCommand } from '#just-bash'
import type { ShellResult } from '../../src/types/shell.js'
import { STATE_COMMAND } from './syntax/exits.js'

type State = Pick<ShellResult, 'cwd' | 'env'>

/** Where a command was and what it exported when it ended. */
export class EndState {
  readonly begin: State
  /** What a script runs before it exits: the library's own answer is the state of the beginning then. */
  readonly command: HostCommand
  #told: State | undefined
  #exported: ReadonlySet<string> = new Set()

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.begin = { cwd, env }
    this.command = {
      name: STATE_COMMAND.slice(STATE_COMMAND.lastIndexOf('/') + 1),
      execute: async ([shell], context) => {
        // Number 1 is the script's own shell. The context is taken back when this returns.
        if (shell === '1') this.#told = { cwd: context.cwd, env: { ...context.exportedEnv } }
        return { stdout: '', stderr: '', exitCode: Number(context.env.get('?') ?? 0) }
      },
    }
  }

  /** The names that the shell exports, as they are at any time. */
  watch(exported: ReadonlySet<string>): void {
    this.#exported = exported
  }

  after({ env }: ExecResult): State {
    const end = '?' in env ? { cwd: env.PWD ?? this.begin.cwd, env: this.#pick(env) } : (this.#told ?? this.begin)
    return { cwd: end.cwd, env: this.#withoutFirstOldPwd(end) }
  }

  #pick(env: Readonly<Record<string, string>>): Record<string, string> {
    const picked: Record<string, string> = {}
    for (const name of this.#exported) if (env[name] !== undefined) picked[name] = env[name]
    return picked
  }

  /** The library sets `OLDPWD` from the start; bash does when the directory changes. */
  #withoutFirstOldPwd({ cwd, env }: State): State['env'] {
    const { OLDPWD, ...rest } = env
    return cwd === this.begin.cwd && OLDPWD === cwd && this.begin.env.OLDPWD === undefined ? rest : env
  }
}
