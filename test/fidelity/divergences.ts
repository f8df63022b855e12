// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
/**
 * Cases of the corpus where the virtual shell prints or ends otherwise than bash and the GNU tools, and why. The list is exact: a case that
 * is in it and passes fails the test, as does one that fails and is not in it.
 */
export const DIVERGENCES: Readonly<Record<string, string>> = {
  "echo 'not json' | jq . 2>/dev/null; echo $?; jq .foo missing.json 2>/dev/null; echo $?; jq '.[' <<< '[]' 2>/dev/null; echo $?":
    'jq is 1.8, which ends with 5 at input that is no JSON; jq 1.6 ended with 4',
  "no_such_command_here 2>&1 | sed 's/^.*: line/line/'; exit ${PIPESTATUS[0]}": 'messages of bash name no line',
  'x=héllo; echo ${#x} ${x:1:1} ${x^^}; LC_ALL=C; echo ${#x}': 'LC_ALL set within a script does not change how characters are counted',
  'ln README.md hard.md && echo more >> hard.md && tail -1 README.md && stat -c %h README.md; [ README.md -ef hard.md ] && echo same':
    'hard links are refused, as no storage here has them',
  "umask 077; touch secret; mkdir private; stat -c '%a %n' secret private; install -m 755 -D scripts/build.sh bin/build && stat -c %a bin/build":
    'umask 077 is refused',
}
