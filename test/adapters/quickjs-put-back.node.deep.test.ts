// @module-tag quickjs
import { createWorkspace, type FsAdapter, FsError, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { afterAll, describe, expect, it } from 'vitest'
import type { FileCalls } from '../../adapters/quickjs/fs/calls.js'
import { type Changed, changesOf } from '../../adapters/quickjs/fs/changes-of.js'
import { createFiles } from '../../adapters/quickjs/fs/files.js'
import { newDir, newFile, type TreeNode } from '../../adapters/quickjs/fs/node.js'
import type { Job, Services } from '../../adapters/quickjs/job.js'
import { createMemoryBudget } from '../../adapters/quickjs/memory-budget.js'
import { batchesOf } from '../../adapters/quickjs/vm/execute.js'
import { applyChanges } from '../../adapters/shared/js/apply-changes.js'
import type { Change } from '../../adapters/shared/js/changes.js'
import { takeSnapshot } from '../../adapters/shared/js/take-snapshot.js'
import fc from '../fast-check.js'

const MIB = 2 ** 20
const opened: Workspace[] = []
afterAll(async () => {
  for (const one of opened) await one.close()
})

/** Called before each call that changes the storage. If the promise rejects, the call fails without reaching the storage. */
type Instead = (method: string, path: string) => Promise<void> | undefined

function watchedFs(): { readonly fs: FsAdapter; instead: Instead } {
  const watched = { fs: createMemoryFs(), instead: (() => undefined) as Instead }
  for (const method of ['write', 'unlink', 'rmdir', 'rename', 'copy', 'mkdir', 'symlink', 'setMeta'] as const) {
    const real = watched.fs[method].bind(watched.fs) as (...given: unknown[]) => Promise<void>
    Object.assign(watched.fs, {
      [method]: async (...given: unknown[]) => {
        await watched.instead(method, String(given[0]))
        return real(...given)
      },
    })
  }
  return watched
}

async function treeOf(workspace: Workspace): Promise<Record<string, string>> {
  const found: [string, string][] = []
  for await (const batch of workspace.walk(workspace.root, { ignore: false })) {
    for (const { path, kind } of batch) {
      const content =
        kind === 'file' ? (await workspace.readText(path)).text : kind === 'dir' ? '/' : `-> ${await workspace.readlink(path)}`
      found.push([path.slice(workspace.root.length + 1), content])
    }
  }
  return Object.fromEntries(found)
}

const failing = (path: string): Promise<never> => Promise.reject(new FsError({ code: 'EIO', op: 'write', path }))

describe('a move of a program that cannot be completed', () => {
  const run = async (
    before: (workspace: Workspace) => Promise<unknown>,
    program: string,
    { meanwhile, instead }: { meanwhile?: (workspace: Workspace) => Promise<unknown>; instead?: Instead } = {},
  ): Promise<{
    readonly stderr: string
    readonly exitCode: number | null
    readonly tree: Record<string, string>
    workspace: Workspace
  }> => {
    const watched = watchedFs()
    const workspace = createWorkspace({ fs: watched.fs })
    opened.push(workspace)
    await before(workspace)
    const invokeTool = async (): Promise<void> => {
      await meanwhile?.(workspace)
      if (instead) watched.instead = instead
    }
    const { stderr, exitCode } = await createQuickJs({ worker: false })(workspace).run({
      code: `import fs from 'node:fs'\n${program}\nawait invokeTool('x', {})`,
      grants: { fs: 'write', invokeTool },
    })
    return { stderr, exitCode, tree: await treeOf(workspace), workspace }
  }
  const two = async (workspace: Workspace): Promise<void> => {
    await workspace.writeText('a', 'A')
    await workspace.writeText('b', 'B')
    await workspace.setMeta('b', { mode: 0o600 })
  }
  const SWAP = `fs.renameSync('a', 't'); fs.renameSync('b', 'a'); fs.renameSync('t', 'b')`

  it('exchanges two files and leaves no temporary file, if nothing fails', async () => {
    expect(await run(two, SWAP)).toMatchObject({ stderr: '', exitCode: 0, tree: { a: 'B', b: 'A' } })
  })

  it('changes nothing if the first of two writes fails', async () => {
    const found = await run(two, SWAP, { meanwhile: (workspace) => workspace.writeText('b', 'theirs') })
    expect(found).toMatchObject({ exitCode: 1, tree: { a: 'A', b: 'theirs' } })
    expect(Object.keys(found.tree)).toEqual(['a', 'b'])
  })

  it('keeps the content in a .kept file if the second target was changed', async () => {
    const found = await run(two, SWAP, { meanwhile: (workspace) => workspace.writeText('a', 'theirs') })
    expect(found).toMatchObject({ exitCode: 1, tree: { a: 'theirs', b: 'A', 'b.kept': 'B' } })
    expect(found.stderr).toMatch(/^ESTALE: .*\nKEPT: Cannot move ".*\/b" to ".*\/a": it is in ".*\/b\.kept"\n$/)
    expect(await found.workspace.lstat('b.kept')).toMatchObject({ mode: 0o600 })
  })

  it('keeps the content in an unused .kept name if the storage fails', async () => {
    const before = async (workspace: Workspace): Promise<void> => {
      await two(workspace)
      await workspace.writeText('b.kept', 'theirs')
    }
    const program = `${SWAP}; fs.writeFileSync('b.kept-2', 'mine')`
    const instead: Instead = (method, path) => (method === 'write' && path.endsWith('/a') ? failing(path) : undefined)
    expect(await run(before, program, { instead })).toMatchObject({
      exitCode: 1,
      tree: { a: 'A', b: 'A', 'b.kept': 'theirs', 'b.kept-2': 'mine', 'b.kept-3': 'B' },
    })
  })

  it('changes nothing if the storage is full', async () => {
    const instead: Instead = (method, path) =>
      method === 'copy' ? Promise.reject(new FsError({ code: 'ENOSPC', op: 'copy', path })) : undefined
    const found = await run(two, SWAP, { instead })
    expect(found).toMatchObject({ exitCode: 1, tree: { a: 'A', b: 'B' } })
    expect(found.stderr).toMatch(/^ENOSPC/)
  })

  it('restores the removed entry with its mode', async () => {
    const before = async (workspace: Workspace): Promise<void> => {
      await workspace.writeText('a', 'A')
      await workspace.setMeta('a', { mode: 0o700 })
      await workspace.writeText('d/x', 'X')
      await workspace.symlink('a', 'l')
    }
    const program = `fs.renameSync('d/x', 't'); fs.rmdirSync('d'); fs.renameSync('t', 'd'); fs.renameSync('l', 'm'); fs.mkdirSync('l'); fs.renameSync('m', 'l/in')`
    const fine = await run(before, program)
    expect(fine).toMatchObject({ stderr: '', exitCode: 0, tree: { a: 'A', d: 'X', l: '/', 'l/in': '-> a' } })
    expect(Object.keys(fine.tree)).toHaveLength(4)
    const instead: Instead = (method, path) =>
      (method === 'write' && path.endsWith('/d')) || (method === 'symlink' && path.endsWith('/in')) || method === 'mkdir'
        ? failing(path)
        : undefined
    const found = await run(before, program, { instead: (method, path) => (path.endsWith('/d') ? instead(method, path) : undefined) })
    expect(found).toMatchObject({ exitCode: 1, tree: { a: 'A', 'x.kept': 'X', l: '/', 'l/in': '-> a' } })
    const index = `fs.renameSync('a', 'x'); fs.mkdirSync('a'); fs.renameSync('x', 'a/index')`
    const noDir: Instead = (method, path) => (method === 'mkdir' || path.endsWith('index') ? failing(path) : undefined)
    const back = await run(before, index, { instead: noDir })
    expect(back).toMatchObject({ exitCode: 1, tree: { a: 'A', d: '/', 'd/x': 'X', l: '-> a' } })
    expect(back.stderr).toMatch(/KEPT: Cannot move ".*\/a" to ".*\/a\/index": it is back where it was\n$/)
    expect(await back.workspace.lstat('a')).toMatchObject({ mode: 0o700 })
    const noIndex: Instead = (method, path) => (method === 'write' && path.endsWith('index') ? failing(path) : undefined)
    const beside = await run(before, index, { instead: noIndex })
    expect(beside).toMatchObject({ exitCode: 1, tree: { a: '/', 'a.kept': 'A' } })
    expect(await beside.workspace.lstat('a.kept')).toMatchObject({ mode: 0o700 })
  })

  it('restores the removed entry if a link out of the workspace cannot be recreated', async () => {
    const before = async (workspace: Workspace): Promise<void> => {
      await workspace.writeText('b', 'B')
      await workspace.fs.symlink?.('../../../outside', 'a')
    }
    const found = await run(before, SWAP)
    expect(found).toMatchObject({ exitCode: 1 })
    expect(Object.values(found.tree)).toEqual(expect.arrayContaining(['-> ../../../outside', 'B']))
  })

  for (const worker of [false, undefined]) {
    it(`loses nothing if the program is stopped halfway, ${worker === false ? 'in this thread' : 'in a worker'}`, async () => {
      const watched = watchedFs()
      const workspace = createWorkspace({ fs: watched.fs })
      opened.push(workspace)
      await two(workspace)
      const stop = new AbortController()
      let goOn = (): void => undefined
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      watched.instead = (method, path) => {
        if (method !== 'write' || !path.endsWith('/a')) return undefined
        stop.abort()
        return held.then(() => failing(path))
      }
      const js = createQuickJs(worker === undefined ? {} : { worker })(workspace)
      const ended = await js.run({ code: `import fs from 'node:fs'\n${SWAP}`, signal: stop.signal })
      expect(ended).toMatchObject({ exitCode: null, aborted: true })
      expect(await treeOf(workspace)).toEqual({ a: 'A', b: 'A', 'b.kept': 'B' })
      goOn()
      await js.close?.()
      await expect.poll(() => treeOf(workspace)).toEqual({ a: 'A', b: 'A', 'b.kept': 'B' })
    })
  }

  it('reports what was restored if the program is stopped', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    opened.push(workspace)
    await two(workspace)
    const stop = new AbortController()
    const changes: Change[] = [
      { do: 'remove', path: '/workspace/a', kind: 'file' },
      { do: 'mkdir', path: '/workspace/other' },
      { do: 'write', path: '/workspace/a/index', bytes: new Uint8Array(), from: '/workspace/a' },
    ]
    const signal = stop.signal
    const mkdir = workspace.fs.mkdir.bind(workspace.fs)
    workspace.fs.mkdir = (path) => {
      stop.abort()
      return mkdir(path)
    }
    expect(await applyChanges(workspace, changes, 'write', signal)).toEqual([
      'KEPT: Cannot move "/workspace/a" to "/workspace/a/index": it is back where it was',
    ])
    expect(await treeOf(workspace)).toEqual({ a: 'A', b: 'B', other: '/' })
  })
})

