// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

describe('a command', () => {
  it('reads and writes the workspace cap:36', async () => {
    const { shell, workspace } = setup({ files: { 'a.txt': 'one\n' } })
    expect(await shell.exec('cat a.txt; echo two >> a.txt; mkdir -p x/y; cp a.txt x/y/b')).toMatchObject({
      exitCode: 0,
      stdout: 'one\n',
      stderr: '',
    })
    expect((await workspace.readText('a.txt')).text).toBe('one\ntwo\n')
    await workspace.writeText('x/y/b', 'from the tools\n')
    expect((await shell.exec('cat x/y/b')).stdout).toBe('from the tools\n')
  })

  it('keeps white space', async () => {
    const { shell } = setup()
    expect((await shell.exec('cat <<EOF\n  two\n\tand a tab\nEOF')).stdout).toBe('  two\n\tand a tab\n')
  })
})

describe('the environment of a command', () => {
  it('contains nothing of the host', async () => {
    const { shell } = setup()
    const { env } = await shell.exec('printenv > /dev/null')
    expect(env).toEqual({
      HOME: '/home',
      LANG: 'C.UTF-8',
      PATH: '/usr/bin:/bin',
      PWD: '/workspace',
      TERM: 'dumb',
      TMPDIR: '/tmp',
      USER: 'user',
    })
  })

  it('merges the variables of the call over those of the shell', async () => {
    const { shell } = setup({ shell: { env: { A: 'shell', B: 'shell', USER: 'me' } } })
    expect((await shell.exec('echo $A $B $C $USER', { env: { B: 'call', C: 'call' } })).stdout).toBe('shell call call me\n')
  })
})

describe('the returned state', () => {
  const states: [script: string, cwd: string, a: string | undefined][] = [
    ['cd dir; export A=1', '/workspace/dir', '1'],
    ['cd dir; export A=1; exit 3', '/workspace/dir', '1'],
    ['cd dir; export A=1; false; exit', '/workspace/dir', '1'],
    ['cd dir; A=1; export A; false || exit 4', '/workspace/dir', '1'],
    ['f() { cd dir; export A=1; exit 5; }; f', '/workspace/dir', '1'],
    ['set -e; cd dir; export A=1; false; cd /tmp', '/workspace/dir', '1'],
    ['set -e; cd dir; export A=1; false || exit 2', '/workspace/dir', '1'],
    ['set -u; cd dir; declare -x A=1; echo $NOPE', '/workspace/dir', '1'],
    ['cd dir; A=1', '/workspace/dir', undefined],
    ['(cd dir; export A=1; exit 1); x=$(cd /tmp; exit 2); echo x | exit 3', '/workspace', undefined],
    ["cd dir; bash -c 'cd /tmp; export A=1; exit 3'", '/workspace/dir', undefined],
    ['export A=1; unset A; cd /tmp', '/tmp', undefined],
    ['export A=1; export -n A', '/workspace', undefined],
    ['set -a; A=1', '/workspace', '1'],
    ['cd dir; cd ..; cd -', '/workspace/dir', undefined],
    ['set -x; cd dir; exit 1', '/workspace/dir', undefined],
    ['cd dir; export A=1; eval "exit 3"', '/workspace/dir', '1'],
    ['cd dir; export A=1; echo "exit 4" > e.sh; . ./e.sh', '/workspace/dir', '1'],
    ['cd dir; export A=1; "exit" 2', '/workspace/dir', '1'],
    ['cd dir; export A=1; builtin exit 2', '/workspace/dir', '1'],
    ['cd dir; export A=1; echo ${x?msg}', '/workspace/dir', '1'],
    ['cd dir; export A=1; while :; do eval "exit 2"; done', '/workspace/dir', '1'],
    ['cd dir; export A=1; set -e; x=$(cd /tmp; export A=2; false)', '/workspace/dir', '1'],
    ['cd dir; export A=1; (cd /tmp; export A=2; eval "exit 3"); x=$(cd /tmp; A=2; exit 4); exit 5', '/workspace/dir', '1'],
    ['cd dir; export A=1; echo a | { cd /tmp; export A=2; exit 3; }', '/workspace/dir', '1'],
    ['cd dir; export A=1; cat <(cd /tmp; A=2; exit 3)', '/workspace/dir', '1'],
    ['export A=1; f() { local A=2; cd dir; echo ${x?msg}; }; f', '/workspace/dir', '1'],
    ['cd dir; export A=1; if', '/workspace', undefined],
  ]
  it.each(states)('%s', async (script, cwd, a) => {
    const { shell } = setup({ files: { 'dir/x': '' } })
    const { env, ...result } = await shell.exec(script)
    expect(result.cwd).toBe(cwd)
    expect(env).toMatchObject({ HOME: '/home', PWD: cwd })
    expect(env.A).toBe(a)
    expect(result.stderr).not.toContain('toolport')
  })

  it.each([
    ['cd dir; export A=1; while :; do :; done', '/workspace/dir'],
    ['export A=1; (cd dir; export A=2; while :; do :; done)', '/workspace'],
    ['export A=1; x=$(cd dir; A=2; while :; do :; done)', '/workspace'],
    ['export A=1; f() { local A=2; f; }; f', '/workspace'],
  ])('is returned when a limit ends the command: %s', async (script, cwd) => {
    const { shell } = setup({ files: { 'dir/x': '' }, shell: { limits: { commands: 100 } } })
    expect(await shell.exec(script)).toMatchObject({ exitCode: 126, cwd, env: { A: '1' } })
  })

  it('contains the exit code of `exit`', async () => {
    const { shell } = setup()
    for (const [script, code] of [
      ['exit 3', 3],
      ['false; exit', 1],
      ['set -e; false || exit 7', 7],
      ['f() { exit 9; }; f', 9],
      ['(exit 4); exit', 4],
      ['true && exit 2; echo never', 2],
      ['! exit 5', 5],
    ] as const)
      expect(await shell.exec(script)).toMatchObject({ exitCode: code, stdout: '' })
  })

  it('has no OLDPWD before the first cd', async () => {
    const { shell } = setup()
    expect((await shell.exec('true')).env).not.toHaveProperty('OLDPWD')
  })
})

