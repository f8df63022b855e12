// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** What bash 5.2 and the GNU tools print for each. */
type Cases = readonly (readonly [what: string, script: string, stdout: string])[]

const BYTES: Cases = [
  ['a substitution', 'x=$(printf \'a\\377b\'); printf %s "$x" > f; od -An -tx1 f; echo ${#x}', ' 61 ff 62\n3\n'],
  ['a file in a substitution', 'printf \'\\376\\n\' > b; x=$(<b); y=$(cat b); [ "$x" = "$y" ] && printf %s "$x" | od -An -tx1', ' fe\n'],
  [
    'literals',
    "x=$'\\377\\u00fc\\ufc'; printf %s \"$x\" | od -An -tx1; echo $'\\U1F600' $'\\303\\274' $'a\\0b'; y=$'\\303\\274'; echo ${#y}",
    ' ff c3 bc c3 bc\n😀 ü a\n1\n',
  ],
  [
    'read and mapfile',
    "printf 'a\\377\\nb\\200' > b; read -r x < b; printf '%s|' \"$x\" > f; mapfile -t l < b; printf '%s|' \"${l[@]}\" >> f; od -An -tx1 f",
    ' 61 ff 7c 61 ff 7c 62 80 7c\n',
  ],
  ['a loop over lines', 'printf \'a\\377\\n\\200b\\n\' | while read -r l; do echo "$l"; done | od -An -tx1', ' 61 ff 0a 80 62 0a\n'],
  [
    'here-documents and here-strings',
    'x=$\'\\377\'; cat <<EOF | od -An -tx1; od -An -tx1 <<< "$x ü"; exec 3<<<"$x"; cat <&3 | od -An -tx1\na $x b\nEOF',
    ' 61 20 ff 20 62 0a\n ff 20 c3 bc 0a\n ff 0a\n',
  ],
  [
    'printf -v and %b and %q',
    "printf -v v '\\377'; printf %s \"$v\" | od -An -tx1; printf '%b' '\\0377\\303\\274' | od -An -tx1; printf '%q\\n' \"$v\" $'a\\nb'; echo \"${v@Q}\"; declare -p v",
    " ff\n ff c3 bc\n$'\\377'\n$'a\\nb'\n$'\\377'\ndeclare -- v=$'\\377'\n",
  ],
  ['echo -e', "x=$(echo -e '\\xff\\0376'); printf %s \"$x\" | od -An -tx1; echo -e 'ü\\xff' | od -An -tx1", ' ff fe\n c3 bc ff 0a\n'],
  [
    'arguments of commands',
    'x=$\'\\377\'; printf \'axb\' | tr x "$x" | od -An -tx1; echo abc | sed "s/b/$x/" | od -An -tx1; awk -v x="$x" \'BEGIN { print x }\' | od -An -tx1; printf \'p\\377q\' | cut -d "$x" -f 2',
    ' 61 ff 62\n 61 ff 63 0a\n ff 0a\nq\n',
  ],
  [
    'programs of awk',
    'awk \'BEGIN { printf "\\303\\274"; printf "\\377" }\' | od -An -tx1; printf \'a\\377 \\303\\274\\n\' | awk \'{ print $1; sub(/a/, "ü"); print }\' | od -An -tx1',
    ' c3 bc ff\n 61 ff 0a c3 bc ff 20 c3 bc 0a\n',
  ],
  [
    'awk and its own files and pipes',
    'awk \'BEGIN { print "\\377" > "f"; close("f"); while ((getline l < "f") > 0) printf "%s", l; print "\\376" | "cat" }\' > g; wc -c < g; od -An -tx1 f',
    '3\n ff 0a\n',
  ],
  [
    'exported and handed on',
    "export x=$'\\377'; bash -c 'printf %s \"$x\"' | od -An -tx1; env | grep -a '^x=' | od -An -tx1; bash -c 'printf %s \"$1\"' _ \"$x\" | od -An -tx1; printf 'a\\376\\0b' | xargs -0 -n1 printf '%s;' | od -An -tx1",
    ' ff\n 78 3d ff 0a\n ff\n 61 fe 3b 62 3b\n',
  ],
  [
    'scripts with such bytes',
    'printf \'echo "a\\377"\\n\' > s.sh; bash s.sh | od -An -tx1; . ./s.sh | od -An -tx1; bash < s.sh | od -An -tx1; eval "$(cat s.sh)" | od -An -tx1',
    ' 61 ff 0a\n 61 ff 0a\n 61 ff 0a\n 61 ff 0a\n',
  ],
  [
    'both streams',
    "{ printf 'ü\\377' >&2; printf 'ö'; } > f 2>&1; od -An -tx1 f; { printf '\\376' >&2; } 2> g; od -An -tx1 g; { echo ü >&2; printf '\\377'; } 2>&1 | od -An -tx1",
    ' c3 bc ff c3 b6\n fe\n c3 bc 0a ff\n',
  ],
  [
    'filters of the library',
    'printf \'x\\377y\\n\' > b; for c in tac nl "fold -w 9" expand "comm b" "paste b"; do $c < b > o 2>/dev/null; grep -ac y o; done; printf \'\\357\\273\\277a\\n\' | tac | od -An -tx1; tac b | od -An -tx1; comm b b | od -An -tx1',
    '1\n1\n1\n1\n0\n1\n ef bb bf 61 0a\n 78 ff 79 0a\n 09 09 78 ff 79 0a\n',
  ],
  [
    'characters of such numbers stay',
    "echo 'Ã¼ ÿ' > f; bash -c \"echo 'Ã¼ ÿ'\" | cmp - f; x=$(echo 'Ã¼ ÿ'); echo \"$x\" | cmp - f; tac f | cmp - f; rev f | rev | cmp - f; nl f | cut -f2 | cmp - f; cat f | xargs echo | cmp - f; cat f",
    'Ã¼ ÿ\n',
  ],
  [
    'bytes that make a character together',
    'x=$(printf \'\\303\'); y=$(printf \'\\274\'); z=$x$y; echo "$z ${#z}"; [ "$z" = ü ] && echo same',
    'ü 1\nsame\n',
  ],
  [
    'keys, patterns, comparisons',
    "x=$'a\\377b'; declare -A m; m[$x]=$x; printf '%s%s' \"${!m[@]}\" \"${m[@]}\" | od -An -tx1; printf '%s' \"${x#a}\" \"${x/$'\\377'/-}\" | od -An -tx1; case $x in *$'\\377'*) echo yes;; esac; [[ $x == a?b ]] && echo one",
    ' 61 ff 62 61 ff 62\n ff 62 61 2d 62\nyes\none\n',
  ],
  [
    'NULs of a value',
    "x=$(printf 'a\\0b\\0'); echo \"${#x} $x\"; printf 'a\\0b' > f; y=$(<f); echo $y; printf 'a\\0b' | tr '\\0' '\\n'",
    '2 ab\nab\na\nb',
  ],
  [
    'files of descriptors',
    'printf \'ü€\\n\\377\\n\' > f; exec 3<f; read -u 3 x; echo "$x"; cat <&3 | od -An -tx1; exec 5<>f; echo Ö >&5; exec 5>&-; od -An -tx1 f',
    'ü€\n ff 0a\n c3 96 0a 82 ac 0a ff 0a\n',
  ],
  [
    'tr: bytes',
    "printf 'a\\200b\\377\\n' | tr -d '\\200' | od -An -tx1; printf 'a\\377' | tr '\\377' x; printf 'a\\200\\377b' | tr -d '\\200-\\377'; echo ü | tr ü u; printf 'ab\\0c' | tr '\\0' '\\n'; echo; printf 'a\\nb' | tr '\\n' '\\0' | od -An -tx1",
    ' 61 62 ff 0a\naxabuu\nab\nc\n 61 00 62\n',
  ],
  [
    'tr: sets',
    "echo hello | tr a-y b-z; echo aXbY | tr '[:upper:]' '[:lower:]'; echo 'a b' | tr '[:space:]' '[_*]'; echo; echo abc | tr -c 'a\\n' '[-*]'; echo aabbcc | tr -s a-b; echo aab | tr -ds a b; echo abc | tr abc xy; echo abc | tr -t abc xy; echo 'a-b]' | tr '\\-]' '_}'; echo abcd | tr 'a-d' '[x*2]yz'; echo a=b | tr '[=a=]' z; echo 'a\\b' | tr '\\\\' /",
    'ifmmp\naxby\na_b_\na--\nabcc\nb\nxyy\nxyc\na_b}\nxxyz\nz=b\na/b\n',
  ],
  [
    'tr: what is refused',
    "echo a | tr; echo $?; echo a | tr a; echo $?; echo a | tr z-a b; echo $?; echo a | tr a ''; echo $?; echo a | tr '[:nope:]' b; echo $?; echo a | tr -d a b; echo $?; echo a | tr a b c; echo $?; echo a | tr a '[:digit:]'; echo $?",
    '1\n1\n1\n1\n1\n1\n1\n1\n',
  ],
  [
    'wc, sort, uniq',
    "printf 'x\\377y\\n' | wc -m; printf 'b\\377\\na\\n' | sort | od -An -tx1; printf 'b\\377\\nb\\377\\n' | uniq -c | od -An -tx1",
    '3\n 61 0a 62 ff 0a\n 20 20 20 20 20 20 32 20 62 ff 0a\n',
  ],
]

