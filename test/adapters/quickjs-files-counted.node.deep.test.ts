// @module-tag quickjs
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { FileCalls } from '../../adapters/quickjs/fs/calls.js'
import { createFiles } from '../../adapters/quickjs/fs/files.js'
import type { Job, Services } from '../../adapters/quickjs/job.js'
import { createMemoryBudget, type MemoryBudget } from '../../adapters/quickjs/memory-budget.js'
import type { LiveQuestion } from '../../adapters/shared/js/live-files.js'
import type { SnapshotEntry } from '../../adapters/shared/js/snapshot.js'
import fc from '../fast-check.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const ROOT = '/workspace'
const NAMES = ['a', 'b', 'c']
const inside = NAMES.flatMap((one) => [`${ROOT}/${one}`, ...NAMES.map((two) => `${ROOT}/${one}/${two}`)])
const PATHS = [...inside, '/tmp/a', '/tmp/b', '/tmp/a/b']
/** Bytes per entry besides its name and content. */
const ENTRY = 512
const MAX = 20_000

type Found = Omit<SnapshotEntry, 'path'>

/** Other users of the workspace, who change it while the program runs. */
class Others {
  readonly #entries = new Map<string, Found>()
  /** All contents that were read. */
  readonly read: WeakRef<Uint8Array>[] = []
  readonly handed = new WeakSet<Uint8Array>()
  #versions = 0

  set(path: string, kind: SnapshotEntry['kind'] | 'none', size: number): void {
    for (const known of this.#entries.keys()) if (known.startsWith(`${path}/`)) this.#entries.delete(known)
    const parent = path.slice(0, path.lastIndexOf('/'))
    if (kind === 'none') this.#entries.delete(path)
    else if (parent === ROOT || this.#entries.get(parent)?.kind === 'dir') {
      const target = kind === 'symlink' ? { target: `/tmp/${'./'.repeat(size % 500)}a` } : {}
      this.#entries.set(path, { kind, size: kind === 'dir' ? 0 : size, version: `v${++this.#versions}`, ...target })
    }
  }

  entry(path: string, content = true): SnapshotEntry | undefined {
    if (path === ROOT) return { path, kind: 'dir', size: 0 }
    const found = this.#entries.get(path)
    if (found?.kind !== 'file' || !content) return found && { path, ...found }
    const bytes = new Uint8Array(found.size ?? 0)
    this.read.push(new WeakRef(bytes))
    this.handed.add(bytes)
    return { path, ...found, bytes }
  }

  list(folder: string): SnapshotEntry[] {
    const names = [...this.#entries.keys()].filter((path) => path.slice(0, path.lastIndexOf('/')) === folder)
    return names.flatMap((path) => this.entry(path, false) ?? [])
  }

  async answer(asked: LiveQuestion): Promise<unknown> {
    if (asked.ask === 'list') return this.list(asked.path)
    const size = this.#entries.get(asked.path)?.size ?? 0
    const entry = this.entry(asked.path, asked.ask === 'piece' || size <= (asked.content ?? 0))
    return entry && [entry]
  }
}

const path = fc.constantFrom(...PATHS)
const size = fc.integer({ min: 0, max: 12_000 })
const question = fc.oneof(
  fc.record({ op: fc.constantFrom('read', 'stat', 'lstat', 'unlink', 'rmdir', 'truncate', 'mkdir'), path }),
  fc.record({ op: fc.constant('write'), path, flag: fc.constantFrom('w', 'a') }),
  fc.record({ op: fc.constant('meta'), path, mode: fc.constantFrom(0o600, 0o644) }),
  fc.record({ op: fc.constantFrom('rename', 'copy'), path, to: path, recursive: fc.boolean() }),
  fc.record({ op: fc.constantFrom('rm', 'readdir', 'mkdir'), path, recursive: fc.boolean() }),
  fc.record({ op: fc.constant('symlink'), path, target: path }),
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ by: fc.constant('program' as const), question, size, live: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('others' as const), path: fc.constantFrom(...inside), kind: kinds(), size }) },
)
function kinds(): fc.Arbitrary<SnapshotEntry['kind'] | 'none'> {
  return fc.constantFrom('file', 'file', 'dir', 'symlink', 'none')
}

