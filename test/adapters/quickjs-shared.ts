import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { createTestWorkspace, type JsUnderTest } from 'toolport/testing'
import { afterAll } from 'vitest'

/** One adapter for the cases of a contract, each of which finds an empty workspace: to start a worker or engine takes longer than a case. */
export function sharedQuickJs(options: QuickJsOptions): { create(): Promise<JsUnderTest>; dispose(): void } {
  const { workspace } = createTestWorkspace()
  const js = createQuickJs(options)(workspace)
  afterAll(() => js.close?.())
  return {
    async create() {
      for (const { name } of await workspace.list('.')) await workspace.remove(name, { recursive: true })
      return { js, workspace }
    },
    dispose: () => undefined,
  }
}
