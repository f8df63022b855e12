// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { Case } from '../case.js'

/** Indexed and associative arrays, mapfile, declare. */
export const arrays: readonly Case[] = [
  { script: 'a=(one two three); echo "${a[0]} ${a[-1]} ${#a[@]} ${a[@]:1:2}"' },
  { script: `a=(); a+=(x); a+=('y z'); printf '[%s]\\n' "\${a[@]}"; echo "\${!a[@]}"` },
  { script: `a=(1 2 3 4); unset 'a[1]'; echo "\${a[@]} / \${!a[@]} / \${#a[@]}"` },
  { script: `a=(c a b); IFS=$'\\n' sorted=($(sort <<< "\${a[*]}")); unset IFS; echo "\${sorted[@]}"` },
  { script: 'a=([5]=five [2]=two); for i in "${!a[@]}"; do echo "$i=${a[i]}"; done' },
  { script: 'declare -a list=(src/*.ts); echo "${#list[@]} files, first ${list[0]##*/}"' },
  { script: 'files=(src/*.ts docs/*); for f in "${files[@]}"; do echo "$f"; done' },
  {
    script: `declare -A m=([a]=1 [b]=2); m[c]=3; for k in $(printf '%s\\n' "\${!m[@]}" | sort); do echo "$k \${m[$k]}"; done; echo \${#m[@]}`,
  },
  { script: 'declare -A seen; for w in x y x z y x; do ((seen[$w]++)); done; for k in x y z; do echo "$k:${seen[$k]}"; done' },
  {
    script:
      'declare -A c; while IFS=, read -r _ _ city _; do c[$city]=$(( ${c[$city]:-0} + 1 )); done < <(tail -n +2 data/people.csv); for k in "${!c[@]}"; do echo "$k ${c[$k]}"; done | sort',
  },
  {
    script: `declare -A m=(['two words']=v); [[ -v m['two words'] ]] && echo set; [[ -v m[none] ]] || echo unset; unset 'm[two words]'; echo \${#m[@]}`,
  },
  { script: 'mapfile -t lines < notes/unicode.txt; echo "${#lines[@]} ${lines[1]}"' },
  { script: `mapfile -t -n 2 -s 1 some < README.md; printf '%s|' "\${some[@]}"; echo` },
  { script: 'readarray -t names < <(cut -d, -f2 data/people.csv | tail -n +2); echo "${names[*]:2:3}"' },
  { script: `mapfile -d '' -t found < <(find notes -name '*.txt' -print0 | sort -z); echo "\${#found[@]} \${found[0]}"` },
  { script: 'IFS=, read -ra cols < data/people.csv; echo "${cols[3]} of ${#cols[@]}"' },
  { script: `read -ra words <<< 'the quick  brown'; echo "\${words[2]}"` },
  { script: 'a=(a b c); b=("${a[@]}" d); a[1]=B; echo "${a[*]} ${b[*]}"' },
  { script: 'a=(1 2 3); sum=0; for n in "${a[@]}"; do ((sum += n)); done; echo $sum; echo "${a[@]:0:2}" "${a[*]: -1}"' },
  { script: `a=(x y z); for ((i=\${#a[@]}-1; i>=0; i--)); do printf '%s' "\${a[i]}"; done; echo` },
  { script: `join_by() { local IFS="$1"; shift; echo "$*"; }; join_by , a b c; join_by ' | ' x y` },
  {
    script:
      'contains() { local n=$1; shift; for e; do [[ $e == "$n" ]] && return 0; done; return 1; }; a=(p q); contains q "${a[@]}" && echo in; contains r "${a[@]}" || echo out',
  },
  {
    script: `declare -p nope 2>/dev/null; echo $?; a=(1 'two w'); declare -p a; declare -A m=([k]=v); declare -p m; x=5; declare -p x; export x; declare -p x`,
  },
  {
    script:
      'declare -i n=5; n=n+3; echo $n; declare -u up=hello; declare -l low=HELLO; echo $up $low; declare -r k=1; (k=2) 2>/dev/null; echo $? $k',
  },
  { script: `add() { local -n ref=$1; ref+=("$2"); }; l=(a); add l 'b c'; echo "\${#l[@]} \${l[1]}"` },
  { script: 'a=(1 2 3 4 5); echo "${a[@]/3/three}"; echo "${a[@]#1}"; echo "${#a[4]}"' },
  { script: 'cmd=(grep -c ERROR logs/app.log); "${cmd[@]}"; opts=(-n); [ -f README.md ] && opts+=(-i); grep "${opts[@]}" todo README.md' },
  { script: `stack=(); stack+=(1); stack+=(2); top=\${stack[-1]}; unset 'stack[-1]'; echo "$top \${#stack[@]}"` },
  { script: `a=(a 'b c'); f() { echo $#; }; f "\${a[@]}"; f "\${a[*]}"; f \${a[@]}; e=(); f "\${e[@]}"` },
  {
    script: `declare -A deps
while IFS='=' read -r name range; do
  deps[$name]=$range
done < <(jq -r '.dependencies | to_entries[] | "\\(.key)=\\(.value)"' package.json)
for name in lodash zod react; do
  if [[ -n \${deps[$name]+x} ]]; then
    echo "$name \${deps[$name]#^}"
  else
    echo "$name missing"
  fi
done`,
  },
  {
    script: `matrix=("1 2 3" "4 5 6")
for row in "\${matrix[@]}"; do
  read -ra cells <<< "$row"
  total=0
  for cell in "\${cells[@]}"; do (( total += cell )); done
  echo "$row => $total"
done`,
  },
  {
    script: `args=(--verbose --out=dist src/index.ts -n 3)
while ((\${#args[@]})); do
  case \${args[0]} in
    --out=*) out=\${args[0]#*=} ;;
    -n) count=\${args[1]}; args=("\${args[@]:1}") ;;
    --*) flags+=("\${args[0]#--}") ;;
    *) rest+=("\${args[0]}") ;;
  esac
  args=("\${args[@]:1}")
done
echo "out=$out count=$count flags=\${flags[*]} rest=\${rest[*]}"`,
  },
]
