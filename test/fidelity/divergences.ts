// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
/**
 * Script -> why the output or exit code of the virtual shell differs from bash and the GNU tools. The list is exact: the test fails if a
 * listed case passes, and if a case that is not listed fails.
 */
export const DIVERGENCES: Readonly<Record<string, string>> = {
  "echo 'not json' | jq . 2>/dev/null; echo $?; jq .foo missing.json 2>/dev/null; echo $?; jq '.[' <<< '[]' 2>/dev/null; echo $?":
    'jq 1.8 ends with 5 for input that is not JSON; jq 1.6 ended with 4',
  "no_such_command_here 2>&1 | sed 's/^.*: line/line/'; exit ${PIPESTATUS[0]}": 'messages of bash contain no line number',
  'x=héllo; echo ${#x} ${x:1:1} ${x^^}; LC_ALL=C; echo ${#x}': 'setting LC_ALL in a script does not change how characters are counted',
  'ln README.md hard.md && echo more >> hard.md && tail -1 README.md && stat -c %h README.md; [ README.md -ef hard.md ] && echo same':
    'hard links are rejected, because no storage supports them',
  "umask 077; touch secret; mkdir private; stat -c '%a %n' secret private; install -m 755 -D scripts/build.sh bin/build && stat -c %a bin/build":
    'umask 077 is rejected',
}
