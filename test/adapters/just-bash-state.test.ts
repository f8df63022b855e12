// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { ShellAdapter, ShellResult, ShellState } from 'toolport'
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** Runs the scripts one after another. Each script starts with the state that the previous script has returned. */
async function chain(shell: ShellAdapter, ...scripts: readonly string[]): Promise<ShellResult> {
  let last: ShellResult | undefined
  for (const script of scripts)
    last = await shell.exec(script, last && { cwd: last.cwd, env: last.env, ...(last.state && { state: last.state }) })
  return last as ShellResult
}

describe('state passed to the next command', () => {
  const cases: [before: string, after: string, stdout: string][] = [
    ['x=1; y="a b\n\\"c"', 'echo "$x|$y"; env | grep -c ^x=', '1|a b\n"c\n0\n'],
    ['export E=1; p=2', 'bash -c \'echo "$E|$p"\'', '1|\n'],
    ['a=(1 "2 3"); a[9]=z; unset "a[0]"', 'echo "${#a[@]} ${a[1]} ${!a[@]}"', '2 2 3 1 9\n'],
    ['declare -A m=([k]=v [l]=w)', 'echo "${m[k]}${m[l]} ${#m[@]}"; m[n]=x; echo ${#m[@]}', 'vw 2\n3\n'],
    ['declare -i n=3; declare -l low; declare -u UP', 'n=n+4; low=ABC; UP=abc; echo $n $low $UP', '7 abc ABC\n'],
    ['target=t; declare -n ref=target', 'echo $ref; ref=u; echo $target', 't\nu\n'],
    ['f() { local l=$1; g; echo "$l"; }; g() { echo g; }', 'f x; type f | head -1', 'g\nx\nf is a function\n'],
    ['set -euo pipefail', 'echo ${-//[^eu]/}; false | true; echo never', 'eu\n'],
    ['set -f; shopt -s nullglob', 'echo *; set +f; echo *.none end', '*\nend\n'],
    ["shopt -s expand_aliases; alias hi='echo hello'", 'hi you', 'hello you\n'],
    ['mkdir -p d/e; cd d; cd e', 'cd -; pwd', '/workspace/d\n/workspace/d\n'],
    [
      'mkdir -p d/e; pushd d > /dev/null; pushd e > /dev/null',
      'dirs -l -p; popd > /dev/null; pwd',
      '/workspace/d/e\n/workspace/d\n/workspace\n/workspace/d\n',
    ],
    ['x=1; f() { echo f; }; exit 4', 'echo $x; f', '1\nf\n'],
    ['f() { local l=1; g=2; exit; }; l=out; f', 'echo "$l $g"', 'out 2\n'],
    ['f() { T=temporary; exit; }; T=kept f', 'echo "[${T-unset}]"', '[unset]\n'],
    ['x=1; no_such', 'echo $x', '1\n'],
    ['IFS=:', 'v=a:b; set -- $v; echo $2', 'b\n'],
    ['set -- a b; x=$#', 'echo $# $x', '0 2\n'],
    ['x=1; (x=2; y=3); x=$x | cat; z=$(x=5)', 'echo "$x$y"', '1\n'],
    ['x=1; { x=2; } & wait', 'echo $x', '1\n'],
    ['sleep 100 & x=$!', 'jobs; wait; echo "[$!]"', '[]\n'],
    ['trap "echo bye" EXIT', 'trap -p', ''],
    ['readonly R=1; x=2', 'R=3; echo $R$x', '32\n'],
  ]
  it.each(cases)('%s, then %s', async (before, after, stdout) => {
    const { shell } = setup()
    expect((await chain(shell, before, after)).stdout).toBe(stdout)
  })

  it('belongs to one shell: SHLVL and BASH_VERSINFO start anew', async () => {
    const script = "echo $SHLVL ${BASH_VERSINFO[0]}; SHLVL=7; echo $SHLVL; bash -c 'echo $SHLVL'"
    for (const { shell } of [setup(), setup()]) expect((await chain(shell, 'true', script)).stdout).toBe('1 5\n7\n2\n')
  })

  it('explains an exit that `set -e` of an earlier command caused', async () => {
    const { shell } = setup()
    const words = '`set -e` is on from an earlier one'
    const ended = await chain(shell, 'set -e', '(false); echo no')
    expect({ ...ended, stderr: ended.stderr.split(words).length - 1 }).toMatchObject({ stdout: '', stderr: 1, exitCode: 1 })
    expect((await chain(shell, 'set -e', 'false || echo fine; set +e; false; echo on')).stderr).toBe('')
    expect((await shell.exec('set -e; false')).stderr).toBe('')
  })

  it('survives commands that do not change it or cannot be parsed', async () => {
    const { shell } = setup()
    const script = ['x=1; a=(1 2); f() { echo "$x${a[1]}"; }; set -u', 'true', '', 'if', 'f; echo ${-//[^u]/}']
    expect((await chain(shell, ...script)).stdout).toBe('12\nu\n')
  })

  it('is absent without the option, and variables of the call override it', async () => {
    const { shell } = setup()
    const first = await shell.exec('x=1; y=1; f() { :; }')
    expect((await shell.exec('echo "[$x]"; type f')).stdout).toBe('[]\n')
    expect((await shell.exec('echo $x$y; env | grep ^x=', { state: first.state as ShellState, env: { x: '2' } })).stdout).toBe('21\nx=2\n')
  })

  it('is not visible to other programs: functions and options stay in the shell', async () => {
    const { shell } = setup()
    const { stdout } = await chain(shell, 'f() { echo f; }; set -e', "bash -c 'type f || echo none; false; echo on'")
    expect(stdout).toContain('on\n')
    expect(stdout).not.toContain('function')
  })

  it('is plain data and can be copied', async () => {
    const { shell } = setup()
    const { state, env } = await shell.exec('x=1; a=(1); declare -A m=([k]=v); f() { case $1 in a*) cat <<< "$x" ;; esac; }; alias l=ls')
    const copy = JSON.parse(JSON.stringify(structuredClone(state))) as ShellState
    expect((await shell.exec('f abc; echo ${m[k]}', { state: copy, env })).stdout).toBe('1\nv\n')
    expect((await setup().shell.exec('f abc', { state: copy })).stdout).toBe('1\n')
  })

  it('is not returned after a timeout or an abort, but after a limit is reached', async () => {
    const { shell } = setup({ shell: { limits: { commands: 200 } } })
    expect((await shell.exec('x=1; sleep 1000', { timeoutMs: 50 })).state).toBeUndefined()
    expect((await shell.exec('x=1; sleep 1000', { signal: AbortSignal.timeout(50) })).state).toBeUndefined()
    // The state is returned after a limit too.
    expect((await shell.exec('x=1; while :; do :; done')).state).toMatchObject({ variables: [['x', '1']] })
  })

  it('above 8 MiB is dropped with a message', async () => {
    const { shell } = setup()
    const { state, stderr, exitCode } = await shell.exec('x=$(yes abcdefgh | head -c 3000000); y=$x; z=$x; echo ${#z}')
    expect(state).toBeUndefined()
    expect(exitCode).toBe(0)
    expect(stderr).toContain('more than 8 MiB')
  })
})

