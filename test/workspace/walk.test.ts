// @module-tag list-glob
import { createWorkspace, FsError, type WalkEntry, type WalkFilter, type WalkOptions, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { drain } from './attack-calls.js'
import { slowFs } from './slow-fs.js'

const open = (files: Record<string, string>): Workspace => createTestWorkspace({ files }).workspace
const names = async (workspace: Workspace, start = '.', options: WalkOptions = {}): Promise<string[]> =>
  (await drain(workspace.walk(start, options))).map(({ path, kind }) => path.slice('/workspace/'.length) + (kind === 'dir' ? '/' : ''))

/** Sorted by code unit within each directory, with a directory before its entries. */
async function naive(workspace: Workspace, folder = '/workspace', depth = 1): Promise<WalkEntry[]> {
  const found: WalkEntry[] = []
  for (const { name, kind, size } of (await workspace.list(folder)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${name}`
    found.push({ path, name, kind, ...(size !== undefined && { size }), depth })
    if (kind === 'dir') found.push(...(await naive(workspace, path, depth + 1)))
  }
  return found
}

const name = fc.constantFrom('a', 'b', 'B', 'a.b', 'a-b', 'é', '\u{1f600}', '\uffee', '0', '.x', '_', 'aa')
const tree = fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 4 }), { selector: (parts) => parts.join('/'), maxLength: 25 })

/** Files by path. No path is a directory of another. */
const files = tree.map((paths) => {
  const all = paths.map((parts) => parts.join('/'))
  return Object.fromEntries(all.filter((path) => !all.some((other) => other.startsWith(`${path}/`))).map((path) => [path, path]))
})

describe('walk', () => {
  it('returns the entries of a naive recursion in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (content) => {
        const workspace = open(content)
        expect(await drain(workspace.walk('.', { ignore: false }))).toEqual(await naive(workspace))
      }),
    )
  })

  it('continues after any entry with exactly the rest', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.constantFrom(1, 2, Number.POSITIVE_INFINITY), async (content, maxDepth) => {
        const workspace = open(content)
        const options = { ignore: false, maxDepth }
        const all = await drain(workspace.walk('.', options))
        for (const [i, { path }] of all.entries()) {
          expect(await drain(workspace.walk('.', { ...options, after: path }))).toEqual(all.slice(i + 1))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('continues with ignore rules, hidden names and a filter, from any start', async () => {
    const workspace = open({
      '.gitignore': 'skip\n*.log\n',
      '.hidden/x': '',
      'a/b/c.ts': '',
      'a/b/d.log': '',
      'a/skip/x.ts': '',
      'a/z.ts': '',
      'a.ts': '',
      'b/a/a/a.ts': '',
      'b/a/a.ts': '',
    })
    const onlyTs: WalkFilter<null> = {
      start: null,
      enter: (_, dir) => (dir === 'nope' ? undefined : null),
      accept: (_, n) => n.endsWith('.ts'),
    }
    for (const [start, options] of [
      ['.', {}],
      ['.', { hidden: false }],
      ['a', {}],
      ['b', { filter: onlyTs as WalkFilter }],
      ['.', { filter: onlyTs as WalkFilter, hidden: false }],
    ] as [string, WalkOptions][]) {
      const all = await drain(workspace.walk(start, options))
      expect(all.length).toBeGreaterThan(0)
      for (const [i, { path }] of all.entries()) {
        expect(await drain(workspace.walk(start, { ...options, after: path }))).toEqual(all.slice(i + 1))
      }
    }
  })

  it('continues after an entry that is gone or was a directory', async () => {
    const workspace = open({ 'a/1': '', 'a/3': '', 'b/1': '', c: '' })
    expect(await names(workspace, '.', { after: '/workspace/a/2' })).toEqual(['a/3', 'b/', 'b/1', 'c'])
    expect(await names(workspace, '.', { after: '/workspace/aa/x/y' })).toEqual(['b/', 'b/1', 'c'])
    expect(await names(workspace, '.', { after: '/workspace/c/x' })).toEqual([])
    expect(await names(workspace, '.', { after: '/workspace/a/1/x' })).toEqual(['a/3', 'b/', 'b/1', 'c'])
    expect(await names(workspace, 'a', { after: '/workspace/a' })).toEqual(['a/1', 'a/3'])
    await expect(names(workspace, 'a', { after: '/workspace/b/1' })).rejects.toMatchObject({ code: 'invalid_path' })
    await expect(names(workspace, '.', { after: '/elsewhere' })).rejects.toMatchObject({ name: 'WorkspaceError' })
  })

  it('continues after a name that is not a valid input path', async () => {
    const fs = createMemoryFs()
    for (const path of ['/a\\b', '/a\\c', '/z']) await fs.write(path, new Uint8Array())
    const workspace = createWorkspace({ fs })
    const all = await drain(workspace.walk('.'))
    expect(all.length).toBe(3)
    expect(await drain(workspace.walk('.', { after: all[0]?.path as string }))).toEqual(all.slice(1))
  })

  it('reports links and does not follow them', async () => {
    const workspace = open({ 'a/x': '' })
    await workspace.symlink('.', 'a/loop')
    await workspace.symlink('a', 'link')
    expect(await names(workspace)).toEqual(['a/', 'a/loop', 'a/x', 'link'])
    expect(await names(workspace, 'link')).toEqual(['a/loop', 'a/x'])
  })

  it('applies maxDepth and hidden', async () => {
    const workspace = open({ 'a/b/c': '', d: '', '.h/x': '', 'a/.i': '' })
    expect(await names(workspace, '.', { maxDepth: 1 })).toEqual(['.h/', 'a/', 'd'])
    expect(await names(workspace, '.', { maxDepth: 2, hidden: false })).toEqual(['a/', 'a/b/', 'd'])
    expect(await names(workspace, '.', { hidden: false })).toEqual(['a/', 'a/b/', 'a/b/c', 'd'])
    expect(await names(workspace, '.h', { hidden: false })).toEqual(['.h/x'])
  })

  it('applies nested .gitignore files, and leaves out .git and saved outputs', async () => {
    const workspace = open({
      '.gitignore': '*.log\n/build\nlogs/\n!keep.log\n',
      '.git/config': '',
      '.toolport/outputs/1.txt': '',
      '.toolport/other': '',
      'outputs/mine': '',
      'keep.log': '',
      'drop.log': '',
      'build/x': '',
      'src/build/x': '',
      'src/.gitignore': '!special.log\n/local\n',
      'src/special.log': '',
      'src/local': '',
      'src/deep/local': '',
      'src/deep/special.log': '',
      'src/deep/.gitignore': 'special.log\n',
      'logs/x': '',
      'src/.git': 'gitdir: elsewhere',
    })
    expect((await names(workspace)).filter((path) => !path.endsWith('/'))).toEqual([
      '.gitignore',
      '.toolport/other',
      'keep.log',
      'outputs/mine',
      'src/.gitignore',
      'src/build/x',
      'src/deep/.gitignore',
      'src/deep/local',
      'src/special.log',
    ])
    expect((await names(workspace, '.', { ignore: false })).length).toBeGreaterThan(20)
    expect(await names(workspace, 'src/deep'), 'the rules above the start hold too').toEqual(['src/deep/.gitignore', 'src/deep/local'])
  })

  it('lists an ignored directory that is the start', async () => {
    const workspace = open({ '.gitignore': 'node_modules\n*.log\n', 'node_modules/p/a.js': '', 'node_modules/p/b.log': '' })
    expect(await names(workspace)).toEqual(['.gitignore'])
    expect(await names(workspace, 'node_modules')).toEqual(['node_modules/p/', 'node_modules/p/a.js', 'node_modules/p/b.log'])
    expect(await names(workspace, 'node_modules/p')).toEqual(['node_modules/p/a.js', 'node_modules/p/b.log'])
  })

  it('rejects a start that is not a directory', async () => {
    const workspace = open({ a: '' })
    await expect(names(workspace, 'a')).rejects.toMatchObject({ code: 'ENOTDIR', path: '/workspace/a' })
    await expect(names(workspace, 'missing')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(names(workspace, '..')).rejects.toMatchObject({ code: 'path_outside_workspace' })
  })

  it('reports unreadable directories to a callback, or rejects', async () => {
    const fs = createMemoryFs({ files: { 'a/x': '', 'b/x': '', 'c/x': '' } })
    const { readdir } = fs
    const broken = async (path: string) => {
      if (path === '/b') throw new FsError({ code: 'EACCES', op: 'list', path })
      return readdir(path)
    }
    const workspace = createWorkspace({ fs: { ...fs, readdir: broken } })
    await expect(names(workspace)).rejects.toMatchObject({ code: 'EACCES', path: '/workspace/b' })
    const told: string[] = []
    expect(await names(workspace, '.', { onError: (path) => told.push(path) })).toEqual(['a/', 'a/x', 'b/', 'c/', 'c/x'])
    expect(told).toEqual(['/workspace/b'])
  })

  it('skips directories that disappear meanwhile', async () => {
    const workspace = open(Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`d${String(i).padStart(3, '0')}/x`, ''])))
    const seen: string[] = []
    for await (const run of workspace.walk('.', { onError: () => undefined })) {
      if (seen.length === 0) await workspace.remove('d699', { recursive: true })
      seen.push(...run.map(({ path }) => path))
    }
    expect(seen).toContain('/workspace/d698/x')
    expect(seen).not.toContain('/workspace/d699/x')
  })

  it('stops reading when its consumer stops', async () => {
    const fs = createMemoryFs({ files: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`d${i}/x`, ''])) })
    let reads = 0
    const readdir: typeof fs.readdir = (path) => {
      reads++
      return fs.readdir(path)
    }
    const workspace = createWorkspace({ fs: { ...fs, readdir } })
    for await (const run of workspace.walk('.')) {
      expect(run.length).toBeGreaterThan(0)
      break
    }
    expect(reads).toBeLessThan(600)
  })

  it('reads only a few directories ahead', async () => {
    const fs = slowFs(createMemoryFs({ files: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d${i}/e/x`, ''])) }))
    let [open, most] = [0, 0]
    const counted = async (path: string) => {
      most = Math.max(most, ++open)
      try {
        return await fs.readdir(path)
      } finally {
        open--
      }
    }
    expect((await names(createWorkspace({ fs: { ...fs, readdir: counted } }))).length).toBe(180)
    expect(most).toBeGreaterThan(2)
    expect(most).toBeLessThanOrEqual(9)
  })
})
