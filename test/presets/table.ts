import {
  type CreateRuntimeOptions,
  createRuntime,
  createWorkspace,
  type FsAdapter,
  type Preset,
  toModelText,
  type Workspace,
} from 'toolport'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

export interface TableCall {
  readonly name: string
  readonly input?: unknown
  readonly id?: string
  /** The result in the preset's own shape. Compared as JSON, byte for byte, so that the order of its fields counts. */
  readonly wire: unknown
  /** What a model reads, where that is documented too. */
  readonly text?: string
}

/** One documented example or error. Its title holds the rows of the capability table that it proves: `cap:24 cap:25`. */
export interface TableCase {
  readonly title: string
  /** Path below the root -> content, before the calls. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Links, directories and times, before the calls. */
  readonly prepare?: (workspace: Workspace) => Promise<unknown>
  /** In order, in one runtime. */
  readonly calls: readonly TableCall[]
  /** Every file after the calls. Default: not looked at. */
  readonly after?: Readonly<Record<string, string | Uint8Array>>
}

export interface TableSetting {
  readonly preset: () => Preset
  /** An empty storage for one case, and how it is cleared away. */
  readonly open: () => Promise<{ readonly fs: FsAdapter; readonly close?: () => Promise<void> }>
  readonly options?: Pick<CreateRuntimeOptions, 'shell' | 'fetch' | 'model' | 'memory' | 'policy'>
}

/** Runs every case in a workspace `/workspace` of its own, over whatever storage: the expected bytes are the same for all. */
export function presetTable(name: string, cases: readonly TableCase[], { preset, open, options }: TableSetting): void {
  describe(name, () => {
    it.each(cases.map((given) => [given.title, given] as const))('%s', async (_, { files = {}, prepare, calls, after }) => {
      const { fs, close } = await open()
      const host = createTestHost()
      const workspace = createWorkspace({ fs, host, root: '/workspace' })
      for (const [path, content] of Object.entries(files)) {
        await (typeof content === 'string' ? workspace.writeText(path, content) : workspace.writeBytes(path, content))
      }
      await prepare?.(workspace)
      const runtime = createRuntime({ ...options, workspace, host, preset: preset() })
      for (const { wire, text, ...call } of calls) {
        const result = await runtime.execute(call)
        expect(JSON.stringify(runtime.toWire(result, call), null, 2)).toBe(JSON.stringify(wire, null, 2))
        if (text !== undefined) expect(toModelText(result)).toBe(text)
      }
      if (after) expect(await workspace.files()).toEqual(after)
      await runtime.dispose()
      await close?.()
    })
  })
}