describe('a state that this shell did not create', () => {
  const whole = {
    shell: 'just-bash',
    version: 1,
    variables: [],
    arrays: [],
    attributes: {},
    functions: [],
    options: [],
    shopt: [],
    directories: [],
  }
  it.each([
    {},
    { shell: 'bash', script: 'x=1' },
    { ...whole, version: 2 },
    { ...whole, variables: 'x=1' },
    { ...whole, variables: [['x', 1]] },
    { ...whole, variables: [['x']] },
    { ...whole, arrays: [['a', { kind: 'other', elements: [] }]] },
    { ...whole, attributes: { exportedVars: ['x'] } },
    { ...whole, attributes: { integerVars: [1] } },
    { ...whole, functions: [['f', 'echo x']] },
    { ...whole, functions: [['f', { type: 'FunctionDef', name: 'f', body: null, redirections: [] }]] },
    { ...whole, options: [null] },
    { ...whole, shopt: [['nullglob', 'yes']] },
    { ...whole, directories: [7] },
  ])('is rejected: %j', async (state) => {
    const { shell } = setup()
    await expect(shell.exec('echo x', { state })).rejects.toMatchObject({ name: 'InputError', code: 'invalid_input' })
    await expect(shell.spawn?.('echo x', { state })).rejects.toMatchObject({ name: 'InputError' })
  })

  it('is harmless if only its values are odd', async () => {
    const { shell } = setup()
    const body = { type: 'Nonsense' }
    const odd = {
      ...whole,
      variables: [
        ['__proto__', 'p'],
        ['1', 'x'],
        ['?', '9'],
      ],
      options: ['nonsense', 'constructor'],
      shopt: [['__proto__', true]],
      functions: [['f', { type: 'FunctionDef', name: 'f', body, redirections: [] }]],
    }
    const result = await shell.exec('f; echo "$? ok"', { state: odd })
    expect(result.stderr).not.toBe('')
    expect(({} as Record<string, unknown>).nonsense).toBeUndefined()
    expect((await shell.exec('echo works')).stdout).toBe('works\n')
  })
})