describe('batches of changes', () => {
  const write = (path: string, size: number, from?: string): Change => ({
    do: 'write',
    path,
    bytes: new Uint8Array(size),
    ...(from !== undefined && { from }),
  })

  it('are split by size, but related moves stay together', () => {
    const changes = [
      write('/1', 5 * MIB),
      write('/2', 5 * MIB),
      write('/a', 5 * MIB, '/b'),
      write('/3', 5 * MIB),
      write('/b', 5 * MIB, '/a'),
      write('/4', 5 * MIB),
    ]
    expect([...batchesOf(changes)].map((batch) => batch.map(({ path }) => path))).toEqual([['/1'], ['/2'], ['/a', '/3', '/b'], ['/4']])
    const removal = [{ do: 'remove', path: '/a', kind: 'file' } as const, ...changes.slice(0, 3), write('/a/x', 1, '/a'), write('/5', 1)]
    expect([...batchesOf(removal)].map((batch) => batch.length)).toEqual([5, 1])
  })

  it('a batch of moves into a replacing directory contain nothing else', () => {
    const file = (size: number, from?: string): TreeNode => ({
      ...newFile(0, new Uint8Array(size)),
      ino: 1,
      ...(from !== undefined && { from }),
    })
    const dir: TreeNode = { ...newDir(0), ino: 1 }
    const replaced = (path: string): Changed => ({ path, before: { path, kind: 'file' }, after: dir })
    const changes = changesOf([
      replaced('/a'),
      ...['0', '1', '2', '3'].map((name) => ({ path: `/a/${name}`, before: undefined, after: file(5 * MIB) })),
      replaced('/z'),
      { path: '/z/z', before: undefined, after: file(1, '/z') },
    ])
    const sizes = [...batchesOf(changes)].map((batch) => batch.filter((change) => change.do === 'write' && change.bytes.length > 1).length)
    expect(sizes).toEqual([1, 1, 1, 1])
  })
})

