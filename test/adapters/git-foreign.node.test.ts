// @module-tag git
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createGit, gitCommand } from 'toolport/adapters/git'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterAll, describe, expect, it } from 'vitest'
import { gitEnvironment } from '../setup/native-git.js'
import { author } from './git-support.js'

const base = mkdtempSync(join(tmpdir(), 'git-foreign-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

function native(cwd: string, script: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', script], { cwd, env: gitEnvironment(base), encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout
}

/** All files of a directory, with their bytes. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => `${name} ${readFileSync(join(folder, name)).toString('base64')}`)
    .sort()
}

const FURNISH = `
git config user.name A; git config user.email a@example.com
mkdir -p d other; echo one > a; echo two > d/b; echo three > other/c
git add .; git commit -qm one; git branch next
`

/** Repositories with features that the library does not know or would damage, and the words of the error. */
const FOREIGN: readonly (readonly [what: string, script: string, words: RegExp, dir: string])[] = [
  ['a split index', `git init -q; ${FURNISH} git update-index --split-index`, /its index is split \(core\.splitIndex\)/, '.'],
  [
    'a sparse index',
    `git init -q; ${FURNISH} git sparse-checkout set --cone --sparse-index d`,
    /sparse checkout|extension "worktreeconfig"/,
    '.',
  ],
  [
    'an index of version 4',
    `git init -q; ${FURNISH} git update-index --index-version 4`,
    /its index has version 4.*--index-version 2/,
    '.',
  ],
  ['SHA-256', `git init -q --object-format=sha256; ${FURNISH}`, /named by sha256/, '.'],
  ['a sparse checkout', `git init -q; ${FURNISH} git config core.sparseCheckout true`, /sparse checkout/, '.'],
  ['a worktree elsewhere', `git init -q; ${FURNISH} git config core.worktree "$PWD"`, /core\.worktree/, '.'],
  ['an unknown extension', `git init -q; ${FURNISH} git config extensions.refStorage reftable`, /"refstorage" \(reftable\)/, '.'],
  ['HEAD as a symbolic link', `git init -q; ${FURNISH} ln -sf "$(git symbolic-ref HEAD)" .git/HEAD`, /HEAD is a symbolic link/, '.'],
  [
    'a name that is not UTF-8',
    `git init -q; ${FURNISH} touch $'caf\\xe9'; git add .; git commit -qm two; rm caf*`,
    /a name that is not UTF-8/,
    '.',
  ],
  ['skip-worktree files', `git init -q; ${FURNISH} git update-index --skip-worktree a; rm a`, /pass over "a".*--no-skip-worktree/, '.'],
  ['files assumed unchanged', `git init -q; ${FURNISH} git update-index --assume-unchanged a; echo x > a`, /--no-assume-unchanged/, '.'],
  ['included settings', `git init -q; ${FURNISH} git config include.path other.config`, /includes other settings/, '.'],
  ['ignore rules elsewhere', `git init -q; ${FURNISH} git config core.excludesFile x`, /core\.excludesFile/, '.'],
  ['attributes elsewhere', `git init -q; ${FURNISH} git config core.attributesFile x`, /core\.attributesFile/, '.'],
  ['safecrlf', `git init -q; ${FURNISH} git config core.safecrlf true`, /core\.safecrlf/, '.'],
  [
    'settings that are not UTF-8',
    `git init -q; ${FURNISH} printf '[user]\\n name = Andr\\xe9\\n[core]\\n sparseCheckout = true\\n' >> .git/config`,
    /sparse checkout/,
    '.',
  ],
  [
    'borrowed objects',
    `git init -q main; cd main; ${FURNISH} cd ..; git clone -qs main copy 2> /dev/null; cd copy; git branch next`,
    /borrows objects/,
    'copy',
  ],
  ['a newer repository format', `git init -q; ${FURNISH} git config core.repositoryformatversion 2`, /version 2/, '.'],
  ['a linked worktree', `git init -q main; cd main; ${FURNISH} git worktree add -q ../tree next; cd ..`, /".git" is a file/, 'tree'],
]

describe('a repository that isomorphic-git would damage is rejected before anything is written', () => {
  it.each(FOREIGN)('%s', async (_, script, words, dir) => {
    const root = mkdtempSync(join(base, 'repo-'))
    native(root, script)
    const before = filesOf(root)
    const workspace = createWorkspace({ fs: createNodeFs({ root }) })
    const git = createGit({ workspace, author, dir })
    const calls = {
      status: () => git.status(),
      add: () => git.add({ paths: ['.'] }),
      remove: () => git.remove({ paths: ['a'] }),
      commit: () => git.commit({ message: 'two' }),
      checkout: () => git.checkout({ ref: 'next' }),
      createBranch: () => git.createBranch({ name: 'more' }),
      log: () => git.log(),
    }
    for (const [name, call] of Object.entries(calls))
      await expect(call(), name).rejects.toMatchObject({ code: 'ENOTSUP', message: expect.stringMatching(words) })
    expect(filesOf(root)).toEqual(before)
  })

  it('accepts index extensions and settings that git may ignore', async () => {
    const root = mkdtempSync(join(base, 'repo-'))
    native(
      root,
      `git init -q; ${FURNISH} echo n > new; git add -N new; git sparse-checkout set d; git sparse-checkout disable; git config core.untrackedCache true; git update-index --force-untracked-cache; git config extensions.preciousObjects true; git config core.sparseCheckout false`,
    )
    const git = createGit({ workspace: createWorkspace({ fs: createNodeFs({ root }) }), author })
    await git.checkout({ ref: 'next' })
    await git.remove({ paths: ['a'] })
    await git.commit({ message: 'two' })
    expect(native(root, 'git fsck --strict; git log --format=%s next')).toBe('two\none\n')
  })

  it('rejects a commit or checkout during a merge', async () => {
    const root = mkdtempSync(join(base, 'repo-'))
    native(root, `git init -q -b main; ${FURNISH} git checkout -q next; echo n > n; git add n; git commit -qm next; git checkout -q main`)
    native(root, 'echo m > m; git add m; git commit -qm more; git merge -q --no-commit next')
    const git = createGit({ workspace: createWorkspace({ fs: createNodeFs({ root }) }), author })
    const refusal = { code: 'ENOTSUP', message: expect.stringContaining('a merge is under way') }
    await expect(git.commit({ message: 'two' })).rejects.toMatchObject(refusal)
    await expect(git.checkout({ ref: 'next' })).rejects.toMatchObject(refusal)
    expect((await git.status()).map(({ path }) => path)).toEqual(['n'])
    expect(native(root, 'git commit -qm merged; git log -1 --format=%P').trim().split(' ')).toHaveLength(2)
  })

  it('does not write the index while native git holds its lock', async () => {
    const root = mkdtempSync(join(base, 'repo-'))
    native(root, `git init -q -b main; ${FURNISH} echo 2 > a; git commit -qam two; echo 3 > a; touch .git/index.lock`)
    const workspace = createWorkspace({ fs: createNodeFs({ root }) })
    const git = createGit({ workspace, author })
    const shell = createJustBashShell({ scratch: createMemoryFs(), commands: [gitCommand({ author })] })(workspace)
    const before = filesOf(root)
    const calls = [
      () => git.add({ paths: ['.'] }),
      () => git.remove({ paths: ['d'] }),
      () => git.commit({ message: 'no', allowEmpty: true }),
      () => git.checkout({ ref: 'next', force: true }),
    ]
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({ code: 'EBUSY', message: expect.stringContaining('.git/index.lock') })
    const lines = ['add a', 'rm d/b', 'mv d e', 'commit -am x', 'checkout next', 'checkout HEAD -- a', 'restore a', 'reset', 'reset --hard']
    for (const line of lines) {
      const { exitCode, stderr } = await shell.exec(`git ${line}`)
      expect([line, exitCode === 0, stderr]).toEqual([line, false, expect.stringContaining('another git is at work')])
    }
    expect(filesOf(root)).toEqual(before)
    expect(await git.status()).toMatchObject([{ path: 'a' }])
    rmSync(join(root, '.git/index.lock'))
    await git.add({ paths: ['.'] })
  })

  it('neither deletes nor checks out the branch of another worktree', async () => {
    const root = mkdtempSync(join(base, 'repo-'))
    native(root, `git init -q main; cd main; ${FURNISH} git worktree add -q ../tree next`)
    const git = createGit({ workspace: createWorkspace({ fs: createNodeFs({ root }) }), author, dir: 'main' })
    await expect(git.deleteBranch({ name: 'next' })).rejects.toThrow('the branch "next" is checked out in another worktree')
    await expect(git.checkout({ ref: 'next' })).rejects.toThrow('the branch "next" is checked out in another worktree')
    expect(native(root, 'cd tree; git status -sb')).toBe('## next\n')
  })
})

/** Runs the same lines in bash with native git and in the virtual shell, in two copies of a repository. */
async function compare(script: string, lines: readonly string[]): Promise<{ readonly ours: string }> {
  const [theirs, ours] = [mkdtempSync(join(base, 'repo-')), mkdtempSync(join(base, 'repo-'))]
  native(theirs, `git init -q -b main; ${script}`)
  cpSync(theirs, ours, { recursive: true, verbatimSymlinks: true })
  const workspace = createWorkspace({ fs: createNodeFs({ root: ours }) })
  const shell = createJustBashShell({ scratch: createMemoryFs(), commands: [gitCommand({ author })] })(workspace)
  for (const line of lines) {
    const { stdout, stderr } = await shell.exec(line)
    expect(stderr, line).toBe('')
    expect(stdout, line).toBe(native(theirs, line))
  }
  return { ours }
}

describe('the git command in repositories created by native git', () => {
  it('shows conflicts like native git until the files are added', async () => {
    const both = 'for f in uu dd ud du plain; do echo base > $f; done; git add .; git commit -qm base; git checkout -qb next'
    const next = 'echo n > uu; echo n > aa; git mv dd dd-n; git rm -q du; echo n > ud; git add .; git commit -qm next; git checkout -q main'
    const main = 'echo m > uu; echo m > aa; git mv dd dd-m; git rm -q ud; echo m > du; git add .; git commit -qm main; ! git merge -q next'
    await compare(`git config user.name A; git config user.email a@example.com; ${both}; ${next}; ${main}`, [
      'git status -s',
      'git status',
      'git status --porcelain -b',
      'echo new > new; git status',
      'git add .; git status',
      'git ls-files -s',
    ])
    const root = mkdtempSync(join(base, 'repo-'))
    native(root, `git init -q -b main; git config user.name A; git config user.email a@example.com; ${both}; ${next}; ${main}`)
    const git = createGit({ workspace: createWorkspace({ fs: createNodeFs({ root }) }), author })
    const unmerged = ['aa', 'dd', 'dd-m', 'dd-n', 'du', 'ud', 'uu'].map((path) => ({ path, staged: 'unchanged', worktree: 'conflict' }))
    expect(await git.status()).toEqual(unmerged)
    expect(await git.status({ paths: ['dd'] })).toEqual(unmerged.slice(1, 2))
    await git.add({ paths: ['.'] })
    expect((await git.status()).filter(({ worktree }) => worktree === 'conflict')).toEqual([])
    const stashed = 'echo 2 > a; git stash -q; echo 3 > a; git commit -qam three; ! git stash pop -q'
    await compare(`${FURNISH} ${stashed}`, ['git status -s', 'git status', 'git reset -q; git status -s'])
  })

  it.each([
    ['a file', 'rm -r d; echo mine > d', "'d' is a file"],
    ['a link to a directory', 'mkdir e; echo mine > e/b; rm -r d; ln -s e d', "'d' is a link"],
    [
      'a file in place of an outer directory',
      'mkdir -p deep/er; echo 1 > deep/er/f; git add .; git commit -qm two; rm -r deep; echo mine > deep',
      "'deep' is a file",
    ],
  ])('does not restore a file below %s', async (_, before, words) => {
    const root = mkdtempSync(join(base, 'repo-'))
    native(root, `git init -q -b main; ${FURNISH} ${before}`)
    const shell = createJustBashShell({ scratch: createMemoryFs(), commands: [gitCommand({ author })] })(
      createWorkspace({ fs: createNodeFs({ root }) }),
    )
    const files = filesOf(root)
    const path = words.includes('deep') ? 'deep/er/f' : 'd/b'
    for (const line of [`git checkout HEAD -- ${path}`, `git restore ${path}`, `git restore -s HEAD ${path}`, 'git reset --hard'])
      expect(await shell.exec(line), line).toMatchObject({ exitCode: 128, stderr: `fatal: ${words}: move it away first\n` })
    expect(filesOf(root)).toEqual(files)
  })

  it('updates sizes in the index, so that native git sees no changes', async () => {
    const attributes = "printf '*.txt text eol=crlf\\n' > .gitattributes; printf 'x\\n' > a.txt; git add .; git commit -qm two"
    const sizes = (root: string): string[] =>
      [...native(root, 'git ls-files --debug').matchAll(/size: (\d+)/g)].map(([, size]) => size ?? '')
    const { ours } = await compare(`${FURNISH} ${attributes}`, ['rm a.txt a; git checkout -q -- a.txt a; cat a.txt'])
    expect(sizes(ours)).toEqual(['20', '4', '3', '4', '6'])
    expect(native(ours, 'git diff-files -p')).toBe('')
    const reset = await compare(`${FURNISH} echo longer > a; git commit -qam two`, ['git reset -q --hard HEAD~1; cat a', 'git status -s'])
    expect(sizes(reset.ours)).toEqual(['4', '4', '6'])
  })

  it('replaces directories by files, and back', async () => {
    const swap = 'git rm -rq a d; mkdir a; echo x > a/x; ln -s other d; git add .; git commit -qm two'
    const { ours } = await compare(`${FURNISH} ${swap}`, [
      'git reset -q --hard HEAD~1; git status -s; cat a d/b',
      'git reset -q --hard HEAD@{1}; git status -s; cat a/x d/c',
    ])
    expect(native(ours, 'git fsck --strict; git status -s')).toBe('')
  })
})
