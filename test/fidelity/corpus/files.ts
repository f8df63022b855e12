import type { Case } from '../case.js'

/** Handling files and directories. */
export const files: readonly Case[] = [
  { script: 'ls' },
  { script: 'ls -1 src' },
  { script: 'ls -a' },
  { script: 'ls -A notes' },
  { script: 'ls src docs' },
  { script: 'ls -d */' },
  { script: 'ls -1 src/*.ts README.md' },
  { script: 'ls -p' },
  { script: 'ls -F src' },
  { script: 'ls -R src' },
  { script: 'ls -m data' },
  { script: 'ls -r notes' },
  { script: 'ls -1S data/people.csv notes/windows.txt' },
  { script: 'ls -1X config/env package.json README.md' },
  { script: `ls -la src | awk 'NR>1 {print $1, $NF}'` },
  { script: 'ls -l src/types.ts | cut -c1-10' },
  { script: `ls -l notes | awk 'NR>1 {print $5, $9}'` },
  { script: 'ls missing; echo "exit $?"' },
  { script: 'ls src/missing.ts README.md 2>/dev/null; echo "exit $?"' },
  { script: 'ls src | wc -l; ls -l src/*.ts | wc -l' },
  { script: 'ls docs/*.md | while read -r f; do echo "[$f]"; done' },
  { script: 'mkdir build && cp src/*.ts build && ls build' },
  { script: 'cp -r src src-copy && diff -r src src-copy && echo same' },
  { script: 'cp -a config/. backup && find backup -type f | sort' },
  { script: 'cp README.md docs && ls docs; cp -v package.json copy.json' },
  {
    script:
      'cp src/index.ts src/types.ts notes/; ls notes | wc -l; cp src dest 2>/dev/null; echo $?; cp -n README.md package.json; head -1 package.json',
  },
  { script: 'mkdir -p out && cp --parents src/utils/dates.ts out && find out -type f' },
  { script: 'mv src/types.ts src/models.ts && ls src; mv -v README.md readme.txt' },
  { script: 'mv src lib && mv lib/utils lib/api docs && ls lib docs; mv nothing here 2>/dev/null; echo $?' },
  { script: 'mv -n package.json README.md; ls package.json README.md; mkdir d && mv *.md d/ && ls d' },
  { script: 'mkdir -p a/b/c && touch a/b/c/f.txt && find a; mkdir a 2>/dev/null; echo $?; mkdir -v new' },
  { script: 'rm notes/empty.txt && ls notes; rm missing 2>/dev/null; echo $?; rm -f missing; echo $?; rm src 2>/dev/null; echo $?' },
  { script: 'rm -rf src docs data && ls; rm -r config && [ ! -e config ] && echo gone' },
  {
    script: `rmdir notes 2>/dev/null || echo 'not empty'; mkdir e && rmdir e && echo removed; mkdir -p x/y && rmdir -p x/y && ls -d x 2>/dev/null; echo $?`,
  },
  { script: 'rm -v notes/*.txt | sort; rmdir notes' },
  { script: `ln -s src/index.ts main.ts && readlink main.ts && head -1 main.ts; ls -l main.ts | awk '{print $(NF-2), $(NF-1), $NF}'` },
  {
    script:
      'ln -s docs d && ls d && cat d/api.md | head -1; rm d && ls -d docs; ln -sf README.md link && ln -sf package.json link && readlink link',
  },
  {
    script:
      'ln -s missing broken; [ -L broken ] && echo link; [ -e broken ] || echo dangling; cat broken 2>/dev/null; echo $?; find . -xtype l',
  },
  {
    script:
      'ln README.md hard.md && echo more >> hard.md && tail -1 README.md && stat -c %h README.md; [ README.md -ef hard.md ] && echo same',
  },
  {
    script:
      'realpath src/../README.md; realpath -m no/such/../file; realpath --relative-to=src docs/api.md; readlink -f src/utils/../types.ts',
  },
  {
    script:
      'basename src/index.ts; basename src/index.ts .ts; dirname src/utils/dates.ts; dirname file; basename -a a/b c/d; basename -s .md -a docs/api.md README.md; dirname /a/b/ x/y',
  },
  { script: 'pwd; cd src/utils && pwd; cd ../.. && pwd; cd src; cd ..; basename "$OLDPWD"' },
  {
    script:
      't=$(mktemp) && echo hi > "$t" && cat "$t" && rm "$t"; d=$(mktemp -d) && cp README.md "$d" && ls "$d"; rm -r "$d"; mktemp -d ./tmp.XXXXXX | cut -c1-6',
  },
  {
    script: String.raw`stat -c '%s %F %a %n' README.md notes/empty.txt; stat -c '%F %n' src; stat -c %n,%s notes/*.txt; stat missing 2>/dev/null; echo $?; stat --printf='%A\n' .env`,
  },
  {
    script: `touch new.txt && ls new.txt && [ ! -s new.txt ] && echo empty; touch -c never && ls never 2>/dev/null; touch -d '2024-01-02 03:04:05' new.txt; stat -c %y new.txt | cut -c1-19`,
  },
  {
    script:
      'touch -d 2024-01-01 old; touch -d 2024-06-01 young; [ young -nt old ] && echo newer; ls -t old young; find . -newer old -name young; date -r old +%F; touch -r old young; [ young -nt old ] || echo equal',
  },
  {
    script: `chmod 600 .env && stat -c %a .env; chmod u+x,go-r README.md && ls -l README.md | cut -c1-10; chmod -R a-w docs && stat -c '%a %n' docs/*; chmod 755 missing 2>/dev/null; echo $?`,
  },
  {
    script: `umask 077; touch secret; mkdir private; stat -c '%a %n' secret private; install -m 755 -D scripts/build.sh bin/build && stat -c %a bin/build`,
  },
  { script: 'du -b README.md package.json; du -ab notes | grep txt | sort -n; du -cb data/*.csv | tail -1' },
  {
    script:
      'wc -c < package.json; truncate -s 10 package.json && wc -c < package.json && cat package.json; truncate -s +5 notes/no-newline.txt && stat -c %s notes/no-newline.txt',
  },
  {
    script:
      'split -l 20 logs/app.log part_ && wc -l part_*; split -b 30 -d notes/unicode.txt u. && ls u.* && cat u.* | cmp - notes/unicode.txt && echo same',
  },
  { script: `split -n l/2 data/people.csv half- && head -n1 half-*; csplit -s README.md '/^## /' '{*}' && ls xx* && head -1 xx01` },
  {
    script:
      'dd if=package.json of=part.bin bs=1 skip=4 count=22 2>/dev/null; cat part.bin; echo; head -c 16 /dev/zero | wc -c; dd if=/dev/zero bs=1024 count=3 2>/dev/null | wc -c',
  },
  {
    script:
      'file -b --mime-type notes/empty.txt; [ -r .env ] && [ -w .env ] && [ ! -x .env ] && echo rw; [ -d src ] && [ -f src ] || echo dir',
  },
  {
    script: `cat src/utils/*.ts > bundle.ts; wc -l bundle.ts; cat README.md README.md | wc -l; cat 'docs/getting started.md'; cat docs/getting started.md 2>/dev/null; echo $?`,
  },
  {
    script:
      'test -e a || echo no; > a; test -e a && echo yes; echo x >> a; [ -s a ] && cat a; rm -i a < /dev/null; ls a; yes | rm -i a; ls a 2>/dev/null || echo removed',
  },
  {
    script: `# an indented listing without the tree command
find src | sort | sed -e 's|[^/]*/|  |g'`,
  },
  {
    script: `for f in docs/*; do
  [[ $f == *' '* ]] && mv "$f" "\${f// /-}"
done
ls docs`,
  },
  {
    script: `i=1
for f in notes/*.txt; do
  mv "$f" "$(printf 'notes/%03d-%s' "$i" "\${f##*/}")"
  ((i++))
done
ls notes`,
  },
]
