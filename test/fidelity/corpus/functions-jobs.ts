// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { Case } from '../case.js'

/** Traps, functions, background jobs and the environment. */
export const functionsJobs: readonly Case[] = [
  { script: `trap 'echo cleanup' EXIT; echo work; exit 2` },
  { script: `trap 'echo "failed with $?"' ERR; false; echo go on; true` },
  { script: `trap 'rm -rf "$tmp"' EXIT; tmp=$(mktemp -d); echo data > "$tmp/f"; cat "$tmp/f"; [ -d "$tmp" ] && echo exists` },
  { script: `(trap 'echo "sub exit $?"' EXIT; exit 6); echo "parent $?"; trap - EXIT` },
  { script: `trap 'echo got usr1' USR1; kill -USR1 $$; echo after; trap -p USR1` },
  { script: 'f() { local x=inner; echo $x; }; x=outer; f; echo $x; g() { y=leaked; }; g; echo $y' },
  { script: 'f() { return 42; }; f; echo $?; is_even() { (( $1 % 2 == 0 )); }; is_even 4 && echo even; is_even 5 || echo odd' },
  { script: 'fact() { if (( $1 <= 1 )); then echo 1; else echo $(( $1 * $(fact $(( $1 - 1 ))) )); fi; }; fact 6' },
  { script: 'f() { echo "$FUNCNAME $# $1"; shift; [ $# -gt 0 ] && f "$@"; }; f a b c; echo $?' },
  { script: 'f() { local out; out=$(false); echo "separate $?"; local o2=$(false); echo "joined $?"; }; f' },
  { script: 'function greet { local name=${1:?name}; echo "hi $name"; }; greet Bob; (greet) 2>/dev/null; echo $?' },
  {
    script: `f() { while getopts 'vo:' opt "$@"; do case $opt in v) echo verbose;; o) echo "out=$OPTARG";; *) return 2;; esac; done; shift $((OPTIND-1)); echo "rest: $*"; }; f -v -o dist a b`,
  },
  { script: 'sleep 0.1 & wait $!; echo "waited $?"; (exit 3) & wait $!; echo $?' },
  { script: 'for i in 1 2 3; do (sleep 0.$i; echo "job $i") & done; wait; echo all done' },
  { script: '(sleep 0.1; echo slow > r1.txt) & (echo quick > r2.txt) & wait; cat r1.txt r2.txt' },
  {
    script:
      'pids=(); for c in 0 1 2; do (exit $c) & pids+=($!); done; fails=0; for p in "${pids[@]}"; do wait "$p" || fails=$((fails+1)); done; echo "$fails failed"',
  },
  { script: 'sleep 5 & kill $!; wait $! 2>/dev/null; echo $?; kill -0 $! 2>/dev/null || echo gone' },
  { script: 'sleep 2 & jobs -r | wc -l; kill %1; wait 2>/dev/null; jobs | wc -l' },
  { script: `timeout 5 echo fast; timeout 0.2 sleep 3; echo $?; timeout 1 bash -c 'exit 9'; echo $?` },
  { script: `env GREETING=hi bash -c 'echo $GREETING'; GREETING=yo bash -c 'echo $GREETING'; echo "[$GREETING]"; env -i A=1 env` },
  { script: `export A=1 B=2; bash -c 'echo $A$B'; unset A; bash -c 'echo [$A]$B'; export -n B; bash -c 'echo [$B]'` },
  { script: `set -a; . ./.env; set +a; bash -c 'echo $PORT $API_KEY'; env | grep -c '^LOG_LEVEL=debug'` },
  { script: `export $(grep -v '^#' .env | grep -v ' ' | xargs); echo "$PORT $LOG_LEVEL"` },
  { script: 'readonly R=1; R=2; echo "never reached $R"' },
  { script: 'readonly V=1; (unset V) 2>/dev/null; echo $? $V; f() { V=2; }; (f) 2>/dev/null; echo $?' },
  {
    script: `type cd echo if | head -1; type -t cd ls if; f() { :; }; type -t f; alias ll='ls -l'; alias ll; type -t nothing_here; echo $?`,
  },
  { script: 'f() { echo hi; }; declare -f f; export -f f; bash -c f; unset -f f; f 2>/dev/null; echo $?' },
  { script: `cmd='echo evaluated $((1+1))'; eval "$cmd"; key=COLOR; eval "$key=red"; echo $COLOR; $cmd` },
  { script: `eval 'for i in 1 2; do echo $i; done'; eval "exit 5"` },
  { script: String.raw`command echo plain; builtin echo built; \echo escaped; echo() { command echo "wrapped: $*"; }; echo x` },
  {
    script:
      ': ${COUNT:=3}; echo $COUNT; true; : ; echo $_; uname -s; echo "$BASH_SUBSHELL" $( echo $BASH_SUBSHELL ); [ -n "$BASH_VERSION" ] && echo bash',
  },
  { script: `set -x; echo traced 2>/dev/null; { set +x; } 2>/dev/null; PS4='+ '; (set -x; : a 'b c') 2>&1` },
  { script: `set -- $(echo a b); echo $2; shopt -q extglob; echo $?; set -o | grep -E '^(errexit|pipefail)'; echo $SHLVL | wc -l` },
  {
    script:
      'if ! grep -q foo README.md; then echo absent; fi; if [ -f a ] || [ -f README.md ]; then echo one; fi; [[ -f a ]] && echo a; echo $?',
  },
  { script: '{ false; echo group; } && echo ok; ( false; exit 1 ) || echo sub failed; ! grep -q zzz README.md && echo negated' },
  {
    script: `#!/usr/bin/env bash
set -euo pipefail
usage() { echo "usage: $0 <name>" >&2; exit 64; }
main() {
  [[ $# -ge 1 ]] || usage
  echo "name: $1"
}
main "demo"
main`,
  },
  {
    script: `retry() {
  local max=$1 n=1; shift
  until "$@"; do
    if (( n >= max )); then echo "gave up after $n"; return 1; fi
    echo "attempt $n failed"
    n=$((n + 1))
  done
}
retry 3 test -f never.txt; echo "rc $?"
retry 3 test -f README.md; echo "rc $?"`,
  },
  {
    script: `set -e
cleanup() { code=$?; echo "cleanup $code"; rm -f lock; exit "$code"; }
trap cleanup EXIT
touch lock
mkdir build
cp missing.txt build/
echo unreachable`,
  },
  {
    script: `errors=0
check() {
  if eval "$2"; then echo "ok   $1"; else echo "FAIL $1"; errors=$((errors + 1)); fi
}
check 'has readme' '[ -f README.md ]'
check 'has tests' 'ls tests/*.test.ts > /dev/null 2>&1'
check 'has ci' '[ -d .github ]'
check 'no fixme' '! grep -rq FIXME src'
exit $errors`,
  },
]
