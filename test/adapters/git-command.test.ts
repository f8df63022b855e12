// @module-tag git
import '../shims/buffer-if-missing.js'
import { createRuntime, createWorkspace, fileTools, shellTools } from 'toolport'
import { gitCommand } from 'toolport/adapters/git'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { author } from './git-support.js'
import { setup } from './just-bash-support.js'

const shellWithGit = (options: Parameters<typeof gitCommand>[0] = { author }): ReturnType<typeof setup> =>
  setup({ files: { 'a.txt': 'one\n' }, shell: { commands: [gitCommand(options)] } })

describe('the git command in the shell', () => {
  it('initialises, commits, and prints the recorded ids and output', async () => {
    const { shell } = shellWithGit()
    const script =
      'git init && git add . && git commit -m first && echo two >> a.txt && git status --short && git diff --stat && git log --oneline'
    expect(await shell.exec(script)).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout:
        'Initialized empty Git repository in /workspace/.git/\n' +
        '[main (root-commit) 5a0a9c5] first\n 1 file changed, 1 insertion(+)\n create mode 100644 a.txt\n' +
        ' M a.txt\n a.txt | 1 +\n 1 file changed, 1 insertion(+)\n5a0a9c5 first\n',
    })
  })

  it('switches between branches and restores their files', async () => {
    const { shell, workspace } = shellWithGit()
    await shell.exec('git init -q; git add .; git commit -qm first; git switch -qc topic; echo two >> a.txt; git commit -qam second')
    expect(
      (await shell.exec('git branch; git switch main; cat a.txt; git checkout -q topic; git reset -q --hard HEAD~1; cat a.txt')).stdout,
    ).toBe('  main\n* topic\none\none\n')
    expect((await workspace.readText('a.txt')).text).toBe('one\n')
  })

  it('works in pipes, lists and loops', async () => {
    const { shell } = shellWithGit()
    const script =
      'git init -q && git add -A && git commit -qm "$(printf "a subject\\n\\nand a body")" && git log --format=%s | tr a-z A-Z; ' +
      'git ls-files | while read f; do git log --oneline -- "$f" | wc -l; done; git diff --quiet || echo changed; git rev-parse nope 2>/dev/null || echo "status $?"'
    expect((await shell.exec(script)).stdout).toBe('A SUBJECT\n1\nnope\nstatus 128\n')
  })

  it('git log -1 and --skip count only the matching commits', async () => {
    const { shell } = shellWithGit()
    await shell.exec('git init -q; git add .; git commit -qm fix; for n in 1 2; do echo $n >> a.txt; git commit -qam other$n; done')
    expect((await shell.exec('git log -1 --grep=fix --format=%s; git log -1 --skip=1 --format=%s')).stdout).toBe('fix\nother1\n')
  })

  it('uses a default author if none is configured, and prints that author', async () => {
    const { shell } = shellWithGit({})
    const result = await shell.exec('git init -q; git add .; git commit -m x; git log --format="%an <%ae>"')
    expect(result.stdout).toContain(' Committer: user <user@localhost>\nYour name and email address were configured automatically')
    expect(result.stdout).toMatch(/\nuser <user@localhost>\n$/)
    const named = await shell.exec(
      'git config user.name Grace; git config --global user.email g@example.com; echo y > y; git add y; git commit -qm y; git log -1 --format="%an <%ae>"',
    )
    expect(named.stdout).toBe('Grace <g@example.com>\n')
  })

  it('lists the available commands, options or names after an unknown one', async () => {
    const { shell } = shellWithGit()
    await shell.exec('git init -q')
    const tried: readonly [command: string, stderr: RegExp, status: number][] = [
      ['git merge x', /^git: 'merge' is not available in this shell: .* There is: add branch /, 1],
      ['git stash', /'stash' is not available in this shell: commit on a branch instead/, 1],
      ['git nonsense', /'nonsense' is not a git command here\. There is: add /, 1],
      ['git status --nonsense', /^error: unknown option `nonsense'\nusage: git status \[-s\]/, 129],
      ['git commit -Z', /^error: unknown switch `Z'/, 129],
      ['git clone https://example.com/r.git', /^fatal: unable to access 'https:\/\/example.com\/r.git': this shell has no network/, 128],
      ['cd /tmp; git status', /^fatal: not a git repository/, 128],
      ['git add ../x', /outside repository|did not match/, 128],
    ]
    for (const [command, stderr, exitCode] of tried) {
      expect(await shell.exec(command)).toMatchObject({ exitCode, stderr: expect.stringMatching(stderr) })
    }
  })

  it('uses the repository of the current directory or of -C', async () => {
    const { shell } = shellWithGit()
    const script =
      'mkdir -p r/sub && cd r && git init -q && echo x > sub/f && cd sub && git add f && git status -s && git rev-parse --show-toplevel --show-prefix && cd /workspace && git -C r status --porcelain'
    expect((await shell.exec(script)).stdout).toBe('A  f\n/workspace/r\nsub/\nA  sub/f\n')
  })

  it('works beside an empty ref left by an interrupted write', async () => {
    const { shell } = shellWithGit()
    const script =
      'git init -q; git add .; git commit -qm first; : > .git/refs/heads/broken; git commit -q --allow-empty -m second && ' +
      'git switch -q -c topic && git branch && git reflog show main'
    expect(await shell.exec(script)).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/^ {2}main\n\* topic\n\w+ main@\{0\}: commit: second\n\w+ main@\{1\}: commit \(initial\): first\n$/),
    })
  })

  it('removes line feeds and angle brackets from names in the reflog', async () => {
    const { shell } = shellWithGit()
    const script = 'git switch -q -c topic; tail -n +2 .git/logs/HEAD'
    const env = { GIT_COMMITTER_NAME: 'Ada <x>\nnext', GIT_COMMITTER_EMAIL: 'a@b>\n', GIT_COMMITTER_DATE: '1700000000 +0000' }
    const logged = await shell.exec('git init -q; git add .; git commit -qm first').then(() => shell.exec(script, { env }))
    expect(logged.stdout).toMatch(/^\w{40} \w{40} Ada xnext <a@b> 1700000000 \+0000\tcheckout: moving from main to topic\n$/)
  })

  it('stops when its script is aborted', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, `${i}\n`]))
    const { shell } = setup({ files, shell: { commands: [gitCommand({ author })] } })
    const ending = new AbortController()
    const result = await shell.exec('git init -q; echo begun; git add .; echo never', {
      signal: ending.signal,
      onOutput: () => ending.abort(),
    })
    expect(result).toMatchObject({ aborted: true, stdout: 'begun\n' })
  })

  it('shares its files with the tools', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    const shell = createJustBashShell({ scratch: createMemoryFs(), commands: [gitCommand({ author })] })(workspace)
    const runtime = createRuntime({ workspace, shell, tools: [...fileTools(), ...shellTools()] })
    await runtime.call('write_file', { path: 'b.txt', content: 'by a tool\n' })
    const result = await shell.exec('git init -q; git add b.txt; git commit -qm "from the tools"; git show --name-only --format=%s')
    expect(result.stdout).toBe('from the tools\n\nb.txt\n')
  })
})
