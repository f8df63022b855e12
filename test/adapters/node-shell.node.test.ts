// @module-tag node-shell
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace, type ShellAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeShell } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanUp, freshRoot, rejection, root, shellOf, workspaceOf } from './node-shell-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)
afterEach(() => vi.unstubAllEnvs())

describe('construction', () => {
  it('rejects a storage that is not a host directory', () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    expect(() => createNodeShell()(workspace)).toThrow(
      expect.objectContaining({
        name: 'UnsupportedError',
        capability: 'shell',
        adapter: 'memory',
        message: expect.stringContaining('just-bash'),
      }),
    )
  })

  it('rejects Windows', () => {
    const { platform } = process
    const workspace = workspaceOf()
    Object.defineProperty(process, 'platform', { value: 'win32' })
    try {
      expect(() => createNodeShell()(workspace)).toThrow(expect.objectContaining({ name: 'ShellError', code: 'unavailable' }))
    } finally {
      Object.defineProperty(process, 'platform', { value: platform })
    }
  })

  it('rejects a missing shell, by path and by name', () => {
    for (const shell of ['/nowhere/bash', 'no-such-shell', root]) {
      expect(() => shellOf({ shell })).toThrow(expect.objectContaining({ name: 'ShellError', code: 'unavailable' }))
    }
  })

  it('`can` describes the shell', () => {
    expect(shellOf({ shell: 'bash' })).toMatchObject({
      name: 'node',
      can: { pty: false, separateStderr: true, hardKill: true, dialect: 'bash' },
    })
    expect(shellOf({ shell: '/bin/sh' }).can.dialect).toBe('sh')
  })

  it('rejects an executable that is not a shell when it opens', async () => {
    const fake = join(root, 'bash')
    writeFileSync(fake, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const shell = shellOf({ shell: fake })
    expect(await rejection(shell.open?.() ?? Promise.resolve())).toMatchObject({ name: 'ShellError', code: 'unavailable' })
    expect(await rejection(shell.exec('echo hi'))).toMatchObject({ name: 'ShellError', code: 'unavailable' })
  })

  it('skips a default shell that does not run', async () => {
    writeFileSync(join(root, 'bash'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    symlinkSync('/bin/sh', join(root, 'sh'))
    vi.stubEnv('PATH', root)
    const shell = shellOf({ env: { PATH: '/usr/bin:/bin' } })
    expect(shell.can.dialect).toBe('bash')
    expect(await shell.exec('echo $0')).toMatchObject({ stdout: 'sh\n' })
    expect(shell.can.dialect).toBe('sh')
  })
})

describe.each(['bash', 'sh'])('%s: a command', (name) => {
  const exec = (command: string, options = {}) => shellOf({ shell: name }).exec(command, options)

  it('returns both streams and the exit code cap:36', async () => {
    expect(await exec('echo out; echo err >&2; exit 3')).toMatchObject({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      timedOut: false,
      aborted: false,
      truncated: false,
    })
  })

  it.each([
    ['an empty command', '', 0, ''],
    ['only a comment', '# nothing', 0, ''],
    ['a trailing comment', 'echo a # b', 0, 'a\n'],
    ['a here-document without a final newline', 'cat <<X\nline $((1 + 1))\nX', 0, 'line 2\n'],
    ['an unterminated here-document', 'cat <<X 2>/dev/null\nline\n', 0, 'line\n'],
    ['quotes of every kind', `echo 'a'"b"\\c "\${HOME+x}" '\\n'; echo "it's"`, 0, expect.stringContaining("it's\n")],
    ['several lines', 'x=1\nif [ $x = 1 ]\nthen\n  echo one\nfi\n', 0, 'one\n'],
    ['false at the end', 'echo a; false', 1, 'a\n'],
    ['a pipeline', 'printf "b\\na\\n" | sort | tr -d "\\n"', 0, 'ab'],
    ['set -e', 'set -e; echo a; false; echo b', 1, 'a\n'],
    ['an unknown command', 'no-such-command-here', 127, ''],
    ['a file that is not executable', './plain', 126, ''],
    ['a command that begins with -', '-x', 127, ''],
    ['$0 and $#', 'echo $0 $#', 0, `${name}\n`.replace('\n', ' 0\n')],
    ['a trailing backslash', 'echo a\\', 0, 'a\\\n'],
    ['a shell ended by a signal', 'kill -9 $$', 137, ''],
    ['a program ended by a signal', 'sh -c "kill -15 \\$\\$"', 143, ''],
    ['an EXIT trap of the command', 'trap "echo bye" EXIT; exit 4', 4, 'bye\n'],
    ['text outside ASCII', 'printf "grüße 日本 😀"', 0, 'grüße 日本 😀'],
  ])('%s', async (_, command, exitCode, stdout) => {
    writeFileSync(join(root, 'plain'), 'x', { mode: 0o644 })
    expect(await exec(command)).toMatchObject({ exitCode, stdout })
  })

  it('a command with a syntax error exits with 2 and the message of the shell', async () => {
    const result = await exec('if then')
    expect(result).toMatchObject({ exitCode: 2, stdout: '', cwd: root })
    expect(result.stderr).toMatch(name === 'bash' ? /^bash: -c: line 1: syntax error near .*\nbash: -c: line 1: `if then'\n$/ : /^sh: /)
    expect(await exec('echo a\nif then')).toMatchObject({ exitCode: 2, stdout: 'a\n', stderr: expect.stringContaining('2: ') })
  })

  it('has its own line number in an error', async () => {
    const { stderr } = await exec('\nno-such-command-here')
    expect(stderr).toMatch(
      name === 'bash' ? /^bash: line 2: no-such-command-here: command not found\n$/ : /no-such-command-here.*not found\n$/,
    )
  })

  it('above the argument size limit runs', async () => {
    const command = `cd /\n${'# padding padding padding\n'.repeat(12_000)}cat <<'X' | wc -c\n${'y'.repeat(20_000)}\nX\nexit 7`
    expect(command.length).toBeGreaterThan(300_000)
    expect(await exec(command)).toMatchObject({ exitCode: 7, stdout: expect.stringMatching(/^\s*20001\n$/), cwd: '/' })
  })

  it('just below the argument size limit runs, even with many quotes', async () => {
    expect(await exec(`: '${"'".repeat(2)}${`a'"'"'`.repeat(18_000)}'; echo done`)).toMatchObject({ exitCode: 0, stdout: 'done\n' })
  })

  it('a command with a NUL character is rejected', async () => {
    expect(await rejection(exec('echo a\0b'))).toMatchObject({ name: 'InputError', code: 'invalid_input' })
  })

  it('returns cwd and exported variables, however it ends', async () => {
    mkdirSync(join(root, 'sub'))
    for (const end of [
      '',
      '; true',
      '; exit 3',
      '; set -e; false',
      '\nif then',
      '; set -u; echo $nope',
      '; set -f; IFS=/',
      '; PATH=',
      '; set -x',
    ]) {
      const result = await exec(`cd sub; export A="1\n2=3" B=; c=3${end}`)
      expect(result.cwd, end).toBe(join(root, 'sub'))
      expect(result.env, end).toMatchObject({ A: '1\n2=3', B: '' })
      expect(result.env, end).not.toHaveProperty('c')
    }
  })

  it('returns cwd and variables beside other traps, but not after an EXIT trap', async () => {
    expect(await exec('trap "echo int" INT; cd /; (exit 3)')).toMatchObject({ exitCode: 3, stdout: '', cwd: '/' })
    const options = { env: { A: '1' } }
    expect(await exec('trap "echo bye" EXIT; cd /; export A=2; (exit 3)', options)).toMatchObject({
      exitCode: 3,
      stdout: 'bye\n',
      stderr: '',
      cwd: root,
      env: { A: '1' },
    })
  })

  it.each([
    ['an unterminated here-document', 'cat <<EOF 2>/dev/null\ntrap it', 0, /^trap it\n?$/],
    ['an unfinished list', 'echo trap &&', 2, /^$/],
    ['an unfinished pipeline', 'echo trap |', 2, /^$/],
    ['an open quote', "echo 'trap", 2, /^$/],
    ['a trailing backslash', 'echo trap \\', 0, /^trap \\\n$/],
  ])('a script that mentions traps is run unchanged: %s', async (_, command, exitCode, stdout) => {
    expect(await exec(command)).toMatchObject({ exitCode, stdout: expect.stringMatching(stdout) })
  })

  it('returns variables if its directory was removed, and cwd if the variables are too large', async () => {
    mkdirSync(join(root, 'sub'))
    const options = { env: { A: '1' } }
    expect(await exec('cd sub; rmdir ../sub; export A=2', options)).toMatchObject({ exitCode: 0, cwd: root, env: { A: '2' } })
    const large = 'cd /; export A=2; export B=$(head -c 3000000 /dev/zero | tr "\\0" x); exit 4'
    const result = await exec(large, options)
    expect(result).toMatchObject({ exitCode: 4, stdout: '', stderr: '', cwd: '/', env: { A: '1' } })
    expect(result.env).not.toHaveProperty('B')
  })

  it('shows no helper code in output or environment', async () => {
    const result = await exec('set -x; env; declare -F 2>/dev/null; :')
    expect(result.env).not.toHaveProperty('_')
    expect(result.env).not.toHaveProperty('SHLVL')
    expect(result.env).not.toHaveProperty('BASH_ENV')
    expect(result.stdout + result.stderr).not.toMatch(/toolport_|BASH_ENV|printf|command -p/)
    expect(result.stderr).toMatch(/^\+ env\n/)
    const again = await exec('exit 5', { env: result.env })
    expect(again.env).toEqual(result.env)
  })
})

describe('cwd', () => {
  it('can be the root, a directory below it, or a link to one', async () => {
    mkdirSync(join(root, 'a b/c'), { recursive: true })
    symlinkSync('a b', join(root, 'link'))
    const shell = shellOf()
    expect(await shell.exec('pwd')).toMatchObject({ stdout: `${root}\n`, cwd: root })
    expect(await shell.exec('pwd', { cwd: 'a b/c' })).toMatchObject({ stdout: `${root}/a b/c\n`, cwd: `${root}/a b/c` })
    expect(await shell.exec('pwd', { cwd: 'link' })).toMatchObject({ cwd: `${root}/a b` })
  })

  it('defaults to that of the workspace', async () => {
    mkdirSync(join(root, 'a'))
    const shell = shellOf({}, workspaceOf({ root: '/workspace', cwd: '/workspace/a' }))
    expect(await shell.exec('cd ..; cd a; pwd -P')).toMatchObject({ stdout: `${root}/a\n`, cwd: '/workspace/a' })
  })

  it('is rejected with its virtual path if it is missing or not a directory', async () => {
    writeFileSync(join(root, 'file'), '')
    const shell = shellOf({}, workspaceOf({ root: '/workspace' }))
    expect(await rejection(shell.exec('pwd', { cwd: 'nope' }))).toMatchObject({
      name: 'FsError',
      code: 'ENOENT',
      path: '/workspace/nope',
      message: 'ENOENT: Cannot run in "/workspace/nope": no such file or directory',
    })
    expect(await rejection(shell.exec('pwd', { cwd: 'file' }))).toMatchObject({ code: 'ENOTDIR', path: '/workspace/file' })
    expect(await rejection(shell.exec('pwd', { cwd: 'file/x' }))).toMatchObject({ name: 'FsError', code: 'ENOTDIR' })
    expect(await rejection(shell.exec('pwd', { cwd: '/tmp' }))).toMatchObject({ name: 'WorkspaceError', code: 'path_outside_workspace' })
  })

  it('cwd with a virtual root is mapped below the root, and otherwise unchanged', async () => {
    mkdirSync(join(root, 'sub'))
    const shell = shellOf({}, workspaceOf({ root: '/workspace' }))
    expect(await shell.exec('cd sub')).toMatchObject({ cwd: '/workspace/sub' })
    expect(await shell.exec('pwd', { cwd: '/workspace/sub' })).toMatchObject({ stdout: `${root}/sub\n` })
    expect(await shell.exec('cd /; export A=1', { cwd: 'sub' })).toMatchObject({ cwd: '/workspace/sub', env: { A: '1' } })
  })

  it('cwd with the host’s root may be outside and can be passed in again', async () => {
    const outside = realpathSync(tmpdir())
    const shell = shellOf()
    expect(await shell.exec(`cd '${outside}'`)).toMatchObject({ cwd: outside })
    expect(await shell.exec('pwd', { cwd: outside })).toMatchObject({ stdout: `${outside}\n`, cwd: outside })
    expect(await rejection(shell.exec('pwd', { cwd: `${outside}/no-such-directory` }))).toMatchObject({ code: 'ENOENT' })
    expect(await rejection(shell.exec('pwd', { cwd: '/dev/null' }))).toMatchObject({ code: 'ENOTDIR', path: '/dev/null' })
  })

  it('a cwd that was removed or has an invalid name falls back to the initial one', async () => {
    const shell = shellOf()
    expect(await shell.exec('mkdir gone; cd gone; rmdir ../gone')).toMatchObject({ exitCode: 0, cwd: root })
    expect(await shell.exec("mkdir 'a\\b'; cd 'a\\b'")).toMatchObject({ exitCode: 0, cwd: root })
    expect(await shell.exec("mkdir 'new\nline'; cd 'new\nline'")).toMatchObject({ cwd: `${root}/new\nline` })
  })

  it('cwd and environment stay unchanged after exec, a kill or an EXIT trap', async () => {
    const shell = shellOf()
    for (const command of ['cd /; exec true', 'cd /; kill -9 $$', 'cd /; export A=2; trap : EXIT; exit 1']) {
      const result = await shell.exec(command, { env: { A: '1' } })
      expect(result, command).toMatchObject({ cwd: root, env: { A: '1' } })
    }
  })
})

describe('environment', () => {
  it('inherits the necessary variables and no secrets', async () => {
    vi.stubEnv('TOOLPORT_SECRET', 'secret')
    vi.stubEnv('NODE_OPTIONS', '--no-warnings')
    vi.stubEnv('LC_TIME', 'C')
    vi.stubEnv('TERM', 'xterm-256color')
    const { stdout, env } = await shellOf().exec('env')
    expect(stdout).not.toMatch(/secret|NODE_OPTIONS|xterm/)
    expect(env).toMatchObject({
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LC_TIME: 'C',
      TERM: 'dumb',
      PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
    })
    expect(JSON.stringify(env)).not.toContain('secret')
  })

  it('inherits by name, or everything except startup variables of shells', async () => {
    vi.stubEnv('TOOLPORT_SECRET', 'secret')
    vi.stubEnv('TERM', 'xterm')
    vi.stubEnv('BASH_ENV', '/nowhere')
    expect((await shellOf({ inherit: ['TOOLPORT_SECRET', 'TERM'] }).exec('')).env).toMatchObject({
      TOOLPORT_SECRET: 'secret',
      TERM: 'xterm',
    })
    const all = await shellOf({ inherit: 'ALL' }).exec('echo hi')
    expect(all).toMatchObject({ stdout: 'hi\n', stderr: '', env: { TOOLPORT_SECRET: 'secret' } })
    expect(all.env).not.toHaveProperty('BASH_ENV')
  })

  it('merges the options and then the call', async () => {
    const shell = shellOf({ env: { A: 'options', B: 'options' } })
    expect(await shell.exec('echo $A $B', { env: { B: 'call' } })).toMatchObject({ stdout: 'options call\n' })
    expect(await shell.exec('echo $A $B')).toMatchObject({ stdout: 'options options\n' })
    expect((await shell.exec('export F="a b"; unset A', { env: { B: '' } })).env).toMatchObject({ B: '', F: 'a b' })
  })

  it('rejects invalid variable names and values', async () => {
    const shell = shellOf()
    for (const [name, value] of [
      ['', 'x'],
      ['a=b', 'x'],
      ['a', 'x\0'],
    ] as const) {
      const env = { [name]: value }
      expect(await rejection(shell.exec(':', { env }))).toMatchObject({ name: 'InputError', code: 'invalid_input' })
    }
  })

  it('above the size limit of the system fails with spawn_failed and without a host path', async () => {
    const error = await rejection(shellOf().exec(':', { env: { A: 'x'.repeat(4_000_000) } }))
    expect(error).toMatchObject({ name: 'ShellError', code: 'spawn_failed' })
    expect((error as Error).message).not.toContain('/')
  })

  it('contains neither startup files nor a terminal', async () => {
    writeFileSync(join(root, '.bashrc'), 'echo rc')
    writeFileSync(join(root, '.bash_profile'), 'echo profile')
    const shell = shellOf({ env: { HOME: root } })
    expect(await shell.exec('echo "$-"; (: < /dev/tty) 2>/dev/null || echo none')).toMatchObject({
      stdout: expect.stringMatching(/^[^i]*\nnone\n$/),
    })
  })
})

describe('input', () => {
  it('input of 1 MB is passed completely', async () => {
    const stdin = 'äöü 0123456789\n'.repeat(60_000)
    const result = await shellOf().exec('cat', { stdin, maxBytes: 2_000_000 })
    expect(result).toMatchObject({ exitCode: 0, truncated: false })
    expect(result.stdout === stdin).toBe(true)
  })

  it('may stay unread', async () => {
    const stdin = 'x'.repeat(1_000_000)
    expect(await shellOf().exec('echo done', { stdin })).toMatchObject({ exitCode: 0, stdout: 'done\n' })
    expect(await shellOf().exec('exec <&-; head -c 0; echo done', { stdin })).toMatchObject({ stdout: 'done\n' })
  })
})

describe('output', () => {
  it('joins characters that the pipe splits', async () => {
    const told: string[] = []
    const { stdout } = await shellOf().exec("printf '\\360\\237'; sleep 0.1; printf '\\230\\200'; printf '\\303'", {
      onOutput: ({ text }) => told.push(text),
    })
    expect(stdout).toBe('😀\uFFFD')
    expect(told.join('')).toBe('😀\uFFFD')
  })

  it('streams can be opened by name, such as /dev/stderr', async () => {
    const result = await shellOf().exec('cat | tee /dev/stderr; echo out > /dev/stdout; echo err > /dev/stderr', {
      stdin: 'in\n',
    })
    expect(result).toMatchObject({ exitCode: 0, stdout: 'in\nout\n', stderr: 'in\nerr\n' })
  })

  it('uses sockets if no named pipe can be created', async () => {
    vi.stubEnv('TMPDIR', '/nowhere')
    expect(await shellOf().exec('cat; echo err >&2', { stdin: 'in' })).toMatchObject({ exitCode: 0, stdout: 'in', stderr: 'err\n' })
  })

  it('leaves no file descriptors open, however a command ends', async () => {
    const open = () => readdirSync('/proc/self/fd').length
    const several = async (shell: ShellAdapter) => {
      await Promise.all([shell.exec('cat', { stdin: 'x' }), shell.exec('exit 1'), shell.exec('sleep 1000', { timeoutMs: 30, stdin: 'x' })])
      await shell.exec(':', { signal: AbortSignal.abort() })
      await rejection(shell.exec(':', { env: { A: 'x'.repeat(4_000_000) }, stdin: 'x' }))
    }
    await several(shellOf())
    await cleanUp()
    freshRoot()
    const before = open()
    const shell = shellOf()
    for (let i = 0; i < 5; i++) await several(shell)
    await cleanUp()
    freshRoot()
    await vi.waitFor(() => expect(open()).toBeLessThanOrEqual(before), 30_000)
  })

  it('is cut at 256 KiB by default', async () => {
    const result = await shellOf().exec('head -c 262144 /dev/zero | tr "\\0" x; head -c 262145 /dev/zero | tr "\\0" x >&2')
    expect(result.stdout).toHaveLength(262_144)
    expect(result.stderr).toContain('bytes left out')
  })
})

describe('a read-only workspace', () => {
  it('rejects commands', async () => {
    const shell = shellOf({}, workspaceOf({ policy: { readOnly: true } }))
    expect(await rejection(shell.exec('echo hi'))).toMatchObject({ name: 'PolicyError', code: 'read_only' })
  })
})
