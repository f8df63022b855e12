import { createWorkspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWebContainerFs, createWebContainerShell, type WebContainerShellOptions } from 'toolport/adapters/webcontainer'
import { describe, it } from 'vitest'
import type { ShellUnderTest, TestRunner } from '../contract/index.js'
import { FakeContainer, WORKDIR } from './webcontainer-fake.js'

type Run = () => void | Promise<void>

/** A shell of a fake container, over a folder in it whose virtual path is the one that the container has for it. */
export function inContainer(options: WebContainerShellOptions): ShellUnderTest {
  const root = 'projects/a'
  const workspace = createWorkspace({ fs: createWebContainerFs({ container: new FakeContainer().api, root }), root: `${WORKDIR}/${root}` })
  return { workspace, shell: createWebContainerShell(options)(workspace) }
}

/** The bash that runs in the fake, by itself. */
function alone(): ShellUnderTest {
  const workspace = createWorkspace({ fs: createMemoryFs() })
  return { workspace, shell: createJustBashShell({ scratch: createMemoryFs() })(workspace) }
}

/**
 * Runs a suite. A case that fails is run once more with the bash in the fake alone: what that cannot do it cannot do in a container either,
 * which is no matter of the adapter. `ofTheFake`: cases that it passes alone, but not where its commands (`env`, `pwd`) are what tells.
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

/** What it does not have it does not fail. */
async function passes(run: Run | undefined): Promise<boolean> {
  try {
    await run?.()
    return true
  } catch {
    return false
  }
}
