// @module-tag entries
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { createWorkerRuntime } from 'toolport/cloudflare'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { inside } from '../adapters/durable-object-support.workerd.js'

const text = new TextDecoder()

describe('createWorkerRuntime in a Durable Object', () => {
  inside('keeps the workspace in its storage and writes the initial files once', async (storage) => {
    const ctx = { waitUntil: () => undefined, storage }
    const options = { files: { 'a.txt': 'one\n' } }
    const first = createWorkerRuntime(ctx, options)
    await first.call('edit_file', { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] })
    expect(await first.call('bash', { command: 'cat a.txt | tr a-z A-Z | tee b.txt' })).toMatchObject({ stdout: 'TWO\n' })
    await first.dispose()
    const second = createWorkerRuntime(ctx, options)
    expect(await second.call('bash', { command: 'cat a.txt b.txt' })).toMatchObject({ stdout: 'two\nTWO\n' })
    expect(text.decode(await createDurableObjectFs({ storage }).read('/b.txt'))).toBe('TWO\n')
    await second.dispose()
  })

  inside('takes times from the host', async (storage) => {
    const host = createTestHost({ now: 5000 })
    const runtime = createWorkerRuntime({ waitUntil: () => undefined, storage }, { host, files: { a: 'x' } })
    await runtime.call('read_file', { path: 'a' })
    expect((await createDurableObjectFs({ storage }).lstat('/a')).mtimeMs).toBe(5000)
  })

  inside('does not use the Durable Object storage if memory is chosen', async (storage) => {
    const runtime = createWorkerRuntime({ waitUntil: () => undefined, storage }, { storage: 'memory', files: { a: 'x' } })
    expect(await runtime.call('read_file', { path: 'a' })).toMatchObject({})
    expect(storage.sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'toolport_fs'`).toArray()).toEqual([])
  })

  it('accepts the DurableObjectState, and uses memory in an object without SQLite', async () => {
    await runInDurableObject(env.KEY_VALUE_AGENT.get(env.KEY_VALUE_AGENT.newUniqueId()), async (_, state) => {
      const runtime = createWorkerRuntime(state, { files: { a: 'x' } })
      expect(await runtime.call('write_file', { path: 'b', content: 'y' })).toMatchObject({})
      expect(await createWorkerRuntime(state).execute({ name: 'read_file', input: { path: 'b' } })).toMatchObject({ ok: false })
      expect(() => createWorkerRuntime(state, { storage: 'durable' })).toThrow('new_sqlite_classes')
      expect((await state.storage.list()).size).toBe(0)
    })
  })

  inside('never falls back to memory if the storage is unavailable', async () => {
    const broken = {
      sql: {
        exec: (): never => {
          throw new Error('the storage is being moved')
        },
      },
      transactionSync: <T>(closure: () => T): T => closure(),
      sync: async () => undefined,
    }
    const runtime = createWorkerRuntime({ waitUntil: () => undefined, storage: broken })
    expect(await runtime.execute({ name: 'write_file', input: { path: 'a', content: 'x' } })).toMatchObject({
      ok: false,
      output: { code: 'EIO' },
    })
  })
})
