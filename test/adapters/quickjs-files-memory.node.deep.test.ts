// @module-tag quickjs
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { FileCalls } from '../../adapters/quickjs/fs/calls.js'
import { createFiles } from '../../adapters/quickjs/fs/files.js'
import type { Job, Services } from '../../adapters/quickjs/job.js'
import { createMemoryBudget, type MemoryBudget } from '../../adapters/quickjs/memory-budget.js'
import type { SnapshotEntry } from '../../adapters/shared/js/snapshot.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const ROOT = '/workspace'
const SIZE = 100_000
const MIB = 2 ** 20
const FILES = 20
/** Tolerance in bytes for names and similar small values. */
const SMALL = 50_000

/** Name -> asynchronous request for a file. `other` is another file that was not read before. */
const OPERATIONS: Readonly<Record<string, (path: string, other: string) => object>> = {
  reading: (path) => ({ op: 'read', path }),
  'a mode': (path) => ({ op: 'meta', path, mode: 0o600 }),
  'a time': (path) => ({ op: 'meta', path, mtimeMs: 1 }),
  removing: (path) => ({ op: 'unlink', path }),
  writing: (path) => ({ op: 'write', path }),
  appending: (path) => ({ op: 'write', path, flag: 'a' }),
  'truncating a file': (path) => ({ op: 'truncate', path, length: 10 }),
  renaming: (path) => ({ op: 'rename', path, to: `${path}-new` }),
  'renaming over another file': (path, other) => ({ op: 'rename', path, to: other }),
  copying: (path) => ({ op: 'copy', path, to: `${path}-new` }),
  'copying over another file': (path, other) => ({ op: 'copy', path, to: other }),
}

function filesOf(
  entries: readonly SnapshotEntry[],
  budget: MemoryBudget,
  file: (asked: unknown) => Promise<unknown> = async () => undefined,
): FileCalls {
  const job = { snapshot: { root: ROOT, entries, cut: true }, grants: { fs: 'write' }, now: 0 } as unknown as Job
  return createFiles(job, { file } as unknown as Services, budget)
}

/** Collects garbage until `isLeft` holds. One collection is not enough, because the stack may still hold references. */
async function collected(isLeft: () => boolean): Promise<void> {
  for (let round = 0; round < 30 && !isLeft(); round++) {
    await new Promise((resolve) => setTimeout(resolve, round))
    collect()
  }
}

describe('content read with asynchronous calls', () => {
  for (const given of [true, false]) {
    for (const [kind, question] of Object.entries(OPERATIONS)) {
      it(`is held only while counted: ${kind}, ${given ? 'of files that the program found' : 'of files that were too many to find'}`, async () => {
        const read: WeakRef<Uint8Array>[] = []
        let version = 0
        // Other users change the files meanwhile, so each read returns another content.
        const file = async (asked: unknown): Promise<unknown> => {
          const { path } = asked as { path: string }
          const bytes = new Uint8Array(SIZE)
          read.push(new WeakRef(bytes))
          return path.endsWith('-new') ? undefined : [{ path, kind: 'file', size: SIZE, bytes, version: `v${++version}` }]
        }
        const names = Array.from({ length: FILES * 2 }, (_, n) => `${ROOT}/f${n}`)
        const entries = names.map((path) => ({
          path,
          kind: 'file' as const,
          size: SIZE,
          ...(given && { bytes: new Uint8Array(SIZE), version: 'v0' }),
        }))
        const budget = createMemoryBudget(100 * SIZE)
        const files = filesOf(entries, budget, file)
        const works = async (n: number): Promise<boolean> => {
          const answer = await files.later({ ...question(`${ROOT}/f${n}`, `${ROOT}/f${FILES + n}`), syscall: 'open' }, undefined)
          return answer instanceof Uint8Array || answer === 'null'
        }
        for (let n = 0; n < FILES; n++) expect(await works(n)).toBe(true)
        const held = (): number => read.filter((ref) => ref.deref()).length * SIZE
        await collected(() => held() <= budget.files)
        expect(read.length).toBeGreaterThanOrEqual(FILES)
        expect(held()).toBeLessThanOrEqual(budget.files)
        expect(budget.files).toBeLessThan(budget.maxBytes)
        files.changes()
        // Contents that the program replaces afterwards are neither counted nor referenced.
        for (const path of names) files.now({ op: 'write', path, syscall: 'open' }, new Uint8Array())
        for (const path of names) files.now({ op: 'rm', path: `${path}-new`, force: true, syscall: 'rm' }, undefined)
        await collected(() => held() === 0)
        expect(held()).toBe(0)
        expect(budget.files).toBeLessThan(SMALL)
        expect(files.changes().length).toBeGreaterThan(0)
      })
    }
  }

  it('is held once while its version is unchanged', async () => {
    const bytes = new Uint8Array(SIZE)
    const path = `${ROOT}/a`
    const entry = { path, kind: 'file' as const, size: SIZE, bytes, version: 'v1' }
    const budget = createMemoryBudget(SIZE / 2)
    const file = async (): Promise<unknown> => [{ ...entry, bytes: new Uint8Array(SIZE) }]
    const files = filesOf([entry], budget, file)
    await files.later({ op: 'read', path, syscall: 'open' }, undefined)
    expect(files.now({ op: 'read', path, syscall: 'open' }, undefined)).toHaveLength(SIZE)
    expect(budget.files).toBe(0)
    expect(files.now({ op: 'rename', path, to: `${ROOT}/b`, syscall: 'rename' }, undefined)).toBe('null')
    expect(budget.files).toBeLessThan(2000)
    expect(files.now({ op: 'read', path: `${ROOT}/b`, syscall: 'open' }, undefined)).toHaveLength(SIZE)
  })
})

