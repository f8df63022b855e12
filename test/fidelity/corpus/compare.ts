import type { Case } from '../case.js'

/** diff, patch, cmp, checksums, archives and encodings. */
export const compare: readonly Case[] = [
  { script: 'diff config/env/dev.json config/env/prod.json; echo $?' },
  { script: 'diff README.md README.md && echo same' },
  { script: 'diff -q config/env/dev.json config/env/prod.json' },
  { script: 'diff -s README.md README.md' },
  { script: `sed 's/8080/9090/' src/index.ts > new.ts; diff -u --label a/index.ts --label b/index.ts src/index.ts new.ts` },
  { script: `cp -r src new && sed -i 's/users/people/' new/server.ts && echo x > new/extra.ts && rm new/types.ts && diff -rq src new` },
  { script: `cp -r src new && echo '// end' >> new/types.ts && diff -r src new` },
  { script: String.raw`diff <(printf 'a\nb\nc\n') <(printf 'a\nx\nc\nd\n')` },
  { script: String.raw`diff -u <(printf 'a\nb\n') <(printf 'a\nc\n') | tail -n +3` },
  { script: String.raw`diff -y -W 20 <(printf 'a\nb\n') <(printf 'a\nc\n')` },
  { script: String.raw`diff --strip-trailing-cr <(printf 'alpha\nbeta\ngamma\n') notes/windows.txt && echo 'same but for line ends'` },
  {
    script: String.raw`diff -w <(echo 'a  b') <(echo 'a b') && echo ok; diff -i <(echo A) <(echo a) && echo ok; diff -B <(printf 'a\n\nb\n') <(printf 'a\nb\n') && echo ok`,
  },
  { script: 'diff notes/no-newline.txt <(cat notes/no-newline.txt; echo)' },
  { script: 'diff missing.txt README.md 2>/dev/null; echo $?' },
  { script: String.raw`diff -c <(printf '1\n2\n') <(printf '1\n3\n') | tail -n +3` },
  { script: 'cmp README.md package.json; cmp -s README.md README.md && echo equal; cmp -s README.md .env || echo "differ $?"' },
  {
    script: `cp src/types.ts t.ts; sed -i 's/number/bigint/' t.ts; diff -u src/types.ts t.ts > c.patch; patch src/types.ts < c.patch && cmp src/types.ts t.ts && echo applied`,
  },
  {
    script: `cp -r src b; sed -i 's/TODO/DONE/' b/index.ts; diff -ru src b > p.diff; grep -c '^[-+][^-+]' p.diff; patch -p1 -d src < p.diff; grep -c DONE src/index.ts`,
  },
  { script: `md5sum README.md notes/empty.txt; sha256sum < .gitignore | cut -c1-16; sha1sum notes/windows.txt | awk '{print $1}'` },
  {
    script: `sha256sum src/*.ts > sums.txt && sha256sum -c sums.txt; echo '// x' >> src/index.ts; sha256sum -c --quiet sums.txt 2>/dev/null; echo $?`,
  },
  { script: `find src -type f -name '*.ts' -exec md5sum {} + | sort -k2 | md5sum` },
  {
    script: `cp README.md docs/copy.md; find . -name '*.md' -exec md5sum {} + | sort | awk '{n[$1]=n[$1] " " $2; c[$1]++} END{for(h in n) if(c[h]>1) print n[h]}'`,
  },
  { script: 'echo -n hello | base64; echo aGVsbG8= | base64 -d; echo; base64 -w 20 notes/windows.txt; head -c 60 /dev/zero | base64' },
  { script: `echo -n 'Köln' | xxd; echo -n abc | xxd -p; echo 616263 | xxd -r -p; echo; echo -n AB | xxd -b | cut -c11-27` },
  {
    script: String.raw`echo hi | od -c; echo -n ABC | od -An -tx1; printf '\x01\x02\xff' | od -An -tu1; head -c 3 notes/unicode.txt | od -A d -t x1`,
  },
  { script: `printf 'abc' | hexdump -C; cksum notes/empty.txt; echo -n x | sum | awk '{print $1}'` },
  { script: 'tar cf a.tar src && tar tf a.tar | sort | head -4; tar -cf b.tar -C notes unicode.txt windows.txt && tar -tf b.tar' },
  { script: 'tar czf src.tgz src docs && rm -rf src docs && tar xzf src.tgz && ls src docs' },
  { script: 'tar -czf n.tar.gz notes/*.txt && mkdir out && tar -xzvf n.tar.gz -C out && ls out/notes' },
  {
    script: `tar cf - src | tar xf - -C config && diff -r src config/src && echo copied; tar -cf x.tar --exclude='*.js' src && tar -tf x.tar | grep -c js`,
  },
  {
    script:
      'tar czf s.tgz src && tar xzf s.tgz --strip-components=1 -C notes && ls notes; tar -xOf s.tgz src/utils/dates.ts | head -1; tar tf missing.tar 2>/dev/null; echo $?',
  },
  {
    script:
      'gzip -k README.md && ls README* && zcat README.md.gz | head -1; gunzip -f README.md.gz && ls README*; gzip -c .env | gzip -d | wc -l',
  },
  {
    script:
      'gzip logs/app.log && ls logs && zcat logs/app.log.gz | grep -c ERROR && zgrep -c WARN logs/app.log.gz; gunzip logs/app.log.gz && wc -l < logs/app.log; gzip -t README.md 2>/dev/null; echo $?',
  },
  {
    script:
      'zip -qr docs.zip docs && unzip -Z1 docs.zip | sort && unzip -p docs.zip docs/api.md | head -1; mkdir u && unzip -q docs.zip -d u && ls u/docs',
  },
]
