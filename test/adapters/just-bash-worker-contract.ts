import { createWorkspace, type FsAdapter } from 'toolport'
import { createJustBashShell, type JustBashShellOptions } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterAll, describe, it } from 'vitest'
import { type ShellUnderTest, sessionContract, shellContract } from '../contract/index.js'
import { EXCEPT } from './just-bash-exceptions.js'

/** What the shell in workers must do as the one in this thread does, with the same exceptions. */
export function workerContracts(worker: JustBashShellOptions['worker']): void {
  const { create, dispose } = sharedShell(worker)
  const given = { name: 'just-bash in workers', create, dispose }
  shellContract({ describe, it }, { ...given, without: ['processes'], except: EXCEPT })
  sessionContract({ describe, it }, { ...given, without: ['processes', 'pty'] })
}

interface Shared extends ShellUnderTest {
  readonly scratch: FsAdapter
}

/**
 * One shell for all cases, until one of them closes it: to start its workers takes longer than a case. Each case finds an empty workspace
 * and the workers that the ones before it have used, stopped and left.
 */
function sharedShell(worker: JustBashShellOptions['worker']): { create(): Promise<ShellUnderTest>; dispose(): void } {
  let shared: Shared | undefined
  const make = (): Shared => {
    const scratch = createMemoryFs()
    const workspace = createWorkspace({ fs: createMemoryFs() })
    const shell = createJustBashShell({ scratch, worker })(workspace)
    const close = shell.close?.bind(shell)
    shell.close = async () => {
      if (shared?.shell === shell) shared = undefined
      await close?.()
    }
    return { shell, workspace, scratch }
  }
  afterAll(() => shared?.shell.close?.())
  return {
    async create() {
      shared ??= make()
      const { workspace, scratch } = shared
      for (const { name } of await workspace.list('.')) await workspace.remove(name, { recursive: true })
      for (const { name } of await scratch.readdir('/')) await scratch.rmTree?.(`/${name}`)
      for (const name of ['tmp', 'home', 'dev']) await scratch.mkdir(`/${name}`)
      return shared
    },
    dispose: () => undefined,
  }
}
