// @module-tag quickjs
import { describe, expect, it } from 'vitest'
import type { FileCalls } from '../../adapters/quickjs/fs/calls.js'
import { createFiles } from '../../adapters/quickjs/fs/files.js'
import type { Job, Services } from '../../adapters/quickjs/job.js'
import { bytesLeft, createMemoryBudget, type MemoryBudget, makeRoom, mayPass } from '../../adapters/quickjs/memory-budget.js'
import type { SnapshotEntry } from '../../adapters/shared/js/snapshot.js'
import fc from '../fast-check.js'

const ROOT = '/workspace'
const MIB = 2 ** 20
const PATHS = ['a', 'b', 'c']
const at = (name: string): string => `${ROOT}/${name}`

function filesOf(entries: readonly SnapshotEntry[], budget: MemoryBudget): FileCalls {
  const job = { snapshot: { root: ROOT, entries, cut: false }, grants: { fs: 'write' }, now: 0 } as unknown as Job
  return createFiles(job, {} as unknown as Services, budget)
}

const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte)
const contentOf = (files: FileCalls, path: string): unknown => files.now({ op: 'read', path, syscall: 'read' }, undefined)
const append = (files: FileCalls, path: string, bytes: Uint8Array): unknown =>
  files.now({ op: 'write', flag: 'a', path, syscall: 'write' }, bytes)

/** Compares with `Buffer`, because a matcher would take seconds to compare each byte. */
const same = (one: unknown, other: Uint8Array | undefined): boolean =>
  one instanceof Uint8Array && other !== undefined && Buffer.compare(one, other) === 0

/** A simple model of the contents of files. */
class Model {
  readonly files = new Map<string, Uint8Array>()

  write(path: string, position: number, bytes: Uint8Array): void {
    const before = this.files.get(path) ?? new Uint8Array()
    const all = new Uint8Array(bytes.length === 0 ? before.length : Math.max(before.length, position + bytes.length))
    all.set(before)
    if (bytes.length > 0) all.set(bytes, position)
    this.files.set(path, all)
  }

  cut(path: string, size: number): void {
    const all = new Uint8Array(size)
    all.set((this.files.get(path) ?? new Uint8Array()).subarray(0, size))
    this.files.set(path, all)
  }

  move(from: string, to: string): void {
    this.files.set(to, this.files.get(from) as Uint8Array)
    if (from !== to) this.files.delete(from)
  }
}

const path = fc.constantFrom(...PATHS)
const size = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 6000 }))
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constantFrom('append', 'write', 'r+' as const), path, size, position: size }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('read', 'part', 'unlink', 'truncate' as const), path, size, position: size }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('rename', 'copy', 'need', 'meta' as const), path, to: path, size }) },
)

