import type { Case } from '../case.js'

/** Here-documents, here-strings and redirections. */
export const hereDocuments: readonly Case[] = [
  {
    script: `cat <<EOF
Hello $USER_NAME from $(basename src/index.ts)
sum: $((2 + 3)) \\$literal \`echo tick\`
EOF`,
  },
  {
    script: String.raw`cat <<'EOF'
No $expansion, no $(commands), no \n
EOF`,
  },
  {
    script: `cat > hello.ts <<'EOF'
export const hello = (name: string) => \`Hello, \${name}!\`
EOF
cat hello.ts && wc -l hello.ts`,
  },
  {
    script: `if true; then
	cat <<-EOF
		indented with tabs
		second line
	EOF
fi`,
  },
  {
    script: `cat << EOF >> .env
NEW_FLAG=1
EOF
tail -2 .env`,
  },
  {
    script: `tee config/app.yaml > /dev/null <<YAML
server:
  port: 8080
  hosts:
    - a.example.com
    - b.example.com
YAML
grep -c '    - ' config/app.yaml; sed -n 2p config/app.yaml`,
  },
  {
    script: `bash <<'SH'
x=5
echo "inner $x"
exit 4
SH
echo "status $?"`,
  },
  {
    script: `sort <<EOF | uniq -c
b
a
b
EOF`,
  },
  {
    script: `cat <<A; cat <<B
from a
A
from b
B`,
  },
  {
    script: `while read -r name version; do
  echo "$name@$version"
done <<LIST
lodash 4.17.21
zod 3.22.4
LIST`,
  },
  {
    script: `read -r -d '' usage <<'EOF'
Usage: tool [options]
  -h  help
EOF
echo "[$usage]"`,
  },
  {
    script: `text=$(cat <<'EOF'
it's "quoted"
  and indented
EOF
)
echo "$text"`,
  },
  {
    script: `mkdir -p gen
for name in Button Input; do
cat > "gen/$name.tsx" <<EOF
export function $name(props: \${name}Props) {
  return <div className="\${name,,}">{props.children}</div>
}
EOF
done
cat gen/*.tsx`,
  },
  {
    script: `cat > a.json <<EOF && jq -c .b a.json
{"a": 1, "b": [true, null]}
EOF`,
  },
  {
    script: `func() { cat; }
func <<EOF
to a function: \${UNSET:-default}
EOF`,
  },
  {
    script: `cat <<"END OF TEXT"
with $spaces in the delimiter
END OF TEXT`,
  },
  {
    script: String.raw`cat <<EOF
line one \
joined
"quotes" stay 'as' they are
a backslash \\ and a dollar \$
EOF`,
  },
  { script: `cat <<< "here $((1+1))"; tr a-z A-Z <<< 'up'` },
  { script: `wc -c <<< ''; wc -c <<< abc` },
  { script: `read -r a b c <<< 'one two three four'; echo "$c|$b|$a"` },
  { script: `IFS=: read -r x y <<< 'k:v:w'; echo "$x $y"` },
  { script: `ls missing-file 2>/dev/null || echo 'not there'` },
  { script: 'ls missing-file src/types.ts 2>&1 | sort' },
  { script: '{ echo out; echo err >&2; } 2>&1 | sort' },
  { script: '{ echo out; echo err >&2; } 2>/dev/null' },
  { script: 'echo hidden > /dev/null 2>&1; echo shown' },
  { script: '{ echo a; echo b >&2; } &> both.txt; sort both.txt' },
  { script: '{ echo a; echo b >&2; } > out.txt 2> err.txt; cat err.txt out.txt' },
  { script: 'echo one > f.txt; echo two >> f.txt; cat < f.txt' },
  { script: ': > notes/unicode.txt; wc -c notes/unicode.txt; > new.txt; ls new.txt' },
  { script: `set -o noclobber; echo x > README.md 2>/dev/null || echo 'kept'; echo y >| notes/empty.txt; cat notes/empty.txt` },
  { script: 'cat src/nothing.ts 2>&1; echo "rc=$?"' },
  { script: 'exec 6>&1 > captured.txt; echo inside; exec >&6 6>&-; echo outside; cat captured.txt' },
  { script: 'exec 5>&1; out=$(echo to-var; echo to-stdout >&5); echo "var: $out"' },
  { script: `echo error >&2 | cat; echo 'only stderr' 1>&2; echo end` },
  { script: 'cmd_out=$( { echo so; echo se >&2; } 2>&1 >/dev/null ); echo "captured: $cmd_out"' },
  { script: 'diff <(sort data/people.csv) <(sort -r data/people.csv | sort) && echo identical' },
  { script: String.raw`cat <(echo first) <(echo second); wc -l < <(printf '1\n2\n')` },
  { script: `echo 'a b' | tee >(wc -w > words.txt) | cat; sleep 0.3; cat words.txt` },
  { script: 'sort -o data/people.csv -t, -k2,2r data/people.csv && head -2 data/people.csv' },
  { script: 'grep -v DEBUG logs/app.log > tmp.log && mv tmp.log logs/app.log && wc -l < logs/app.log' },
  { script: 'echo x > no/such/dir/file 2>/dev/null; echo "rc $?"' },
  { script: 'cat - README.md < notes/no-newline.txt | head -2' },
]
