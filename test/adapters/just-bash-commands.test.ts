// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { ShellCommand, ShellCommandSource } from 'toolport'
import { describe, expect, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import { stopped } from './git-support.js'
import recorded from './just-bash-commands.jsonl?raw'
import { setup } from './just-bash-support.js'

interface Recorded {
  readonly script: string
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** Recorded from GNU's programs (Debian 12, LC_ALL=C) with these files. */
const FILES: Readonly<Record<string, string>> = {
  a: 'hello\nwor\0ld\n',
  b: 'hello\nWor\0ld\n!',
  e: '',
  'd/x': 'x\n',
  n: Array.from({ length: 30 }, (_, i) => `${i + 1}\n`).join(''),
}

it.each(parseJsonLines<Recorded>(recorded))('does what GNU does: $script', async ({ script, ...printed }) => {
  const { stderr, ...result } = await setup({ files: FILES }).shell.exec(script)
  // After GNU's message, our commands list their options.
  expect({ ...result, stderr: stderr.replace(/^Options: .*\n/gm, '') }).toMatchObject(printed)
})

const bytes = (length: number): Uint8Array => new Uint8Array(length).map((_, i) => (i * 7 + (i >> 8)) & 0xff)

describe('commands on binary files', () => {
  it('keep bytes through compression, archives, dumps and copies', async () => {
    const { shell, workspace } = setup({ files: { bin: bytes(100_000) } })
    const script = [
      'gzip -k bin && gunzip -c bin.gz | cmp - bin',
      'tar czf t.tgz bin && tar xzOf t.tgz bin | cmp - bin',
      'xxd bin | xxd -r | cmp - bin && xxd -p bin | xxd -r -p | cmp - bin',
      'dd if=bin of=copy bs=999 status=none && cmp bin copy',
      'less bin | cmp - bin && shuf -n 1 bin > /dev/null',
      'install bin there && cmp bin there && sha512sum bin copy there | cut -c1-128 | sort -u | wc -l',
    ].join(' && ')
    expect(await shell.exec(script)).toMatchObject({ stdout: '1\n', stderr: '', exitCode: 0 })
    expect((await workspace.readBytes('copy')).bytes).toEqual(bytes(100_000))
  })

  it('keep 10 MB, and let timers fire meanwhile', async () => {
    const { shell } = setup({ files: { big: bytes(10_000_000) } })
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    const result = await shell.exec(
      'gzip -k big && gunzip -c big.gz | cmp - big && tar czf big.tgz big && tar xzOf big.tgz big | cmp - big; echo $?',
    )
    clearInterval(timer)
    expect(result).toMatchObject({ stdout: '0\n', stderr: '' })
    expect(ticks).toBeGreaterThan(3)
  }, 60_000)
})

describe('yes', () => {
  it.each([
    'yes | wc -c',
    'yes | cat | sort | uniq -c',
    'yes | grep -c y',
    'yes | while read x; do n=$((n+1)); done',
    'x=$(yes | tr y z)',
    "bash -c 'yes | md5sum'",
  ])('rejects an endless pipe: %s', async (script) => {
    const { shell } = setup()
    const { stdout, stderr, exitCode } = await shell.exec(`${script}; echo after`)
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: expect.stringContaining('put head -n NUMBER after yes'),
      exitCode: 126,
    })
  })

  it('alone ends with an error before memory runs out', async () => {
    const { shell } = setup()
    const { exitCode, stderr } = await shell.exec('yes > out; s=$?; wc -c < out; exit $s')
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('yes: stopped after 1048576 bytes') })
  })

  it('prints as much as its reader takes', async () => {
    const { shell } = setup()
    const script = 'yes ab | head -c 5000000 | wc -c; yes | head -n 100000 | wc -l; yes | sed 3q; set -o pipefail; yes | head -1; echo $?'
    expect(await shell.exec(script)).toMatchObject({ stdout: '5000000\n100000\ny\ny\ny\ny\n141\n', stderr: '' })
    expect(await shell.exec('yes | head -c 1T | wc -c')).toMatchObject({ stderr: expect.stringContaining('more than the limit') })
  })
})

