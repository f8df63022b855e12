// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { Case } from '../case.js'

/** for, while, until and C-style loops, case. */
export const loops: readonly Case[] = [
  { script: 'for f in src/*.ts; do echo "$f: $(wc -l < "$f")"; done' },
  { script: `for i in 1 2 3; do printf '%d ' "$i"; done; echo` },
  { script: 'for i in {1..5}; do [ $((i % 2)) -eq 0 ] && continue; echo $i; done' },
  { script: 'for ((i = 0; i < 4; i++)); do echo "i=$i"; done' },
  { script: 'for ((i=10, j=0; i>j; i-=3, j++)); do echo "$i $j"; done' },
  { script: 'for i in $(seq 1 3); do for j in a b; do echo -n "$i$j "; done; done; echo' },
  { script: 'for f in *.nope; do echo "literal: $f"; done' },
  { script: 'for d in */; do echo "${d%/}"; done' },
  { script: 'for w in $(cat notes/no-newline.txt); do echo "- $w"; done' },
  { script: 'for x; do echo "$x"; done; echo none' },
  { script: 'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done' },
  { script: 'n=3; until (( n == 0 )); do echo "T-$n"; ((n--)); done; echo liftoff' },
  { script: 'while read -r line; do echo "> $line"; done < notes/no-newline.txt' },
  { script: 'while IFS= read -r line || [ -n "$line" ]; do echo "> $line"; done < notes/no-newline.txt' },
  { script: 'while IFS=, read -r id name city _; do [ "$city" = Paris ] && echo "$name($id)"; done < data/people.csv' },
  { script: `while IFS='=' read -r key value; do [[ $key =~ ^# || -z $key ]] && continue; echo "$key -> \${value//\\"/}"; done < .env` },
  { script: 'count=0; while read -r l; do count=$((count+1)); done < <(grep ERROR logs/app.log); echo "$count errors"' },
  { script: 'count=0; grep ERROR logs/app.log | while read -r l; do count=$((count+1)); done; echo "$count in the parent"' },
  { script: 'while true; do n=$((n+1)); [ "$n" -ge 4 ] && break; done; echo $n' },
  { script: 'for i in 1 2 3; do for j in 1 2 3; do [ $j = 2 ] && continue 2; [ $i = 3 ] && break 2; echo $i.$j; done; done' },
  { script: 'for i in 1 2 3; do echo $i; done | tac' },
  { script: 'for i in a b; do echo $i; done > loop.txt; cat loop.txt' },
  {
    script:
      'for f in notes/*.txt; do b=$(basename "$f" .txt); case $b in empty|no-*) echo "skip $b";; u*) echo "utf $b";; *) echo "other $b";; esac; done',
  },
  { script: 'case "hello.tar.gz" in *.zip) echo zip;; *.tar.gz|*.tgz) echo tarball;; *) echo unknown;; esac' },
  { script: 'case 7 in [0-9]) echo digit;; [a-z]) echo letter;; esac' },
  { script: 'case abc in a*) echo one;;& *c) echo two;; *) echo three;; esac' },
  { script: 'case x in x) echo first;& y) echo second;; z) echo third;; esac' },
  { script: 'shopt -s nocasematch; case HELLO in hello) echo same;; esac; [[ Foo == foo ]] && echo equal' },
  { script: 'i=0; while :; do case $((i++)) in 0) echo zero;; 1) echo one;; *) break;; esac; done' },
  { script: 'seq 3 | while read n; do echo "n=$n"; done' },
  { script: String.raw`printf 'a:1\nb:2\n' | while IFS=: read -r k v; do echo "$v=$k"; done` },
  { script: String.raw`while read -r a b; do echo "$b,$a"; done <<< $'x y z\n1 2'` },
  { script: 'exec 3< notes/unicode.txt; read -r l1 <&3; read -r l2 <&3; exec 3<&-; echo "$l2 / $l1"' },
  {
    script: String.raw`i=1
while IFS= read -r line <&4; do
  printf '%02d| %s\n' "$i" "$line"
  i=$((i + 1))
done 4< src/utils/dates.ts`,
  },
  {
    script: `for env in dev prod; do
  file="config/env/$env.json"
  if [ -f "$file" ]; then
    level=$(jq -r .level "$file")
    echo "$env: $level"
  elif [ -d config ]; then
    echo "$env: none"
  else
    echo "no config"
  fi
done`,
  },
  {
    script: `for n in $(seq 1 15); do
  if (( n % 15 == 0 )); then echo FizzBuzz
  elif (( n % 5 == 0 )); then echo Buzz
  elif (( n % 3 == 0 )); then echo Fizz
  else echo "$n"; fi
done | paste -sd' '`,
  },
  {
    script: `a=0 b=1
for _ in {1..10}; do
  printf '%s ' "$a"
  next=$((a + b)); a=$b; b=$next
done
echo`,
  },
  {
    script: `while read -r a b; do
  if [[ $a =~ ^[0-9]+$ ]]; then echo $((a * b)); else echo "skip: $a"; fi
done`,
    stdin: '3 4\n10 20\nx\n',
  },
]
