// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands, in which these are the shell's own.
import { type ShellCommands, script } from '../command.js'

export const flowCommands: ShellCommands = {
  'flow: if, elif, else': {
    run: 'x=5; if [ $x -gt 9 ]; then echo big; elif (( x > 3 )); then echo mid; else echo small; fi',
    stdout: 'mid\n',
  },
  'flow: for over words, files and numbers': {
    run: 'for f in src/*.ts "a b"; do echo "$f"; done; for ((i = 0; i < 3; i++)); do printf "$i "; done; echo',
    stdout: 'src/add.ts\nsrc/main.ts\na b\n0 1 2 \n',
  },
  'flow: while, until, break and continue': {
    run: 'i=0; while true; do i=$((i+1)); [ $i = 2 ] && continue; [ $i -gt 4 ] && break; echo $i; done; until [ $i = 0 ]; do ((i--)); done; echo "end $i"',
    stdout: '1\n3\n4\nend 0\n',
  },
  'flow: break 2 leaves both loops': {
    run: 'for a in 1 2; do for b in x y; do echo $a$b; [ $b = y ] && break 2; done; done',
    stdout: '1x\n1y\n',
  },
  'flow: a loop of 2000 turns': { run: 's=0; for ((i = 1; i <= 2000; i++)); do s=$((s + i)); done; echo $s', stdout: '2001000\n' },
  'flow: while read takes fields': {
    run: 'while IFS=, read -r name age _; do echo "$age:$name"; done < people.csv | tail -n 2',
    stdout: '25:Bob\n41:Cara\n',
  },
  'flow: read keeps a last line without its end': {
    run: 'printf \'a\\nb\' | while read -r x || [ -n "$x" ]; do echo "[$x]"; done',
    stdout: '[a]\n[b]\n',
  },
  'flow: read -a, IFS and mapfile': {
    run: 'IFS=: read -ra p <<< "a:b:c"; echo "${#p[@]} ${p[2]}"; mapfile -t lines < fruit.txt; echo "${#lines[@]} ${lines[2]}"',
    stdout: '3 c\n4 cherry\n',
  },
  'flow: case with patterns': {
    run: 'for x in a.ts b.md 7 ""; do case $x in *.ts | *.js) echo code ;; [0-9]*) echo num ;; "") echo none ;; *) echo "other $x" ;; esac; done',
    stdout: 'code\nother b.md\nnum\nnone\n',
  },
  'flow: [[ =~ ]] with groups': {
    run: 'v="v12.34"; if [[ $v =~ ^v([0-9]+)\\.([0-9]+)$ ]]; then echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"; fi; [[ abc =~ x ]] || echo no',
    stdout: '12 34\nno\n',
  },
  'flow: functions with arguments and locals': {
    run: script('x=out', 'f() { local x=in; echo "$# $1 $x"; shift; echo "$*"; }', 'f "a b" c d', 'echo $x'),
    stdout: '3 a b in\nc d\nout\n',
  },
  'flow: recursion': { run: 'down() { echo $1; [ $1 -gt 0 ] && down $(($1 - 1)); }; down 3; true', stdout: '3\n2\n1\n0\n' },
  'flow: a function in a substitution in arithmetic': {
    run: 'fact() { if (( $1 < 2 )); then echo 1; else echo $(( $1 * $(fact $(( $1 - 1 ))) )); fi; }; fact 10',
    stdout: '3628800\n',
  },
  'flow: "$@" keeps the words': {
    run: 'set -- "a b" c ""; printf "[%s]" "$@"; echo "$#"; printf "[%s]" "$*"; echo; for a in "$@"; do echo "<$a>"; done',
    stdout: '[a b][c][]3\n[a b c ]\n<a b>\n<c>\n<>\n',
  },
  'flow: for without in goes over the arguments': { run: 'set -- "a b" c; for a; do echo "<$a>"; done', stdout: '<a b>\n<c>\n' },
  'flow: getopts': {
    run: script(
      'f() { local OPTIND o; while getopts "ab:" o; do echo "$o=${OPTARG-}"; done; shift $((OPTIND - 1)); echo "rest $*"; }',
      'f -a -b 1 x y',
    ),
    stdout: 'a=\nb=1\nrest x y\n',
  },
  'flow: a subshell keeps its changes to itself': {
    run: 'x=1; (x=2; cd src; echo $x); echo $x; ls -d docs; { x=3; }; echo $x',
    stdout: '2\n1\ndocs\n3\n',
  },
  'flow: source runs here': {
    run: 'source ./lib.sh arg; echo "$v"; greet you; . ./lib.sh > /dev/null',
    before: { 'lib.sh': 'v=set\ngreet() { echo "hello $1"; }\necho "sourced $1"\n' },
    stdout: 'sourced arg\nset\nhello you\n',
  },
  'flow: command -v and type': {
    run: 'command -v cd; f() { :; }; command -v f; command -v nosuchcommand || echo none; type -t if cd f',
    stdout: 'cd\nf\nnone\nkeyword\nbuiltin\nfunction\n',
  },
}
