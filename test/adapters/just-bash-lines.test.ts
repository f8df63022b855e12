// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
// @module-tag virtual-shell
import { expect, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import { findShell } from './just-bash-find-support.js'
import recorded from './just-bash-lines.jsonl?raw'
import { LINES_SEED } from './just-bash-lines-seed.js'

interface Recorded {
  readonly script: string
  readonly stdout: string
  readonly exitCode: number
}

/** What is refused, with a message, by the beginning of the script. */
const REFUSED: readonly (readonly [script: string, what: string])[] = [
  ['x=hello; echo ${x^} ', '${y~~}'],
  ['a=(1 2 3); echo "${a', '${a[@]@A}'],
  ['exec > >(tr a-z A-Z)', 'exec > >(...)'],
  ['cat /dev/fd/3 3<<< t', '/dev/fd/3'],
  ['select x in a b; do ', 'select'],
  ['f() { echo body; }; ', 'declare -f'],
  ['f() { for i in "$@";', 'declare -f'],
  ['times > /dev/null; e', 'times and caller'],
  ['coproc cat; echo hi ', 'coproc'],
  ['umask 077; touch p; ', 'umask 077'],
  ["f() { trap 'echo ret", 'trap RETURN'],
  ["trap 'echo dbg' DEBU", 'trap DEBUG'],
  ['set -o | grep -c pip', 'nocaseglob'],
  ['menu=(start stop)\nfo', 'select'],
]
const isRefused = (script: string): boolean => REFUSED.some(([start]) => script.startsWith(start))
const cases = parseJsonLines<Recorded>(recorded)

// By scripts/record-shell.mjs.
it.each(cases.filter(({ script }) => !isRefused(script)))(
  'does what bash and the GNU tools do: $script',
  async ({ script, ...printed }) => {
    const { shell } = await findShell(LINES_SEED)
    expect(await shell.exec(script)).toMatchObject(printed)
  },
)

it.each(cases.filter(({ script }) => isRefused(script)))('refuses, and says so: $script', async ({ script, ...printed }) => {
  const { shell } = await findShell(LINES_SEED)
  const { stdout, stderr, exitCode } = await shell.exec(script)
  expect(stderr).not.toBe('')
  expect({ stdout, exitCode }).not.toEqual(printed)
})

it('lists only scripts that are there', () => {
  expect(REFUSED.filter(([start]) => cases.filter(({ script }) => script.startsWith(start)).length !== 1)).toEqual([])
})

it.each([
  // Only what reached the output of the script.
  ['f() { echo hidden; while :; do :; done; }; f | cat', ''],
  ['(echo hidden; sleep 9) | cat', ''],
  ['cat <(echo hidden; sleep 9)', ''],
  ['bash -c "echo hidden; sleep 9" | cat', ''],
  ['x=$(echo hidden; sleep 9)', ''],
  ['echo seen; sleep 9', 'seen\n'],
  ['bash -c "echo seen; sleep 9"', 'seen\n'],
  ['echo seen | while read x; do echo $x; sleep 9; done', 'seen\n'],
])('keeps what goes into a pipe at a timeout: %s', async (script, stdout) => {
  const { shell } = await findShell([])
  expect(await shell.exec(script, { timeoutMs: 100 })).toMatchObject({ stdout, timedOut: true })
})

it.each([
  ["printf -- '-1\\n2\\n' | grep -c -e -1", '1\n'],
  ['seq 5 | grep -1 3', '2\n3\n4\n'],
  ['printf x > ./-5; head -- -5', 'x'],
  ['seq 1000000000000 | head -n 2', '1\n2\n'],
  ['seq 1e18 | head -c 4', '1\n2\n'],
  ["f() { echo hi; }; export -f f; bash -c f; bash -c 'bash -c f'", 'hi\nhi\n'],
  ['A=1; export A; unset A; bash -c \'echo "${A-unset}"\'', 'unset\n'],
  ['chmod 444 README.md; chmod +w README.md; stat -c %a README.md', '644\n'],
  ['TZ=Asia/Tokyo date -d @0 +%Z; TZ=America/Sao_Paulo date -d @1700000000 +%Z; TZ=XYZ-2 date -d @0 +%Z%z', 'JST\n-03\nXYZ+0200\n'],
  ['set -- \'a b\' c; printf \'<%s>\' ${1+"$@" x} p${1+"$@"}q', '<a b><c><x><pa b><cq>'],
  ['set -e; f() { false; echo z; }; v=$(f); echo $v; cat <(false; echo x); shopt -s inherit_errexit; echo $(false; echo no)', 'z\n\n'],
  ['declare -i i=1; declare +i i; i=a; echo $i', 'a\n'],
  ['echo a | xargs -I{} -n1 echo {}{}', 'aa\n'],
  ['printf "1\\n2\\n3\\n4\\n5\\n" | grep -A0 --group-separator=# -e 1 -e 4', '1\n#\n4\n'],
  ["printf 'a\\na\\nb\\n' | uniq --group=both", '\na\na\n\nb\n\n'],
  ['echo $((1/0)); echo no\necho next', 'next\n'],
  ['env -u HOME sh -c \'echo "${HOME-unset}"\'; env -i A=1 bash -c \'echo "$A${USER-none}"\'', 'unset\n1none\n'],
  // A script is a shell of its own.
  [
    'printf \'echo "${x-none} ${10-no} $0"; false; echo still; z=9\\n\' > s; chmod +x s; x=1; set -e; ./s 1 2 3 4 5 6 7 8 9 ten; echo ${z-no}',
    'none ten ./s\nstill\nno\n',
  ],
  ['bash -c \'printf %q "$IFS"\'', "$' \\t\\n'"],
  ['timeout -s KILL 0.01 sleep 2; echo $?; timeout --preserve-status 0.01 sleep 2; echo $?', '137\n143\n'],
])('as bash does: %s', async (script, stdout) => {
  const { shell } = await findShell(LINES_SEED)
  expect(await shell.exec(script)).toMatchObject({ stdout, exitCode: 0 })
})

it.each([
  ['pwd -x', 'pwd: -x: invalid option'],
  ['read -z x', 'read: -z: invalid option'],
  ['which -s ls', "which: invalid option -- 's'"],
  ['printenv -0', "printenv: invalid option -- '0'"],
  ['hostname new', 'hostname: you must be root'],
  ['timeout -v 1 ls', "timeout: invalid option -- 'v'"],
  ['umask 077', 'use chmod'],
  ['shopt -s nocaseglob', 'Use patterns'],
  ['trap "echo x" DEBUG', 'not supported here'],
  ['f() { :; }; declare -f f', 'Use declare -F'],
  ['exec 2> >(cat)', 'is not supported here'],
  ["bash -c 'kill -TERM $$; echo no'; [ $? = 143 ] || exit 0; ls --nope", 'ls: unrecognized option'],
])('refuses what would be passed over: %s', async (script, words) => {
  const { shell } = await findShell(LINES_SEED)
  const { stdout, stderr, exitCode } = await shell.exec(script)
  expect(stdout).toBe('')
  expect(stderr).toContain(words)
  expect(exitCode).not.toBe(0)
})
