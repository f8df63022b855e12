import type { Case } from '../case.js'

/** awk, kept to what every awk agrees on. */
export const awk: readonly Case[] = [
  { script: `awk '{print $1}' notes/unicode.txt` },
  { script: `awk -F, '{print $2, $4}' data/people.csv` },
  { script: `awk -F, 'NR>1 {sum+=$5} END {print sum, sum/(NR-1)}' data/people.csv` },
  { script: `awk -F, 'NR>1 && $4>30 {print $2}' data/people.csv` },
  { script: `awk -F, '$3=="Berlin"{c++} END{print c+0}' data/people.csv` },
  { script: `awk 'END{print NR}' logs/app.log` },
  { script: `awk '/ERROR/{print NR": "$0}' logs/app.log` },
  { script: `awk 'NR==3,NR==5' logs/app.log` },
  { script: String.raw`awk '/\[database\]/{f=1;next} /^\[/{f=0} f && NF' config/settings.ini` },
  { script: `awk -F' *= *' '/^port/{print $2}' config/settings.ini` },
  { script: `awk -F= '!/^#/ && NF>1 {print $1}' .env` },
  { script: `awk '{print NF}' notes/unicode.txt | paste -sd' '` },
  { script: `awk '{$1=""; print substr($0,2)}' notes/unicode.txt` },
  { script: String.raw`awk 'BEGIN{printf "%5.2f|%-6s|%04d|%x|%c|%s%%\n", 3.14159, "ab", 42, 255, "A", 50}'` },
  { script: `awk 'BEGIN{OFS=";"} {$1=$1} 1' <<< 'a b c'` },
  { script: String.raw`awk -v OFS='\t' -F, '{print $1,$2}' data/people.csv | head -2` },
  { script: `awk -v name=Bob -F, '$2==name{print $5}' data/people.csv` },
  { script: String.raw`awk '!seen[$0]++' <<< $'a\nb\na\nc\nb'` },
  { script: String.raw`awk '{a[NR]=$0} END{for(i=NR;i>0;i--) print a[i]}' <<< $'1\n2\n3'` },
  { script: `awk -F, 'NR>1{n[$3]++} END{for(c in n) print c, n[c]}' data/people.csv | sort` },
  { script: `awk '{c[$2]++} END{for(k in c) if (c[k]>5) print k, c[k] | "sort"}' logs/app.log` },
  { script: `awk 'length($0) > 60' logs/app.log | head -3` },
  { script: String.raw`awk '{print length}' <<< $'abc\n\nhello'` },
  { script: `awk 'BEGIN{n=split("a:b:c",p,":"); print n, p[1], p[3]}'` },
  { script: `awk 'BEGIN{s="hello world"; gsub(/o/,"0",s); print s, toupper(s), index(s,"w"), substr(s,1,5)}'` },
  { script: `awk '{sub(/INFO/,"[&]"); print $2}' logs/app.log | head -2` },
  { script: `awk 'match($0,/code=[A-Z_]+/){print substr($0,RSTART+5,RLENGTH-5)}' logs/app.log | sort -u` },
  { script: `awk 'BEGIN{while((getline line < ".env")>0) if (line ~ /=/) n++; print n}'` },
  { script: `awk 'BEGIN{"echo from shell" | getline x; close("echo from shell"); print "got " x}'` },
  {
    script: String.raw`awk 'NR==FNR{age[$2]=$4;next} ($1 in age){print $1, age[$1]}' FS=, data/people.csv FS=' ' <(printf 'Eve x\nZoe y\nBob z\n')`,
  },
  { script: `awk 'FNR==1{print FILENAME} END{print NR}' src/index.ts src/types.ts` },
  { script: String.raw`awk 'BEGIN{for(i=1;i<=3;i++){for(j=1;j<=3;j++) printf "%d%s", i*j, (j<3?" ":"\n")}}'` },
  { script: `awk 'BEGIN{i=0; while(i<5){i++; if(i==2)continue; if(i==4)break; print i}}'` },
  { script: `awk 'BEGIN{do{n++}while(n<3); print n}'` },
  { script: String.raw`awk 'function max(a,b){return a>b?a:b} {m=max(m,$1)} END{print m}' <<< $'3\n9\n4'` },
  { script: `awk 'function fact(n){return n<=1?1:n*fact(n-1)} BEGIN{print fact(10)}'` },
  { script: `awk 'BEGIN{print 7%3, 2^10, int(7/2), 1/3, 1e6, 100000000, 0.1+0.2}'` },
  { script: `awk 'BEGIN{print "10"<"9", 10<9, "abc"<"abd", ("5"+0)==5}'` },
  { script: `awk 'BEGIN{print length("héllo") > "/dev/null"; print substr("abcdef",3) "|" substr("abc",5) "|"}'` },
  { script: `awk 'BEGIN{x["a"]=1; delete x["a"]; print ("a" in x), length(x)}'` },
  { script: `awk 'BEGIN{m["x","y"]=5; for(k in m){split(k,p,SUBSEP); print p[1] "-" p[2]}}'` },
  { script: `awk 'BEGIN{RS=""}{print NR": "$1" "$2}' README.md | head -4` },
  { script: String.raw`awk 'BEGIN{RS=","}{gsub(/\n/,""); print}' <<< 'a,b,c'` },
  { script: `awk -F'[ =]' '/ip=/{print $NF}' logs/app.log | sort -u | wc -l` },
  { script: String.raw`awk -F'\t' '{print NF}' <<< $'a\tb\tc'` },
  { script: `awk '{print $NF}' logs/app.log | tail -2` },
  { script: `awk '{print $(NF-1)}' <<< 'a b c d'` },
  { script: String.raw`awk 'NR%2==0' <<< $'1\n2\n3\n4'` },
  { script: `awk '/retrying/{exit} {n++} END{print n}' logs/app.log` },
  { script: `awk 'BEGIN{exit 3}'; echo $?` },
  { script: String.raw`awk '{print > ($1 ".out")}' <<< $'red apple\nblue sky\nred car'; cat red.out blue.out` },
  { script: String.raw`awk 'BEGIN{printf "%s\n", ENVIRON["MODE"]}' ; MODE=fast awk 'BEGIN{print ENVIRON["MODE"]}'` },
  { script: `awk 'BEGIN{for(i=0;i<ARGC;i++) print i, ARGV[i]}' one two` },
  { script: `awk 'tolower($0) ~ /todo/' README.md` },
  { script: `awk '$0 !~ /^(#|$)/' .env` },
  { script: String.raw`awk '{ printf "%-12s|%8s|\n", $1, $2 }' <<< $'alpha 1\nbeta 22'` },
  { script: String.raw`awk 'BEGIN { printf("%d items\n", "3 apples") ; print -3 " " +"4x" ; print 5 " " 6 }'` },
  { script: String.raw`awk 'NF{print; c=0} !NF{if(!c++)print}' <<< $'a\n\n\nb'` },
  { script: String.raw`awk '{sum=0; for(i=1;i<=NF;i++) sum+=$i; print sum}' <<< $'1 2 3\n4 5'` },
  { script: `awk 'BEGIN { printf "no newline" }'; echo; awk 'syntax error {' /dev/null 2>/dev/null || echo refused` },
  {
    script: String.raw`awk -F, '
  BEGIN { printf "%-10s %5s %10s\n", "City", "Count", "Average" }
  NR == 1 || $3 ~ /^Z/ { next }
  {
    count[$3]++
    total[$3] += $5
    if ($5 > best) { best = $5; who = $2 }
  }
  END {
    for (c in count) printf "%-10s %5d %10.1f\n", c, count[c], total[c] / count[c] | "sort"
    close("sort")
    print "top earner: " who " (" best ")"
  }
' data/people.csv`,
  },
  {
    script: String.raw`awk '
  /^\[.*\]$/ { section = substr($0, 2, length($0) - 2); next }
  /^;/ || NF == 0 { next }
  {
    split($0, kv, / *= */)
    printf "%s.%s=%s\n", section, kv[1], kv[2]
  }
' config/settings.ini`,
  },
  {
    script: `awk '
  $2 == "INFO" && $3 ~ /^(GET|POST|PUT|DELETE|PATCH)$/ {
    status = $5
    ms = $6; sub(/ms$/, "", ms)
    class = substr(status, 1, 1) "xx"
    hits[class]++
    if (ms + 0 > slow[class] + 0) slow[class] = ms
  }
  END { for (c in hits) print c, hits[c], slow[c] }
' logs/app.log | sort`,
  },
  {
    script: String.raw`cat > sum.awk <<'A'
function pad(s, n) { while (length(s) < n) s = s "."; return s }
{ t[$1] += $2 }
END { for (k in t) print pad(k, 6) t[k] }
A
printf 'ab 1\ncd 2\nab 4\n' | awk -f sum.awk | sort`,
  },
]
