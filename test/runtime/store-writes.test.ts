// @module-tag runtime
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, test } from 'vitest'
import { FsError } from '../../src/errors/index.js'
import type { FsAdapter } from '../../src/types/fs.js'
import { deferred, testRuntime, toolOf, turns } from './support.js'

/** A storage that acknowledges before it stores, and the arguments of its flushes. */
function lateFs(flush: () => Promise<void> = async () => undefined): { readonly fs: FsAdapter; readonly flushed: string[][] } {
  const memory = createMemoryFs()
  const flushed: string[][] = []
  const fs: FsAdapter = {
    ...memory,
    can: { ...memory.can, durableOnAck: false },
    flush: async () => {
      await flush()
      flushed.push((await memory.readdir('/')).map(({ name }) => name))
    },
  }
  return { fs, flushed }
}

const writer = toolOf(async ({ path }, { workspace }) => {
  await workspace.writeText(String(path), 'x')
  return 'done'
})
const call = { name: 'probe', input: { path: 'a' } }
const full = async (): Promise<void> => {
  throw new FsError({ code: 'ENOSPC', op: 'flush', path: '/', detail: 'the browser gives this site no more storage' })
}

describe('writes of a call', () => {
  test('are flushed before its result is returned', async () => {
    const stored = deferred<void>()
    const { fs, flushed } = lateFs(() => stored.promise)
    const { runtime } = testRuntime([writer], { fs })
    let answered = false
    const result = runtime.execute(call).then((given) => {
      answered = true
      return given
    })
    await turns()
    expect(answered).toBe(false)
    stored.resolve()
    expect(await result).toMatchObject({ ok: true, output: 'done' })
    expect(flushed).toEqual([['a']])
  })

  test('are not flushed for a durable storage, a read-only tool or a read-only workspace', async () => {
    const atOnce = lateFs()
    const { runtime } = testRuntime([writer], { fs: { ...atOnce.fs, can: { ...atOnce.fs.can, durableOnAck: true } } })
    await runtime.execute(call)
    const reading = lateFs()
    const reader = toolOf(() => 'seen', { annotations: { readOnlyHint: true } })
    await testRuntime([reader], { fs: reading.fs }).runtime.execute(call)
    const readOnly = lateFs()
    await testRuntime([toolOf(() => 'seen')], { fs: readOnly.fs, policy: { readOnly: true } }).runtime.execute(call)
    expect([atOnce.flushed, reading.flushed, readOnly.flushed]).toEqual([[], [], []])
  })

  test('include the saved output of a read-only tool', async () => {
    const { fs, flushed } = lateFs()
    const reader = toolOf(() => 'x'.repeat(5000), { annotations: { readOnlyHint: true } })
    await testRuntime([reader], { fs, spill: true, limits: { outputBytes: 1000 } }).runtime.execute(call)
    expect(flushed).toEqual([['.toolport']])
  })

  test('writes that cannot be flushed fail the call, with virtual paths', async () => {
    const { runtime, files } = testRuntime([writer], { fs: lateFs(full).fs })
    expect(await runtime.execute(call)).toMatchObject({
      ok: false,
      output: { status: 'error', code: 'ENOSPC', tool: 'probe' },
      error:
        'The changes of "probe" are not stored and may be lost: ENOSPC: Cannot store "/workspace": the browser gives this site no more storage',
    })
    expect(await files()).toEqual({ a: 'x' })
  })

  test('are flushed for a failed call too, which keeps its own error', async () => {
    const failing = toolOf(async ({ path }, { workspace }) => {
      await workspace.writeText(String(path), 'x')
      throw new FsError({ code: 'EISDIR', op: 'write', path: '/workspace/b' })
    })
    const kept = lateFs()
    expect(await testRuntime([failing], { fs: kept.fs }).runtime.execute(call)).toMatchObject({ ok: false, output: { code: 'EISDIR' } })
    expect(kept.flushed).toEqual([['a']])
    const lost = testRuntime([failing], { fs: lateFs(full).fs })
    expect(await lost.runtime.execute(call)).toMatchObject({ ok: false, output: { code: 'EISDIR' } })
    expect(lost.events).toContainEqual(expect.objectContaining({ type: 'log', message: expect.stringContaining('ENOSPC') }))
  })

  test('are awaited at most until the deadline', async () => {
    const { fs } = lateFs(() => new Promise(() => undefined))
    const { runtime, host } = testRuntime([writer], { fs, limits: { graceMs: 0 } })
    const result = runtime.execute(call, { deadlineMs: 20 })
    await turns()
    await host.advance(20)
    expect(await result).toMatchObject({ ok: false, output: { status: 'timeout' } })
  })

  test('are flushed without waiting when the call was aborted', async () => {
    let flushes = 0
    const { fs } = lateFs(() => {
      flushes++
      return new Promise(() => undefined)
    })
    const stop = new AbortController()
    const { runtime } = testRuntime([toolOf(() => new Promise(() => stop.abort()))], { fs, limits: { graceMs: 0 } })
    expect(await runtime.execute(call, { signal: stop.signal })).toMatchObject({ ok: false, output: { status: 'aborted' } })
    expect(flushes).toBe(1)
  })
})