describe('mktemp', () => {
  it('returns a new name each time, even if all random numbers are equal', async () => {
    const { shell, workspace } = setup({ workspace: { host: stopped } })
    const one = 'for i in $(seq 50); do mktemp -p . f.XXXXXX; done'
    const all = await Promise.all([shell.exec(one), shell.exec(one), shell.exec(one)])
    const names = all.flatMap(({ stdout }) => stdout.trim().split('\n'))
    expect(new Set(names).size).toBe(150)
    expect(Object.keys(await workspace.files())).toHaveLength(150)
  })

  it('takes its random letters from the host', async () => {
    const { shell } = setup({ workspace: { host: stopped } })
    expect((await shell.exec('mktemp -u XXXXXXXX')).stdout).toMatch(/FFFFF\n$/)
  })
})

it.each([
  ["ls -I '[[:alpha:]]'", ' x\n1\n'],
  ["ls -I '[[:blank:]]*'", '1\né\n'],
  ["ls -I '1\\'", ' x\n1\né\n'],
  ["grep -rl --include='[[:alpha:]]' .", 'é\n'],
])('globs of options match like fnmatch in UTF-8: %s', async (script, stdout) => {
  const { shell } = setup({ files: { ' x': 'a\n', 1: 'b\n', é: 'c\n' } })
  expect(await shell.exec(script)).toMatchObject({ stdout, stderr: '' })
})

it('rev keeps characters beyond U+FFFF whole, also in a long line', async () => {
  for (const char of ['\u{10000}', '\u{103ff}']) {
    const long = char.repeat(20_000)
    const { stdout } = await setup({ files: { a: `${long}a\n` } }).shell.exec('rev a')
    expect(stdout).toBe(`a${long}\n`)
  }
})

describe('limits', () => {
  it('apply to files that a command creates', async () => {
    const { shell } = setup({ files: { a: 'x' }, shell: { limits: { outputBytes: 100_000 } } })
    expect((await shell.exec('truncate -s 1T a')).stderr).toBe("truncate: failed to truncate 'a' at 1099511627776 bytes: File too large\n")
    expect((await shell.exec('dd if=/dev/zero of=z bs=1M count=1')).stderr).toContain('dd: memory exhausted')
    expect((await shell.exec('dd if=/dev/zero of=z')).stderr).toContain('give count=')
    expect((await shell.exec('head -c 1G /dev/zero')).stderr).toContain('at most 67108864 bytes of /dev/zero can be read')
    expect((await shell.exec('echo 9^99999 | bc')).stderr).toContain('too long here')
  })

  it('apply to the content of archives', async () => {
    const { shell, workspace } = setup({ files: { zeros: new Uint8Array(1_000_000) }, shell: { limits: { outputBytes: 2_000_000 } } })
    await shell.exec('gzip -k zeros; tar czf t.tgz zeros')
    const { shell: small } = setup({ files: await workspace.files(), shell: { limits: { outputBytes: 100_000 } } })
    expect(await small.exec('gunzip -c zeros.gz')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('limit of 100000 bytes') })
    expect(await small.exec('tar xzf t.tgz -C /tmp')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('limit of 100000 bytes'),
    })
  })
})

describe('an abort', () => {
  for (const script of ['gzip -c big > x', 'tar czf x big', 'cmp -l big other', 'xxd big > x', 'shuf -i 1-9000000 > x']) {
    it(`ends ${script}`, async () => {
      const { shell } = setup({ files: { big: bytes(8_000_000), other: new Uint8Array(8_000_000) } })
      const ending = new AbortController()
      const running = shell.exec(`echo begun; ${script}; echo never`, {
        signal: ending.signal,
        onOutput: () => setTimeout(() => ending.abort(), 1),
      })
      expect(await running).toMatchObject({ aborted: true, stdout: 'begun\n' })
    }, 30_000)
  }
})

