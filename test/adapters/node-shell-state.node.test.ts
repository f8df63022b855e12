// @module-tag node-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands, in which these are the shell's own.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellAdapter, ShellExecOptions, ShellResult, ShellState } from 'toolport'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanUp, freshRoot, rejection, root, shellOf } from './node-shell-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)

/** Runs commands one after another. Each command starts with the state that the previous command has returned. Returns all results. */
async function inTurn(shell: ShellAdapter, ...commands: readonly string[]): Promise<ShellResult[]> {
  const results: ShellResult[] = []
  let carried: ShellExecOptions = {}
  for (const command of commands) {
    const result = await shell.exec(command, carried)
    results.push(result)
    carried = { cwd: result.cwd, env: result.env, ...((result.state ?? carried.state) && { state: result.state ?? carried.state }) }
  }
  return results
}

const lastOf = async (...commands: readonly string[]): Promise<ShellResult | undefined> => (await inTurn(shellOf(), ...commands)).at(-1)

describe('the state of a shell', () => {
  it.each([
    ['set -e', 'set -e', 'false; echo after', { exitCode: 1, stdout: '' }],
    ['set -x, which shows the command only', 'set -x', 'echo hi', { stdout: 'hi\n', stderr: '+ echo hi\n' }],
    ['set +o braceexpand', 'set +o braceexpand', 'echo {a,b}', { stdout: '{a,b}\n' }],
    ['shopt -u', 'shopt -u sourcepath', 'shopt sourcepath', { stdout: expect.stringMatching(/off/) }],
    ['extglob', 'shopt -s extglob; touch a b', 'echo !(a)', { stdout: 'b\n' }],
    ['an integer variable', 'declare -i n=5', 'n=n+1; echo $n', { stdout: '6\n' }],
    ['a nameref', 'x=1; declare -n r=x', 'r=2; echo $x', { stdout: '2\n' }],
    ['an uppercase variable', 'declare -u u=a', 'u=bcd; echo $u', { stdout: 'BCD\n' }],
    ['a readonly variable', 'readonly r=1', 'r=2', { stderr: 'bash: line 1: r: readonly variable\n' }],
    ['an exported integer', 'declare -ix n=5', 'n=n+1; bash -c "echo \\$n"', { stdout: '6\n' }],
    [
      'keys with special characters',
      `declare -A m=(["a]b"]=1 ['$x']=2 ["'\\""]=3 [$'\\n']=4 [ü]=5 [-]=6)`,
      'printf %s "${!m[@]}" "${m[@]}" | tr -d "\\n" | fold -w1 | sort | tr -d "\\n"',
      { stdout: expect.stringMatching(/123456/) },
    ],
    [
      'control characters and invalid UTF-8',
      String.raw`x=$'a\001\n\377\t'`,
      'printf %s "$x" | od -An -tx1',
      { stdout: ' 61 01 0a ff 09\n' },
    ],
    ['gaps in an array', 'a=([3]=x [7]=y)', 'echo "${!a[@]} ${#a[@]}"', { stdout: '3 7 2\n' }],
    ['IFS', 'IFS=:', 'x=a:b; echo $x', { stdout: 'a b\n' }],
    ['a function with a dash, and a redirection', 'my-f() { echo hi; echo err >&2; } 2> /dev/null', 'my-f', { stdout: 'hi\n', stderr: '' }],
    [
      'functions named like commands',
      'trap() { echo no; }; unset() { echo no; }; exec() { echo no; }; set() { echo no; }; x=1',
      'echo $x; trap',
      { stdout: '1\nno\n', stderr: '' },
    ],
    ['an exported function', 'f() { echo hi; }; export -f f', 'f', { stdout: 'hi\n' }],
    ['a value with END lines', "x='\nEND\nEND_\n'", 'echo "$x"', { stdout: '\nEND\nEND_\n\n', stderr: '' }],
  ])('keeps %s', async (_, before, command, expected) => {
    expect(await lastOf(before, ':', command)).toMatchObject(expected)
  })

  it('is not visible to the command', async () => {
    const before = 'x=1; f() { :; }; a=(1 2); set -o pipefail'
    expect(await lastOf(before, '\nnope')).toMatchObject({ stderr: 'bash: line 2: nope: command not found\n' })
    expect(await lastOf(before, 'if then')).toMatchObject({ stderr: expect.stringMatching(/^bash: -c: line 1: syntax error/) })
    expect(await lastOf(before, 'echo $0 $#; env | grep -c BASH; ls /proc/self/fd | wc -l')).toMatchObject({
      stdout: (await shellOf().exec('echo $0 $#; env | grep -c BASH; ls /proc/self/fd | wc -l')).stdout,
      stderr: '',
    })
  })

  it('is empty, not undefined, after a command that changes nothing', async () => {
    expect((await shellOf().exec('echo hi')).state).toEqual({ of: 'bash', variables: [], functions: [], options: [] })
  })

  it('contains variables that the command sets, but no defaults of bash', async () => {
    vi.stubEnv('SHELL', undefined)
    const shell = shellOf()
    vi.unstubAllEnvs()
    expect((await shell.exec('export -n SHELL; : "$SHELL"')).state).toMatchObject({ variables: [] })
    expect((await shell.exec('SHELL=mine')).state).toMatchObject({ variables: ['declare -- SHELL="mine"'] })
  })

  it('is returned without local variables if a function exits', async () => {
    const [, second, third] = await inTurn(
      shellOf(),
      'x=old; y=1',
      'y=2; die() { local x=mine own=1; echo bye; exit 3; }; die',
      'echo "$x ${own-none} $y"',
    )
    expect(second).toMatchObject({ exitCode: 3, stdout: 'bye\n' })
    expect(third?.stdout).toBe('old none 2\n')
  })

  it('is not returned if a nested function exits', async () => {
    const [, second, third] = await inTurn(shellOf(), 'x=old', 'f() { local x=1; g; }; g() { exit 3; }; x=new; f', 'echo "$x"')
    expect(second?.exitCode).toBe(3)
    expect(second?.state).toBeUndefined()
    expect(third?.stdout).toBe('old\n')
  })

  it('is not returned after an EXIT trap or exec', async () => {
    expect((await shellOf().exec('trap : EXIT')).state).toBeUndefined()
    expect((await shellOf().exec('exec true')).state).toBeUndefined()
  })

  it('a state of 5 MB is dropped, but cwd and exported variables are kept', async () => {
    const result = await shellOf().exec(`cd /; export A=1; x=$(head -c 5000000 /dev/zero | tr '\\0' x); echo \${#x}`)
    expect(result).toMatchObject({ exitCode: 0, stdout: '5000000\n', cwd: '/', env: { A: '1' } })
    expect(result.state).toBeUndefined()
  })

  it('a state of 2 MB is returned', async () => {
    expect(await lastOf(`x=$(head -c 2000000 /dev/zero | tr '\\0' x)`, 'echo ${#x}')).toMatchObject({ stdout: '2000000\n', stderr: '' })
  })

  it('a state with functions above the argument size limit is dropped', async () => {
    const body = '  : padding padding padding\n'.repeat(6000)
    const result = await shellOf().exec(`f() {\n${body}}\ncd /`)
    expect(result).toMatchObject({ exitCode: 0, cwd: '/' })
    expect(result.state).toBeUndefined()
  })

  it('is not supported by sh', async () => {
    const shell = shellOf({ shell: 'sh' })
    expect((await shell.exec('x=1')).state).toBeUndefined()
    expect(
      await shell.exec('echo "[$x]"', { state: { of: 'bash', variables: ['declare -- x="1"'], functions: [], options: [] } }),
    ).toMatchObject({
      stdout: '[]\n',
    })
  })
})

