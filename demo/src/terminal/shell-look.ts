import type { ShellAdapter, ShellResult, Workspace } from 'toolport'

/** Queries a shell session without changing it. */
export interface ShellLook {
  /** Increases whenever a command of the session has ended. */
  readonly version: number
  /** Runs a script in the state that the session's last command left, and returns its output. Discards all changes of the script. */
  print(script: string, cwd: string): Promise<string>
}

export interface WatchedShell extends ShellLook {
  /** Creates the observed shell, for one runtime with one session. */
  readonly shell: (workspace: Workspace) => ShellAdapter
}

type End = Partial<Pick<ShellResult, 'env' | 'state'>>

const LOOK = { timeoutMs: 20_000, maxBytes: 8 * 1024 * 1024 }

/** Wraps a shell, which others may share, and records the state that commands leave behind. */
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
      // Keeps the state of the command that started last, even if an earlier command ends after it.
      if (own > kept) {
        kept = own
        const state = result.state ?? end.state
        end = { env: result.env, ...(state && { state }) }
      }
      return result
    }
    // Inherits instead of copying, because the shell's `can` may change when it has loaded.
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
