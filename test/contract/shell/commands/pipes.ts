import { type ShellCommands, script } from '../command.js'

export const pipeCommands: ShellCommands = {
  'pipes: sort, uniq -c, sort -rn, head': { run: 'sort fruit.txt | uniq -c | sort -rn | head -n 1', stdout: '      2 apple\n' },
  'pipes: sort -u, -r and -n': {
    run: "sort -u fruit.txt; printf '10\\n9\\n-1\\n' | sort -n; printf 'a\\nb\\n' | sort -r",
    stdout: 'apple\nbanana\ncherry\n-1\n9\n10\nb\na\n',
  },
  'pipes: sort by a field': { run: 'tail -n +2 people.csv | sort -t, -k2,2n | cut -d, -f1', stdout: 'Bob\nAda\nCara\n' },
  'pipes: sort with LC_ALL=C goes by bytes': { run: "printf 'b\\nA\\na\\nB\\n' | LC_ALL=C sort", stdout: 'A\nB\na\nb\n' },
  'pipes: uniq -d and -u': { run: 'sort fruit.txt | uniq -d; sort fruit.txt | uniq -u', stdout: 'apple\nbanana\ncherry\n' },
  'pipes: grep -n, -c, -v and -i': {
    run: 'grep -n an fruit.txt; grep -c apple fruit.txt; grep -v apple fruit.txt; grep -i ADA people.csv',
    stdout: '1:banana\n2\nbanana\ncherry\nAda,36,London\n',
  },
  'pipes: grep -r names the files': {
    run: 'grep -rn TODO . | sort',
    stdout: './docs/read me.md:3:TODO: write them\n./src/main.ts:3:// TODO: more\n',
  },
  'pipes: grep -E, -o, -w and -l': {
    run: "grep -Eo '[0-9]+' people.csv; grep -w add src/main.ts | wc -l; grep -l add src/*.ts",
    stdout: '36\n25\n41\n2\nsrc/add.ts\nsrc/main.ts\n',
  },
  'pipes: grep without a match is 1': { run: 'grep nothing fruit.txt', exitCode: 1 },
  'pipes: grep -q in a condition': { run: 'if grep -q cherry fruit.txt; then echo yes; fi', stdout: 'yes\n' },
  'pipes: grep of a missing file is 2': { run: 'grep x missing.txt', stderr: /missing\.txt: No such file or directory/, exitCode: 2 },
  'pipes: grep with context': { run: 'grep -A1 -B1 cherry fruit.txt', stdout: 'apple\ncherry\napple\n' },
  'pipes: cut by fields and characters': {
    run: 'cut -d, -f1,3 people.csv | head -n 2; cut -c1-3 fruit.txt | head -n 1; cut -d, -f2- people.csv | tail -n 1',
    stdout: 'name,city\nAda,London\nban\n41,London\n',
  },
  'pipes: tr maps, deletes and squeezes': {
    run: "echo 'Hello  World' | tr a-z A-Z; echo abc | tr -d b; echo 'a   b' | tr -s ' '; echo a,b | tr , '\\n'",
    stdout: 'HELLO  WORLD\nac\na b\na\nb\n',
  },
  'pipes: sed substitutes, prints and deletes': {
    run: "sed 's/a/A/g' fruit.txt | head -n 1; sed -n '2,3p' fruit.txt; sed '/apple/d' fruit.txt; sed '$!d' fruit.txt",
    stdout: 'bAnAnA\napple\ncherry\nbanana\ncherry\napple\n',
  },
  'pipes: sed -E with groups': { run: "sed -nE 's/^([A-Z][a-z]+),([0-9]+),.*/\\2 \\1/p' people.csv", stdout: '36 Ada\n25 Bob\n41 Cara\n' },
  'pipes: sed -i changes the file': {
    run: "sed -i 's/apple/pear/' fruit.txt && cat fruit.txt",
    stdout: 'banana\npear\ncherry\npear\n',
    files: { 'fruit.txt': 'banana\npear\ncherry\npear\n' },
  },
  'pipes: sed inserts and appends lines': { run: "sed -e '1i\\' -e 'first' -e '$a\\' -e 'last' .hidden", stdout: 'first\nsecret\nlast\n' },
  'pipes: awk sums a column': { run: "awk -F, 'NR > 1 { sum += $2 } END { print sum, NR }' people.csv", stdout: '102 4\n' },
  'pipes: awk counts with an array': {
    run: "awk -F, 'NR > 1 { n[$3]++ } END { for (c in n) print c, n[c] }' people.csv | sort",
    stdout: 'London 2\nParis 1\n',
  },
  'pipes: awk with a pattern, a variable and printf': {
    run: `awk -F, -v min=30 '$2 > min && /London/ { printf "%-5s|%3d\\n", $1, $2 }' people.csv`,
    stdout: 'Ada  | 36\nCara | 41\n',
  },
  'pipes: xargs joins its input': {
    run: "printf 'a b\\nc\\n' | xargs echo start; cut -d, -f1 people.csv | xargs",
    stdout: 'start a b c\nname Ada Bob Cara\n',
  },
  'pipes: xargs -n and -I': {
    run: "printf '1 2 3\\n' | xargs -n 2 echo; ls src | xargs -I {} echo 'file {}'",
    stdout: '1 2\n3\nfile add.ts\nfile main.ts\n',
  },
  'pipes: find -print0 with xargs -0': { run: "find . -name '*.md' -print0 | xargs -0 grep -l TODO", stdout: './docs/read me.md\n' },
  'pipes: paste, tac, rev and nl': {
    run: 'paste -sd, fruit.txt; tac fruit.txt | head -n 2; echo abc | rev; sort -u fruit.txt | nl | head -n 1',
    stdout: 'banana,apple,cherry,apple\napple\ncherry\ncba\n     1\tapple\n',
  },
  'pipes: comm and join of sorted files': {
    run: "printf '1 a\\n2 b\\n' > l; printf '2 x\\n3 y\\n' > r; join l r; comm -12 <(cut -c1 l) <(cut -c1 r)",
    stdout: '2 b x\n2\n',
  },
  'pipes: seq and arithmetic over its lines': {
    run: 'seq 1 3; seq 2 2 6 | paste -sd+ - ; seq 5 | tail -n 1',
    stdout: '1\n2\n3\n2+4+6\n5\n',
  },
  'pipes: base64 and checksums': {
    run: 'printf hello | base64; echo aGVsbG8= | base64 -d; echo; printf hello | md5sum; printf hello | sha256sum | cut -c1-8',
    stdout: 'aGVsbG8=\nhello\n5d41402abc4b2a76b9719d911017c592  -\n2cf24dba\n',
  },
  'pipes: od shows bytes': { run: "printf 'a\\nb' | od -An -tx1", stdout: ' 61 0a 62\n' },
  'pipes: paste without a file reads its input': { run: 'seq 3 | paste -sd+', stdout: '1+2+3\n' },
  'pipes: yes into head': { run: 'yes | head -n 3', stdout: 'y\ny\ny\n' },
  'pipes: stderr passes by the pipe': { run: '{ echo out; echo err >&2; } | tr a-z A-Z', stdout: 'OUT\n', stderr: 'err\n' },
  'pipes: |& takes stderr along': { run: '{ echo err >&2; } |& tr a-z A-Z', stdout: 'ERR\n' },
  'pipes: the parts are subshells': { run: script('x=1', 'echo 2 | read -r x', 'echo "$x"'), stdout: '1\n' },
}