describe('the working directory', () => {
  it('is in the workspace or in a private directory of the shell', async () => {
    const { shell } = setup({ files: { 'dir/x': '' } })
    expect((await shell.exec('pwd; ls', { cwd: 'dir' })).stdout).toBe('/workspace/dir\nx\n')
    expect((await shell.exec('pwd', { cwd: '/workspace/dir' })).stdout).toBe('/workspace/dir\n')
    expect(await shell.exec('pwd', { cwd: '/tmp' })).toMatchObject({ stdout: '/tmp\n', cwd: '/tmp' })
    await expect(shell.exec('pwd', { cwd: '/etc' })).rejects.toMatchObject({ name: 'FsError' })
  })
})

describe('the private directories', () => {
  it('persist as long as the shell and are hidden from the tools', async () => {
    const { shell, workspace } = setup()
    await shell.exec('echo kept > /tmp/t; echo home > ~/h')
    expect((await shell.exec('cat /tmp/t ~/h')).stdout).toBe('kept\nhome\n')
    expect(await workspace.list('.')).toEqual([])
  })

  it('contain the commands of the shell', async () => {
    const { shell } = setup()
    expect((await shell.exec('/bin/echo a; /usr/bin/env | grep ^USER; which cat; [ -x /bin/ls ] && echo there')).stdout).toBe(
      'a\nUSER=user\n/usr/bin/cat\nthere\n',
    )
    expect((await shell.exec('ls /usr/bin')).stdout).toMatch(/^cat$/m)
    expect((await shell.exec('ls -a /usr/bin /dev; compgen -c; help')).stdout).not.toContain('toolport')
    expect((await shell.exec('command -v __toolport_turn; ls /usr/bin/__*; echo x > /dev/.toolport-out; set -x; echo a')).stdout).toBe(
      'a\n',
    )
    expect(await shell.exec('echo x > /bin/ls; ls / | head -1')).toMatchObject({
      stdout: 'bin\n',
      stderr: 'bash: /bin/ls: Permission denied\n',
    })
  })

  it('accept new executables', async () => {
    const { shell } = setup()
    await shell.exec('printf "#!/bin/bash\\necho mine \\$1\\n" > /usr/bin/mine; chmod +x /usr/bin/mine')
    expect((await shell.exec('mine x; PATH=/nowhere; echo a')).stdout).toBe('mine x\na\n')
  })
})