describe('commands and the host environment', () => {
  it('user and machine names are virtual', async () => {
    const { shell } = setup()
    expect((await shell.exec('whoami; id -un; logname; groups; nproc; arch; id -u')).stdout).toBe(
      'user\nuser\nuser\nuser\n1\nx86_64\n1000\n',
    )
    expect((await shell.exec('id; USER=me; export USER; whoami; id -un')).stdout).toBe(
      'uid=1000(user) gid=1000(user) groups=1000(user)\nme\nme\n',
    )
  })

  it('envsubst sees only exported variables', async () => {
    const { shell } = setup()
    expect((await shell.exec("A=1; export B=ü; echo '[$A][$B][${B}]' | envsubst; echo '$A $B' | B=3 envsubst '$B'")).stdout).toBe(
      '[][ü][ü]\n$A 3\n',
    )
  })
})

describe('an unknown option', () => {
  const commands = [
    'realpath',
    'mktemp',
    'cmp',
    'id',
    'truncate',
    'shuf',
    'install',
    'sha512sum',
    'envsubst',
    'less',
    'gzip',
    'tar',
    'patch',
    'bc',
    'nohup',
    'yes',
    'nproc',
  ]
  for (const name of commands) {
    it(`is rejected by ${name}`, async () => {
      const { shell } = setup()
      const { exitCode, stderr } = await shell.exec(`${name} --no-such-option x`)
      expect(stderr).toContain("unrecognized option '--no-such-option'")
      expect(exitCode).not.toBe(0)
    })
  }
})