interface Given {
  readonly names: ReadonlySet<string>
  readonly contents: { has(bytes: Uint8Array): boolean }
}

/** Minimum size of the program's files: the names and contents that did not exist before. */
function seen(files: FileCalls, given: Given): number {
  const listed = files.now({ op: 'readdir', path: '/', recursive: true, syscall: 'scandir' }, undefined)
  const all = JSON.parse(String(listed)) as { path: string; kind: string }[]
  return all.reduce((sum, { path: at, kind }) => {
    const bytes = kind === 'file' ? files.now({ op: 'read', path: at, syscall: 'open' }, undefined) : ''
    const content = bytes instanceof Uint8Array && !given.contents.has(bytes) ? bytes.length : 0
    return sum + content + (given.names.has(at) ? 0 : ENTRY + 2 * at.length)
  }, 0)
}

function start(others: Others, budget: MemoryBudget): { readonly files: FileCalls; readonly given: Given } {
  const entries = inside.flatMap((at) => others.entry(at) ?? [])
  const job = { snapshot: { root: ROOT, entries, cut: true }, grants: { fs: 'write' }, now: 0 } as unknown as Job
  const files = createFiles(job, { file: (asked: LiveQuestion) => others.answer(asked) } as unknown as Services, budget)
  const names = new Set([ROOT, '/tmp', ...entries.map((entry) => entry.path)])
  return { files, given: { names, contents: new Set(entries.flatMap(({ bytes }) => bytes ?? [])) } }
}

/** Bytes of contents that were read while the program ran, and are still referenced. */
async function held({ read }: Others, given: Given['contents']): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  return read.reduce((sum, ref) => {
    const bytes = ref.deref()
    return sum + (bytes && !given.has(bytes) ? bytes.length : 0)
  }, 0)
}

describe('the memory budget for files of a program', () => {
  it('counts exactly what they hold after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ path: fc.constantFrom(...inside), kind: kinds(), size }), { maxLength: 8 }),
        fc.array(step, { maxLength: 40 }),
        async (before, steps) => {
          const others = new Others()
          for (const { path: at, kind, size: length } of before) others.set(at, kind, length)
          const budget = createMemoryBudget(MAX)
          const { files, given } = start(others, budget)
          for (const one of steps) {
            if (one.by === 'others') {
              others.set(one.path, one.kind, one.size)
              continue
            }
            const asked = { syscall: 'x', ...one.question, ...(one.question.op === 'truncate' && { length: one.size }) }
            const bytes = one.question.op === 'write' ? new Uint8Array(one.size) : undefined
            if (one.live) await files.later(asked, bytes)
            else files.now(asked, bytes)
            expect(budget.files).toBeGreaterThanOrEqual(seen(files, given))
            expect(budget.files).toBeLessThanOrEqual(MAX)
          }
          const own = {
            names: given.names,
            contents: { has: (bytes: Uint8Array) => given.contents.has(bytes) || others.handed.has(bytes) },
          }
          expect(budget.files).toBeGreaterThanOrEqual(seen(files, own) + (await held(others, given.contents)))
          for (const at of ['/workspace/a', '/workspace/b', '/workspace/c', '/tmp/a', '/tmp/b'])
            files.now({ op: 'rm', path: at, recursive: true, force: true, syscall: 'rm' }, undefined)
          // Only names and symlink targets that other users have created still count.
          expect(budget.files).toBeLessThanOrEqual(PATHS.length * (600 + 2 * 1010))
          expect(seen(files, given)).toBe(0)
          expect(await held(others, given.contents)).toBe(0)
          files.changes()
        },
      ),
      { numRuns: 400 },
    )
  })
})
