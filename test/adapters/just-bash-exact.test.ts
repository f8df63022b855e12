// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** What bash 5.2 and the GNU tools print for each. */
const CASES: readonly (readonly [what: string, script: string, stdout: string])[] = [
  [
    'bytes and text in one redirection',
    "{ x=$(printf '\\xe2\\x82'); y=$(printf '\\xac'); echo \"$x$y\"; printf '%s\\n' \"$x\"; echo end; } > f; echo $?; od -An -tx1 f; ls $'\\xff' 2>&1 | wc -l",
    '0\n e2 82 ac 0a e2 82 0a 65 6e 64 0a\n1\n',
  ],
  [
    'bytes that become a character',
    "x=$'\\xc3'; y=$'\\xa9'; z=$x$y; echo ${#z}; z=\"$x$y\"; echo ${#z}; x+=$'\\xa9'; echo ${#x}; [[ $x == é ]] && echo same",
    '1\n1\n1\nsame\n',
  ],
  [
    'characters that are none',
    "printf '\\ud83d' | od -An -tx1; printf '%s' $'\\udcff' | od -An -tx1; echo $'\\ud83d\\ude00' | od -An -tx1; printf '%d\\n' \"'\"$'\\xff'",
    ' ed a0 bd\n ed b3 bf\n ed a0 bd ed b8 80 0a\n255\n',
  ],
  [
    'the shell after a process substitution',
    "cat <(echo a); false & wait $!; echo $?; trap 'echo bye' EXIT; mkdir d; cd d; echo kept > f; cat <(:); unset q; rm -rf \"$q\"; cat f; comm <(printf '\\xff\\n') <(:) | od -An -tx1",
    'a\n1\nkept\n ff 0a\nbye\n',
  ],
  [
    'keys of associative arrays',
    "declare -A m; for k in '$z' $'a\\nb' 'a]b' '\"q\"' \"it's\" '`d`'; do m[$k]=1; m[$k]+=2; printf '%s' \"${m[$k]}\" ${m[$k]+s} ${#m[$k]} \"${m[$k]/1/x}\" ' '; done; echo ${#m[@]}",
    '12s2x2 12s2x2 12s2x2 12s2x2 12s2x2 12s2x2 6\n',
  ],
  [
    'keys that are parameters',
    'declare -A m=([x]=1 [1]=one); f() { echo "${m[$1]}${m["$1"]}${m[${1}]}${m[$#]}"; local -n q=$2; echo "${q[$1]}"; }; f x m; f 1 m',
    '111\n1\noneoneone\none\n',
  ],
  [
    'default values of keys',
    'declare -A m; k=\'$z\'; echo "${m[$k]:=d}" "${m[$k]}" "${!m[@]}"; : ${m[a b]:=5}; echo "${m[a b]}"',
    'd d $z\n5\n',
  ],
  [
    'input of a group, and its subshells',
    "{ (read a; echo $a); cat; } <<< $'1\\n2'; { (cat); cat; } <<< b; seq 4 | while read x; do (read y; echo $x$y); done; { (cat <<< own); cat; } <<< outer",
    '1\n2\nb\n12\n34\nown\nouter\n',
  ],
  [
    'repeats of tr',
    "tr 'a-c' '[x*2]y' <<< abcabc; tr abc '[x*1000]' <<< abc; tr '[:upper:]x' '[:lower:]y' <<< AxB; tr -s a '[b*3]' <<< aaab; tr abc 'x[y*]' <<< abc; tr a \"$(printf '[b*999999]%.0s' {1..300})\" <<< a",
    'xxyxxy\nxxx\nayb\nb\nxyy\nb\n',
  ],
]

describe('as bash, exactly:', () => {
  it.each(CASES)('%s', async (_, script, stdout) => {
    const { shell } = setup()
    const result = await shell.exec(script)
    expect({ stdout: result.stdout, timedOut: result.timedOut }).toEqual({ stdout, timedOut: false })
  })

  it.each([
    ["printf '%.2000000d' 1", 'a precision of more than'],
    ["printf '%.200f' 1", 'a precision of more than'],
    ['awk \'BEGIN { printf "%.2000000d", 1 }\'', 'a precision of more than'],
    ['tr a "$(printf \'[b*999999]%.0s\' {1..1000})" <<< a', 'a set of more than'],
  ])('refuses %s', async (script, words) => {
    const { shell } = setup()
    const { stdout, stderr, exitCode } = await shell.exec(script)
    expect({ stdout, failed: exitCode !== 0 }).toEqual({ stdout: '', failed: true })
    expect(stderr).toContain(words)
  })
})

describe('texts that leave the shell', () => {
  const isText = (text: string): boolean => new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)) === text

  it('are well-formed: output, environment and state', async () => {
    const { shell } = setup()
    const { stdout, stderr, env, state } = await shell.exec(
      "export E=$'a\\xff'; v=$'\\xfe'; declare -A m=([$'\\xfd']=$'\\xfc'); f() { printf '%s' $'\\xfb'; }; echo \"$E\" $'\\ud83d'; echo \"$v\" >&2; cat $'\\xff'",
    )
    expect([stdout, stderr, ...Object.values(env)].every(isText)).toBe(true)
    expect(env.E).toBe('a\ufffd')
    expect(JSON.stringify(state)).not.toMatch(/\\u[dD][89a-fA-F]/)
  })

  it('keep the bytes for the next command', async () => {
    const { shell } = setup()
    const first = await shell.exec(
      "export E=$'a\\xff' P=plain; v=$'\\xfe\\x1a'; declare -A m=([$'\\xfd']=$'\\xfc'); f() { printf '%s' $'\\xfb'; }",
    )
    const { cwd, env, state } = JSON.parse(JSON.stringify(first)) as typeof first
    const show = 'printf "%s" "$E" "$P" "$v" "${!m[@]}" "${m[@]}" "$(f)" | od -An -tx1; declare -p E'
    const second = await shell.exec(show, { cwd, env, ...(state && { state }) })
    expect(second.stdout).toBe(" 61 ff 70 6c 61 69 6e fe 1a fd fc fb\ndeclare -x E=$'a\\377'\n")
    // What was changed between the two goes before.
    const third = await shell.exec('echo "$E"', { cwd, env: { ...env, E: 'mine' }, ...(state && { state }) })
    expect(third.stdout).toBe('mine\n')
  })
})

it('gives way after a process substitution', async () => {
  const { shell } = setup()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 30)
  const { aborted } = await shell.exec('cat <(:); while :; do :; done', { signal: stop.signal })
  expect(aborted).toBe(true)
})