const NAMES = ['a', 'b', 'c', 'd/x', 'd/y', 'e/x', 'l', 'm']
const ROOT = '/workspace'
const path = fc.constantFrom('a', 'b', 'c', 'd', 'd/x', 'd/y', 'e', 'e/x', 'l', 'm', 't', 'a/x', 'l/x', 't/x')
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('rename'), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('mkdir', 'rmdir', 'unlink', 'write'), path }) },
)

describe('moved files', () => {
  it('are all present at the end, whatever fails', async () => {
    const fault = fc.record({
      at: fc.nat(30),
      how: fc.constantFrom('fails', 'fails from now on', 'is stopped', 'others write' as const),
      others: path,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), fault, async (steps, { at, how, others }) => {
        const watched = watchedFs()
        const workspace = createWorkspace({ fs: watched.fs })
        for (const name of NAMES.slice(0, 6)) await workspace.writeText(name, `content of ${name}`)
        for (const name of NAMES.slice(6)) await workspace.symlink(`target-of-${name}`, name)
        const files = await filesOf(workspace)
        for (const one of steps) {
          const asked = { ...one, path: `${ROOT}/${one.path}`, ...('to' in one && { to: `${ROOT}/${one.to}` }), syscall: 'x' }
          files.now(asked, one.op === 'write' ? new TextEncoder().encode('made') : undefined)
        }
        const wanted = leftOf(files)
        let calls = 0
        let busy = false
        const stop = new AbortController()
        watched.instead = (_, path) => {
          if (busy || (how === 'fails from now on' ? calls++ < at : calls++ !== at)) return undefined
          if (how.startsWith('fails')) return failing(path)
          if (how === 'is stopped') stop.abort()
          return undefined
        }
        if (how === 'others write') {
          busy = true
          const there = (await treeOf(workspace))[others]
          // Other users do not overwrite contents that must be preserved.
          if (there === undefined || !wanted.has(there)) await workspace.writeText(others, 'theirs').catch(() => undefined)
        }
        const kept = new Set<string>()
        for (const batch of batchesOf(files.changes())) await applyChanges(workspace, batch, 'write', stop.signal, kept)
        watched.instead = () => undefined
        const found = new Set(Object.values(await treeOf(workspace)))
        for (const content of wanted) expect(found).toContain(content)
        await workspace.close()
      }),
      { numRuns: 1000 },
    )
  })
})

async function filesOf(workspace: Workspace): Promise<FileCalls> {
  const snapshot = await takeSnapshot(workspace, {})
  const job = { snapshot, grants: { fs: 'write' }, now: 0 } as unknown as Job
  return createFiles(job, {} as unknown as Services, createMemoryBudget(64 * MIB))
}

/** Contents and symlink targets of the original entries that the program has kept. */
function leftOf(files: FileCalls): Set<string> {
  const entries = JSON.parse(String(files.now({ op: 'readdir', path: ROOT, recursive: true, syscall: 'x' }, undefined))) as {
    readonly path: string
    readonly kind: string
  }[]
  const contents = entries.flatMap(({ path: at, kind }) => {
    if (kind === 'symlink') return [`-> ${JSON.parse(String(files.now({ op: 'readlink', path: at, syscall: 'x' }, undefined)))}`]
    const bytes = kind === 'file' ? files.now({ op: 'read', path: at, syscall: 'x' }, undefined) : undefined
    return bytes instanceof Uint8Array ? [new TextDecoder().decode(bytes)] : []
  })
  return new Set(contents.filter((content) => content !== 'made'))
}