describe('apply_patch', () => {
  const PATCH = '*** Begin Patch\n*** Update File: a\n@@\n-one\n+eins\n*** Add File: new/b\n+bee\n*** Delete File: gone\n*** End Patch'

  it('reads the patch from its argument or its input', async () => {
    const { shell, workspace } = setup({ files: { a: 'one\ntwo\n', gone: 'x\n' } })
    const result = await shell.exec(`apply_patch '${PATCH}'`)
    expect(result).toMatchObject({ stdout: 'Success. Updated the following files:\nM a\nA new/b\nD gone\n', stderr: '', exitCode: 0 })
    expect(await workspace.files()).toEqual({ a: 'eins\ntwo\n', 'new/b': 'bee\n' })
    expect((await shell.exec("cd new; apply_patch <<'EOF'\n--- a/b\n+++ b/b\n@@ -1 +1,2 @@\n bee\n+wasp\nEOF")).exitCode).toBe(0)
    expect((await workspace.readText('new/b')).text).toBe('bee\nwasp\n')
  })

  it('swaps two names, ignores modes, and uses the existing one of two names', async () => {
    const { shell, workspace } = setup({ files: { a: '1\n', b: '2\n', f: 'x\n' } })
    const moved = (from: string, to: string): string => `*** Update File: ${from}\n*** Move to: ${to}`
    const swap = ['*** Begin Patch', moved('a', 'b'), moved('b', 'a'), '*** End Patch'].join('\n')
    expect(await shell.exec(`apply_patch '${swap}'`)).toMatchObject({ exitCode: 0 })
    const mode = 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n'
    expect(await shell.exec(`apply_patch '${mode}--- old/f\n+++ new/f\n@@ -1 +1 @@\n-x\n+y\n'`)).toMatchObject({ exitCode: 0 })
    expect(await workspace.files()).toEqual({ a: '2\n', b: '1\n', f: 'y\n' })
  })

  it('changes nothing if one file cannot be patched', async () => {
    const { shell, workspace } = setup({ files: { a: 'one\n' } })
    const bad = '*** Begin Patch\n*** Add File: b\n+b\n*** Update File: a\n@@\n-nothing like it\n+x\n*** End Patch'
    const { exitCode, stderr } = await shell.exec(`apply_patch '${bad}'`)
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/^apply_patch: Cannot patch "a": /) })
    expect(await workspace.files()).toEqual({ a: 'one\n' })
  })

  it.each([
    [
      '*** Begin Patch\n*** Update File: a\n*** Move to: c\n*** Update File: b\n*** Move to: c\n*** End Patch',
      'c: the patch writes it at lines 2 and 4',
    ],
    ['*** Begin Patch\n*** Add File: c\n+n\n*** Add File: c\n+m\n*** End Patch', 'c: the patch writes it at lines 2 and 4'],
    ['diff --git a/a b/a\ndeleted file mode 100644\n', 'a: the patch deletes it, but does not remove all of its lines'],
  ])('rejects a patch that would lose a file: %j', async (patch, problem) => {
    const { shell, workspace } = setup({ files: { a: '1\n', b: '2\n' } })
    expect(await shell.exec(`apply_patch '${patch}'`)).toMatchObject({ exitCode: 1, stderr: `apply_patch: ${problem}\n` })
    expect(await workspace.files()).toEqual({ a: '1\n', b: '2\n' })
  })

  it('does not turn a link into a file', async () => {
    const { shell, workspace } = setup({ files: { a: '1\n' } })
    await workspace.symlink('a', 'l')
    const patch = '*** Begin Patch\n*** Update File: l\n*** Move to: m\n*** End Patch'
    expect(await shell.exec(`apply_patch '${patch}'`)).toMatchObject({ exitCode: 1, stderr: 'apply_patch: l: it is a link: use mv\n' })
    expect(await workspace.readlink('l')).toBe('a')
  })

  it.each([
    ['*** Update File: a\n*** Move to: l\n@@\n-1\n+9', 'l: the destination is a link: remove it first, or use another name\n'],
    ['*** Update File: a\n*** Move to: dangling', 'dangling: the destination is a link: remove it first, or use another name\n'],
    ['*** Add File: dangling\n+x', 'dangling: it is a link that leads nowhere\n'],
    ['*** Delete File: l\n*** Add File: new\n+x\n*** Delete File: locked/f', /nothing was changed\n$/],
    ['*** Delete File: l\n*** Add File: l\n+x\n*** Delete File: locked/f', /nothing was changed\n$/],
  ])('keeps a link and its target if a patch fails: %j', async (lines, problem) => {
    const rules = [{ paths: 'locked', access: 'write' as const, action: 'deny' as const }]
    const files = { a: '1\n', b: '2\n', 'locked/f': 'x\n' }
    const { shell, workspace } = setup({ files, workspace: { policy: { paths: rules } } })
    await workspace.symlink('b', 'l')
    await workspace.symlink('gone', 'dangling')
    const { exitCode, stderr } = await shell.exec(`apply_patch '*** Begin Patch\n${lines}\n*** End Patch'`)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(problem)
    expect(await workspace.files()).toEqual(files)
    expect(await Promise.all(['l', 'dangling'].map((name) => workspace.readlink(name)))).toEqual(['b', 'gone'])
  })

  it('deletes a link itself, also a dangling one, and patches a file with two names once', async () => {
    const { shell, workspace } = setup({ files: { a: '1\n2\n' } })
    await workspace.symlink('a', 'l')
    await workspace.symlink('gone', 'dangling')
    const lines = ['*** Update File: l', '@@', '-1', '+one', '*** Update File: a', '@@', '-2', '+two']
    const rest = ['*** Delete File: l', '*** Delete File: dangling', '*** Add File: l', '+own']
    const patch = ['*** Begin Patch', ...lines, ...rest, '*** End Patch'].join('\n')
    expect(await shell.exec(`apply_patch '${patch}'`)).toMatchObject({ exitCode: 0 })
    expect(await workspace.files()).toEqual({ a: 'one\ntwo\n', l: 'own\n' })
    expect(await workspace.exists('dangling')).toBe(false)
  })

  it('reverts written files if a later file is rejected', async () => {
    const rules = [{ paths: 'locked', access: 'write' as const, action: 'deny' as const }]
    const { shell, workspace } = setup({ files: { a: 'one\n', 'locked/f': 'x\n' }, workspace: { policy: { paths: rules } } })
    const patch =
      '*** Begin Patch\n*** Update File: a\n@@\n-one\n+two\n*** Add File: q/r\n+new\n*** Update File: locked/f\n@@\n-x\n+y\n*** End Patch'
    const before = await workspace.files()
    expect(await shell.exec(`apply_patch '${patch}'`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('nothing was changed'),
    })
    expect(await workspace.files()).toEqual(before)
    expect((await shell.exec('apply_patch a b')).exitCode).toBe(2)
    expect((await shell.exec('apply_patch < /dev/null')).stderr).toContain('there is no patch')
  })
})