describe('a growing file', () => {
  it('has the written content, and its spare capacity counts towards the budget', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.constantFrom(20_000, 60_000, 10 * MIB),
        fc.array(size, { minLength: 3, maxLength: 3 }),
        (steps, maxBytes, sizes) => {
          const model = new Model()
          const entries = PATHS.map((name, n) => {
            const bytes = filled(sizes[n] ?? 0, 200 + n)
            model.files.set(at(name), bytes.slice())
            return { path: at(name), kind: 'file' as const, size: bytes.length, bytes, version: 'v1' }
          })
          const given = entries.map(({ bytes }) => [bytes, bytes.slice()] as const)
          const budget = createMemoryBudget(maxBytes)
          const files = filesOf(entries, budget)
          /** Contents that were handed out, with copies made at that time. */
          const taken: (readonly [Uint8Array, Uint8Array])[] = [...given]
          const take = (answer: unknown): void => {
            if (answer instanceof Uint8Array) taken.push([answer, answer.slice()])
          }
          let byte = 0
          for (const one of steps) {
            const place = at(one.path)
            byte = (byte % 199) + 1
            const bytes = filled(one.size, byte)
            const known = model.files.get(place)
            const ask = (question: object, data?: Uint8Array): unknown => {
              const answer = files.now({ path: place, syscall: 'x', ...question }, data)
              take(answer)
              return answer
            }
            const done = (answer: unknown): boolean => answer === 'null'
            if (one.op === 'append') {
              if (done(ask({ op: 'write', flag: 'a' }, bytes))) model.write(place, known?.length ?? 0, bytes)
            } else if (one.op === 'write') {
              if (done(ask({ op: 'write', flag: 'w' }, bytes))) model.files.set(place, bytes.slice())
            } else if (one.op === 'r+') {
              if (done(ask({ op: 'write', flag: 'r+', position: one.position }, bytes))) model.write(place, one.position, bytes)
            } else if (one.op === 'truncate') {
              if (done(ask({ op: 'truncate', length: one.size }))) model.cut(place, one.size)
            } else if (one.op === 'unlink') {
              if (done(ask({ op: 'unlink' }))) model.files.delete(place)
            } else if (one.op === 'read') ask({ op: 'read' })
            else if (one.op === 'part') {
              const part = ask({ op: 'read', position: one.position, length: one.size })
              if (known) expect(same(part, known.slice(one.position, one.position + one.size))).toBe(true)
            } else if (one.op === 'meta') ask({ op: 'meta', mode: 0o600 })
            else if (one.op === 'need') {
              // All remaining memory can be allocated.
              const left = bytesLeft(budget)
              makeRoom(budget, left)
              expect(budget.files + budget.engine + budget.transit).toBeLessThanOrEqual(budget.maxBytes - left)
            } else {
              const to = at('to' in one ? one.to : '')
              if (!done(ask({ op: one.op, to }))) continue
              if (one.op === 'rename') model.move(place, to)
              else model.files.set(to, (known as Uint8Array).slice())
            }
            expect(budget.spare).toBeGreaterThanOrEqual(0)
            expect(budget.spare).toBeLessThanOrEqual(Math.min(PATHS.length * 4 * MIB, maxBytes / 2))
            expect(budget.files).toBeLessThanOrEqual(maxBytes)
            const own = [...model.files].reduce((sum, [, content]) => sum + content.length, 0)
            const free = given.reduce((sum, [content]) => sum + content.length, 0)
            expect(budget.files).toBeGreaterThanOrEqual(own - 3 * free + budget.spare)
          }
          // At the end, reads parts of the files without a complete read before.
          for (const name of PATHS) {
            const expected = model.files.get(at(name))
            const part = files.now({ op: 'read', path: at(name), position: 0, length: 2 ** 30, syscall: 'read' }, undefined)
            if (expected) expect(same(part, expected)).toBe(true)
            else expect(part).toMatch(/ENOENT/)
          }
          for (const change of files.changes()) {
            if (change.do !== 'write') continue
            expect(same(change.bytes, model.files.get(change.path))).toBe(true)
            // A transferred array takes its whole buffer along, so the buffer must not be larger.
            expect(change.bytes.buffer.byteLength).toBe(change.bytes.length)
          }
          expect(budget.spare).toBe(0)
          for (const [bytes, before] of taken) expect(same(bytes, before)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('has limited spare capacity: at most its length, 4 MiB, and an eighth of the remaining budget', () => {
    const budget = createMemoryBudget(64 * MIB)
    const files = filesOf([], budget)
    files.now({ op: 'write', path: '/tmp/f', syscall: 'x' }, filled(1000, 1))
    expect(budget.spare).toBe(0)
    append(files, '/tmp/f', filled(1000, 1))
    expect(budget.spare).toBe(2000)
    append(files, '/tmp/f', filled(20 * MIB, 1))
    expect(budget.spare).toBe(4 * MIB)
    expect(budget.files).toBeGreaterThan(24 * MIB)
    append(files, '/tmp/f', filled(4 * MIB, 1))
    const left = bytesLeft(budget) - budget.spare - 16 * MIB
    append(files, '/tmp/f', filled(16 * MIB, 1))
    expect(budget.spare).toBeGreaterThan(0)
    expect(budget.spare).toBeLessThanOrEqual(left / 8)
    expect(same(contentOf(files, '/tmp/f'), filled(40 * MIB + 2000, 1))).toBe(true)
    expect(budget.spare).toBe(0)
  })

  it('is rarely copied', () => {
    const budget = createMemoryBudget(256 * MIB)
    const files = filesOf([], budget)
    let grown = 0
    let before = 0
    for (let n = 0; n < 2048; n++) {
      append(files, '/tmp/f', filled(16_384, 1))
      if (budget.files !== before) grown++
      before = budget.files
    }
    // The capacity doubles from 16 KiB to 4 MiB, and then grows by 4 MiB.
    expect(grown).toBeLessThan(30)
    expect(contentOf(files, '/tmp/f')).toHaveLength(2048 * 16_384)
  })

  it('gives spare capacity back to other files, the engine and messages', () => {
    const SIZE = 8 * MIB
    const takes: ((budget: MemoryBudget, files: FileCalls) => void)[] = [
      (budget, files) => {
        const bytes = bytesLeft(budget) - 2048
        expect(files.now({ op: 'write', path: '/tmp/other', syscall: 'x' }, new Uint8Array(bytes))).toBe('null')
      },
      (budget) => makeRoom(budget, bytesLeft(budget)),
      (budget) => expect(mayPass(budget, bytesLeft(budget) + 16 * MIB)).toBe(true),
    ]
    for (const take of takes) {
      const budget = createMemoryBudget(2 * SIZE)
      const files = filesOf([], budget)
      append(files, '/tmp/f', filled(SIZE - 10, 1))
      append(files, '/tmp/f', filled(10, 2))
      expect(budget.spare).toBeGreaterThan(0)
      take(budget, files)
      expect(budget.spare).toBe(0)
      expect(budget.files).toBeLessThanOrEqual(2 * SIZE)
      expect((contentOf(files, '/tmp/f') as Uint8Array).subarray(-11)).toEqual(new Uint8Array([1, ...filled(10, 2)]))
    }
  })
})
