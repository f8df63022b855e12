// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands, in which these are the shell's own.
import { type ShellCommands, script } from '../command.js'

export const exitCodeCommands: ShellCommands = {
  'exit code: exit 3': { run: 'echo a; exit 3; echo b', stdout: 'a\n', exitCode: 3 },
  'exit code: of the last command': { run: 'true; false', exitCode: 1 },
  'exit code: a failure in between is no failure': { run: 'false; true' },
  'exit code: is taken modulo 256': { run: '(exit 300); echo $?; exit 257', stdout: '44\n', exitCode: 1 },
  'exit code: ! turns it round': { run: '! true; echo $?; ! false', stdout: '1\n' },
  'exit code: && and ||': {
    run: 'true && echo a; false && echo b; false || echo c; true || echo d; false && true || echo e',
    stdout: 'a\nc\ne\n',
  },
  'exit code: of a subshell and a group': {
    run: '(exit 4); echo $?; { false; }; echo $?; (cd src; exit 5) || echo "left $?"',
    stdout: '4\n1\nleft 5\n',
  },
  'exit code: of a function': { run: 'f() { return 5; }; f; echo $?; g() { false; }; g', stdout: '5\n', exitCode: 1 },
  'exit code: of a pipeline is the last one': { run: 'false | true; echo $?; true | false', stdout: '0\n', exitCode: 1 },
  'exit code: pipefail': { run: 'set -o pipefail; (exit 3) | true | cat; echo $?', stdout: '3\n' },
  'exit code: PIPESTATUS has all of them': { run: 'false | true | (exit 3); echo "${PIPESTATUS[@]}"', stdout: '1 0 3\n' },
  'exit code: set -e stops at the first failure': { run: 'set -e; echo a; false; echo b', stdout: 'a\n', exitCode: 1 },
  'exit code: set -e passes over conditions': {
    run: 'set -e; if false; then :; fi; false || true; ! true; echo reached',
    stdout: 'reached\n',
  },
  'exit code: set -euo pipefail, as scripts begin': {
    run: script('set -euo pipefail', 'echo start', 'grep nothing fruit.txt | wc -l', 'echo end'),
    stdout: 'start\n0\n',
    exitCode: 1,
  },
  'exit code: set -u refuses an unset variable': {
    run: '(set -u; echo a; echo "$nope"; echo b) || echo stopped',
    stdout: 'a\nstopped\n',
    stderr: /nope: unbound variable/,
  },
  'exit code: an unknown command is 127, the next one runs': {
    run: 'nosuchcommand --x; echo "$?"',
    stdout: '127\n',
    stderr: /nosuchcommand: command not found/,
  },
  'exit code: a path that is not there is 127': { run: './missing.sh', stderr: /missing\.sh: No such file or directory/, exitCode: 127 },
  'exit code: a directory as a command is 126': { run: './src', stderr: /src: (Is a directory|Permission denied)/, exitCode: 126 },
  'exit code: a syntax error is 2 and nothing runs': { run: 'echo a; if true; then', stderr: /syntax error/, exitCode: 2 },
  'exit code: a syntax error in a later line leaves the lines before it': {
    run: script('echo a', 'fi', 'echo b'),
    stdout: 'a\n',
    stderr: /syntax error/,
    exitCode: 2,
  },
  'exit code: an unclosed quote is 2': { run: "echo 'a", stderr: /unexpected EOF|unterminated|unclosed/i, exitCode: 2 },
  'exit code: in a command substitution': {
    run: 'x=$(exit 6); echo $?; echo "$(exit 7)"; echo $?; local_() { local y=$(exit 8); echo $?; }; local_',
    stdout: '6\n\n0\n0\n',
  },
  'exit code: cd to a missing directory': {
    run: 'cd missing; echo $?; cd fruit.txt',
    stdout: '1\n',
    stderr: /missing: No such file or directory\n(.*\n)*.*fruit\.txt: Not a directory/,
    exitCode: 1,
  },
  'exit code: trap EXIT runs at the end': { run: "trap 'echo bye' EXIT; echo hi; exit 3", stdout: 'hi\nbye\n', exitCode: 3 },
  'exit code: timeout gives 124': { run: 'timeout 0.2 sleep 20; echo $?; timeout 20 true; echo $?', stdout: '124\n0\n' },
  'exit code: wait has that of a background command': { run: '(sleep 0.1; exit 3) & wait $!; echo $?', stdout: '3\n' },
  'exit code: wait waits for all': { run: 'for i in 1 2 3; do (sleep 0.1; echo $i > f$i) & done; wait; cat f1 f2 f3', stdout: '1\n2\n3\n' },
  'exit code: of a script and of bash -c': {
    run: "bash -c 'exit 9'; echo $?; echo 'exit 8' > s.sh; bash s.sh; echo $?; sh -c 'echo \"$1\"' sh arg",
    stdout: '9\n8\narg\n',
  },
  'exit code: test and [[ ]]': {
    run: '[ 1 -lt 2 ]; echo $?; [ a = b ]; echo $?; [[ abc == a* && ! -e missing ]]; echo $?; test -z ""; echo $?',
    stdout: '0\n1\n0\n0\n',
  },
}
