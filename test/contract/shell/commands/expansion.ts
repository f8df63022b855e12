// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands, in which these are the shell's own.
import { type ShellCommands, script } from '../command.js'

export const expansionCommands: ShellCommands = {
  'variables: quoting keeps the spaces': {
    run: `x='a   b'; echo $x; echo "$x"; echo '$x'; echo "it's \\"q\\" \\$x"`,
    stdout: 'a b\na   b\n$x\nit\'s "q" $x\n',
  },
  'variables: defaults and alternatives': {
    run: 'x=1; echo "${x:-d} ${y:-d} ${x:+a} [${y:+a}] ${y:=set} $y ${e-unset}"',
    stdout: '1 d a [] set set unset\n',
  },
  'variables: ${x:?} stops': { run: '(echo "${nope:?is missing}"; echo after) || echo stopped', stdout: 'stopped\n', stderr: /is missing/ },
  'variables: prefixes and suffixes': {
    run: 'p=src/lib/main.test.ts; echo "${p##*/} ${p#*/} ${p%/*} ${p%%.*} ${p%.ts}.js"',
    stdout: 'main.test.ts lib/main.test.ts src/lib src/lib/main src/lib/main.test.js\n',
  },
  'variables: replacement, case, length and slices': {
    run: 'x="one two one"; echo "${x/one/1} ${x//one/1} ${#x} ${x:4:3} ${x: -3} ${x^^} ${x^}"',
    stdout: '1 two one 1 two 1 11 two one ONE TWO ONE One two one\n',
  },
  'variables: arrays': {
    run: 'a=(x "y z"); a+=(w); echo "${#a[@]} ${a[1]} ${a[-1]}"; printf "[%s]" "${a[@]:1}"; echo " ${!a[*]}"; unset "a[0]"; echo "${a[@]}"',
    stdout: '3 y z w\n[y z][w] 0 1 2\ny z w\n',
  },
  'variables: associative arrays': {
    run: 'declare -A m=([a]=1 [b c]=2); m[d]=3; for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort; echo "${#m[@]}"',
    stdout: 'a=1\nb c=2\nd=3\n3\n',
  },
  'variables: indirection and printf -v': { run: 'name=x; x=5; echo "${!name}"; printf -v y "%03d" "$x"; echo "$y"', stdout: '5\n005\n' },
  'variables: exported ones reach a command, others do not': {
    run: 'a=1; export b=2; c=3 bash -c \'echo "[$a$b$c]"\'; echo "[$c]"',
    stdout: '[23]\n[]\n',
  },
  'variables: env and printenv': { run: "env A=1 printenv A; B=2 env | grep '^B='; printenv NOPE", stdout: '1\nB=2\n', exitCode: 1 },
  'variables: given from outside, with spaces and line breaks': {
    run: 'printf "%s|" "$A" "$B"',
    env: { A: "it's $HOME", B: 'x\ny' },
    stdout: "it's $HOME|x\ny|",
  },
  'variables: unset and readonly': {
    run: 'x=1; unset x; echo "[${x-none}]"; readonly r=1; (r=2) 2> /dev/null || echo refused',
    stdout: '[none]\nrefused\n',
  },
  'arithmetic: operators, bases and variables': {
    run: 'i=7; echo $((i * 2 + 1)) $((i / 2)) $((i % 4)) $((2 ** 10)) $((0xff)) $((i > 5 ? 1 : 0)) $((-7 / 2)); ((i += 3)); echo $i; ((0)); echo $?',
    stdout: '15 3 3 1024 255 1 -3\n10\n1\n',
  },
  'arithmetic: 64 bits': { run: 'echo $((9007199254740993 + 2)) $((1 << 40))', stdout: '9007199254740995 1099511627776\n' },
  'arithmetic: division by zero fails': { run: 'echo $((1 / 0))', stderr: /division by 0/, exitCode: 1 },
  'substitution: a command, nested and without its final line breaks': {
    run: 'echo "[$(printf "a\\n\\n")] $(echo $(echo "in ner")) `echo old`"',
    stdout: '[a] in ner old\n',
  },
  'substitution: lines are split into words only without quotes': {
    run: 'x=$(tail -n 2 fruit.txt); echo $x; echo "$x"; y=$(< .hidden); echo "$y"',
    stdout: 'cherry apple\ncherry\napple\nsecret\n',
  },
  'braces: lists and ranges': {
    run: 'echo {a,b}{1,2} {1..5} {01..03} {a..e..2} {5..1..2} x{,y}',
    stdout: 'a1 a2 b1 b2 1 2 3 4 5 01 02 03 a c e 5 3 1 x xy\n',
  },
  'braces: a long range is whole': { run: 'echo {1..20000} | wc -w', stdout: '20000\n' },
  'globs: *, ? and sets': { run: 'echo *.txt s?c/*.ts [ep]*', stdout: 'empty.txt fruit.txt src/add.ts src/main.ts empty.txt people.csv\n' },
  'globs: without a match stay, quoted ones too': { run: 'echo *.none "*.txt" \\*.txt', stdout: '*.none *.txt *.txt\n' },
  'globs: */ is directories only': { run: 'echo */', stdout: 'docs/ src/\n' },
  'globs: globstar, nullglob and dotglob': {
    run: script('shopt -s globstar nullglob', 'echo **/*.ts *.none end', 'shopt -s dotglob', 'echo .h* *d*'),
    stdout: 'src/add.ts src/main.ts end\n.hidden .hidden docs\n',
  },
  'globs: a name with spaces is one word': {
    run: 'for f in docs/*; do echo "[$f]"; done; ls docs/*.md | wc -l',
    stdout: '[docs/read me.md]\n1\n',
  },
  'globs: extglob': { run: script('shopt -s extglob', 'echo !(*.txt|src)'), stdout: 'docs people.csv\n' },
  "quoting: $'' and echo -e and -n": {
    run: "echo $'a\\tb\\x41\\u00fc'; echo -e 'x\\ty'; echo -n z; echo 'a\\tb'",
    stdout: 'a\tbAü\nx\ty\nza\\tb\n',
    env: { LC_ALL: 'C.UTF-8' },
  },
  'quoting: printf repeats and formats': {
    run: "printf '%s-%d\\n' a 1 b 2; printf '%05.2f|%x|%-4s|%4s|%%\\n' 3.14159 255 ab cd; printf '%q\\n' \"a b\"",
    stdout: 'a-1\nb-2\n03.14|ff|ab  |  cd|%\na\\ b\n',
  },
  'quoting: eval reads its words as a command': { run: `c='echo "a  b"'; eval "$c"; v=x; eval "$v=5"; echo $x`, stdout: 'a  b\n5\n' },
  'quoting: a command in a variable is split into words': { run: 'c="echo a b"; $c c', stdout: 'a b c\n' },
  'directories: cd and back': {
    run: 'cd src && ls | head -n 1; basename "$PWD"; cd - > /dev/null; ls -d docs; (cd docs; ls); ls -d docs',
    stdout: 'add.ts\nsrc\ndocs\nread me.md\ndocs\n',
  },
  'directories: a path with spaces': {
    run: 'mkdir -p "my dir/sub dir" && cd "my dir/sub dir" && echo x > "a b.txt" && cd ../.. && cat my\\ dir/*/*.txt',
    stdout: 'x\n',
    files: { 'my dir/sub dir/a b.txt': 'x\n' },
  },
  'directories: pushd and popd': { run: 'pushd src > /dev/null; ls | wc -l; popd > /dev/null; ls -d src', stdout: '2\nsrc\n' },
}
