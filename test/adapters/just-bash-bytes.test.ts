// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** What bash prints for each. */
const CASES: readonly (readonly [what: string, script: string, stdout: string])[] = [
  ['bytes of a substitution', `x=$(printf '\\303\\274'); echo "$x" | wc -c; echo "\${#x}"`, '3\n1\n'],
  ['bytes of a substitution that ends', 'x=$(echo ü | cat; exit 3); echo "$? ${#x}"', '3 1\n'],
  ['here-document of a substitution', "x=$(cat <<'EOF'\nüö\nEOF\n); echo ${#x}", '2\n'],
  ['what read took from a pipe', `echo ü | { read x; echo "$x" > f; }; wc -c < f`, '3\n'],
  ['what read took in a loop', `while read -r l; do echo "$l"; done < <(printf 'ü\\n€\\n') > f; wc -c < f`, '7\n'],
  ['what is left behind read', `printf 'a\\303\\274\\nrest ü\\n' | { read l; echo "$l"; cat; } | wc -c`, '12\n'],
  ['characters of read -n', `echo ü | while read -n1 c; do printf '<%s>' "$c"; done`, '<ü><>'],
  ['characters of read -N', `printf 'äöü\\nxyz\\n' | { read -N2 a; read b; read c; echo "$a|$b|$c"; }`, 'äö|ü|xyz\n'],
  ['elements of mapfile', `mapfile -t a < <(printf 'ü\\n€\\n'); printf '%s\\n' "\${a[@]}" > f; wc -c < f; echo \${#a[0]}`, '7\n1\n'],
  ['a text that looks like bytes', 'read x <<< \'Ã¼\'; echo "$x" > f; wc -c < f', '5\n'],
  ['bytes of echo', `echo -e '\\xc3\\xbc' > f; echo -ne '\\0377' >> f; od -An -tx1 f`, ' c3 bc 0a ff\n'],
]

const COPIES: typeof CASES = [
  ['of a group', '{ echo d >&3; echo o; } 3>&1 >/dev/null; echo f', 'd\nf\n'],
  ['of a function and a loop', 'f() { echo d >&3; echo o; }; f 3>&1 >f; for i in 1 2; do echo $i >&3; echo o; done 3>&1 >f', 'd\n1\n2\n'],
  ['made by exec', 'exec 3>&1; { echo d >&3; echo o; } > f; exec 3>&-; cat f', 'd\no\n'],
  ['in a substitution', 'exec 5>&1; x=$(echo v; echo o >&5); echo "[$x]"', 'o\n[v]\n'],
  ['past a pipe', '{ { { echo a >&3; echo b; } | tr a-z A-Z; } 3>&1; }', 'a\nB\n'],
  ['of a status', '{ s=$( { { echo out; echo 5 >&3; } | cat >&4; } 3>&1 ); } 4>&1; echo "s=$s"', 'out\ns=5\n'],
  ['and back', 'exec 3>&1; exec > f; echo a; exec 1>&3 3>&-; echo b | tr a-z A-Z; x=$(echo c); echo $x; cat f', 'B\nc\na\n'],
  ['of standard error', '{ echo d >&7; } 7>&2 2>&1; exec {fd}>&1; { echo e >&$fd; } >/dev/null', 'e\n'],
  ['in a job', 'exec 3>&1; { { echo j >&3; } & wait; } >/dev/null', 'j\n'],
]

const ARRAYS: typeof CASES = [
  ['with substitutions', 'declare -A m=([c]=$(echo 1 2) [d]="$(echo 3 4)"); echo "${m[c]}|${m[d]}"', '1 2|3 4\n'],
  ['local', 'm=g; f() { local -A m=([c]=$(echo 1) [d]=2 [e]=${m}); echo "${m[c]}|${m[d]}"; }; f; f; echo $m', '1|2\n1|2\ng\n'],
  ['with a space in a key', 'declare -A m=([a]=1 [b c]=2 [d e]="x y"); echo "${m[b c]} ${m[d e]}"', '2 x y\n'],
]

const TRAPS: typeof CASES = [
  ['of a subshell', "(trap 'echo t; exit 5' TERM; sleep 5 & wait) & sleep 0.05; kill $!; wait $!; echo $?", 't\n5\n'],
  ['after the last command', "{ trap 'echo t' TERM; sleep 5; } & sleep 0.05; kill $!; wait $!; echo $?", 't\n0\n'],
]

for (const [group, cases] of Object.entries({
  'bytes and texts': CASES,
  'copies of streams': COPIES,
  'associative arrays': ARRAYS,
  'traps of jobs': TRAPS,
})) {
  describe(group, () => {
    it.each(cases)('%s', async (_, script, stdout) => {
      const { shell } = setup()
      expect((await shell.exec(script)).stdout).toBe(stdout)
    })
  })
}
