// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { type Setup, setup } from './just-bash-support.js'

async function run(script: string, options?: Setup) {
  const { shell } = setup(options)
  const { exitCode, stdout, stderr } = await shell.exec(script)
  return { exitCode, stdout, stderr }
}

const TARGETS = [
  ['missing/f', 'No such file or directory'],
  ['/nowhere/f', 'Permission denied'],
  ['dir', 'Is a directory'],
  ['file/below', 'Not a directory'],
] as const

const files = { 'dir/x': '', file: 'old\n' }

describe('a redirection that fails', () => {
  it.each(['{ echo a; echo b >&2; } > log 2> log', 'ls nope > log 2>> log', 'exec 3> log 4> log', 'exec 3> log; echo b > log'])(
    'rejects opening one file twice: %s',
    async (script) => {
      const { exitCode, stderr } = await run(script)
      expect(stderr).toContain('would write over one another')
      expect(exitCode).toBe(1)
    },
  )

  it.each(TARGETS)('a redirection to %s fails only its own command', async (target, reason) => {
    const line = `bash: ${target}: ${reason}\n`
    expect(await run(`echo x > ${target}; echo "status $?"`, { files })).toEqual({ exitCode: 0, stdout: 'status 1\n', stderr: line })
    expect(await run(`echo x >> ${target} || echo or`, { files })).toEqual({ exitCode: 0, stdout: 'or\n', stderr: line })
    expect(await run(`ls nope 2> ${target}; echo on`, { files })).toEqual({ exitCode: 0, stdout: 'on\n', stderr: line })
    expect(await run(`echo x &> ${target}; echo on`, { files })).toEqual({ exitCode: 0, stdout: 'on\n', stderr: line })
    expect(await run(`echo x >& ${target}; echo on`, { files })).toEqual({ exitCode: 0, stdout: 'on\n', stderr: line })
    expect(await run(`for i in 1 2; do echo $i; done > ${target}; echo on`, { files })).toEqual({
      exitCode: 0,
      stdout: 'on\n',
      stderr: line,
    })
    expect(await run(`{ echo x; } > ${target}; (echo y) > ${target}; echo on`, { files })).toEqual({
      exitCode: 0,
      stdout: 'on\n',
      stderr: line + line,
    })
    expect(await run(`set -e; echo x > ${target}; echo never`, { files })).toEqual({ exitCode: 1, stdout: '', stderr: line })
    expect(await run(`bash -c 'echo x > ${target}; echo on'`, { files })).toEqual({ exitCode: 0, stdout: 'on\n', stderr: line })
    expect(await run(`> ${target}; echo $?`, { files })).toEqual({ exitCode: 0, stdout: '1\n', stderr: line })
  })

  it('prints the reason even if standard error is redirected', async () => {
    expect((await run('{ echo x > missing/f; } 2>&1 | cat', { files })).stdout).toBe('bash: missing/f: No such file or directory\n')
  })

  it('prints one reason for each of several targets', async () => {
    expect((await run('echo x > missing/a; echo y > /nowhere/b; t=file/c; echo z > "$t"', { files })).stderr).toBe(
      'bash: missing/a: No such file or directory\nbash: /nowhere/b: Permission denied\nbash: file/c: Not a directory\n',
    )
  })

  it.each([
    "eval 'echo x > missing/f'; echo $?",
    "echo 'echo x > missing/f' > s.sh; . ./s.sh; echo $?",
    'f() { echo x > missing/f; }; f; echo $?',
    'f() { echo x; } > missing/f; f; echo $?',
    'n=missing/f; echo x >& $n; echo $?',
    'n=missing/f; echo x > "$n" || echo 1',
    'exec 3> missing/f; echo $?',
    'echo x 3> missing/f; echo $?',
    'x=$(echo x > missing/f); echo $?',
    '((1)) > missing/f; echo $?',
    'cat <> missing/f; echo $?',
    'echo x > missing/f | cat; echo ${PIPESTATUS[0]}',
    'if echo x > missing/f; then echo 0; else echo 1; fi',
  ])('fails only its own command at any place in a script: %s', async (script) => {
    expect(await run(script, { files })).toEqual({
      exitCode: 0,
      stdout: '1\n',
      stderr: 'bash: missing/f: No such file or directory\n',
    })
  })

  it('prints the target as the script wrote it', async () => {
    expect((await run('ln -s missing/f link; echo x > link; echo x >/dev/sub/x; cd dir; echo x > ../missing/f', { files })).stderr).toBe(
      'bash: link: No such file or directory\nbash: /dev/sub/x: No such file or directory\nbash: ../missing/f: No such file or directory\n',
    )
  })

  it('fails in a read-only workspace, but not in /tmp', async () => {
    const readOnly = { files, workspace: { policy: { readOnly: true } } }
    expect(await run('echo x > new; echo $?; cat file', readOnly)).toEqual({
      exitCode: 0,
      stdout: '1\nold\n',
      stderr: 'bash: new: Read-only file system\n',
    })
    expect(await run('echo kept > /tmp/t; cat /tmp/t', readOnly)).toEqual({ exitCode: 0, stdout: 'kept\n', stderr: '' })
  })
})