describe('a missing command', () => {
  it('exits with 127, and the available commands are listed once', async () => {
    const { shell } = setup()
    const { exitCode, stderr } = await shell.exec('nope1; git status; nope2')
    expect(exitCode).toBe(127)
    expect(stderr).toMatch(
      /^bash: nope1: command not found\nbash: git: command not found\nbash: nope2: command not found\n\(This is a virtual bash without a machine behind it\. There is no "nope1"\. Commands: .*\bawk\b.*\)\n$/,
    )
  })

  it.each(['git', 'node', 'npm', 'python', 'python3', 'curl', 'make', 'sudo', 'apt'])('gets its own hint: %s cap:47', async (name) => {
    const { shell } = setup()
    const { exitCode, stderr } = await shell.exec(`${name} --version`)
    expect(exitCode).toBe(127)
    expect(stderr).toMatch(new RegExp(`^bash: ${name}: command not found\\n\\(.* There is no "${name}": .*\\)\\n$`))
    expect(stderr).not.toContain('browser')
  })

  it('gets its hint if standard error is redirected to standard output, but not to /dev/null', async () => {
    const { shell } = setup()
    expect(await shell.exec('git log 2>&1')).toMatchObject({
      stdout: 'bash: git: command not found\n',
      stderr: expect.stringContaining('There is no "git"'),
    })
    expect((await shell.exec('git log 2>/dev/null')).stderr).toBe('')
    expect((await shell.exec('command -v git')).stderr).toBe('')
  })
})

describe('options', () => {
  it('`allow` restricts the available commands', async () => {
    const { shell } = setup({ shell: { allow: ['cat', 'echo'] } })
    expect(await shell.exec('echo a | cat; cd /tmp; [ 1 = 1 ] && ls')).toMatchObject({
      exitCode: 127,
      stdout: 'a\n',
      stderr: expect.stringContaining('Commands: cat echo, and'),
    })
    await expect(setup({ shell: { allow: ['nonsense'] } }).shell.open?.()).rejects.toMatchObject({
      name: 'ShellError',
      code: 'unavailable',
    })
  })

  it('`load` replaces the build, and a failed load names the package to install', async () => {
    const missing = setup({ shell: { load: () => Promise.reject(new Error('not found')) } }).shell
    await expect(missing.exec('echo')).rejects.toMatchObject({
      name: 'ShellError',
      code: 'unavailable',
      message: expect.stringContaining('install the just-bash package'),
    })
  })

  it('`can` describes the shell', () => {
    const { shell } = setup()
    expect(shell).toMatchObject({ name: 'just-bash', can: { pty: false, separateStderr: true, hardKill: false, dialect: 'bash' } })
  })
})

describe('cp and mv', () => {
  const cases: [script: string, stdout: string, stderr: string][] = [
    ['cp a b; cat b; echo c > c; mv c b; cat b; ls', 'a\nc\na\nb\ndir\n', ''],
    ['cp a a; echo $?; cat a', '1\na\n', "cp: 'a' and 'a' are the same file\n"],
    ['mv a ./a; cat a', 'a\n', "mv: 'a' and './a' are the same file\n"],
    ['ln -s a l; cp a l; echo $?; cat a', '1\na\n', "cp: 'a' and 'l' are the same file\n"],
    ['ln -s dir d; cp dir/x d/x; cat dir/x', 'x\n', "cp: 'dir/x' and 'd/x' are the same file\n"],
    ['echo t > /tmp/a; cp a /tmp/a; cat /tmp/a; echo t > /tmp/a; mv /tmp/a a; cat a; ls /tmp', 'a\nt\n', ''],
    ['cp -r dir d; cp -r dir d; find d | sort', 'd\nd/dir\nd/dir/x\nd/x\n', ''],
    ['cp a /dev/null; cp a /dev/stdout; cp /dev/null b; wc -c < b', 'a\n0\n', ''],
    ['[ a -ef ./a ] && echo same; [ a -ef b ] || echo other; [ /bin/ls -ef /bin/cat ] || echo other', 'same\nother\nother\n', ''],
  ]
  it.each(cases)('%s', async (script, stdout, stderr) => {
    const { shell } = setup({ files: { a: 'a\n', b: 'b\n', 'dir/x': 'x\n' } })
    expect(await shell.exec(script)).toMatchObject({ stdout, stderr })
  })
})
