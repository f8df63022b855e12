// @module-tag zeroclaw
import { fileTools, type MemoryAdapter, type MemoryQuery } from 'toolport'
import { zeroclaw } from 'toolport/presets/zeroclaw'
import { createTestRuntime, type TestWorkspaceOptions } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { done, failed } from './zeroclaw-cases.js'

const MIB = 1024 * 1024

function bench(options: TestWorkspaceOptions, memory?: MemoryAdapter) {
  const { runtime, workspace } = createTestRuntime({ ...options, memory, preset: zeroclaw(), tools: fileTools() })
  const wire = async (name: string, input: unknown, signal?: AbortSignal) => {
    const call = { name, input }
    return runtime.toWire(await runtime.execute(call, { signal }), call)
  }
  return { runtime, workspace, wire }
}

describe('file_read of zeroclaw', () => {
  it('follows a link inside the workspace', async () => {
    const { wire, workspace } = bench({ files: { 'a.txt': 'A' } })
    await workspace.symlink('a.txt', 'link')
    expect(await wire('file_read', { path: 'link' })).toEqual(done('1: A\n[1 lines total]'))
  })

  it('rejects a file whose line numbers would make it far longer', async () => {
    const { wire } = bench({ files: { 'many.txt': '\n'.repeat(4 * MIB) } })
    const error = 'File too large to show with line numbers: read fewer of its 4194304 lines (offset, limit)'
    expect(await wire('file_read', { path: 'many.txt' })).toEqual(failed(error))
    expect(await wire('file_read', { path: 'many.txt', offset: 4_000_000, limit: 1 })).toEqual(
      done('4000000: \n[Lines 4000000-4000000 of 4194304]'),
    )
  })

  it('stops on abort', async () => {
    const { wire } = bench({ files: { 'a.txt': 'x\n'.repeat(500_000) } })
    const controller = new AbortController()
    const reading = wire('file_read', { path: 'a.txt' }, controller.signal)
    setTimeout(() => controller.abort(), 0)
    expect(await reading).toEqual(failed('Cannot finish "file_read": the call was aborted'))
  })

  it('marks the file as read for the tools that write', async () => {
    const { wire, workspace } = bench({ files: { 'a.txt': 'A' } })
    await wire('file_read', { path: 'a.txt' })
    await workspace.writeText('a.txt', 'changed meanwhile')
    expect(await wire('write_file', { path: 'a.txt', content: 'B' })).toMatchObject({
      success: false,
      error: expect.stringMatching(/^ESTALE/),
    })
  })

  it('applies the policy of the workspace with the documented message', async () => {
    const paths = [
      { paths: 'secret', action: 'deny', reason: 'private' },
      { paths: 'asked', action: 'ask' },
    ] as const
    const { wire } = bench({ files: { secret: 'S', asked: 'A' }, policy: { paths } })
    for (const path of ['secret', 'asked']) {
      expect(await wire('file_read', { path })).toMatchObject({
        success: false,
        error: expect.stringMatching(/^Path not allowed by security policy: Cannot resolve "/),
      })
    }
  })
})

describe('structured output of zeroclaw', () => {
  it('is JSON text in the result cap:111', async () => {
    const { wire } = bench({})
    expect(await wire('write_file', { path: 'a.txt', content: 'A' })).toMatchObject({
      success: true,
      output: expect.stringMatching(/^\{"path":"\/workspace\/a.txt","created":true/),
      error: null,
    })
  })
})

describe('memory_recall of zeroclaw', () => {
  const recalling = (recall: MemoryAdapter['recall']) => bench({}, { recall })

  it('requests five memories and passes on its arguments', async () => {
    const asked: MemoryQuery[] = []
    const { wire } = recalling(async (query) => {
      asked.push(query)
      return []
    })
    await wire('memory_recall', { query: 'tea' })
    await wire('memory_recall', { query: 'tea', limit: 2, since: '2025-01-01', until: '2025-01-02T00:00:00.5+02:00' })
    expect(asked).toMatchObject([
      { query: 'tea', limit: 5, signal: expect.any(AbortSignal) },
      { query: 'tea', limit: 2, sinceMs: Date.UTC(2025, 0, 1), untilMs: Date.UTC(2025, 0, 1, 22, 0, 0, 500) },
    ])
    expect(Object.keys(asked[0] as MemoryQuery)).toEqual(['query', 'limit', 'signal'])
  })

  it('shows at most the requested number, one entry per memory', async () => {
    const { wire } = recalling(async () => [
      { text: 'one\n- [core] fake: two\r\nthree\u2028four', key: 'k\ney', score: 0.123 },
      { text: 'second', score: 1 },
      { text: 'third' },
    ])
    expect(await wire('memory_recall', { query: 'x', limit: 2 })).toEqual(
      done('Found 2 memories:\n- k\n  ey: one\n  - [core] fake: two\n  three\n  four [12%]\n- second [100%]'),
    )
  })

  it('reports an error of the memory', async () => {
    expect(await recalling(() => Promise.reject(new Error('the disk is gone'))).wire('memory_recall', { query: 'x' })).toEqual(
      failed('Memory recall failed: the disk is gone'),
    )
  })

  it('is not offered without a memory cap:109', async () => {
    const { runtime, wire } = bench({})
    expect(runtime.getModelManifest().map(({ name }) => name)).not.toContain('memory_recall')
    expect(await wire('memory_recall', { query: 'x' })).toEqual(failed('Cannot run "memory_recall": this runtime has no memory adapter'))
  })

  it('stops on abort', async () => {
    const controller = new AbortController()
    const { wire } = recalling(async () => {
      controller.abort()
      return [{ text: 'late' }]
    })
    expect(await wire('memory_recall', { query: 'x' }, controller.signal)).toEqual(
      failed('Cannot finish "memory_recall": the call was aborted'),
    )
  })
})
