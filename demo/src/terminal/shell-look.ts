import type { ShellAdapter, ShellResult, Workspace } from 'toolport'

/** Looks at a shell session that leave it as it is. */
export interface ShellLook {
  /** Another number whenever a command of the session has ended. */
  readonly version: number
  /** What a script prints that begins with all that the last command of the session has left. What it does to the shell is forgotten. */
  print(script: string, cwd: string): Promise<string>
}

export interface WatchedShell extends ShellLook {
  /** Makes the shell whose commands are followed: for one runtime, which has one session. */
  readonly shell: (workspace: Workspace) => ShellAdapter
}

type End = Partial<Pick<ShellResult, 'env' | 'state'>>

const LOOK = { timeoutMs: 20_000, maxBytes: 8 * 1024 * 1024 }

/** A shell that others may use too, with a look at what the commands leave that are run through this one. */
export function watchShell(make: (workspace: Workspace) => ShellAdapter): WatchedShell {
  let made: ShellAdapter | undefined
  let end: End = {}
  let begun = 0
  let kept = 0

  function watched(shell: ShellAdapter): ShellAdapter {
    const exec: ShellAdapter['exec'] = async (command, options) => {
      begun += 1
      const own = begun
      const result = await shell.exec(command, options)
      // One that began later is later in the session, whichever ends first.
      if (own > kept) {
        kept = own
        const state = result.state ?? end.state
        end = { env: result.env, ...(state && { state }) }
      }
      return result
    }
    // What it can may not be known before it is loaded: a copy would not learn of it.
    return Object.create(shell, { exec: { value: exec } }) as ShellAdapter
  }

  return {
    get version() {
      return kept
    },
    shell(workspace) {
      made = make(workspace)
      return watched(made)
    },
    async print(script, cwd) {
      const result = await made?.exec(script, { ...LOOK, ...end, cwd })
      return result?.stdout ?? ''
    },
  }
}
