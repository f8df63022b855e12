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
  /** The result in the preset's own format. Compared as JSON, byte for byte, so the order of fields matters. */
  readonly wire: unknown
  /** The model view, where it is documented. */
  readonly text?: string
}

/** A documented example or error. Its title names the rows of the capability table that it proves: `cap:24 cap:25`. */
export interface TableCase {
  readonly title: string
  /** Path below the root -> content before the calls. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Creates symlinks and directories, and sets times, before the calls. */
  readonly prepare?: (workspace: Workspace) => Promise<unknown>
  /** The calls, in order, in one runtime. */
  readonly calls: readonly TableCall[]
  /** All files after the calls. Default: not checked. */
  readonly after?: Readonly<Record<string, string | Uint8Array>>
}

export interface TableSetting {
  readonly preset: () => Preset
  /** Opens an empty storage for one case. `close` deletes it. */
  readonly open: () => Promise<{ readonly fs: FsAdapter; readonly close?: () => Promise<void> }>
  readonly options?: Pick<CreateRuntimeOptions, 'shell' | 'fetch' | 'model' | 'memory' | 'policy'>
}

/** Runs each case in a new workspace `/workspace`, on any storage. The expected bytes are the same for all storages. */
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
