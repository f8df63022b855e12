// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import { jqHere } from './jq-here.js'
import recorded from './just-bash-recorded.jsonl?raw'
import { setup } from './just-bash-support.js'

interface Recorded {
  readonly group: string
  readonly what: string
  readonly script: string
  readonly stdout: string
}

// The expected outputs were recorded with bash 5.2 and the GNU tools.
it.each(parseJsonLines<Recorded>(recorded))('prints what bash prints: $group: $what', async ({ script, stdout }) => {
  const result = await setup({ shell: { jq: await jqHere() } }).shell.exec(script)
  expect({ stdout: result.stdout, timedOut: result.timedOut }).toEqual({ stdout, timedOut: false })
})

it.each([
  ['a file that is too large', 'truncate -s 99G f', 'too large'],
  ['a block that is too large', 'dd if=/dev/zero of=f bs=1G count=99', 'bs='],
  ['more bytes of a device than fit', 'head -c 99G /dev/zero', 'at most'],
  ['a width of printf', "printf '%2000000s' x", 'a width of more than'],
  ['a width of awk', 'awk \'BEGIN { printf "%2000000s", 1 }\'', 'a width of more than'],
  ['a precision of printf', "printf '%.2000000d' 1", 'a precision of more than'],
  ['a long number of printf', 'printf %f "$(printf %030000d 1)"', 'a number of more than'],
  ['too many digits for printf', "printf '%.200f' 1", 'a precision of more than'],
  ['a precision of awk', 'awk \'BEGIN { printf "%.2000000d", 1 }\'', 'a precision of more than'],
  ['a set of tr that is too long', 'tr a "$(printf \'[b*999999]%.0s\' {1..1000})" <<< a', 'a set of more than'],
  ['an awk string that doubles', 'awk \'BEGIN { s = "x"; while (1) s = s s }\'', 'a text of more than'],
  ['awk replacements that double', 'awk \'BEGIN { s = "a"; for (;;) gsub(/a/, "aa", s) }\'', 'replacements are not supported'],
  ['an endless awk array', "awk 'BEGIN { for (;;) a[i++] }'", 'more than 1000000 elements'],
  ['too many awk fields', "head -c 3000000 /dev/zero | tr '\\0' 'a' | awk '{ print split($0, parts, /a/) }'", 'fields or'],
  ['an endless sequence', 'seq 1 inf', 'without end'],
  ['callbacks of mapfile', 'mapfile -C echo -c 1 a <<< x', 'not supported'],
  ['an array assignment before a command', 'a=(1 2); a=9 env', 'takes no value before a command'],
])('rejects what the shell cannot do exactly: %s', async (_, script, words) => {
  const { stdout, stderr, exitCode } = await setup().shell.exec(script)
  expect({ stdout, failed: exitCode !== 0 }).toEqual({ stdout: '', failed: true })
  expect(stderr.toLowerCase()).toContain(words)
})

it('reports a word without a key in an associative array and keeps the other entries', async () => {
  const { stdout, stderr } = await setup().shell.exec('declare -A m; m=([a]=1 b [c]=2); echo "$? ${#m[@]}"')
  expect(stdout).toBe('1 2\n')
  expect(stderr).toContain('b: must use subscript')
})

describe('bytes that are not UTF-8', () => {
  it('become U+FFFD in the result', async () => {
    const { shell } = setup()
    const { stdout, stderr } = await shell.exec('x=$(printf \'a\\377\'); echo "$x"; echo "$x" >&2')
    expect({ stdout, stderr }).toEqual({ stdout: 'a\ufffd\n', stderr: 'a\ufffd\n' })
  })

  it('are rejected in file names', async () => {
    const { shell } = setup()
    const { stdout, stderr, exitCode } = await shell.exec("touch $'a\\377'; echo $?; echo x > $'b\\377'")
    expect({ stdout, exitCode }).toEqual({ stdout: '1\n', exitCode: 1 })
    expect(stderr).toContain('Invalid argument')
  })

  it('cannot come from the caller: a lone surrogate becomes U+FFFD', async () => {
    const { shell } = setup()
    expect((await shell.exec("printf %s '\udcff' | od -An -tx1")).stdout).toBe(' ef bf bd\n')
  })

  it('survive a round trip through a variable', async () => {
    const bytes = Uint8Array.from({ length: 4096 }, (_, i) => ((i * 7919) >> 3) % 255 || 10).map((byte) => (byte === 0 ? 1 : byte))
    const { shell, workspace } = setup({ files: { b: bytes } })
    await shell.exec('x=$(cat b; printf .); printf %s "${x%.}" > c')
    expect((await workspace.readBytes('c')).bytes).toEqual(bytes)
  })
})

describe('text that leaves the shell', () => {
  const isText = (text: string): boolean => new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)) === text

  it('is well-formed in output, environment and state', async () => {
    const { shell } = setup()
    const { stdout, stderr, env, state } = await shell.exec(
      "export E=$'a\\xff'; v=$'\\xfe'; declare -A m=([$'\\xfd']=$'\\xfc'); f() { printf '%s' $'\\xfb'; }; echo \"$E\" $'\\ud83d'; echo \"$v\" >&2; cat $'\\xff'",
    )
    expect([stdout, stderr, ...Object.values(env)].every(isText)).toBe(true)
    expect(env.E).toBe('a\ufffd')
    expect(JSON.stringify(state)).not.toMatch(/\\u[dD][89a-fA-F]/)
  })

  it('keeps the original bytes for the next command', async () => {
    const { shell } = setup()
    const first = await shell.exec(
      "export E=$'a\\xff' P=plain; v=$'\\xfe\\x1a'; a=($'\\xfa'); declare -A m=([$'\\xfd']=$'\\xfc'); f() { printf '%s' $'\\xfb'; }",
    )
    const { cwd, env, state } = JSON.parse(JSON.stringify(first)) as typeof first
    const show = 'printf "%s" "$E" "$P" "$v" "${!m[@]}" "${m[@]}" "${a[0]}" "$(f)" | od -An -tx1; declare -p E'
    const second = await shell.exec(show, { cwd, env, ...(state && { state }) })
    expect(second.stdout).toBe(" 61 ff 70 6c 61 69 6e fe 1a fd fc fa fb\ndeclare -x E=$'a\\377'\n")
    // Variables that the caller changes between two commands take precedence over the saved state.
    const third = await shell.exec('echo "$E"', { cwd, env: { ...env, E: 'mine' }, ...(state && { state }) })
    expect(third.stdout).toBe('mine\n')
  })
})

it('an abort ends a loop after a process substitution', async () => {
  const { shell } = setup()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 30)
  const { aborted } = await shell.exec('cat <(:); while :; do :; done', { signal: stop.signal })
  expect(aborted).toBe(true)
})
