// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { Case } from '../case.js'

/** Exit codes, set options, missing commands, syntax errors and subshells. */
export const control: readonly Case[] = [
  { script: 'true && echo yes || echo no; false && echo yes || echo no; ! true; echo $?' },
  { script: 'exit 3' },
  { script: '(exit 7); echo $?; false; echo "last: $?"; test 1 -gt 2' },
  { script: 'set -e; echo before; false; echo never' },
  { script: 'set -e; false || echo handled; if false; then :; fi; false && true; echo still; (exit 5); echo never' },
  { script: 'set -e; x=$(false); echo never' },
  { script: 'set -e; local_fail() { false; echo inside; }; local_fail || true; echo outside; local_fail; echo never' },
  { script: 'set -u; echo "${maybe:-fine}"; echo "$undefined_variable"; echo never' },
  { script: 'set -o pipefail; false | true; echo $?; set +o pipefail; false | true; echo $?' },
  {
    script:
      'set -euo pipefail; grep -c NOTHING logs/app.log || true; n=$(grep -c ERROR logs/app.log); echo "$n"; cat missing | wc -l; echo never',
  },
  { script: 'no_such_command_here; echo $?' },
  { script: `no_such_command_here --version 2>/dev/null || echo 'not installed'` },
  { script: `command -v no_such_tool >/dev/null 2>&1 || { echo 'no_such_tool is required'; exit 1; }` },
  { script: './scripts/missing.sh 2>/dev/null; echo $?; ./scripts/build.sh 2>/dev/null; echo $?; ./src 2>/dev/null; echo $?' },
  { script: `no_such_command_here 2>&1 | sed 's/^.*: line/line/'; exit \${PIPESTATUS[0]}` },
  { script: 'echo before; if then fi' },
  { script: `echo 'unterminated` },
  { script: `bash -c 'for do done' 2>/dev/null; echo $?` },
  { script: `bash -n scripts/build.sh && echo 'syntax ok'; echo 'if true; do' > bad.sh; bash -n bad.sh 2>/dev/null || echo "bad: $?"` },
  { script: 'bash scripts/build.sh web; bash scripts/build.sh broken; echo $?' },
  { script: 'chmod +x scripts/build.sh && ./scripts/build.sh && (cd scripts && ./build.sh docs)' },
  { script: 'source scripts/lib.sh; log warn "version $LIB_VERSION"; die oops 9 2>/dev/null; echo $?' },
  { script: '. ./missing-lib.sh 2>/dev/null || echo "cannot source: $?"' },
  { script: `bash -c 'echo "$0 $1 $#"' name arg1 arg2; sh -c 'exit 4'; echo $?` },
  { script: '(cd src && ls *.ts); basename "$PWD"; x=1; (x=2; echo "in $x"); echo "out $x"; { x=3; }; echo "group $x"' },
  {
    script: String.raw`cd nowhere 2>/dev/null || echo 'cd failed'; cd src && cd .. && cd - | sed 's/.*\///'; pushd docs > /dev/null && ls | head -1 && popd > /dev/null; basename "$(pwd)"`,
  },
]
