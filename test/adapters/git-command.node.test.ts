// @module-tag git
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitCommand } from 'toolport/adapters/git'
import { afterAll, describe, expect, it } from 'vitest'
import { gitEnvironment } from '../setup/native-git.js'
import { setup } from './just-bash-support.js'

const base = mkdtempSync(join(tmpdir(), 'git-command-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const WHO = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '2023-11-14T23:13:20+0100',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_COMMITTER_DATE: '2023-11-14T23:13:20+0100',
}

/** A script that runs each line in the same directory, and prints its exit status. */
const marked = (lines: readonly string[]): string => lines.map((line) => `${line}\necho "[$?]"; echo "[$?]" >&2`).join('\n')

interface Said {
  readonly stdout: string
  readonly stderr: string
}

function native(lines: readonly string[]): Said {
  const cwd = mkdtempSync(join(base, 'repo-'))
  const { stdout, stderr } = spawnSync('bash', ['-c', marked(lines)], { cwd, env: gitEnvironment(base, WHO), encoding: 'utf8' })
  const named = (text: string): string => text.replaceAll(cwd, '/workspace').replaceAll(/bash: line \d+:/g, 'bash:')
  return { stdout: named(stdout), stderr: named(stderr) }
}

async function ours(lines: readonly string[]): Promise<Said> {
  const { shell } = setup({ shell: { commands: [gitCommand()], env: WHO } })
  const { stdout, stderr } = await shell.exec(marked(lines))
  return { stdout, stderr }
}

const START = [
  'git init -q -b main',
  "printf 'one\\ntwo\\nthree\\n' > a.txt",
  "mkdir -p src/deep; printf 'function first() {\\n  a\\n  b\\n  c\\n  d\\n  e\\n  f\\n  g\\n}\\n' > src/x.js; echo deep > src/deep/y",
]
const COMMITTED = [...START, 'git add .', 'git commit -q -m "first commit"']

const SESSIONS: Readonly<Record<string, readonly string[]>> = {
  'an empty repository': [
    'git status',
    'git init -b main',
    'git init',
    'git status',
    'git log',
    'git branch',
    'git status -sb',
    'git commit -m x',
  ],
  'line endings from .gitattributes': [
    'git init -q -b main',
    "printf '*.bat text eol=crlf\\n*.sh eol=lf\\n*.txt text=auto ident\\n' > .gitattributes",
    "printf 'one\\ntwo\\n' > a.bat; printf 'one\\r\\n' > b.sh; printf '$Id$\\r\\n' > c.txt",
    'git add . 2> /dev/null; git commit -qm one; git ls-files -s; git status -s',
    'rm a.bat b.sh c.txt; git checkout -- .; od -c a.bat b.sh c.txt',
    "printf 'three\\n' >> a.bat; git diff 2> /dev/null; git restore a.bat; od -c a.bat; git status -s",
    'git rm -q .gitattributes; git commit -qm two; rm a.bat; git reset -q --hard; od -c a.bat; git status -s',
    'rm a.bat; git reset -q --hard HEAD~1; od -c a.bat; git status -s',
    'rm -f *.bat; git checkout -q main -- a.bat; od -c a.bat',
    'rm .gitattributes; printf "x\\r\\n" > d.bat; git add d.bat 2> /dev/null; git ls-files -s d.bat',
    'git -c core.autocrlf=true add b.sh 2> /dev/null; printf "x\\r\\n" > e; git -c core.autocrlf=true add e 2> /dev/null; git ls-files -s e',
    'git config --global core.autocrlf input; printf "y\\r\\n" > f; git add f 2> /dev/null; git ls-files -s f; git config --global --unset core.autocrlf',
    'git config core.autocrlf 2; printf "z\\r\\n" > g; git add g 2> /dev/null; git ls-files -s g; git config core.autocrlf ""; printf "z\\r\\n" > h; git add h; git ls-files -s h',
    'git config core.filemode false; echo n > i; chmod +x i; git add i; git ls-files -s i',
  ],
  'staging and the first commit': [
    ...START,
    'git status',
    'git status --short',
    'git add',
    'git add nope',
    'git add a.txt',
    'git status',
    'git status -s',
    'git diff --cached',
    'git diff --staged --stat',
    'git add -A',
    'git status --porcelain',
    'git commit -m "first commit"',
    'git status',
    'git log',
    'git log --oneline',
    'git rev-parse HEAD',
    'git rev-parse --short HEAD',
    'git rev-parse --abbrev-ref HEAD',
    'git rev-parse --show-toplevel',
    'git show',
    'git show --stat',
    'git show --name-only',
    'git commit -m none',
    'git ls-files',
    'git ls-files -s',
  ],
  'changes in the worktree': [
    ...COMMITTED,
    "sed -i 's/  g/  gee/' src/x.js; printf 'four\\n' >> a.txt; echo new > new.txt; mkdir n; echo q > n/q; rm src/deep/y",
    'git status',
    'git status -s',
    'cd src; git status -s; git diff --name-only; cd ..',
    'git diff',
    'git diff --stat',
    'git diff --name-only',
    'git diff --name-status',
    'git diff --numstat',
    'git diff --shortstat',
    'git diff a.txt',
    'git diff -- src',
    'git diff -U0 a.txt',
    'git diff HEAD',
    'git diff --quiet',
    'git diff --exit-code > /dev/null',
    'git add a.txt',
    'printf "five\\n" >> a.txt',
    'git status -s',
    'git status',
    'git diff',
    'git diff --cached',
    'git commit -am "second" -m "with a body"',
    'git log -1',
    'git log -n 1 --stat',
    'git log --oneline -- a.txt',
    'git log --oneline -- src/x.js',
    'git log -p -1 -- a.txt',
    'git diff HEAD~1..HEAD --stat',
    'git diff HEAD~1 HEAD -- a.txt',
    'git show HEAD~1:a.txt',
    'git show HEAD:nope',
    'git log --pretty=format:"%h %an %s"',
    'git log --format="%H|%s|%ad" --date=short',
    'git log HEAD~1..HEAD --oneline',
    'git log --reverse --oneline',
    'git show --name-only --format=%s',
    'git log --format=%h --stat',
    'git log --pretty=format:%s --name-only',
    'git log --pretty=oneline --stat -1',
    'git log --oneline --name-only',
    'git show --oneline --stat',
    'git log --name-status -1',
    'git show -s --format=%B',
    'git diff nope',
    'git log nope',
    'git show nope',
  ],
  branches: [
    ...COMMITTED,
    'git branch dev',
    'git branch dev',
    'git branch',
    'git branch "bad name"',
    'git checkout dev',
    'git checkout dev',
    'git checkout -b new',
    'git branch --show-current',
    'echo more >> a.txt; git commit -qam more',
    'git branch -v',
    'git switch main',
    'git branch -d new',
    'git branch -D new',
    'git branch -d dev',
    'git branch -d nope',
    'git switch -c other',
    'git switch main',
    'git switch nope',
    'git checkout nope',
    'git branch -m other renamed',
    'git branch -a',
    'echo x > a.txt; git checkout -q renamed; cat a.txt; git commit -qam x; git switch main',
    'echo y > a.txt; git switch renamed',
    'git restore a.txt; git checkout -',
    'git checkout -',
  ],
  'detached heads and tags': [
    ...COMMITTED,
    'echo 2 >> a.txt; git commit -qam two',
    'git tag v1',
    'git tag',
    'git tag v1',
    'git tag -a v2 -m "second tag" HEAD~1',
    'git tag -l "v*"',
    'git rev-parse v1 v2^0',
    'git checkout HEAD~1',
    'git branch',
    'git status',
    'git checkout v1',
    'git switch main',
    'git tag -d v1',
    'git tag -d v1',
    'git log --oneline --decorate',
  ],
  'restore and reset': [
    ...COMMITTED,
    'echo 2 >> a.txt; git commit -qam two; echo 3 >> a.txt; git commit -qam three',
    'git reset --soft HEAD~1',
    'git status -s',
    'git commit -qm again; git reset HEAD~1',
    'git status -s',
    'git reset --hard',
    'git status -s; cat a.txt',
    'git reset --hard HEAD~1',
    'cat a.txt; git log --oneline',
    'echo s >> a.txt; git add a.txt; git restore --staged a.txt; git status -s',
    'git restore a.txt; git status -s',
    'echo s >> a.txt; git checkout -- a.txt; git status -s',
    'git checkout HEAD -- a.txt',
    'rm src/x.js; git checkout src/x.js; ls src',
    'git restore nope',
    'git checkout -- nope',
    'echo s >> a.txt; git add a.txt; git reset a.txt; git status -s',
    'git reset -q --hard; echo u > untracked; git reset --hard; ls',
    'git reset --hard nope',
  ],
  'the reflog': [
    'git init -q -b main; git reflog; git rev-parse HEAD@{0}',
    ...COMMITTED.slice(1),
    'echo 2 >> a.txt; git commit -qam two; git commit -q --amend -m "two, in other words" -m body',
    'git reflog',
    'git branch dev; git branch old HEAD~1; git branch -f old main; git switch -q dev; git checkout -q -; git switch -',
    'git checkout -q -b new HEAD~1; git checkout -q @{-1}; git checkout @{-2}; git switch -q main',
    'git checkout -q HEAD~1; git switch -q -c det; git reset -q --hard main; git reset -q HEAD~1; git reset -q; git checkout -q -f main',
    'git checkout -q -B det HEAD~1; git commit -q --allow-empty -m det; git branch -m det feature/x; git branch -m old older',
    'git checkout -q main; git branch -q -D feature/x; git branch feature',
    'git reflog -3; git reflog -n 1; git reflog show main; git reflog feature; git reflog nope; git reflog exists HEAD; git reflog exists nope',
    'git rev-parse HEAD@{0} HEAD@{1} HEAD@{3} main@{0} main@{1} @{0} @{1} @{-1} HEAD@{2}~0; git log --oneline -1 main@{1}',
    'git rev-parse HEAD@{99}',
    'git diff --stat main@{1} main; git show -s --format=%s HEAD@{4}; git reset -q --hard HEAD@{2}; git log --oneline',
    'git checkout @{-99}',
    "git checkout HEAD; cat .git/HEAD; git checkout -q --detach; git checkout HEAD; git checkout -q main; git switch --detach; git switch -q main; git commit -q --allow-empty -m $'one\\ntwo'",
    'cat .git/logs/HEAD; cd .git/logs/refs/heads; find . -type f | sort | while read f; do echo "# $f"; cat $f; done',
  ],
  'files of a revision': [
    ...COMMITTED,
    'echo 2 >> a.txt; echo b > b.txt; git add .; git commit -qm two; echo 3 >> a.txt',
    'git checkout HEAD~1 -- a.txt b.txt; git status -s; cat a.txt',
    'git checkout HEAD~1 a.txt b.txt; git status -s',
    'git checkout HEAD~1 -- a.txt nowhere; git status -s',
    'git checkout -- a.txt nowhere; git status -s',
    'git checkout HEAD~1 -- a.txt; git status -s',
    'git restore --source=HEAD~1 -- b.txt; git status -s',
  ],
  'removing and moving': [
    ...COMMITTED,
    'git rm a.txt',
    'git status -s',
    'git reset -q --hard',
    'git rm src',
    'git rm -r src',
    'git reset -q --hard',
    'git rm --cached a.txt',
    'git status -s',
    'git reset -q --hard',
    'echo x >> a.txt; git rm a.txt',
    'git rm -f a.txt',
    'git reset -q --hard',
    'git rm nope',
    'git mv a.txt b.txt',
    'git status -s',
    'git status',
    'git commit -m moved',
    'git mv src lib',
    'git status -s',
    'git commit -m "moved a directory"',
    'git mv nope x',
    'git mv b.txt lib',
    'git status -s',
  ],
  'ignored files': [
    'git init -q -b main; printf "*.log\\nout/\\n" > .gitignore; echo 1 > a.log; mkdir out; echo 2 > out/x; echo 3 > b',
    'git status -s',
    'git add a.log',
    'git add -f a.log',
    'git add .',
    'git status -s',
    'git ls-files -o --exclude-standard',
  ],
  configuration: [
    'git init -q -b main',
    'git config user.name',
    'git config user.name "Grace H"; git config user.name',
    'git config --get user.name',
    'git config nope.x',
    'git config nope',
    'git config --unset user.name; git config user.name',
    'git config --global user.email g@example.com; git config user.email; git config --global user.email; git config --global --unset user.email',
    'git remote; git remote -v',
    'cd /; git status',
  ],
  'amending, empty and binary commits': [
    ...COMMITTED,
    'git commit --allow-empty -m empty',
    'git log --oneline',
    'git commit --amend -m "other words"',
    'echo z > z; git add z; git commit --amend --no-edit',
    'git log --oneline --stat',
    "printf 'a\\0b' > bin; git add bin; git commit -m binary",
    "printf 'a\\0c' > bin; git diff; git diff --stat | cat",
    'chmod 755 a.txt; git diff; git commit -am mode',
    "printf 'no newline' > a.txt; git diff",
    ': > empty; git add empty; git diff --cached; git commit -m "an empty file"',
    "git commit -m ''",
    'git -C src log --oneline -1; git -C nope log',
  ],
}

describe('the git command prints what native git prints', () => {
  for (const [name, lines] of Object.entries(SESSIONS)) {
    it(name, async () => {
      expect(await ours(lines)).toEqual(native(lines))
    })
  }
})