describe('a custom command', () => {
  const greet: ShellCommand = { name: 'greet', run: (args) => ({ stdout: `hello ${args.join(' ')}\n` }) }

  function shellWith(...commands: ShellCommandSource[]): ReturnType<typeof setup>['shell'] {
    return setup({ files: { a: 'one\n' }, shell: { commands } }).shell
  }

  it('works in pipes, with redirections and in xargs', async () => {
    const shell = shellWith(greet)
    const script = 'greet ü | tr a-z A-Z; greet > f; cat f; echo 1 2 | xargs -n 1 greet; command -v greet; greet "a b" | wc -l'
    expect((await shell.exec(script)).stdout).toBe('HELLO ü\nhello \nhello 1\nhello 2\n/usr/bin/greet\n1\n')
  })

  it('gets its input as bytes, the directory, exported variables and the file system', async () => {
    const seen: unknown[] = []
    const shell = shellWith({
      name: 'look',
      async run(args, { stdin, cwd, env, fs }) {
        seen.push([args, [...stdin], cwd, env.X, await fs.exists(fs.resolvePath(cwd, 'a'))])
        await fs.writeFile('/workspace/made', Uint8Array.of(255, 0))
        return { stdout: Uint8Array.of(0xff, 0, 0x80), exitCode: 3 }
      },
    })
    const result = await shell.exec('export X=y; printf "é" | look 1 > out; echo "$?"; od -An -tx1 out made')
    expect(seen).toEqual([[['1'], [0xc3, 0xa9], '/workspace', 'y', true]])
    expect(result.stdout).toBe('3\n ff 00 80 ff 00\n')
  })

  it('leaves the input of a loop unread unless it reads', async () => {
    const result = await shellWith(greet).exec('printf "a\\nb\\n" | while read x; do greet $x; done')
    expect(result.stdout).toBe('hello a\nhello b\n')
  })

  it('a custom command that throws prints its error and exits with 1', async () => {
    const shell = shellWith({
      name: 'bad',
      run() {
        throw new Error('no luck')
      },
    })
    expect(await shell.exec('bad; echo $?')).toMatchObject({ stdout: '1\n', stderr: 'bad: no luck\n' })
  })

  it('replaces a built-in command of the same name', async () => {
    expect((await shellWith({ name: 'ls', run: () => ({ stdout: 'mine\n' }) }).exec('ls')).stdout).toBe('mine\n')
  })

  it('may be a function of the workspace', async () => {
    const shell = shellWith((workspace) => ({ name: 'root', run: () => ({ stdout: workspace.root }) }))
    expect((await shell.exec('root')).stdout).toBe('/workspace')
  })

  for (const name of ['', 'a b', '-x', 'a/b', 'cd', 'if', 'echo', '[[', 'ä']) {
    it(`is rejected with the name "${name}"`, () => {
      expect(() => shellWith({ name, run: () => ({}) })).toThrow(TypeError)
    })
  }

  it('is rejected if two have the same name', () => {
    expect(() => shellWith(greet, greet)).toThrow('Two commands')
  })
})
