import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { createTestWorkspace, type JsUnderTest } from 'toolport/testing'
import { afterAll } from 'vitest'

/** One adapter for all cases of a contract, because starting a worker takes longer than a case. Each case has an empty workspace. */
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