describe('a write that fails', () => {
  it('a write on a full storage fails only its own command', async () => {
    const fs = createMemoryFs({ maxBytes: 100 })
    const result = await run('echo before; seq 1000 > big; echo after', { workspace: { fs } })
    expect(result).toEqual({ exitCode: 0, stdout: 'before\nafter\n', stderr: 'bash: big: No space left on device\n' })
  })

  const LONG = '0123456789abcdef'
  it.each([
    `export Q=1; echo ${LONG} > f; echo "rc $?"`,
    `echo ${LONG} >> f; echo "rc $?"`,
    `echo ${LONG} 2> f >&2; echo "rc $?"`,
    `echo ${LONG} &> f; echo "rc $?"`,
    `echo ${LONG} | cat > f; echo "rc $?"`,
    `{ echo ${LONG}; } > f; echo "rc $?"`,
    `(echo ${LONG}) > f; echo "rc $?"`,
    `for i in 1; do echo ${LONG}; done > f; echo "rc $?"`,
    `exec 3> f; echo ${LONG} >&3; echo "rc $?"`,
    `echo ${LONG} > f || echo "rc 1"`,
    `f() { echo ${LONG} > f; echo "rc $?"; }; f`,
    `bash -c 'echo ${LONG} > f; echo "rc $?"'`,
    `eval 'echo ${LONG} > f'; echo "rc $?"`,
  ])('a write at the quota fails only its own command: %s', async (script) => {
    expect(await run(`echo start; ${script}; echo end`, { workspace: { quotas: { bytes: 10 } } })).toEqual({
      exitCode: 0,
      stdout: 'start\nrc 1\nend\n',
      stderr: 'bash: f: No space left on device\n',
    })
  })
})

describe('redirections', () => {
  const cases: [script: string, stdout: string][] = [
    ['echo a > f; echo b >> f; cat f', 'a\nb\n'],
    ['ls nope file 2>&1 > f; cat f', "ls: cannot access 'nope': No such file or directory\nfile\n"],
    ['ls nope file > f 2>&1; wc -l < f', '2\n'],
    ['echo both >& f; cat f', 'both\n'],
    ['echo x > "a b"; cat "a b"', 'x\n'],
    ['{ echo a; echo b >&2; } >f 2>&1; cat f', 'a\nb\n'],
    ['while read l; do echo "$l" > out; done < file; cat out', 'old\n'],
    ['cat <> file', 'old\n'],
    ['echo 200 > f200; cat f200; echo 201 200>g; cat g', '200\n201\n'],
    ['exec > all; echo hidden; exec >&2; echo x 2>/dev/null', ''],
    ['exec 5> five; echo x >&5; exec 5>&-; cat five', 'x\n'],
    ['x=$(echo inner > f; cat f); echo "[$x]"', '[inner]\n'],
    ['f() { echo in; } > ffile; f; cat ffile', 'in\n'],
    ['echo x | tee a > b; cat a b', 'x\nx\n'],
  ]
  it.each(cases)('%s', async (script, stdout) => {
    expect((await run(script, { files })).stdout).toBe(stdout)
  })
})
