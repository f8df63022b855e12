import type { Case } from '../case.js'

/** Whole scripts as an agent sends them: refactor, count, generate, report. */
export const scripts: readonly Case[] = [
  {
    script: String.raw`# rename a function everywhere
grep -rl 'slugify' src tests | sort | while read -r f; do
  n=$(grep -c slugify "$f")
  sed -i 's/\bslugify\b/toSlug/g' "$f"
  echo "$f: $n lines"
done
grep -rn 'slugify' src tests | wc -l`,
  },
  {
    script: String.raw`set -euo pipefail
current=$(sed -nE 's/^  "version": "(.*)",$/\1/p' package.json)
IFS=. read -r major minor patch <<< "$current"
next="$major.$((minor + 1)).0"
sed -i "s/\"version\": \"$current\"/\"version\": \"$next\"/" package.json
echo "$current -> $next"
grep version package.json`,
  },
  {
    script: String.raw`echo "# TODO report"
echo
for f in $(grep -rlE 'TODO|FIXME|XXX' src | sort); do
  echo "## $f"
  grep -nE 'TODO|FIXME|XXX' "$f" | sed -E 's/^([0-9]+):[[:space:]]*\/\/ ?/- line \1: /'
done
echo
echo "Total: $(grep -rhE 'TODO|FIXME|XXX' src | wc -l)"`,
  },
  {
    script: `for f in src/legacy/*.js; do
  new="\${f%.js}.ts"
  sed -e 's/^var /const /' -e "s/require('\\(.*\\)\\.js')/require('\\1')/" -e 's/;$//' "$f" > "$new"
  rm "$f"
done
ls src/legacy
cat src/legacy/old_api.ts`,
  },
  {
    script: `# snake_case to kebab-case, and the imports with it
find src -name '*_*' -type f | sort | while read -r f; do
  to="$(dirname "$f")/$(basename "$f" | tr _ -)"
  mv "$f" "$to"
  echo "$f => $to"
done
sed -i "s/old_helper/old-helper/" src/legacy/*.js
grep -n require src/legacy/*.js`,
  },
  {
    script: `{
  echo "| Level | Count |"
  echo "| --- | ---: |"
  awk '$2 ~ /^[A-Z]+$/ {n[$2]++} END {for (l in n) print "| " l " | " n[l] " |"}' logs/app.log | sort
} > report.md
cat report.md`,
  },
  {
    script: String.raw`echo "Requests per hour:"
grep -E ' (GET|POST|PUT|DELETE|PATCH) ' logs/app.log |
  sed -E 's/^([0-9-]+)T([0-9]{2}).*/\1 \2h/' |
  sort | uniq -c | awk '{printf "  %s %s %3d\n", $2, $3, $1}'
echo "Slowest:"
grep -oE '(GET|POST|PUT|DELETE|PATCH) [^ ]+ [0-9]+ [0-9]+ms' logs/app.log | sort -k4,4nr | head -3`,
  },
  {
    script: `mkdir -p src/generated
{
  echo '// generated, do not edit'
  for f in src/utils/*.ts; do
    name=$(basename "$f" .ts)
    echo "export * from '../utils/$name'"
  done
} > src/generated/index.ts
cat src/generated/index.ts`,
  },
  {
    script: `total=0
printf '%-28s %6s\\n' File Lines
while IFS= read -r -d '' f; do
  n=$(wc -l < "$f")
  printf '%-28s %6d\\n' "\${f#./}" "$n"
  total=$((total + n))
done < <(find . -name '*.ts' -print0 | sort -z)
printf '%-28s %6d\\n' Total "$total"`,
  },
  {
    script: String.raw`cp -r config staged
sed -i 's/5432/5433/' staged/settings.ini
echo '{"debug":true}' > staged/env/test.json
rm staged/env/prod.json
while read -r f; do
  if [ ! -e "staged/$f" ]; then echo "D $f"
  elif ! cmp -s "config/$f" "staged/$f"; then echo "M $f"
  fi
done < <(cd config && find . -type f | sed 's|^\./||' | sort)
comm -13 <(cd config && find . -type f | sort) <(cd staged && find . -type f | sort) | sed 's|^\./|A |'`,
  },
  {
    script: `# CSV to JSON
{
  IFS=, read -r -a header
  echo '['
  first=1
  while IFS=, read -r -a row; do
    [ $first = 1 ] || echo ','
    first=0
    printf '  {"%s": %s, "%s": "%s"}' "\${header[0]}" "\${row[0]}" "\${header[1]}" "\${row[1]}"
  done
  echo; echo ']'
} < data/people.csv > people.json
jq -c '.[0], length' people.json`,
  },
  {
    script: String.raw`cat > src/utils/math.ts <<'EOF'
export const add = (a: number, b: number): number => a + b
export const mul = (a: number, b: number): number => a * b
EOF
cat > tests/math.test.ts <<'EOF'
import { expect, test } from 'vitest'
import { add, mul } from '../src/utils/math'

test('add', () => expect(add(1, 2)).toBe(3))
EOF
sed -i "/utils\/strings'/a import { add } from './utils/math'" src/index.ts
head -5 src/index.ts
grep -c test tests/*.ts`,
  },
  {
    script: String.raw`missing=0
while IFS=: read -r file spec; do
  dir=$(dirname "$file")
  if [ ! -f "$dir/$spec.ts" ]; then
    echo "unresolved in $file: $spec"
    missing=$((missing + 1))
  fi
done < <(grep -roE "from '\.[^']+'" src --include='*.ts' | sed "s/from '//; s/'$//" | sort)
echo "missing: $missing"`,
  },
  {
    script: `# which exports does nobody import?
grep -rhoE 'export (const|function) [A-Za-z]+' src | awk '{print $3}' | sort -u | while read -r name; do
  uses=$(grep -rwl "$name" src tests | wc -l)
  [ "$uses" -le 1 ] && echo "unused: $name"
done
true`,
  },
  {
    script: `set -e
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp -r src package.json "$tmp/"
(cd "$tmp" && find . -name '*.js' -delete && tar czf bundle.tgz src package.json)
mkdir -p dist
mv "$tmp/bundle.tgz" dist/
tar tzf dist/bundle.tgz | grep -v '/$' | sort`,
  },
  {
    script: String.raw`version=1.5.0
{
  printf '# Changelog\n\n## %s\n\n' "$version"
  grep -rhoE '(TODO|FIXME)[:(].*' src | sed -E 's/^(TODO|FIXME)(\([a-z]+\))?: */- /' | sort
} > CHANGELOG.md
cat CHANGELOG.md
wc -l < CHANGELOG.md`,
  },
  {
    script: String.raw`for f in notes/*.txt; do
  if grep -q $'\r' "$f"; then
    sed -i 's/\r$//' "$f" && echo "fixed line ends: $f"
  fi
  if [ -s "$f" ] && [ -n "$(tail -c1 "$f")" ]; then
    echo >> "$f" && echo "added newline: $f"
  fi
done
cat notes/windows.txt notes/no-newline.txt | od -c | tail -3`,
  },
  {
    script: `header='// Copyright 2024 Example'
count=0
for f in $(find src -name '*.ts' | sort); do
  if ! head -1 "$f" | grep -qF "$header"; then
    { echo "$header"; cat "$f"; } > "$f.tmp" && mv "$f.tmp" "$f"
    count=$((count + 1))
  fi
done
echo "$count updated"
head -2 src/types.ts
find . -name '*.tmp' | wc -l`,
  },
  {
    script: `parse_ini() {
  local section='' line
  while IFS= read -r line; do
    case $line in
      ''|';'*) ;;
      '['*']') section=\${line#[}; section=\${section%]} ;;
      *=*) printf '%s_%s=%q\\n' "\${section^^}" "$(cut -d= -f1 <<< "$line" | tr -d ' ' | tr a-z A-Z)" "$(cut -d= -f2- <<< "$line" | sed 's/^ *//')" ;;
    esac
  done < "$1"
}
parse_ini config/settings.ini
eval "$(parse_ini config/settings.ini)"
echo "$DATABASE_HOST:$DATABASE_PORT"`,
  },
  {
    script: String.raw`# a histogram of ages
tail -n +2 data/people.csv | cut -d, -f4 | while read -r age; do
  echo $(( age / 10 * 10 ))
done | sort -n | uniq -c | while read -r n decade; do
  printf '%d-%d: %s\n' "$decade" "$((decade + 9))" "$(printf '#%.0s' $(seq "$n"))"
done`,
  },
  {
    script: `render() {
  local text
  text=$(cat)
  while [[ $text =~ \\{\\{([a-z_]+)\\}\\} ]]; do
    local key=\${BASH_REMATCH[1]}
    text=\${text//"\${BASH_REMATCH[0]}"/\${!key:-}}
  done
  echo "$text"
}
title='Order Service' author=Anna
render <<< 'Title: {{title}} by {{author}} ({{title}}){{none}}'`,
  },
  {
    script: `echo "Links:"
grep -oE '\\]\\([^)]+\\)' README.md | sed -E 's/^\\]\\(//; s/\\)$//' | while read -r target; do
  path=$(printf '%b' "\${target//%/\\\\x}")
  [ -e "$path" ] && echo "  ok      $path" || echo "  missing $path"
done`,
  },
  {
    script: `check_env() {
  local missing=()
  for key in PORT DATABASE_URL API_KEY REDIS_URL SECRET; do
    grep -q "^$key=" .env || missing+=("$key")
  done
  if ((\${#missing[@]})); then
    printf 'missing: %s\\n' "\${missing[*]}"
    return 1
  fi
}
check_env || exit 2`,
  },
  {
    script: String.raw`find . -type f -not -path './logs/*' | awk -F. '
  NF > 2 || $0 !~ /\/\./ { ext = (NF > 2 ? $NF : "none") ; n[ext]++ }
  END { for (e in n) printf "%3d %s\n", n[e], e }
' | sort -k1,1nr -k2`,
  },
  {
    script: String.raw`echo '--- before'; sed -n '/scripts/,/}/p' package.json
jq '.scripts.format = "biome format ." | .dependencies.lodash |= sub("\\^"; "~")' package.json > package.json.new
mv package.json.new package.json
echo '--- after'; jq -r '.scripts | to_entries | map("\(.key): \(.value)") | .[]' package.json
jq -r .dependencies.lodash package.json`,
  },
  {
    script: `awk '/^\`\`\`/ { inside = !inside; next } inside' README.md
awk '/^## /{ if (name) print name ": " n; name = substr($0, 4); n = 0; next } name && NF { n++ } END { print name ": " n }' README.md
grep '^#' README.md | sed -E 's/^(#+) (.*)/\\1 \\2/; s/^## /  * /; s/^# /* /'`,
  },
  {
    script: `mkdir -p archive/2024-03-0{1,2}
cut -c1-10 logs/app.log | grep -E '^2024' | sort -u | while read -r day; do
  grep "^$day" logs/app.log > "archive/$day/app.log"
  echo "$day $(wc -l < "archive/$day/app.log")"
done
gzip archive/*/app.log && find archive -type f | sort`,
  },
  {
    script: String.raw`paste <(jq -r '.[].customer' data/orders.json) <(jq -r '.[].total' data/orders.json) |
  awk -F'\t' '{ t[$1] += $2 } END { for (c in t) printf "%s,%.2f\n", c, t[c] }' | sort > totals.csv
join -t, -1 2 -2 1 <(tail -n +2 data/people.csv | sort -t, -k2,2) totals.csv | cut -d, -f1,3,6`,
  },
  {
    script: String.raw`old=src/api new=src/services
mkdir -p "$new" && mv "$old"/* "$new"/ && rmdir "$old"
grep -rl "/api/users'" src | xargs sed -i "s#'\./api/users'#'./services/users'#"
grep -rn "services/users" src
ls src`,
  },
  {
    script: String.raw`lines=$(wc -l < logs/app.log)
errors=$(grep -c ' ERROR ' logs/app.log)
rate=$(awk -v e="$errors" -v l="$lines" 'BEGIN { printf "%.1f", e * 100 / l }')
cat <<EOF
lines:  $lines
errors: $errors ($rate%)
codes:
$(grep -oE 'E_[A-Z]+' logs/app.log | sort | uniq -c | sort -k1,1nr -k2 | awk '{ printf "  %-12s %d\n", $2, $1 }')
EOF
[ "$errors" -gt 5 ] && exit 1`,
  },
]