it('is returned even if the command redefines the builtins that report it', async () => {
  const commands = ['shopt -s expand_aliases; command() { echo no; }; alias builtin=false; cd /; x=1; f() { echo $x; }', 'f; pwd']
  expect(await lastOf(...commands)).toMatchObject({ stdout: '1\n/\n', exitCode: 0 })
})

describe('a forged state', () => {
  const empty = { of: 'bash', variables: [], functions: [], options: [] }

  it.each<[string, ShellState]>([
    ['a state of another shell', { files: [] }],
    ['missing lists', { of: 'bash' }],
    ['a command substitution', { ...empty, variables: ['declare -- x="$(touch ran)"'] }],
    ['backquotes', { ...empty, variables: ['declare -- x="`touch ran`"'] }],
    ['a command after a variable', { ...empty, variables: ['declare -- x="1"; touch ran'] }],
    ['a line after a variable', { ...empty, variables: ['declare -- x="1"\ntouch ran'] }],
    ['an index that is evaluated', { ...empty, variables: ['declare -a a=(["x[\\$(touch ran)]"]="1")'] }],
    ['a key with a command substitution', { ...empty, variables: ['declare -A a=([$(touch ran)]="1")'] }],
    ['a variable of the shell itself', { ...empty, variables: ['declare -- BASH_ENV="ran"'] }],
    ['a command instead of a function', { ...empty, functions: ['touch ran'] }],
    ['a function name with a command substitution', { ...empty, functions: ['$(touch ran) () \n{ :; }'] }],
    ['an option with a command', { ...empty, options: ['-o errexit; touch ran'] }],
    ['the noexec option', { ...empty, options: ['-o noexec'] }],
    ['a number instead of a string', { ...empty, variables: [1] }],
    ['a string for an existing integer variable', { ...empty, variables: ['declare -i x="1"', 'declare -- x="a[\\$(touch ran)]"'] }],
    ['keys for an existing indexed array', { ...empty, variables: ['declare -a x=()', 'declare -A x=(["a[\\$(touch ran)]"]="1")'] }],
    ['a string for a numeric variable of bash', { ...empty, variables: ['declare -n r="RANDOM"', 'declare -- r="a[\\$(touch ran)]"'] }],
    ['a function named builtin', { ...empty, functions: ['builtin () \n{ \n    touch ran\n}'] }],
    ['a function named command', { ...empty, functions: ['command () \n{ \n    touch ran\n}'] }],
    ['a NUL character', { ...empty, variables: ['declare -- x="a\0b"'] }],
  ])('a forged state with %s is rejected', async (_, state) => {
    expect(await rejection(shellOf().exec('echo hi', { state }))).toMatchObject({ name: 'InputError', code: 'invalid_input' })
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })

  it.each<[string, ShellState]>([
    ['a string as an integer', { ...empty, variables: ['declare -i x="a[\\$(touch ran)]"'] }],
    ['a nameref to an array element', { ...empty, variables: ['declare -n r="a[\\$(touch ran)]"'] }],
    [
      'an alias named builtin',
      { ...empty, variables: ['declare -A BASH_ALIASES=([builtin]="touch ran;" )'], options: ['-s expand_aliases', '-o errexit'] },
    ],
    ['a command after a function', { ...empty, functions: ['f () \n{ :; }; touch ran'] }],
    ['an unknown option', { ...empty, options: ['-s no_such_option', '-o errexit'] }],
  ])('a forged state with %s executes nothing', async (_, state) => {
    const { stdout } = await shellOf().exec('echo hi', { state })
    expect(stdout).toBe('hi\n')
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })
})
