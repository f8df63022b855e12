// @module-tag git
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createGit } from 'toolport/adapters/git'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { gitAdapterSession } from '../workspace/git-session.js'
import { nativeGit } from './git-native-support.js'
import { bareFs } from './git-support.js'

const { folder, native, exported, fsck } = nativeGit()

for (const [name, fs] of [['memory', createMemoryFs()] as const, ['memory without links and modes', bareFs()] as const]) {
  it(`native git reads what the git adapter wrote, exported from ${name}`, async () => {
    const workspace = createWorkspace({ fs })
    const session = await gitAdapterSession(workspace)
    const root = await exported(workspace)
    expect(fsck(root)).toBe('')
    expect(native(root, ['rev-parse', 'main', 'topic']).trim().split('\n')).toEqual([session.merged, session.onBranch])
    expect(native(root, ['status', '--porcelain'])).toBe('')
  })
}

type State = Readonly<Record<string, string>>

/** Files by path. No path is below another. */
const state = (): fc.Arbitrary<State> =>
  fc
    .dictionary(fc.constantFrom('a', 'b', 'd', 'd/x', 'd/y', 'e'), fc.constantFrom('1\n', '2\n', '3\n'), { maxKeys: 5 })
    .map((files) => Object.fromEntries(Object.entries(files).filter(([path]) => !(path.startsWith('d/') && 'd' in files))))

function put(root: string, files: State): void {
  for (const name of readdirSync(root)) if (name !== '.git') rmSync(join(root, name), { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

function treeOf(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(root, below))) {
    const path = below ? `${below}/${name}` : name
    if (path === '.git') continue
    if (lstatSync(join(root, path)).isDirectory()) Object.assign(found, treeOf(root, path))
    else found[path] = readFileSync(join(root, path), 'utf8')
  }
  return found
}

function prepare(head: State, target: State, index: State, work: State): string {
  const root = folder()
  native(root, ['init', '-q', '-b', 'main'])
  put(root, target)
  native(root, ['add', '-A'])
  native(root, ['commit', '-qm', 'target', '--allow-empty'])
  native(root, ['branch', 'target'])
  put(root, head)
  native(root, ['add', '-A'])
  native(root, ['commit', '-qm', 'head', '--allow-empty'])
  put(root, index)
  native(root, ['add', '-A'])
  put(root, work)
  return root
}

const clash = (files: State, others: State): boolean => 'd' in files && Object.keys(others).some((path) => path.startsWith('d/'))

const looks = (root: string): unknown => [treeOf(root), native(root, ['ls-files', '-s']), native(root, ['symbolic-ref', 'HEAD'])]

describe('checkout accepts and rejects like native git', () => {
  it('checkout matches native git for any combination of commit, target, index and worktree', async () => {
    let accepted = 0
    let refused = 0
    const sides = fc.tuple(state(), state(), state(), state(), fc.integer({ min: 0, max: 3 }))
    await fc.assert(
      fc.asyncProperty(sides, async ([head, target, other, mine, mix]) => {
        // Often the index or the worktree equals an earlier state, as in real repositories.
        const index = mix === 0 ? other : head
        const work = mix < 2 ? mine : mix === 2 ? index : { ...index, e: '3\n' }
        const theirs = prepare(head, target, index, work)
        const ours = prepare(head, target, index, work)
        const before = looks(ours)
        const git = createGit({ workspace: createWorkspace({ fs: createNodeFs({ root: ours }) }) })
        let nativeDid = true
        try {
          native(theirs, ['checkout', '-q', 'target'])
        } catch {
          nativeDid = false
        }
        const failure = await git.checkout({ ref: 'target' }).then(
          () => undefined,
          (error: unknown) => error as Error,
        )
        if (failure) {
          // The library refused: it has changed nothing, and native git refuses too.
          expect(failure.message).toContain('local changes would be lost')
          expect(looks(ours)).toEqual(before)
          // Except where a file is staged and the target has a directory, or the reverse: native git then omits the commit's own files.
          if (!clash(target, index) && !clash(index, target)) expect(nativeDid).toBe(false)
          refused++
        } else {
          if (nativeDid) expect(looks(ours)).toEqual(looks(theirs))
          // If native git refuses, the library may succeed only if every file that it changed had its committed content.
          else for (const [path, content] of Object.entries(work)) if (treeOf(ours)[path] !== content) expect(head[path]).toBe(content)
          accepted++
        }
        rmSync(theirs, { recursive: true })
        rmSync(ours, { recursive: true })
      }),
      { numRuns: 30 },
    )
    expect(accepted).toBeGreaterThan(2)
    expect(refused).toBeGreaterThan(2)
  }, 600_000)
})
