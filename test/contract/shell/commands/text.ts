// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands, in which these are the shell's own.
import { numbersTo, type ShellCommands, script, UTF8_LOCALE } from '../command.js'

const env = UTF8_LOCALE
const LONG = 'grün 🙂 日本\n'.repeat(10_000)

export const textCommands: ShellCommands = {
  'UTF-8: passes through': { run: "echo 'grün 🙂 日本'; printf '%s\\n' 'é' | cat", env, stdout: 'grün 🙂 日本\né\n' },
  'UTF-8: in names and content': {
    run: "echo 'ñ' > 'größe 🙂.txt' && ls gr* && cat gr*",
    env,
    stdout: 'größe 🙂.txt\nñ\n',
    files: { 'größe 🙂.txt': 'ñ\n' },
  },
  'UTF-8: length and slices count characters': {
    run: 'x="grün🙂日本"; echo "${#x} ${x:2:2} ${x:4:1} ${x%本}"',
    env,
    stdout: '7 ün 🙂 grün🙂日\n',
  },
  'UTF-8: wc counts bytes and characters': { run: "printf 'grün🙂' | wc -c; printf 'grün🙂' | wc -m", env, stdout: '9\n5\n' },
  'UTF-8: grep and sed match characters': {
    run: "echo 'grün' | grep -o 'r.n'; echo 'grün' | sed 's/ü/ue/; s/^./G/'; echo 'ab🙂' | sed 's/.$/!/'",
    env,
    stdout: 'rün\nGruen\nab!\n',
  },
  'UTF-8: upper case and escapes': {
    run: "x=grün; echo \"${x^^}\"; printf '\\xc3\\xbc\\n'; printf '\\u20ac\\n'; echo $'\\u00fc'",
    env,
    stdout: 'GRÜN\nü\n€\nü\n',
  },
  'UTF-8: escapes of eight digits': { run: "echo $'\\U1F642'", env, stdout: '🙂\n' },
  'UTF-8: through pipes of many blocks': { run: 'cat long.txt | cat | cat', env, before: { 'long.txt': LONG }, stdout: LONG },
  'bytes: what is no UTF-8 becomes U+FFFD': {
    run: "printf 'a\\377\\376b\\n'; printf 'c\\303'; printf '\\200' >&2",
    stdout: 'a\ufffd\ufffdb\nc\ufffd',
    stderr: '\ufffd',
  },
  'bytes: a NUL passes': { run: "printf 'a\\0b' | cat", stdout: 'a\0b' },
  'bytes: tr maps a NUL': { run: "printf 'x\\0y\\n' | tr '\\0' '-'", stdout: 'x-y\n' },
  'bytes: printf writes them into a file': { run: "printf '\\377\\000\\200\\r\\n' > bin && wc -c < bin", stdout: '5\n' },
  'bytes: a byte order mark and CRLF stay': { run: 'cat dos.txt', before: { 'dos.txt': '\ufeffa\r\nb\r\n' }, stdout: '\ufeffa\r\nb\r\n' },
  'output: none': { run: ':' },
  'output: without a final line break': { run: 'printf "a\\nb"; printf err >&2', stdout: 'a\nb', stderr: 'err' },
  'output: 200 KB are whole': { run: 'seq 1 35000', stdout: numbersTo(35_000) },
  'output: 1 MB is cut in the middle': { run: 'seq 1 160000', stdout: numbersTo(160_000) },
  'output: 1 MB of errors is cut in the middle': { run: 'seq 1 160000 >&2; echo out', stdout: 'out\n', stderr: numbersTo(160_000) },
  'output: one line of 1 MB is cut in the middle': { run: "seq 1 180000 | tr -d '\\n'", stdout: numbersTo(180_000).replaceAll('\n', '') },
  'output: 1 MB of many-byte characters is cut between them': {
    run: script('cat long.txt long.txt long.txt long.txt'),
    before: { 'long.txt': LONG },
    stdout: LONG.repeat(4),
  },
}