describe('bytes that are no UTF-8, in', () => {
  it.each(BYTES)('%s', async (_, script, stdout) => {
    const { shell } = setup()
    expect((await shell.exec(script)).stdout).toBe(stdout)
  })

  it('end in a result as they end in a terminal', async () => {
    const { shell } = setup()
    const { stdout, stderr } = await shell.exec('x=$(printf \'a\\377\'); echo "$x"; echo "$x" >&2')
    expect({ stdout, stderr }).toEqual({ stdout: 'a\ufffd\n', stderr: 'a\ufffd\n' })
  })

  it('go on with the state and the environment, as plain data', async () => {
    const { shell } = setup()
    const first = await shell.exec("x=$'\\377'; export y=$'\\376'; a=($'\\375')")
    const { state, env, cwd } = JSON.parse(JSON.stringify(first)) as typeof first
    const { stdout } = await shell.exec('printf "%s" "$x$y${a[0]}" | od -An -tx1', { env, cwd, ...(state && { state }) })
    expect(stdout).toBe(' ff fe fd\n')
  })

  it('are no names of files: that is refused', async () => {
    const { shell } = setup()
    const { stdout, stderr, exitCode } = await shell.exec("touch $'a\\377'; echo $?; echo x > $'b\\377'")
    expect({ stdout, exitCode }).toEqual({ stdout: '1\n', exitCode: 1 })
    expect(stderr).toContain('Invalid argument')
  })

  it('come from the caller as U+FFFD: halves of characters are no bytes', async () => {
    const { shell } = setup()
    expect((await shell.exec("printf %s '\udcff' | od -An -tx1")).stdout).toBe(' ef bf bd\n')
  })

  it('are the same after every byte was in a variable', async () => {
    const bytes = Uint8Array.from({ length: 4096 }, (_, i) => ((i * 7919) >> 3) % 255 || 10).map((byte) => (byte === 0 ? 1 : byte))
    const { shell, workspace } = setup({ files: { b: bytes } })
    await shell.exec('x=$(cat b; printf .); printf %s "${x%.}" > c')
    expect((await workspace.readBytes('c')).bytes).toEqual(bytes)
  })
})
