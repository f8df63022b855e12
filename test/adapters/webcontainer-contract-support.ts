import { createWorkspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWebContainerFs, createWebContainerShell, type WebContainerShellOptions } from 'toolport/adapters/webcontainer'
import { describe, it } from 'vitest'
import type { ShellUnderTest, TestRunner } from '../contract/index.js'
import { FakeContainer, WORKDIR } from './webcontainer-fake.js'

type Run = () => void | Promise<void>

/** A shell of a fake container. The workspace's virtual root equals the folder's path in the container. */
export function inContainer(options: WebContainerShellOptions): ShellUnderTest {
  const root = 'projects/a'
  const workspace = createWorkspace({ fs: createWebContainerFs({ container: new FakeContainer().api, root }), root: `${WORKDIR}/${root}` })
  return { workspace, shell: createWebContainerShell(options)(workspace) }
}

/** The bash inside the fake, without a container. */
function alone(): ShellUnderTest {
  const workspace = createWorkspace({ fs: createMemoryFs() })
  return { workspace, shell: createJustBashShell({ scratch: createMemoryFs() })(workspace) }
}

/**
 * Runs a suite. A failed case is ignored if it also fails with the fake's bash alone, because the failure is then not the adapter's fault.
 * `ofTheFake`: titles of cases that pass with bash alone, but fail because of the fake's own commands (`env`, `pwd`). They are ignored too.
 */
export function inheriting(
  suite: (runner: TestRunner, create: () => ShellUnderTest) => void,
  ofTheFake: readonly string[] = [],
): TestRunner {
  const cases = new Map<string, Run>()
  suite({ describe: (_, body) => body(), it: (title, run) => void cases.set(title, run) }, alone)
  return {
    describe,
    it: (title, run) => {
      it(title, async () => {
        try {
          await run()
        } catch (error) {
          if (!ofTheFake.includes(title) && (await passes(cases.get(title)))) throw error
        }
      })
    },
  }
}

/** Whether the case passes. A case that does not exist counts as passed. */
async function passes(run: Run | undefined): Promise<boolean> {
  try {
    await run?.()
    return true
  } catch {
    return false
  }
}