describe('entries that a program discovers or creates', () => {
  it('count when a copy replaces a link', () => {
    const budget = createMemoryBudget(64 * MIB)
    const { now } = filesOf([], budget)
    now({ op: 'mkdir', path: '/tmp/from', syscall: 'mkdir' }, undefined)
    now({ op: 'write', path: '/tmp/from/l', syscall: 'open' }, new Uint8Array([1]))
    for (let n = 0; n < 20; n++) {
      now({ op: 'mkdir', path: `/tmp/d${n}`, syscall: 'mkdir' }, undefined)
      expect(now({ op: 'symlink', path: `/tmp/d${n}/l`, target: 'x'.repeat(4000), syscall: 'symlink' }, undefined)).toBe('null')
      expect(now({ op: 'symlink', path: '/tmp/long', target: 'x'.repeat(MIB), syscall: 'symlink' }, undefined)).toMatch(
        /ENAMETOOLONG.{0,100}$/,
      )
      expect(now({ op: 'copy', path: '/tmp/from', to: `/tmp/d${n}`, recursive: true, syscall: 'cp' }, undefined)).toBe('null')
      expect(now({ op: 'lstat', path: `/tmp/d${n}/l`, syscall: 'lstat' }, undefined)).toContain('"kind":"file"')
      expect(now({ op: 'read', path: `/tmp/d${n}/l`, syscall: 'open' }, undefined)).toEqual(new Uint8Array([1]))
    }
    expect(budget.files).toBeLessThan(SMALL)
    now({ op: 'mkdir', path: '/tmp/from/sub', syscall: 'mkdir' }, undefined)
    expect(now({ op: 'copy', path: '/tmp/from/l', to: '/tmp/from/sub', syscall: 'copyfile' }, undefined)).toContain('EISDIR')
    now({ op: 'symlink', path: '/tmp/link', target: 'from', syscall: 'symlink' }, undefined)
    expect(now({ op: 'copy', path: '/tmp/from', to: '/tmp/from/sub/x', recursive: true, syscall: 'cp' }, undefined)).toContain('EINVAL')
  })

  it('count for each discovered name', async () => {
    const budget = createMemoryBudget(MIB)
    const files = filesOf([], budget, async (asked) => [{ path: (asked as { path: string }).path, kind: 'dir', size: 0 }])
    let said: unknown = ''
    for (let n = 0; n < 10_000 && !String(said).includes('ENOSPC'); n++) {
      said = await files.later({ op: 'stat', path: `${ROOT}/a/b/c${n}`, syscall: 'stat' }, undefined)
    }
    expect(said).toContain('ENOSPC')
    expect(budget.files).toBeGreaterThan(MIB / 2)
  })

  it('are requested one path component at a time', async () => {
    const budget = createMemoryBudget(MIB)
    const asked: unknown[] = []
    const files = filesOf([], budget, async (question) => {
      const { path } = question as { path: string }
      asked.push(path)
      if (path.includes('none')) return undefined
      return [path.endsWith('.txt') ? { path, kind: 'file', size: 0, bytes: new Uint8Array() } : { path, kind: 'dir', size: 0 }]
    })
    expect(await files.later({ op: 'stat', path: `${ROOT}/none/../a.txt`, syscall: 'stat' }, undefined)).toContain('ENOENT')
    expect(asked.splice(0)).toEqual([`${ROOT}/none`])
    expect(await files.later({ op: 'stat', path: `${ROOT}/./sub//a.txt`, syscall: 'stat' }, undefined)).toContain('"kind":"file"')
    expect(asked.splice(0)).toEqual([`${ROOT}/sub`, `${ROOT}/sub/a.txt`])
    expect(await files.later({ op: 'stat', path: `${ROOT}/other/../a.txt`, syscall: 'stat' }, undefined)).toContain('"kind":"file"')
    expect(asked).toEqual([`${ROOT}/other`, `${ROOT}/a.txt`])
  })

  it('free budget when a file has become another kind of entry', async () => {
    const budget = createMemoryBudget(100 * SIZE)
    const found: object[] = [
      { kind: 'file', size: 5 * SIZE, bytes: new Uint8Array(5 * SIZE), version: 'v2' },
      { kind: 'dir', size: 0 },
      { kind: 'file', size: SIZE, bytes: new Uint8Array(SIZE), version: 'v3' },
      { kind: 'symlink', size: 1, target: 'b' },
    ]
    const entry = { path: `${ROOT}/a`, kind: 'file' as const, size: SIZE, bytes: new Uint8Array(SIZE), version: 'v1' }
    const files = filesOf([entry], budget, async (asked) =>
      (asked as { path: string }).path === entry.path ? [{ path: entry.path, ...found.shift() }] : undefined,
    )
    const taken: number[] = []
    for (let n = 0; n < 4; n++) {
      await files.later({ op: 'stat', path: entry.path, syscall: 'stat' }, undefined)
      taken.push(budget.files)
    }
    // A symlink's target counts two bytes per UTF-16 unit.
    expect(taken).toEqual([5 * SIZE, 0, SIZE, 2 * 'b'.length])
  })

  it('stay if their directory was removed or became a link', async () => {
    for (const found of [undefined, { kind: 'symlink', size: 1, target: '/tmp' }, { kind: 'file', size: 0, bytes: new Uint8Array() }]) {
      const files = filesOf([{ path: `${ROOT}/d`, kind: 'dir' }], createMemoryBudget(MIB), async (asked) =>
        found ? [{ path: (asked as { path: string }).path, ...found }] : undefined,
      )
      files.now({ op: 'write', path: `${ROOT}/d/own`, syscall: 'open' }, new Uint8Array([1]))
      await files.later({ op: 'stat', path: `${ROOT}/d`, syscall: 'stat' }, undefined)
      expect(files.changes()).toEqual([{ do: 'write', path: `${ROOT}/d/own`, bytes: new Uint8Array([1]) }])
    }
  })

  it('count link targets, and a denied directory can be passed through', async () => {
    const budget = createMemoryBudget(MIB)
    const denied = Object.assign(new Error('no'), { code: 'EACCES' })
    const files = filesOf([], budget, async (asked) => {
      const { ask, path } = asked as { ask: string; path: string }
      if (path.endsWith('/vault')) throw denied
      if (ask === 'list')
        return Array.from({ length: 500 }, (_, n) => ({ path: `${path}/l${n}`, kind: 'symlink', target: 'x'.repeat(4000) }))
      return [{ path, kind: 'dir', size: 0 }]
    })
    expect(await files.later({ op: 'stat', path: `${ROOT}/vault/public`, syscall: 'stat' }, undefined)).toContain('"kind":"dir"')
    expect(await files.later({ op: 'stat', path: `${ROOT}/vault`, syscall: 'stat' }, undefined)).toContain('EACCES')
    expect(await files.later({ op: 'readdir', path: `${ROOT}/many`, syscall: 'scandir' }, undefined)).toContain('ENOSPC')
  })

  it('keep the root directory, and keep mode and time in a rename over a file', () => {
    const { now, changes } = filesOf(
      [{ path: `${ROOT}/g`, kind: 'file', size: 0, bytes: new Uint8Array(), mode: 0o600, version: 'v1' }],
      createMemoryBudget(MIB),
    )
    expect(now({ op: 'rename', path: '/', to: '/tmp/x', syscall: 'rename' }, undefined)).toContain('EACCES')
    expect(now({ op: 'rename', path: '/tmp', to: '/', syscall: 'rename' }, undefined)).toContain('EACCES')
    now({ op: 'write', path: `${ROOT}/f`, mode: 0o755, syscall: 'open' }, new Uint8Array([1]))
    now({ op: 'meta', path: `${ROOT}/f`, mtimeMs: 5, syscall: 'utime' }, undefined)
    expect(now({ op: 'rename', path: `${ROOT}/f`, to: `${ROOT}/g`, syscall: 'rename' }, undefined)).toBe('null')
    expect(JSON.parse(String(now({ op: 'stat', path: `${ROOT}/g`, syscall: 'stat' }, undefined)))).toMatchObject({
      mode: 0o755,
      mtimeMs: 5,
      size: 1,
    })
    expect(changes()).toEqual([
      { do: 'write', path: `${ROOT}/g`, bytes: new Uint8Array([1]), expect: 'v1' },
      { do: 'meta', path: `${ROOT}/g`, mode: 0o755, mtimeMs: 5 },
    ])
  })
})