export const stdinCommands: ShellCommands = {
  'stdin: none is empty at once': { run: 'cat; read -r x; echo "$? [$x]"; wc -c', stdout: '1 []\n0\n' },
  'stdin: text': { run: 'tr a-z A-Z', stdin: 'hello\nworld\n', stdout: 'HELLO\nWORLD\n' },
  'stdin: without a final line break': { run: 'cat; echo "|"', stdin: 'a\nb', stdout: 'a\nb|\n' },
  'stdin: read takes its lines one by one': {
    run: 'read -r a; read -r b; echo "$b $a"; cat',
    stdin: 'one\ntwo\nthree\nfour\n',
    stdout: 'two one\nthree\nfour\n',
  },
  'stdin: a loop takes all lines': {
    run: 'n=0; while read -r line; do n=$((n + 1)); last=$line; done; echo "$n $last"',
    stdin: 'a\nb\n  c  \n',
    stdout: '3 c\n',
  },
  'stdin: 200 KB': { run: 'wc -c', stdin: 'x'.repeat(200_000), stdout: '200000\n' },
  'stdin: what one command took the next does not get': { run: 'cat; echo "|"; cat', stdin: 'a\n', stdout: 'a\n|\n' },
  'stdin: 200 KB passes through': { run: 'cat | sort -n | tail -n 1', stdin: numbersTo(34_000), stdout: '34000\n' },
  'stdin: 200 KB that nobody reads': { run: 'echo done', stdin: 'x'.repeat(200_000), stdout: 'done\n' },
  'stdin: UTF-8': { run: 'cat <&0', stdin: 'grün 🙂\n', env, stdout: 'grün 🙂\n' },
  'stdin: bytes count as UTF-8': { run: 'wc -c', stdin: 'ü🙂\u0000', stdout: '7\n' },
  'stdin: goes to the first part of a pipe': { run: 'grep b | cat - fruit.txt | head -n 2', stdin: 'a\nb\n', stdout: 'b\nbanana\n' },
  'stdin: a here-document stands before it': { run: script('cat <<EOF', 'doc', 'EOF', 'cat'), stdin: 'in\n', stdout: 'doc\nin\n' },
}

export const formCommands: ShellCommands = {
  'form: an empty command does nothing': { run: '' },
  'form: white space and line breaks': { run: ' \n\t \n' },
  'form: only a comment': { run: '# echo a' },
  'form: comments at the end of lines': { run: script('echo a # one', '# two', 'echo "#b" c#d'), stdout: 'a\n#b c#d\n' },
  'form: line breaks before and after': { run: '\n\n  echo a\n\n\n', stdout: 'a\n' },
  'form: a final line break changes nothing': { run: 'false\n', exitCode: 1 },
  'form: a final semicolon and ampersand': { run: script('echo a;', 'echo b & wait'), stdout: 'a\nb\n' },
  'form: a backslash joins lines': { run: script('echo a \\', '  b | \\', '  cat &&', '  echo c'), stdout: 'a b\nc\n' },
  'form: a final backslash': { run: 'echo a \\', stdout: 'a \\\n' },
  'form: quotes over several lines': { run: script("echo 'a", "  b'", 'echo "c', '$((1 + 1))"'), stdout: 'a\n  b\nc\n2\n' },
  'form: CRLF is no line break': { run: 'echo a\r\necho b\r\n', stdout: 'a\r\nb\r\n' },
  'form: a comment last, without a line break': { run: 'echo a # end', stdout: 'a\n' },
  'form: a here-document last, without a line break': { run: script('cat <<EOF', 'a', 'EOF'), stdout: 'a\n' },
  'form: begins like an option': { run: '-c "echo a"', stderr: /-c: command not found/, exitCode: 127 },
  'form: characters that a wrapper could trip over': {
    run: `echo ')' "}" 'EOF' "'" '"' '\\' '$' '\`'; # ) } ' "`,
    stdout: ') } EOF \' " \\ $ `\n',
  },
  'form: a closing parenthesis or brace too many is an error': {
    run: script('echo a', '}', 'echo b'),
    stdout: 'a\n',
    stderr: /syntax error/,
    exitCode: 2,
  },
  'form: 300 lines': {
    run: Array.from({ length: 300 }, (_, i) => `x${i}=${i}`)
      .join('\n')
      .concat('\necho $((x1 + x299))'),
    stdout: '300\n',
  },
}
