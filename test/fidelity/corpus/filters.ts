// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { Case } from '../case.js'

/** Filters: tr, paste, join, comm, column, nl, fold, seq, tee and the status of a pipe. */
export const filters: readonly Case[] = [
  { script: String.raw`printf 'b\nA\na\nB\n' | LC_ALL=C sort` },
  { script: String.raw`printf 'b 2\na 10\nc 1\n' | sort -k2 -n -r` },
  { script: String.raw`printf 'banana\napple\ncherry\n' | sort -r | tr 'a-z' 'A-Z'` },
  { script: String.raw`printf 'Apple\nbanana\napple\nCherry\n' | sort -f` },
  { script: String.raw`printf 'x\nx\ny\nx\n' | uniq` },
  { script: String.raw`printf 'a\na\nb\nc\nc\n' | uniq -d` },
  { script: String.raw`printf 'a\na\nb\nc\nc\n' | uniq -u` },
  { script: String.raw`printf '1 foo\n2 foo\n3 bar\n' | uniq -f1` },
  { script: `echo 'Hello World' | tr '[:upper:]' '[:lower:]' | tr ' ' '-'` },
  { script: String.raw`tr -d '\r' < notes/windows.txt | od -c | head -3` },
  { script: String.raw`tr -cs 'A-Za-z' '\n' < README.md | tr A-Z a-z | sort | uniq -c | sort -rn -k1,1 -k2,2 | awk '$1>1'` },
  { script: `echo 'aabbccdd' | tr -s 'a-c'` },
  { script: 'paste -d, <(cut -d, -f2 data/people.csv) <(cut -d, -f4 data/people.csv) | head -4' },
  { script: String.raw`printf '1\n2\n3\n4\n5\n6\n' | paste - - -` },
  {
    script: String.raw`printf 'a 1\nb 2\nc 3\n' > l.txt; printf 'a x\nc z\nd w\n' > r.txt; join l.txt r.txt; echo --; join -a1 -e NONE -o 0,1.2,2.2 l.txt r.txt`,
  },
  { script: String.raw`comm -12 <(printf 'a\nb\nc\n') <(printf 'b\nc\nd\n')` },
  { script: String.raw`comm <(printf 'a\nb\n') <(printf 'b\nc\n') | sed 's/\t/>/g'` },
  { script: `comm -23 <(cut -d, -f2 data/people.csv | sort) <(jq -r '.[].customer' data/orders.json | sort -u)` },
  { script: 'column -t -s, data/people.csv | head -4' },
  { script: 'nl notes/unicode.txt' },
  { script: `nl -ba -w3 -s': ' src/types.ts` },
  { script: 'cat -n src/utils/dates.ts' },
  { script: 'cat -A notes/windows.txt' },
  { script: 'cat -s README.md | grep -c .' },
  { script: String.raw`rev <<< 'hello'; tac notes/windows.txt | tr -d '\r'` },
  { script: `fold -w 10 <<< 'the quick brown fox jumps'; fold -s -w 12 <<< 'the quick brown fox jumps'` },
  { script: `expand -t 4 src/utils/dates.ts; unexpand -a -t 4 <<< '        x'` },
  { script: String.raw`seq 5 | tac | tr '\n' ' '; echo` },
  { script: 'seq -w 8 11; seq 1 2 7; seq -s, 3' },
  { script: `seq 10 | awk '{s+=$1} END {print s}'` },
  { script: 'yes | head -3' },
  { script: 'yes no | head -n 2 | cat -n' },
  { script: 'echo one two three | tee out1.txt | wc -w; cat out1.txt' },
  { script: 'ls src | tee -a listing.txt listing2.txt > /dev/null; cat listing.txt listing2.txt | sort | uniq -c' },
  { script: String.raw`cat README.md | grep -n '^#' | sed 's/^\([0-9]*\):#* */line \1: /'` },
  { script: 'cat notes/no-newline.txt notes/empty.txt notes/windows.txt | wc -l' },
  { script: 'shopt -s lastpipe; cat data/people.csv | while IFS=, read -r id name rest; do last=$name; done; echo "last=$last"' },
  { script: 'cat missing.txt 2>/dev/null | wc -l; echo "${PIPESTATUS[@]}"' },
  { script: `false | true | grep x <<< 'y'; echo "\${PIPESTATUS[0]} \${PIPESTATUS[1]} \${PIPESTATUS[2]}"` },
  {
    script: String.raw`cut -d, -f3,5 data/people.csv | tail -n +2 | grep -v '^Z' |
  sort |
  awk -F, '{ sum[$1] += $2; n[$1]++ } END { for (c in sum) printf "%-8s %6d %8.2f\n", c, n[c], sum[c]/n[c] }' |
  sort`,
  },
  { script: `sort | uniq -c | awk '{print $2 "=" $1}'`, stdin: 'gamma\nalpha\nbeta\nalpha\n' },
  { script: 'read -r first; echo "first: $first"; echo "rest: $(cat)"', stdin: 'one two\nthree\n' },
  { script: String.raw`cut -d, -f2- | tr , '\t' | cat -A`, stdin: 'a,b,c\n1,2,3\n' },
]
