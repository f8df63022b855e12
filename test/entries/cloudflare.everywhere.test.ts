// @module-tag entries
import { fileTools, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWorkerRuntime } from 'toolport/cloudflare'
import { afterEach, describe, expect, it } from 'vitest'

/** The used part of a Durable Object's `ctx`. test/package/bundling.node.test.ts runs in a real Durable Object. */
const ctx = { waitUntil: () => undefined }
const opened: ToolRuntime[] = []
const open = (options?: Parameters<typeof createWorkerRuntime>[1]): ToolRuntime => {
  const runtime = createWorkerRuntime(ctx, options)
  opened.push(runtime)
  return runtime
}
const names = (runtime: ToolRuntime): string[] => runtime.getModelManifest().map(({ name }) => name)

afterEach(() => Promise.all(opened.splice(0).map((runtime) => runtime.dispose())))

describe('createWorkerRuntime', () => {
  it('gives all tools the same files', async () => {
    const runtime = open({ files: { 'a.txt': 'one\n' } })
    await runtime.call('edit_file', { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] })
    expect(await runtime.call('bash', { command: 'pwd; cat a.txt | tr a-z A-Z | tee b.txt' })).toMatchObject({
      stdout: '/workspace\nTWO\n',
    })
    expect(await runtime.call('grep', { pattern: 'TWO' })).toMatchObject({ matches: [{ path: '/workspace/b.txt' }] })
  })

  it('has the standard tools unless others are given', () => {
    expect(names(open())).toEqual(expect.arrayContaining(['bash', 'edit_file', 'grep']))
    expect(names(open({ shell: false }))).not.toContain('bash')
    expect(names(open({ tools: fileTools() }))).not.toContain('grep')
  })

  it('ends a loop at the limit on commands', async () => {
    const runtime = open({ shell: { limits: { commands: 100 } } })
    const result = (await runtime.call('bash', { command: 'echo begun; while true; do :; done; echo never' })) as Record<string, unknown>
    expect(result).toMatchObject({ stdout: 'begun\n', timed_out: false, aborted: false })
    expect(result.exit_code).not.toBe(0)
  })

  it('accepts a custom storage, without `files`', async () => {
    const fs = createMemoryFs({ files: { a: 'x' } })
    const runtime = open({ storage: fs })
    expect(runtime.workspace.fs).toBe(fs)
    expect(() => open({ storage: fs, files: {} })).toThrow('"files" is not for a storage of your own')
  })

  it('rejects an unknown storage', () => {
    expect(() => open({ storage: 'durable' })).toThrow('new_sqlite_classes')
    expect(() => open({ storage: 'kv' as 'memory' })).toThrow('there is no storage "kv"')
    expect(() => open({ storage: null as unknown as 'memory' })).toThrow('there is no storage "null"')
  })

  it('applies quotas to the workspace', async () => {
    const input = { path: 'a', content: 'more than ten' }
    expect(await open({ quotas: { bytes: 10 } }).execute({ name: 'write_file', input })).toMatchObject({ output: { code: 'ENOSPC' } })
    expect(await open().execute({ name: 'write_file', input })).toMatchObject({ ok: true })
  })
})
