import { type ShellAdapter, ShellError, type ShellExecOptions, type ShellProcess, type Workspace } from 'toolport'
import type { ShellParts } from './page-shell.js'

type OpenShell = ShellAdapter & Required<Pick<ShellAdapter, 'spawn'>>

/** The virtual bash in web workers. Loads its code with the first command. */
export function lateShell(workspace: Workspace, parts: ShellParts): ShellAdapter {
  let made: Promise<OpenShell> | undefined
  let opened: OpenShell | undefined
  let isClosed = false

  async function load(): Promise<OpenShell> {
    try {
      const { createPageShell } = await import('./page-shell.js')
      opened = createPageShell(workspace, parts) as OpenShell
      return opened
    } catch (cause) {
      // Retry with the next command.
      made = undefined
      throw new ShellError('unavailable', `No command can run: the shell could not be loaded. ${String(cause)}`, { cause })
    }
  }
  async function shell(): Promise<OpenShell> {
    if (isClosed) throw new ShellError('unavailable', 'The shell is closed.')
    made ??= load()
    return made
  }

  return {
    name: 'just-bash',
    // Assumed capabilities until the shell has loaded and knows whether a worker starts.
    get can() {
      return opened?.can ?? { pty: false, separateStderr: true, hardKill: true, dialect: 'bash' }
    },
    open: async () => (await shell()).open?.(),
    exec: async (command, options) => (await untilAborted(shell(), options)).exec(command, options),
    spawn: async (command, options): Promise<ShellProcess> => (await untilAborted(shell(), options)).spawn(command, options),
    async close() {
      isClosed = true
      // A shell that was never loaded needs no closing.
      await made?.then(
        (adapter) => adapter.close?.(),
        () => undefined,
      )
    },
  }
}

/** Stops waiting when the signal aborts, so that a hanging network blocks nothing. */
async function untilAborted<T>(work: Promise<T>, { signal }: Pick<ShellExecOptions, 'signal'> = {}): Promise<T> {
  if (!signal || signal.aborted) return work
  const done = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const refuse = (): void => reject(new ShellError('unavailable', 'The command was stopped before the shell was loaded.'))
    signal.addEventListener('abort', refuse, { once: true, signal: done.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    done.abort()
  }
}
