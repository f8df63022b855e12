import { createWorkspace, type FsAdapter } from 'toolport'
import { createJustBashShell, type JustBashShellOptions } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterAll, describe, it } from 'vitest'
import { type ShellUnderTest, sessionContract, shellContract, type TestRunner } from '../contract/index.js'
import { EXCEPT } from './just-bash-exceptions.js'
import { only } from './some-cases.js'

const NAME = 'just-bash in workers'
/** Sections of the contract in which workers matter. All others depend on the interpreter only, and run in this thread's shell. */
const OF_WORKERS = /^(lacks|every exception|exec|open|cwd|env|onOutput|maxBytes|abort|timeout|tree|version|close|output|stdin)\b/

/** The contract's cases for a shell in workers, with the same exceptions as in this thread. */
export const workerContract = (worker: JustBashShellOptions['worker']): void => contractOf(worker, only(OF_WORKERS))

/** The whole shell contract, for the deep tier. */
export const wholeShellContract = (worker: JustBashShellOptions['worker']): void => contractOf(worker, it)

/** The session contract. Each session starts its own worker: in Chromium in the default tier, in Node in the deep tier. */
export function workerSessions(worker: JustBashShellOptions['worker']): void {
  sessionContract({ describe, it }, { name: NAME, ...sharedShell(worker), without: ['processes', 'pty'] })
}

function contractOf(worker: JustBashShellOptions['worker'], run: TestRunner['it']): void {
  shellContract({ describe, it: run }, { name: NAME, ...sharedShell(worker), without: ['processes'], except: EXCEPT })
}

interface Shared extends ShellUnderTest {
  readonly scratch: FsAdapter
}

/**
 * One shell for all cases until a case closes it, because starting its workers takes longer than a case. Each case has an empty workspace,
 * but shares the workers with earlier cases, which may have stopped them.
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
