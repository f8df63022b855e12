// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { Case } from '../case.js'

/** Quoting, parameter expansion, arithmetic, braces and globs. */
export const expansion: readonly Case[] = [
  { script: 'f=src/utils/strings.ts; echo "${f##*/} ${f%/*} ${f##*.} ${f%.ts}.js"' },
  { script: 'p=/a/b/c.tar.gz; echo "${p%%.*} ${p%.*} ${p#*/} ${p##*/}"' },
  { script: `s='hello world'; echo "\${s/o/0} \${s//o/0} \${s/#hello/bye} \${s/%world/all}"` },
  { script: 's=hello; echo "${s^} ${s^^} ${#s} ${s:1:3} ${s: -2} ${s:2} ${s:0:-1}"; S=LOUD; echo "${S,} ${S,,}"' },
  { script: 'echo "${unset:-default} ${unset-d2} [${unset:+alt}]"; x=; echo "[${x:-empty}] [${x-kept}] ${x:=assigned} $x"' },
  { script: 'name=; (: "${name:?must be set}") 2>/dev/null; echo "rc=$?"' },
  { script: 'v=ref; ref=target; echo "${!v}"; A_1=x A_2=y; echo "${!A_@}"' },
  { script: `str='a,b,c'; echo "\${str//,/ }"; IFS=,; set -- $str; echo "$# $2"` },
  { script: `set -- one 'two three' four; echo "$#"; printf '<%s>' "$@"; echo; printf '<%s>' $*; echo; IFS=-; echo "$*"` },
  { script: 'set -- a b c d; shift 2; echo "$1 $#"; echo "${@:1:1} ${*: -1}"' },
  { script: String.raw`echo 'single $HOME' "double $((1+1))" $'tab\there' "it's" 'say "hi"'` },
  { script: String.raw`echo "a\"b" 'it'\''s' a\ b "\$5" "back\\slash"` },
  {
    script: `msg="multi
line"; echo $msg; echo "$msg"`,
  },
  { script: `x='  spaced   out  '; echo $x; echo "$x" | cat -A` },
  { script: String.raw`printf '%q\n' 'simple' 'two words' "it's" '$x' ''` },
  { script: String.raw`printf '%s-%s\n' a b c; printf '%05d|%-5s|%5s|%.2f|%x|%o|%e\n' 42 ab cd 3.14159 255 8 12345.678` },
  { script: String.raw`printf '%b' 'a\tb\n'; printf '%%|%c|%s\n' xyz; printf '%3$s %1$s\n' a b c 2>/dev/null || echo 'no positions'` },
  { script: String.raw`printf -v out '%03d' 7; echo "$out"; printf '%(%Y-%m-%d)T\n' 86400; printf '%*d\n' 5 3; printf '%+d % d\n' 5 5` },
  { script: String.raw`printf '%s\n' {a..e} | paste -sd,; echo {01..10..3} {z..w} {a,b}{1,2} pre{X,,Y}post {5..1}` },
  { script: 'mkdir -p app/{src,test}/{unit,e2e} && find app -type d | sort' },
  { script: 'cp README.md{,.bak} && ls README*' },
  { script: 'echo $((7/2)) $((7%3)) $((2**10)) $((1<<4)) $((5>3)) $((0xff)) $((010)) $((2#1011)) $((-7/2)) $(( (1+2)*3 ))' },
  { script: 'x=5; ((x+=3)); echo $x; ((x++)); echo $((x--)) $x $((x>5?1:0)); let y=x*2; echo $y; echo $((~0)) $((6&3)) $((6|1)) $((6^3))' },
  { script: '((0)); echo $?; ((5)); echo $?; a=3; ((a == 3)) && echo three; echo $((a, a+1)); echo $((16#ff + 8#17))' },
  {
    script: String.raw`expr 3 + 4; expr 10 / 3; expr 2 \* 5; expr length hello; expr substr hello 2 3; expr 'v12' : 'v\([0-9]*\)'; expr 1 = 2; echo $?`,
  },
  { script: `echo 'scale=2; 10/3' | bc; echo '2^16' | bc; echo "$(echo '5.5 > 5' | bc)"` },
  { script: 'ls src/*.ts | head -2; echo src/**/*.ts; shopt -s globstar; echo src/**/*.ts' },
  { script: 'echo notes/?n*.txt notes/[nw]*.txt notes/[!a-m]*.txt' },
  { script: 'shopt -s nullglob; echo [*.none]; a=(*.none); echo ${#a[@]}; shopt -u nullglob; echo *.none' },
  {
    script: `shopt -s extglob
ls -d !(src|docs|data|config) ; echo notes/@(empty|windows).txt src/+([a-z]).ts; x=000123; echo "\${x##+(0)}"`,
  },
  { script: String.raw`shopt -s dotglob; echo * | tr ' ' '\n' | grep '^\.'; shopt -u dotglob` },
  { script: 'shopt -s failglob; (echo *.zzz) 2>/dev/null; echo "rc $?"' },
  { script: String.raw`set -f; echo *.md; set +f; echo *.md; echo "*.md" \*.md` },
  { script: String.raw`for f in docs/*; do echo "$f"; done; ls docs/getting\ started.md "docs/getting started.md"` },
  {
    script: `[[ 'v1.2.3' =~ ^v([0-9]+)\\.([0-9]+)\\.([0-9]+)$ ]] && echo "\${BASH_REMATCH[0]} \${BASH_REMATCH[1]} \${BASH_REMATCH[3]} \${#BASH_REMATCH[@]}"`,
  },
  { script: `re='^([^=]+)=(.*)$'; while read -r l; do [[ $l =~ $re ]] && echo "\${BASH_REMATCH[1]}: \${BASH_REMATCH[2]}"; done < .env` },
  {
    script: `[[ foo.ts == *.ts ]] && echo glob; [[ foo.ts == '*.ts' ]] || echo literal; [[ a < b && ! -z x ]] && echo ordered; [[ -n '' || 3 -gt 2 ]] && echo or`,
  },
  { script: '[ -f README.md ] && [ ! -d README.md ] && [ -s README.md ] && ! [ -s notes/empty.txt ] && [ -e src ] && echo all' },
  { script: 'test -d src -a -f package.json && echo both; [ a = b -o 1 -eq 1 ] && echo either; [ "$x" ]; echo $?' },
  { script: `echo "$(echo "nested $(echo "deep 'quotes'")")"; echo \`echo old \\\`echo style\\\`\`` },
  { script: String.raw`x=$(printf 'trailing\n\n\n'); echo "[$x]"; y=$(< notes/no-newline.txt); echo "$y" | wc -l` },
  { script: 'echo "${#} ${0} $-" | wc -w; echo "$(( $(wc -l < README.md) + 1 ))"' },
  { script: 'path=a/b/c; IFS=/ read -ra parts <<< "$path"; echo "${parts[@]} ${#parts[@]}"' },
  {
    script: `s='x=1;y=2'; echo "\${s%%;*} \${s#*;}"; u='https://example.com:8080/path?q=1'; h=\${u#*://}; echo "\${h%%/*} \${h%%:*} \${u##*\\?}"`,
  },
  { script: `v='  trim me  '; v="\${v#"\${v%%[![:space:]]*}"}"; v="\${v%"\${v##*[![:space:]]}"}"; echo "[$v]"` },
  { script: `s=kebab-case-name; echo "$s" | sed -E 's/-(.)/\\U\\1/g'; IFS=-; for w in $s; do printf '%s' "\${w^}"; done; echo` },
  { script: 'x=héllo; echo ${#x} ${x:1:1} ${x^^}; LC_ALL=C; echo ${#x}' },
  { script: `arr=(a b); echo "\${arr[@]/#/pre-}" "\${arr[*]/%/.ts}"; s='quote me'; echo "\${s@Q} \${s@U} \${s@u}"` },
  { script: String.raw`echo -n no; echo -e ' yes\ttab\x41\u00e9'; echo -E 'raw\n'; echo -- x; echo -ne 'a\cb'; echo` },
  { script: String.raw`echo ~+ | sed 's/.*\///'; cd src; echo ~- | sed 's/.*\///'; [ ~ = "$HOME" ] && echo home` },
  {
    script: `date -u -d @0 +%F; date -u -d '2024-02-28 +2 days' +%Y-%m-%d; date -d 2024-03-01T12:00:00Z +%s; date -u -d @1709280000 '+%a %d %b %Y %H:%M:%S'`,
  },
  {
    script: `date -d '2024-01-31' '+%j %u %V %y'; date -u -d '2024-03-01 08:00' --iso-8601=seconds; d1=$(date -d 2024-03-01 +%s); d2=$(date -d 2024-02-01 +%s); echo $(( (d1-d2)/86400 ))`,
  },
]
