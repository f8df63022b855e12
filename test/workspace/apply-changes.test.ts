// @module-tag branches
import { createWorkspace, type FsAdapter, FsError, type Quotas, type Workspace, type WorkspaceOptions } from 'toolport'
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import { createTestHost, type FaultOperation, type Faults, withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { viewOf } from '../../src/workspace/state.js'
import { applyChanges } from '../../src/workspace/tree-changes/apply.js'
import { anyCall, type Call, firstCalls, outcome } from '../adapters/beside-memory.js'
import fc from '../fast-check.js'
import { withoutMethods } from './slow-fs.js'
import { type Changes, changesBetween, shown, snapshot } from './tree-snapshot.js'

type Do = (fs: MemoryFs) => Promise<unknown>

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

async function treeOf(...make: readonly Do[]): Promise<MemoryFs> {
  const fs = createMemoryFs({ now: () => 0 })
  for (const step of make) await step(fs)
  return fs
}

const dir =
  (path: string, mode?: number): Do =>
  async (fs) => {
    await fs.mkdir(path)
    if (mode !== undefined) await fs.setMeta(path, { mode })
  }
const file =
  (path: string, text: string, mode?: number): Do =>
  async (fs) => {
    await fs.write(path, bytes(text))
    if (mode !== undefined) await fs.setMeta(path, { mode })
  }
const link =
  (path: string, target: string): Do =>
  (fs) =>
    fs.symlink(target, path)

const BEFORE = [
  dir('/a'),
  dir('/a/deep'),
  dir('/a/deep/er'),
  file('/a/deep/er/x', 'x'),
  file('/a/deep/y', 'y'),
  file('/a/gone', 'gone'),
  dir('/a-b'),
  file('/a-b/z', 'z'),
  file('/becomes-dir', 'file', 0o600),
  dir('/becomes-file', 0o700),
  file('/becomes-file/in', 'in it'),
  link('/becomes-file/link', 'in'),
  link('/link', 'a'),
  link('/link-to-file', 'a/gone'),
  file('/mode', 'same', 0o600),
  file('/changed', 'old'),
  file('/same-size', 'old', 0o755),
  dir('/locked', 0o555),
]
const AFTER = [
  dir('/a'),
  dir('/a/new'),
  file('/a/new/one', 'one', 0o755),
  dir('/a-b'),
  file('/a-b/z', 'z'),
  dir('/becomes-dir', 0o711),
  file('/becomes-dir/in', 'now'),
  link('/becomes-dir/link', 'in'),
  file('/becomes-file', 'a file', 0o600),
  link('/link', 'a-b'),
  file('/link-to-file', 'no link'),
  file('/mode', 'same', 0o755),
  file('/changed', 'much longer than before'),
  file('/same-size', 'new', 0o755),
  dir('/locked', 0o755),
  file('/locked/in', '', 0o400),
  dir('/closed', 0o555),
  file('/closed/in', 'in'),
]

async function between(before: readonly Do[], after: readonly Do[]): Promise<{ fs: MemoryFs; diff: Changes; wanted: MemoryFs }> {
  const [fs, wanted] = [await treeOf(...before), await treeOf(...after)]
  return { fs, wanted, diff: changesBetween(await snapshot(fs), await snapshot(wanted)) }
}

const open = (fs: FsAdapter, options: Partial<WorkspaceOptions> = {}): Workspace =>
  createWorkspace({ fs, host: createTestHost(), ...options })
const apply = (workspace: Workspace, diff: Parameters<typeof applyChanges>[1], signal?: AbortSignal): Promise<readonly string[]> =>
  applyChanges(viewOf(workspace), diff, 'restore', signal && { signal })

/** Fails at a call that changes something, before or after its work. Without `once`, all later changing calls fail too. */
function failingAt(fs: FsAdapter, at: number, when: 'before' | 'after' = 'before', once = true): FsAdapter & { readonly faults: Faults } {
  let calls = 0
  const isHit = ({ changes }: FaultOperation): boolean => changes && (once ? ++calls === at : ++calls >= at)
  return withFaults(fs, { fault: when === 'after' ? 'unacknowledged' : 'EIO', when: isHit })
}

/** Matches the end of the faults' error messages. */
const FAULT = /a planned fault at operation \d+$/

const changesIn = ({ faults }: { readonly faults: Faults }): number => faults.operations.filter(({ changes }) => changes).length

describe('applyChanges', () => {
  it('applies every change: kinds, contents, links, modes, deep trees', async () => {
    for (const withBefore of [false, true]) {
      const { fs, wanted, diff } = await between(BEFORE, AFTER)
      const { changes, read, readBefore } = diff
      const shuffled = changes.map((_, i) => changes[(i * 7 + 3) % changes.length] as (typeof changes)[number])
      expect(new Set(shuffled).size, 'the order of the changes does not matter').toBe(changes.length)
      expect(await apply(open(fs), { changes: shuffled, read, ...(withBefore && { readBefore }) })).toEqual([])
      expect(shown(await snapshot(fs))).toEqual(shown(await snapshot(wanted)))
    }
  })

  it('turns any tree into any other', async () => {
    const calls = fc.array(anyCall('a', 'b', 'c-', 'grün'), { maxLength: 30 })
    const run = async (script: readonly Call[]): Promise<MemoryFs> => {
      const fs = createMemoryFs({ now: () => 0 })
      for (const call of [...firstCalls('grün', 'c-'), ...script]) await outcome(fs, call)
      return fs
    }
    await fc.assert(
      fc.asyncProperty(calls, calls, async (one, other) => {
        const [fs, wanted] = [await run(one), await run(other)]
        const { changes, read } = changesBetween(await snapshot(fs), await snapshot(wanted))
        await apply(open(fs), { changes, read })
        expect(shown(await snapshot(fs))).toEqual(shown(await snapshot(wanted)))
      }),
      { numRuns: 300 },
    )
  })

  for (const when of ['before', 'after'] as const) {
    it(`restores everything when any one call fails ${when} it is made`, async () => {
      const { fs: counted, diff: all } = await between(BEFORE, AFTER)
      const whole = failingAt(counted, 0)
      await apply(open(whole), all)
      expect(changesIn(whole)).toBeGreaterThan(30)
      for (let at = 1; at <= changesIn(whole); at++) {
        for (const withBefore of [false, true]) {
          const { fs, diff } = await between(BEFORE, AFTER)
          const before = shown(await snapshot(fs))
          const { changes, read, readBefore } = diff
          const failing = failingAt(fs, at, when)
          const error = await apply(open(failing), { changes, read, ...(withBefore && { readBefore }) }).catch((error: unknown) => error)
          expect(error, `call ${at}`).toMatchObject({ code: 'EIO', detail: expect.stringMatching(FAULT) })
          expect(shown(await snapshot(fs)), `call ${at}`).toEqual(before)
        }
      }
    })
  }

  it('leaves at most one path empty at any interruption', async () => {
    const before = [dir('/x'), dir('/x/deep'), file('/x/deep/in', '1'), dir('/y'), file('/y/in', '2'), file('/z', '3')]
    const after = [file('/x', 'x'), file('/y', 'y'), dir('/z'), file('/z/in', 'z')]
    let empty = 0
    for (let at = 1; ; at++) {
      const { fs, diff } = await between(before, after)
      const done = await apply(open(failingAt(fs, at, 'before', false)), diff).catch(() => undefined)
      if (done) break
      const names = (await fs.readdir('/')).map(({ name }) => name)
      const missing = ['x', 'y', 'z'].filter((name) => !names.includes(name))
      expect(missing.length, `call ${at}: ${names}`).toBeLessThan(2)
      empty = Math.max(empty, missing.length)
    }
    expect(empty).toBe(1)
  })

  it('names exactly what is not restored when the revert fails too', async () => {
    const { fs: counted, diff: all } = await between(BEFORE, AFTER)
    const whole = failingAt(counted, 0)
    await apply(open(whole), all)
    for (let at = 1; at <= changesIn(whole); at++) {
      const { fs, diff } = await between(BEFORE, AFTER)
      const before = await snapshot(fs)
      const error = (await apply(open(failingAt(fs, at, 'before', false)), diff).catch((error: unknown) => error)) as FsError
      const after = await snapshot(fs)
      const left = changesBetween(before, after)
        .changes.map(({ path }) => path)
        .sort()
      const named = [...(error.detail?.split('check ')[1] ?? '').matchAll(/"(\/workspace[^"]*)"/g)].map(([, path]) => path)
      const spare = left.filter((path) => !named.includes(path) && path.includes('/.toolport-new-'))
      expect(new Set([...named, ...spare]), `call ${at}: ${error.message}`).toEqual(new Set(left))
      for (const path of spare) expect(error.message).toContain(`remove "${path}"`)
      expect(error.message).toMatch(left.length > 0 ? /^EIO: Cannot undo \(restore\) .*check "/ : FAULT)
    }
  })

  it.each([
    'ENOENT',
    'EEXIST',
    'EISDIR',
    'ENOTDIR',
    'ENOTEMPTY',
    'EINVAL',
    'EACCES',
    'EROFS',
    'ENOTSUP',
    'EFBIG',
    'ELOOP',
    'EBUSY',
    'ESTALE',
  ] as const)('reverts nothing that the storage rejected with %s', async (code) => {
    const before = [file('/here', 'somebody made it meanwhile'), file('/old', 'old')]
    const fs = await treeOf(...before)
    const write: FsAdapter['write'] = async (path, content, options) => {
      if (path === '/here') throw new FsError({ code, op: 'write', path })
      await fs.write(path, content, options)
    }
    const image = { kind: 'file', size: 3 } as const
    const diff = {
      changes: [
        { path: '/workspace/here', after: image },
        { path: '/workspace/a', after: image },
        { path: '/workspace/old', before: image, after: image },
      ],
      read: async () => bytes('new'),
    }
    await expect(apply(open({ ...fs, write }), diff)).rejects.toMatchObject({ code, path: '/workspace/here' })
    expect(shown(await snapshot(fs))).toEqual(shown(await snapshot(await treeOf(...before))))
  })

  it('reverts everything when the new content cannot be read', async () => {
    const { fs, diff } = await between(BEFORE, AFTER)
    const before = shown(await snapshot(fs))
    const broken = async (path: string): Promise<Uint8Array> => {
      if (path.endsWith('/same-size')) throw new Error('the journal is torn')
      return diff.read(path)
    }
    await expect(apply(open(fs), { ...diff, read: broken })).rejects.toThrow('the journal is torn')
    expect(shown(await snapshot(fs))).toEqual(before)
  })

  it('keeps the version of a file if only its mode differs', async () => {
    const { fs, diff } = await between([file('/f', 'same', 0o600)], [file('/f', 'same', 0o755)])
    const { version } = await fs.lstat('/f')
    await apply(open(fs), diff)
    expect(await fs.lstat('/f')).toMatchObject({ version, mode: 0o755 })
  })

  it('ignores modes on a storage without modes, and rejects links there before any change', async () => {
    const plain = (fs: MemoryFs): FsAdapter => ({
      ...withoutMethods(fs, 'setMeta', 'symlink', 'readlink'),
      can: { ...fs.can, mode: false },
    })
    const files = await between([file('/f', 'old')], [file('/f', 'new', 0o755)])
    await apply(open(plain(files.fs)), files.diff)
    expect(await files.fs.lstat('/f')).toMatchObject({ mode: 0o644 })
    const links = await between([file('/f', 'old')], [file('/f', 'new'), link('/l', 'f')])
    await expect(apply(open(plain(links.fs)), links.diff)).rejects.toMatchObject({ code: 'ENOTSUP', path: '/workspace/l' })
    expect(await links.fs.read('/f')).toEqual(bytes('old'))
  })

  it('replaces a name by one that differs only in case on a case-insensitive storage', async () => {
    // `A` is removed and `a` created. On a case-insensitive storage these are one file, which must exist in the end.
    const order: string[] = []
    const memory = await treeOf(file('/A', 'upper'))
    const fs: FsAdapter = {
      ...memory,
      can: { ...memory.can, caseSensitive: false },
      rename(from, to) {
        order.push(`rename ${from}`)
        return memory.rename(from, to)
      },
      write(path, ...rest) {
        order.push(`write ${path}`)
        return memory.write(path, ...rest)
      },
    }
    const wanted = await treeOf(file('/a', 'lower'))
    await apply(open(fs), changesBetween(await snapshot(fs), await snapshot(wanted)))
    expect(order).toEqual(['rename /A', 'write /a'])
  })

  it('removes old files last, so that a crash loses no content', async () => {
    const { fs, diff } = await between([file('/old-name', 'the content')], [file('/z-name', 'the content')])
    const failing = failingAt(fs, 2, 'before', false)
    await expect(apply(open(failing), diff)).rejects.toMatchObject({ code: 'EIO' })
    expect([...(await snapshot(fs)).keys()]).toEqual(['/', '/old-name', '/z-name'])
  })

  it('creates missing parents, and rejects a parent that is now a file', async () => {
    const fs = await treeOf(file('/f', 'x'))
    const add = (path: string) => ({ changes: [{ path, after: { kind: 'file', size: 1 } as const }], read: async () => bytes('n') })
    await apply(open(fs), add('/workspace/p/q/r'))
    expect([...(await snapshot(fs)).keys()]).toEqual(['/', '/f', '/p', '/p/q', '/p/q/r'])
    await expect(apply(open(fs), add('/workspace/f/q/r'))).rejects.toMatchObject({
      code: 'ENOTDIR',
      path: '/workspace/f',
      detail: 'it is a file now, but a directory is needed',
    })
    const failing = failingAt(fs, 3)
    await expect(apply(open(failing), add('/workspace/n/o/p'))).rejects.toMatchObject({ code: 'EIO' })
    expect([...(await snapshot(fs)).keys()]).toEqual(['/', '/f', '/p', '/p/q', '/p/q/r'])
  })

  it('leaves a directory with files outside the changes, and returns its path', async () => {
    const fs = await treeOf(dir('/d'), dir('/d/e'), file('/d/e/ignored', 'i'), file('/d/f', 'f'))
    const before = { kind: 'dir', size: 0 } as const
    const changes = [
      { path: '/workspace/d', before },
      { path: '/workspace/d/e', before },
      { path: '/workspace/d/f', before: { kind: 'file', size: 1 } as const },
    ]
    expect(await apply(open(fs), { changes, read: async () => bytes('') })).toEqual(['/workspace/d/e', '/workspace/d'])
    expect([...(await snapshot(fs)).keys()]).toEqual(['/', '/d', '/d/e', '/d/e/ignored'])
    const replaced = { changes: [{ path: '/workspace/d', before, after: { kind: 'file', size: 0 } as const }], read: async () => bytes('') }
    await expect(apply(open(fs), replaced)).rejects.toMatchObject({ code: 'ENOTEMPTY', path: '/workspace/d' })
    expect([...(await snapshot(fs)).keys()]).toEqual(['/', '/d', '/d/e', '/d/e/ignored'])
  })

  it('changes nothing of the root except its mode', async () => {
    const fs = await treeOf()
    const root = { kind: 'dir', size: 0, mode: 0o755 } as const
    const read = async (): Promise<Uint8Array> => bytes('')
    await expect(apply(open(fs), { changes: [{ path: '/workspace', before: root }], read })).rejects.toMatchObject({ code: 'EBUSY' })
    await apply(open(fs), { changes: [{ path: '/workspace', before: root, after: { ...root, mode: 0o700 } }], read })
    expect(await fs.lstat('/')).toMatchObject({ mode: 0o700 })
  })

  it('does nothing without changes', async () => {
    const fs = failingAt(await treeOf(), 1, 'before', false)
    expect(await apply(open(fs, { policy: { readOnly: true } }), { changes: [], read: async () => bytes('') })).toEqual([])
  })
})

describe('applyChanges rejects everything before any change', () => {
  async function refused(options: Partial<WorkspaceOptions>, error: Record<string, unknown>, signal?: AbortSignal): Promise<void> {
    const { fs, diff } = await between(BEFORE, AFTER)
    const untouchable = failingAt(fs, 1, 'before', false)
    await expect(apply(open(untouchable, options), diff, signal)).rejects.toMatchObject(error)
  }

  it('rejects all changes in a read-only workspace', () => refused({ policy: { readOnly: true } }, { code: 'EROFS', op: 'restore' }))

  it('rejects all changes if a rule denies one path', () =>
    refused(
      { policy: { paths: [{ paths: 'locked/in', action: 'deny', reason: 'hands off' }] } },
      { code: 'EACCES', path: '/workspace/locked/in', detail: 'hands off' },
    ))

  it('rejects all changes if one path is not approved', () =>
    refused({ policy: { paths: [{ paths: 'a/gone', action: 'ask' }] } }, { code: 'approval_required' }))

  it('rejects all if one file is too large', () => refused({ quotas: { fileBytes: 20 } }, { code: 'EFBIG', path: '/workspace/changed' }))

  it('rejects all changes after an abort', () => refused({}, { message: 'enough' }, AbortSignal.abort(new Error('enough'))))
})

describe('applyChanges and quotas', () => {
  const quotas = (quotas: Quotas): Partial<WorkspaceOptions> => ({ quotas })

  for (const live of [true, false]) {
    const counts = (fs: MemoryFs): FsAdapter => (live ? fs : withoutMethods(fs, 'usage'))

    it(`checks the growth in total, ${live ? 'counted by the storage' : 'counted here'}`, async () => {
      const steps = [[file('/a', '1234567890')], [file('/b', '123456789012')]] as const
      const small = await between(...steps)
      const untouchable = failingAt(counts(small.fs), 1, 'before', false)
      await expect(apply(open(untouchable, quotas({ bytes: 11 })), small.diff)).rejects.toMatchObject({ code: 'ENOSPC' })
      const enough = await between(...steps)
      const workspace = open(counts(enough.fs), quotas({ bytes: 12, files: 1 }))
      await apply(workspace, enough.diff)
      await expect(workspace.writeText('c', '')).rejects.toMatchObject({ code: 'ENOSPC' })
      await workspace.remove('b')
      await workspace.writeText('c', '123456789012')
    })

    it(`restores the count after a failure, ${live ? 'counted by the storage' : 'counted here'}`, async () => {
      const { fs, diff } = await between([file('/a', '12345')], [file('/b', '123456789')])
      const failing = failingAt(counts(fs), 2)
      const workspace = open(failing, quotas({ bytes: 10 }))
      await expect(apply(workspace, diff)).rejects.toMatchObject({ code: 'EIO' })
      await workspace.writeText('c', '12345')
      await expect(workspace.writeText('d', '1')).rejects.toMatchObject({ code: 'ENOSPC' })
    })
  }

  it('removes old files first if the storage is full', async () => {
    const fs = createMemoryFs({ maxBytes: 10, now: () => 0 })
    await fs.write('/a', bytes('12345678'))
    const wanted = await treeOf(file('/b', '1234567890'), file('/c', ''))
    const { changes, read } = changesBetween(await snapshot(fs), await snapshot(wanted))
    await apply(open(fs), { changes, read })
    expect(shown(await snapshot(fs))).toEqual(shown(await snapshot(wanted)))
    const larger = await treeOf(file('/d', '12345678901'))
    const before = shown(await snapshot(fs))
    const grown = changesBetween(await snapshot(fs), await snapshot(larger))
    await expect(apply(open(fs), { changes: grown.changes, read: grown.read })).rejects.toMatchObject({
      code: 'ENOSPC',
      path: '/workspace/d',
    })
    expect(shown(await snapshot(fs))).toEqual(before)
  })
})
