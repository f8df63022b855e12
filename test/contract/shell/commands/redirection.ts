import { type ShellCommands, script } from '../command.js'

const BOTH = '{ echo out; echo err >&2; }'

export const redirectionCommands: ShellCommands = {
  'redirection: > replaces and >> appends': { run: 'echo a > f; echo b > f; echo c >> f', files: { f: 'b\nc\n' } },
  'redirection: > alone makes or empties a file': { run: '> f; > fruit.txt', files: { f: '', 'fruit.txt': '' } },
  'redirection: < gives a file': { run: 'tr a-z A-Z < .hidden', stdout: 'SECRET\n' },
  'redirection: < of a missing file fails': {
    run: 'cat < missing; echo "next $?"',
    stdout: 'next 1\n',
    stderr: /missing: No such file or directory/,
  },
  'redirection: 2> takes the errors': { run: `${BOTH} 2> f`, stdout: 'out\n', files: { f: 'err\n' } },
  'redirection: 2>> appends the errors': { run: `${BOTH} 2> f; ${BOTH} 2>> f`, stdout: 'out\nout\n', files: { f: 'err\nerr\n' } },
  'redirection: 2>&1 joins the streams in order': { run: '{ echo 1; echo 2 >&2; echo 3; } 2>&1', stdout: '1\n2\n3\n' },
  'redirection: >&2 writes errors': { run: 'echo oops >&2', stderr: 'oops\n' },
  'redirection: &> takes both': { run: `${BOTH} &> f`, files: { f: 'out\nerr\n' } },
  'redirection: &>> appends both': { run: `echo first > f; ${BOTH} &>> f`, files: { f: 'first\nout\nerr\n' } },
  'redirection: > file 2>&1 takes both': { run: `${BOTH} > f 2>&1`, files: { f: 'out\nerr\n' } },
  'redirection: 2>&1 > file leaves the errors': { run: `${BOTH} 2>&1 > f`, stdout: 'err\n', files: { f: 'out\n' } },
  'redirection: the streams can be swapped': { run: `${BOTH} 3>&1 1>&2 2>&3`, stdout: 'err\n', stderr: 'out\n' },
  'redirection: > /dev/null': {
    run: `${BOTH} > /dev/null; ${BOTH} 2> /dev/null; ${BOTH} > /dev/null 2>&1`,
    stdout: 'out\n',
    stderr: 'err\n',
  },
  'redirection: < /dev/null is empty': { run: 'wc -c < /dev/null', stdout: '0\n', stdin: 'not this' },
  'redirection: into a missing directory is refused, the next command runs': {
    run: 'echo x > missing/dir/f; echo "next $?"',
    stdout: 'next 1\n',
    stderr: /No such file or directory/,
    files: { 'missing/dir/f': null },
  },
  'redirection: onto a directory is refused': { run: 'echo x > src', stderr: /src: Is a directory/, exitCode: 1 },
  'redirection: a loop as a whole': { run: 'for i in 1 2 3; do echo $i; done > f; cat f', stdout: '1\n2\n3\n' },
  'redirection: noclobber protects, >| overrules': {
    run: script('set -o noclobber', 'echo x > fruit.txt', 'echo "$?"', 'echo y >| fruit.txt', 'cat fruit.txt'),
    stdout: '1\ny\n',
    stderr: /fruit\.txt: cannot overwrite existing file/,
  },
  'redirection: exec opens a descriptor': {
    run: 'exec 3> f; echo a >&3; echo b >&3; exec 3>&-; exec 4< f; read -r x <&4; echo "$x"',
    stdout: 'a\n',
    files: { f: 'a\nb\n' },
  },
  'redirection: exec sends the rest to a file': {
    run: 'echo shown; exec > f; echo kept; echo err >&2',
    stdout: 'shown\n',
    stderr: 'err\n',
    files: { f: 'kept\n' },
  },
  'redirection: a file is read before it is written': {
    run: 'sort fruit.txt -o fruit.txt; cat fruit.txt; x=$(tac fruit.txt); echo "$x" > fruit.txt',
    stdout: 'apple\napple\nbanana\ncherry\n',
    files: { 'fruit.txt': 'cherry\nbanana\napple\napple\n' },
  },
  'redirection: process substitution gives a file': {
    run: 'wc -l < <(sort -u fruit.txt); cat <(echo a) <(echo b)',
    stdout: '3\na\nb\n',
  },
  'redirection: process substitution feeds a loop in this shell': {
    run: 'n=0; while read -r _; do n=$((n + 1)); done < <(cat fruit.txt); echo "$n"',
    stdout: '4\n',
  },
}

export const hereDocumentCommands: ShellCommands = {
  'here-document: expands variables, commands and arithmetic': {
    run: script('name=Ada', 'cat <<EOF', 'Hi $name: $(echo x), $((1 + 2)), \\$name', 'EOF', 'echo end'),
    stdout: 'Hi Ada: x, 3, $name\nend\n',
  },
  'here-document: a quoted delimiter keeps all as it is': {
    run: script("cat <<'EOF'", '$HOME `x` $(y) \\n', "it's", 'EOF'),
    stdout: "$HOME `x` $(y) \\n\nit's\n",
  },
  'here-document: <<- strips leading tabs': { run: '\tcat <<-EOF\n\t\ta\n\t  b\n\tEOF\n', stdout: 'a\n  b\n' },
  'here-document: into a file': {
    run: script('cat > f.json <<EOF', '{', '  "a": [1, 2]', '}', 'EOF', 'cat >> f.json << "END"', '// $x', 'END'),
    files: { 'f.json': '{\n  "a": [1, 2]\n}\n// $x\n' },
  },
  'here-document: two in one line, and one in a pipe': {
    run: script('cat <<A; cat <<B | tr a-z A-Z', 'one', 'A', 'two', 'B'),
    stdout: 'one\nTWO\n',
  },
  'here-document: in a loop and a function': {
    run: script('f() {', 'cat <<EOF', 'for $1', 'EOF', '}', 'for x in a b; do f "$x"; done'),
    stdout: 'for a\nfor b\n',
  },
  'here-document: an empty one': { run: script('cat <<EOF', 'EOF', 'echo "$?"'), stdout: '0\n' },
  'here-document: without its end takes the rest': { run: script('cat <<EOF', 'a'), stdout: 'a\n', stderr: /^$|here-document/ },
  'here-string: gives one line': { run: 'x="a b"; cat <<< "$x"; read -r one two <<< "$x"; echo "$two"', stdout: 'a b\nb\n' },
}
