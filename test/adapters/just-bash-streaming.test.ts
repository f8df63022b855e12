// @module-tag virtual-shell
import { createWorkspace, toBashFs } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { Bash } from '#just-bash'
import { jqCommand, ownCommands } from '../../adapters/just-bash/commands/index.js'
import { locateJq } from '../../adapters/just-bash/commands/jq/locate.js'
import { SCRIPT_FILES, SCRIPTS, setup } from './just-bash-support.js'

const STDIN = 'line 1\nline 2\n'
const HINT = /^\(This is a virtual bash.*\n/m

/** Script -> output of the library alone, where it differs from ours, because our shell has its own input, descriptors and jobs. */
const OTHERWISE: Readonly<Record<string, Partial<Awaited<ReturnType<typeof plain>>>>> = {
  'head -c 4; echo; wc -c': { stdout: 'line\n0\n' },
  'while read l; do echo $l; cat; done < a.txt': { stdout: 'one\ntwo\nthree\n' },
  'ls nope a.txt > o.txt 2>&1; cat o.txt; ls nope 2>&1 >/dev/null | cat': {
    stdout: "ls: cannot access 'nope': No such file or directory\na.txt\nls: cannot access 'nope': No such file or directory\n",
  },
  'trap "echo bye" EXIT; echo body': { stdout: 'body\nbye\n', stderr: '' },
  'test x; echo $?; [ ]; echo $?; : > empty; wc -c < empty; [ -s empty ] || echo empty': { stdout: '0\n1\n0\nempty\n' },
}

/** Runs the script in the library's own shell, with our commands and the same file system. */
async function plain(script: string) {
  const workspace = createWorkspace({ fs: createMemoryFs({ files: SCRIPT_FILES }) })
  const bash = new Bash({
    fs: toBashFs(workspace, { scratch: createMemoryFs() }),
    cwd: workspace.cwd,
    defenseInDepth: false,
    customCommands: [...ownCommands, jqCommand(locateJq())],
    env: { HOME: '/home', PATH: '/usr/bin:/bin', USER: 'user', LANG: 'C.UTF-8', TMPDIR: '/tmp', TERM: 'dumb' },
  })
  const { stdout, stderr, exitCode } = await bash.exec(script, { rawScript: true, stdin: STDIN })
  // In the library's output, bytes that are not UTF-8 are lone surrogates.
  return { stdout: new TextDecoder().decode(new TextEncoder().encode(stdout)), stderr, exitCode }
}

async function heard(script: string, files: Record<string, string | Uint8Array> = {}) {
  const pieces: string[] = []
  const { shell } = setup({ files })
  const result = await shell.exec(script, { onOutput: ({ stream, text }) => pieces.push(`${stream}: ${text}`) })
  return { pieces, ...result }
}

describe('streamed output', () => {
  it.each(SCRIPTS)('equals the output in the result: %j', async (script) => {
    const { shell } = setup({ files: SCRIPT_FILES })
    const streams = { stdout: '', stderr: '' }
    const { stdout, stderr, exitCode } = await shell.exec(script, {
      stdin: STDIN,
      onOutput: ({ stream, text }) => {
        streams[stream] += text
      },
    })
    expect(streams).toEqual({ stdout, stderr })
    expect({ stdout, stderr: stderr.replace(HINT, ''), exitCode }).toEqual({ ...(await plain(script)), ...OTHERWISE[script] })
  })

  it('arrives line by line from nested shells, env, xargs and cat', async () => {
    const { pieces } = await heard(
      "bash -c 'echo a; echo e >&2; echo b'; env sh -c 'echo c; echo d'; echo x | xargs -t echo; cat nope a.txt",
      {
        'a.txt': 'one\n',
      },
    )
    expect(pieces).toEqual([
      'stdout: a\n',
      'stderr: e\n',
      'stdout: b\n',
      'stdout: c\n',
      'stdout: d\n',
      'stderr: echo x\n',
      'stdout: x\n',
      'stderr: cat: nope: No such file or directory\n',
      'stdout: one\n',
    ])
  })

  it('arrives command by command', async () => {
    const { pieces } = await heard('echo a; for i in 1 2; do echo $i; done; if true; then (echo sub; echo err >&2); fi; echo z')
    expect(pieces).toEqual(['stdout: a\n', 'stdout: 1\n', 'stdout: 2\n', 'stdout: sub\n', 'stderr: err\n', 'stdout: z\n'])
  })

  it('output of functions, eval and sourced files arrives command by command, that of a pipeline at once', async () => {
    const { pieces } = await heard(
      'f() { echo x; echo y >&2; }; f; eval "echo e; echo v"; . ./s.sh; set -x; echo t; set +x; printf "b\\na\\n" | sort',
      { 's.sh': 'echo s; echo t' },
    )
    const traced = ['stderr: + echo t\n', 'stdout: t\n', 'stderr: + set +x\n']
    const called = ['stdout: x\n', 'stderr: y\n', 'stdout: e\n', 'stdout: v\n', 'stdout: s\n', 'stdout: t\n']
    expect(pieces.toSorted()).toEqual([...called, ...traced, 'stdout: a\nb\n'].toSorted())
    expect(pieces.slice(0, called.length)).toEqual(called)
  })

  it('output of a group keeps the order of both streams', async () => {
    const { stdout } = await heard('{ echo a; ls nope; echo b; } 2>&1; { echo c; echo d >&2; echo e; } > both.txt 2>&1; cat both.txt')
    expect(stdout).toBe("a\nls: cannot access 'nope': No such file or directory\nb\nc\nd\ne\n")
  })

  it('output of a group reaches its file while the group runs, even after cd', async () => {
    const { shell, workspace } = setup({ files: { 'dir/x': '' } })
    const group = '{ echo a; cd dir; cat ../log; until [ -e ../go ]; do sleep 0.01; done; echo b; } > log'
    const { stdout } = await shell.exec(
      `${group} & until grep -q a log; do sleep 0.01; done 2> /dev/null; cat log; touch go; wait; cat log`,
    )
    expect(stdout).toMatch(/^a\n/)
    expect((await workspace.readText('log')).text).toBe('a\na\nb\n')
  })
})

describe('encodings', () => {
  const files = { 'u.txt': 'hü €\n', 'b.bin': new Uint8Array([0x61, 0xff, 0xfe, 0x62]), 'latin.txt': 'Ã©\n' }

  it('decode UTF-8 and replace invalid bytes by U+FFFD', async () => {
    expect((await heard('cat u.txt', files)).stdout).toBe('hü €\n')
    expect((await heard('cat b.bin', files)).stdout).toBe('a\ufffd\ufffdb')
    expect((await heard('cat u.txt b.bin; echo é', files)).stdout).toBe('hü €\na\ufffd\ufffdbé\n')
    expect((await heard('for i in 1 2; do cat b.bin | cat; done', files)).stdout).toBe('a\ufffd\ufffdba\ufffd\ufffdb')
  })

  it('join a character whose bytes two commands print', async () => {
    expect(
      (await heard('head -c 2 half; cat rest', { half: new Uint8Array([0x68, 0xc3]), rest: new Uint8Array([0xbc, 0x0a]) })).stdout,
    ).toBe('hü\n')
    expect((await heard('head -c 2 half; echo', { half: new Uint8Array([0x68, 0xc3]) })).stdout).toBe('h\ufffd\n')
  })

  it('keep text that looks like double-encoded UTF-8', async () => {
    expect((await heard('echo Ã©; cat latin.txt', files)).stdout).toBe('Ã©\nÃ©\n')
  })

  it('decode bytes that a script prints with escapes', async () => {
    expect((await heard('printf "\\303\\274\\n"; echo -e "\\xc3\\xbc"; echo done')).stdout).toBe('ü\nü\ndone\n')
    expect((await heard('exec 2>&1; printf "\\303\\274\\n"')).stdout).toBe('ü\n')
  })

  it('keep text beside words such as read and mapfile', async () => {
    expect((await heard('echo Ã© # read it; mapfile\necho read Ã©')).stdout).toBe('Ã©\nread Ã©\n')
  })

  it('decode output to standard error', async () => {
    expect((await heard('cat u.txt >&2; echo ö >&2; ls ü', files)).stderr).toBe(
      "hü €\nö\nls: cannot access 'ü': No such file or directory\n",
    )
  })

  it('keep text through read and mapfile', async () => {
    const script = 'while read -r l; do echo "→ $l"; echo "$l" >> copy; done < u.txt; mapfile -t L < u.txt; echo "$L ä"; cat copy'
    expect((await heard(script, files)).stdout).toBe('→ hü €\nhü € ä\nhü €\n')
  })

  it('write unchanged bytes to files', async () => {
    const { shell, workspace } = setup({ files })
    await shell.exec('cat b.bin > copy.bin; cat u.txt b.bin | cat >> copy.bin')
    const { bytes } = await workspace.readBytes('copy.bin')
    expect([...bytes]).toEqual([0x61, 0xff, 0xfe, 0x62, ...new TextEncoder().encode('hü €\n'), 0x61, 0xff, 0xfe, 0x62])
  })

  it('show output that commands write to /dev/stderr', async () => {
    const result = await heard('echo x | tee /dev/stderr; awk \'BEGIN { print "from awk" > "/dev/stderr" }\'')
    expect(result).toMatchObject({ stdout: 'x\n', stderr: 'x\nfrom awk\n' })
    expect((await heard('echo gone > /dev/null; cat /dev/null; echo here')).stdout).toBe('here\n')
  })
})
