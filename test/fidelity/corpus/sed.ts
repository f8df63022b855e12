// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { Case } from '../case.js'

/** sed. */
export const sed: readonly Case[] = [
  { script: `sed -n '1,3p' src/index.ts` },
  { script: `sed -n '5p' package.json` },
  { script: `sed -n '$p' notes/unicode.txt` },
  { script: `sed -n '/scripts/,/}/p' package.json` },
  { script: `sed -n '2,\${p}' notes/windows.txt | tr -d '\\r'` },
  { script: `sed '1d;$d' config/env/dev.json config/settings.ini` },
  { script: `sed '/^$/d' README.md | head -4` },
  { script: `sed 's/8080/9090/' .env` },
  { script: `sed -i 's/8080/9090/g' src/index.ts .env && grep -rn 9090 src .env` },
  { script: String.raw`sed -i.bak 's/1\.4\.2/1.5.0/' package.json && ls package* && diff package.json.bak package.json` },
  { script: String.raw`sed -E 's/^([0-9]+),([^,]+),.*/\2 (#\1)/' data/people.csv | tail -n +2` },
  { script: `sed -e 's/a/A/' -e 's/b/B/2' <<< 'abab'` },
  { script: `sed 's/[aeiou]/<&>/g' <<< 'banana split'` },
  { script: `echo '/usr/local/bin' | sed 's|/usr/local|/opt|'` },
  { script: String.raw`sed -n 's/^export function \([a-z]*\).*/\1/pi' src/utils/*.ts` },
  { script: String.raw`sed -nE 's/.*"version": "([^"]+)".*/\1/p' package.json` },
  {
    script: String.raw`sed '/^## Usage/a\
New paragraph after the heading.' README.md | sed -n '/Usage/,+2p'`,
  },
  { script: `sed '1i // @ts-check' src/types.ts | head -2` },
  { script: String.raw`sed '/TODO/c\// done' src/index.ts | grep -n done` },
  { script: `sed '3q' logs/app.log` },
  { script: `sed '/ERROR/!d' logs/app.log | wc -l` },
  { script: `sed -n '/ERROR/=' logs/app.log` },
  { script: String.raw`sed = notes/unicode.txt | sed 'N;s/\n/: /'` },
  { script: String.raw`sed ':a;N;$!ba;s/\n/, /g' notes/no-newline.txt` },
  { script: `sed 'y/abc/xyz/' <<< 'aabbcc'` },
  { script: String.raw`sed 's/\s\+$//' <<< 'trailing   ' | cat -A` },
  { script: String.raw`sed 's/\r$//' notes/windows.txt | cat -A` },
  { script: String.raw`sed 's/\bid\b/ID/g' src/types.ts` },
  { script: String.raw`sed -E 's/(\w+)@(\w+)\.com/\1 at \2/' <<< 'mail ops@example.com now'` },
  {
    script: String.raw`sed 's/.*/\U&/' <<< 'shout'; sed -E 's/\b(.)/\u\1/g' <<< 'title case me'; sed 's/\(.*\)-\(.*\)/\L\1\E-\2/' <<< 'ABC-DEF'`,
  },
  { script: String.raw`sed '0~3d' <<< $'1\n2\n3\n4\n5\n6'; sed -n '1~2p' <<< $'a\nb\nc'` },
  { script: `sed '2,4s/^/# /' config/settings.ini | head -5` },
  { script: String.raw`sed -n '/\[database\]/,/^\[/{/=/p}' config/settings.ini` },
  { script: String.raw`sed '/\[database\]/,$ s/port = .*/port = 6543/' config/settings.ini | grep port` },
  { script: String.raw`sed 'N;P;D' <<< $'a\nb\nc'` },
  { script: String.raw`sed '$!N;s/\n/ /' <<< $'1\n2\n3'` },
  { script: `sed -n 'H;\${x;s/\\n/|/g;p}' <<< $'x\\ny'` },
  { script: String.raw`sed '1!G;h;$!d' <<< $'first\nsecond\nthird'` },
  { script: `sed -i '/^import type/d' src/server.ts; head -3 src/server.ts` },
  {
    script: `sed -i -e '1i #!/bin/sh' -e '$a # end' notes/empty.txt notes/no-newline.txt; cat notes/no-newline.txt; wc -c < notes/empty.txt`,
  },
  { script: `sed -i 's/foo/bar/' missing.txt; echo "exit $?"` },
  { script: 'sed "s/PORT=.*/PORT=${PORT:-3000}/" .env | head -2' },
  { script: `name=World; sed "s/{{name}}/$name/g" <<< 'Hello {{name}}, bye {{name}}'` },
  { script: `sed 's#//.*##; s/[[:space:]]*$//; /^$/d' src/api/users.ts` },
  { script: `sed -s -n '1p' src/index.ts src/types.ts` },
  { script: `sed -n '/type User/,/^}/p' src/types.ts | sed '1d;$d' | sed 's/^ *//'` },
  { script: String.raw`sed 's/x/y/;t;s/$/ (unchanged)/' <<< $'axb\nabc'` },
  { script: String.raw`sed -n 'l' <<< $'tab\there'` },
  { script: `sed --expression='s/a/b/' --quiet --expression='p' <<< 'aaa'` },
  { script: `sed 's/a/b/' 's/c/d/' 2>/dev/null; echo $?` },
  { script: `sed 's/unterminated' <<< x 2>/dev/null; echo $?` },
  { script: `sed -E '/^#+ /!d; s/^## /  - /; s/^# /- /' README.md docs/api.md` },
  { script: String.raw`sed 's/^/    /' docs/getting\ started.md | head -3` },
  { script: `sed 'w copy.txt' <<< 'saved' > /dev/null; cat copy.txt` },
  { script: `sed '/Errors/r notes/no-newline.txt' docs/api.md | tail -5` },
  { script: String.raw`sed -z 's/\n\n/\n/g' README.md | head -3` },
  { script: String.raw`sed -E 's/([^,]*),([^,]*)/\2,\1/' data/people.csv | head -2` },
  { script: String.raw`sed 's/,/\n/2g' <<< 'a,b,c,d'` },
  {
    script: String.raw`cat > fix.sed <<'S'
# one rule a line
s/var /const /
s/"\([^"]*\)"/'\1'/g
s/;$//
S
sed -f fix.sed src/legacy/old_api.js`,
  },
  {
    script: String.raw`for f in src/utils/*.ts; do
  sed -i -e 's/export function \([a-zA-Z]*\)/export const \1 = function /' "$f"
done
grep -h '^export' src/utils/*.ts`,
  },
  {
    script: String.raw`sed -i '/"dependencies": {/a\    "axios": "^1.6.0",' package.json
sed -n '/"dependencies"/,/}/p' package.json
jq -e . package.json > /dev/null && echo valid`,
  },
]
