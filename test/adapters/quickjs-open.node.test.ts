// @module-tag quickjs
import { describe, expect, it } from 'vitest'
import type { FileCalls } from '../../adapters/quickjs/fs/calls.js'
import { createFiles } from '../../adapters/quickjs/fs/files.js'
import type { Job, Services } from '../../adapters/quickjs/job.js'
import { createMemoryBudget, type MemoryBudget } from '../../adapters/quickjs/memory-budget.js'

const ROOT = '/workspace'
const MIB = 2 ** 20

function filesOf(bytes: Uint8Array): { readonly files: FileCalls; readonly budget: MemoryBudget } {
  const entries = [{ path: `${ROOT}/f`, kind: 'file' as const, size: bytes.length, bytes, version: 'v1' }]
  const budget = createMemoryBudget(16 * MIB)
  const job = { now: 0, grants: { fs: 'write' }, snapshot: { root: ROOT, entries } } as unknown as Job
  return { files: createFiles(job, {} as Services, budget), budget }
}
const write = { op: 'write', path: `${ROOT}/f`, syscall: 'write', flag: 'r+' }

describe('positions in files', () => {
  it('beyond the memory budget are rejected with ENOSPC without allocation', () => {
    const { files, budget } = filesOf(new Uint8Array([1, 2, 3]))
    for (const position of [20 * MIB, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      expect(files.now({ ...write, position }, new Uint8Array([9]))).toContain('ENOSPC')
      expect(files.now({ ...write, position }, new Uint8Array())).toBe('null')
    }
    expect(budget.files).toBe(0)
    expect(files.now({ op: 'read', path: `${ROOT}/f`, syscall: 'read' }, undefined)).toEqual(new Uint8Array([1, 2, 3]))
    expect(files.now({ op: 'read', path: `${ROOT}/f`, syscall: 'read', position: 2 ** 50, length: 2 ** 50 }, undefined)).toEqual(
      new Uint8Array(),
    )
    expect(files.now({ op: 'read', path: `${ROOT}/f`, syscall: 'read', position: 1, length: 2 ** 50 }, undefined)).toEqual(
      new Uint8Array([2, 3]),
    )
  })

  it('must be non-negative integers', () => {
    const { files } = filesOf(new Uint8Array([1, 2, 3]))
    for (const position of [-1, 1.5, 2 ** 60, '1', null, Number.NaN, {}])
      expect(() => files.now({ ...write, position }, new Uint8Array([9])), String(position)).toThrow(/"position" .* must be of type offset/)
  })

  it('keep the content around them, and a gap is filled with zeros', () => {
    const { files } = filesOf(new Uint8Array([1, 2, 3]))
    expect(files.now({ ...write, position: 1 }, new Uint8Array([9]))).toBe('null')
    expect(files.now({ ...write, position: 5 }, new Uint8Array([8]))).toBe('null')
    expect(files.now({ op: 'read', path: `${ROOT}/f`, syscall: 'read' }, undefined)).toEqual(new Uint8Array([1, 9, 3, 0, 0, 8]))
  })

  it('writes to read-only files are rejected with EBADF', () => {
    const { files } = filesOf(new Uint8Array([1]))
    expect(files.now({ ...write, flag: 'r' }, new Uint8Array([9]))).toContain('EBADF')
    expect(files.changes()).toEqual([])
  })
})
