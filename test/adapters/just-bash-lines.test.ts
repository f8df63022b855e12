// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
// @module-tag virtual-shell
import { expect, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import { jqHere } from './jq-here.js'
import { findShell } from './just-bash-find-support.js'
import recorded from './just-bash-lines.jsonl?raw'
import { LINES_SEED } from './just-bash-lines-seed.js'

interface Recorded {
  readonly script: string
  readonly stdout: string
  readonly exitCode: number
}

/** Beginning of a script that the shell rejects -> the unsupported part, which the message names. */
const REFUSED: readonly (readonly [script: string, what: string])[] = [
  ['pathchk README.md; e', 'namei'],
  ['select x in a b; do ', 'select'],
  ['coproc cat; echo hi ', 'coproc'],
  ['umask 077; touch p; ', 'umask 077'],
  ['set -o | grep -c pip', 'nocaseglob'],
  ['menu=(start stop)\nfo', 'select'],
  ["awk 'BEGIN{IGNORECASE", 'IGNORECASE'],
  ["awk -v RS='[0-9]' '{", 'RT'],
]
const isRefused = (script: string): boolean => REFUSED.some(([start]) => script.startsWith(start))
const cases = parseJsonLines<Recorded>(recorded)

// Recorded by scripts/record-shell.mjs.
it.each(cases.filter(({ script }) => !isRefused(script)))(
  'gives the recorded results of bash and the GNU tools: $script',
  async ({ script, ...printed }) => {
    const { shell } = await findShell(LINES_SEED, { jq: await jqHere() })
    expect(await shell.exec(script)).toMatchObject(printed)
  },
)

it.each(cases.filter(({ script }) => isRefused(script)))('rejects an unsupported script: $script', async ({ script, ...printed }) => {
  const { shell } = await findShell(LINES_SEED, { jq: await jqHere() })
  const { stdout, stderr, exitCode } = await shell.exec(script)
  expect(stderr).not.toBe('')
  expect({ stdout, exitCode }).not.toEqual(printed)
})

it('the list of rejected scripts contains no unknown script', () => {
  expect(REFUSED.filter(([start]) => cases.filter(({ script }) => script.startsWith(start)).length !== 1)).toEqual([])
})

it.each([
  // The result has only text that has reached the script's own output.
  ['f() { echo hidden; while :; do :; done; }; f | cat', ''],
  ['(echo hidden; sleep 9) | cat', ''],
  ['cat <(echo hidden; sleep 9)', ''],
  ['bash -c "echo hidden; sleep 9" | cat', ''],
  ['x=$(echo hidden; sleep 9)', ''],
  ['echo seen; sleep 9', 'seen\n'],
  ['bash -c "echo seen; sleep 9"', 'seen\n'],
  ['echo seen | while read x; do echo $x; sleep 9; done', 'seen\n'],
])('keeps the output of a pipe at a timeout: %s', async (script, stdout) => {
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
  // A script runs in its own shell.
  [
    'printf \'echo "${x-none} ${10-no} $0"; false; echo still; z=9\\n\' > s; chmod +x s; x=1; set -e; ./s 1 2 3 4 5 6 7 8 9 ten; echo ${z-no}',
    'none ten ./s\nstill\nno\n',
  ],
  ['bash -c \'printf %q "$IFS"\'', "$' \\t\\n'"],
  ['timeout -s KILL 0.01 sleep 2; echo $?; timeout --preserve-status 0.01 sleep 2; echo $?', '137\n143\n'],
  // Recorded from coreutils 9.1, util-linux 2.38, bc 1.07, diffutils 3.8, tar 1.34 and Info-ZIP.
  [
    "numfmt --to=iec 1500 1048576; numfmt --from=auto 1K 1Ki; numfmt --header --field=2 --to=si <<< $'a b\\nx 1234'; numfmt x; echo $?",
    '1.5K\n1.0M\n1000\n1024\na b\nx 1.3K\n2\n',
  ],
  [
    'getopt -o ab:c:: -l all,bee: -- -abx -c --bee=1 f "it\'s" -- -z; getopt -o a -- -x; echo $?',
    " -a -b 'x' -c '' --bee '1' -- 'f' 'it'\\''s' '-z'\n --\n1\n",
  ],
  [
    'base32 <<< hi | base32 -d; basenc --base16 <<< hi; b2sum -l 64 README.md; sum -s README.md; sha224sum data/words.txt',
    'hi\n68690A\n48baa0ddc99c4057  README.md\n8931 1 README.md\nf6aadf2d9a672c05ad27bbb5e9581371e9d7b62452fda46d4c2dd280  data/words.txt\n',
  ],
  [
    "csplit -f p -z config/app.ini '/^\\[/' '{*}'; cat p01; csplit -k README.md 3 9 99; ls xx*",
    '39\n34\n[db]\nname = demo\npool=5\n; comment\n8\n45\n61\nxx00\nxx01\nxx02\n',
  ],
  [
    "tsort <<< 'a b b a c d'; factor 18446744073709551557 360 x; echo $?",
    'c\nd\na\nb\n18446744073709551557: 18446744073709551557\n360: 2 2 2 3 3 5\n1\n',
  ],
  [
    'seq 5 | split -n r/2 - o; cat oab; split -n l/2 data/words.txt; wc -c xaa; split -l 4 -d data/words.txt n; ls n*',
    '2\n4\n28 xaa\nn00\nn01\nn02\n',
  ],
  [
    'bc <<< \'define f(n) { if (n < 2) return 1; return n * f(n-1) }\nf(25); a[2]=3; for (i = 1; i < 4; i++) { if (i == 2) continue; print i, " " }\nobase=16; 255.5\'',
    '15511210043330985984000000\n1 3 FF.8\n',
  ],
  [
    "bc -l <<< 'scale=30; 4*a(1); e(1); l(2); s(1); c(1); j(1,2)'",
    '3.141592653589793238462643383276\n2.718281828459045235360287471352\n.693147180559945309417232121458\n.841470984807896506652502321630\n.540302305868139717400936607442\n.576724807756873387202448242269\n',
  ],
  [
    "diff -e <(printf 'a\\nb\\n') <(printf 'a\\n.\\nc\\n'); diff -n <(seq 3) <(seq 2 4); diff -D X <(seq 2) <(seq 2 3); diff --changed-group-format='<%<|%>>' --unchanged-group-format= <(seq 3) <(printf '1\\nx\\n3\\n'); echo $?",
    '2c\n..\n.\ns/.//\na\nc\n.\nd1 1\na3 1\n4\n#ifndef X\n1\n#endif /* ! X */\n2\n#ifdef X\n3\n#endif /* X */\n<2\n|x\n>1\n',
  ],
  [
    "tac -r -s '[0-9][0-9]*' <<< a1b22c; tac -s aa <<< aaab; fmt -p '# ' -w 20 <<< '# one two three four five six'; fmt -w 20 <<< 'one two three four five six seven eight'",
    'c\n2b2a1b\naaa# one two three\n# four five six\none two three\nfour five six\nseven eight\n',
  ],
  [
    "column -J -N a,b <<< $'x \"q\"\\ny'; expand -t 2,6 <<< $'a\\tb\\tc\\td'; unexpand -t 4 <<< '        a    b'",
    '{\n   "table": [\n      {\n         "a": "x",\n         "b": "\\"q\\""\n      },{\n         "a": "y",\n         "b": null\n      }\n   ]\n}\na b   c d\n\t\ta\t b\n',
  ],
  [
    'tar -cf a.tar ./src; tar -rf a.tar README.md; tar -uf a.tar README.md; tar -tf a.tar | sort; mkdir o; tar -xf a.tar -C o --strip-components=2; find o | sort; tar -tf a.tar src/app.js; echo $?',
    './src/\n./src/app.js\n./src/lib/\n./src/lib/math.ts\n./src/util.js\nREADME.md\no\no/app.js\no/lib\no/lib/math.ts\no/util.js\n2\n',
  ],
  [
    'zip -qr a.zip src; unzip -Z1 a.zip | sort; zip -d a.zip src/util.js; unzip -q a.zip -d o; find o | sort; unzip -p a.zip src/lib/math.ts | head -1; unzip a.zip nope 2>/dev/null; echo $?',
    'src/\nsrc/app.js\nsrc/lib/\nsrc/lib/math.ts\nsrc/util.js\ndeleting: src/util.js\no\no/src\no/src/app.js\no/src/lib\no/src/lib/math.ts\nexport const PI = 3.14\nArchive:  a.zip\n11\n',
  ],
  [
    'gzip -k data/words.txt; zgrep -n fig data/words.txt.gz; zdiff data/words.txt.gz data/words.txt; echo $?; zgrep -c a data/words.txt.gz README.md',
    '6:fig\n0\ndata/words.txt.gz:6\nREADME.md:4\n',
  ],
  [
    'seq 5 | pr -t -2 -w 20; seq 3 | pr -tn; pr -m -t -s, <(seq 2) <(seq 3)',
    '1\t  4\n2\t  5\n3\n    1\t1\n    2\t2\n    3\t3\n1,1\n2,2\n,3\n',
  ],
  ["grep -Tn -m1 e README.md; pathchk -p 'a b'; echo $?; tty; df -P . | wc -l", '  1:\t# Demo\n1\nnot a tty\n2\n'],
])('gives the results of bash: %s', async (script, stdout) => {
  const { shell } = await findShell(LINES_SEED, { jq: await jqHere() })
  expect(await shell.exec(script)).toMatchObject({ stdout, exitCode: 0 })
})

it.each([
  ['pwd -x', 'pwd: -x: invalid option'],
  ['y=q; echo $y{1..3}', 'write ${y}{...}'],
  ['read -z x', 'read: -z: invalid option'],
  ['which -s ls', "which: invalid option -- 's'"],
  ['printenv -x', "printenv: invalid option -- 'x'"],
  ['hostname new', 'hostname: you must be root'],
  ['timeout -v 1 ls', "timeout: invalid option -- 'v'"],
  ['umask 077', 'use chmod'],
  ['shopt -s nocaseglob', 'Use patterns'],
  ['(exec 2> >(cat))', 'is not supported in a subshell'],
  ["bash -c 'kill -TERM $$; echo no'; [ $? = 143 ] || exit 0; ls --nope", 'ls: unrecognized option'],
  ['basenc --z85 <<< x', '--z85 is not supported'],
  ['df -B 1M', 'use du'],
  ['factor 340282366920938463463374607431768211457', 'is too large'],
  ["bc <<< '2^(2^30)'", 'too long here'],
  ["bc <<< 'define f(x) { return f(x) }\nf(1)'", 'deeper than 1000'],
  ["bc <<< 'read()'", 'not supported'],
  ['split --filter=cat README.md', '--filter is not supported'],
  ['pr -2 README.md', 'add -t'],
  ['unzip -Z README.md', 'except -Z1'],
  ['zip -e a.zip README.md', "invalid option -- 'e'"],
  ['zgrep -r x .', '-r is not supported'],
  ['tar -rzf a.tar README.md', 'Cannot update compressed archives'],
  ['diff -u --line-format=x README.md .env', 'conflicting output style options'],
  ['getopt -o a -s fish -- -a', 'unknown shell'],
])('rejects an option instead of ignoring it: %s', async (script, words) => {
  const { shell } = await findShell(LINES_SEED, { jq: await jqHere() })
  const { stdout, stderr, exitCode } = await shell.exec(script)
  expect(stdout).toBe('')
  expect(stderr).toContain(words)
  expect(exitCode).not.toBe(0)
})
