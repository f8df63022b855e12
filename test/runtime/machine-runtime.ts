import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { standard } from 'toolport/presets/standard'
import { afterEach, beforeEach } from 'vitest'
import { createRuntime } from '../../src/runtime/create-runtime.js'
import type { ToolRuntime } from '../../src/runtime/tool-runtime.js'
import type { RuntimePolicy } from '../../src/types/runtime.js'

/** A new directory for each test of the file. */
export let root: string
let runtime: ToolRuntime | undefined

export function withDirectory(): void {
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-security-')))
  })
  afterEach(async () => {
    await runtime?.dispose()
    rmSync(root, { recursive: true, force: true })
  })
}

/** The standard tools in that directory, with this machine's shell. */
export function openRuntime(policy: RuntimePolicy): ToolRuntime {
  runtime = createRuntime({ fs: createNodeFs({ root }), shell: createNodeShell(), preset: standard(), policy })
  return runtime
}
