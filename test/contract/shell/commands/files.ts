import type { ShellCommands } from '../command.js'

export const fileCommands: ShellCommands = {
  'files: cat joins files in the order given': {
    run: 'cat people.csv empty.txt fruit.txt | tail -n 5',
    stdout: 'Cara,41,London\nbanana\napple\ncherry\napple\n',
  },
  'files: cat -n numbers lines': { run: 'cat -n fruit.txt | head -n 2', stdout: '     1\tbanana\n     2\tapple\n' },
  'files: cat of a missing file fails and goes on': {
    run: 'cat missing.txt empty.txt .hidden',
    stdout: 'secret\n',
    stderr: /missing\.txt: No such file or directory/,
    exitCode: 1,
  },
  'files: cp copies a file': {
    run: 'cp fruit.txt copy.txt && diff fruit.txt copy.txt && echo same',
    stdout: 'same\n',
    files: { 'copy.txt': 'banana\napple\ncherry\napple\n' },
  },
  'files: cp -r copies a tree': { run: 'cp -r src backup && find backup -type f | sort', stdout: 'backup/add.ts\nbackup/main.ts\n' },
  'files: cp of a directory without -r is refused': { run: 'cp src backup', stderr: /src/, exitCode: 1, files: { 'backup/add.ts': null } },
  'files: mv renames a file': { run: 'mv fruit.txt veg.txt; head -n 1 veg.txt', stdout: 'banana\n', files: { 'fruit.txt': null } },
  'files: mv into a directory': {
    run: 'mv fruit.txt empty.txt src && ls src',
    stdout: 'add.ts\nempty.txt\nfruit.txt\nmain.ts\n',
    files: { 'fruit.txt': null, 'src/empty.txt': '' },
  },
  'files: mv of a directory': { run: 'mv src lib && ls lib && [ ! -e src ]', stdout: 'add.ts\nmain.ts\n' },
  'files: rm removes files': { run: 'rm fruit.txt empty.txt && ls', stdout: 'docs\npeople.csv\nsrc\n', files: { 'fruit.txt': null } },
  'files: rm of a missing file fails': { run: 'rm missing.txt', stderr: /missing\.txt.*No such file or directory/, exitCode: 1 },
  'files: rm of a directory is refused': {
    run: 'rm src',
    stderr: /src.*[Ii]s a directory/,
    exitCode: 1,
    files: { 'src/add.ts': 'export const add = (a: number, b: number): number => a + b\n' },
  },
  'files: rm -rf removes a tree and passes over what is missing': {
    run: 'rm -rf src missing; echo $?; ls',
    stdout: '0\ndocs\nempty.txt\nfruit.txt\npeople.csv\n',
  },
  'files: rmdir of a full directory is refused': { run: 'rmdir docs', stderr: /docs.*not empty/, exitCode: 1 },
  'files: mkdir -p makes the parents': { run: 'mkdir -p a/b/c a/b && find a | sort', stdout: 'a\na/b\na/b/c\n' },
  'files: mkdir without a parent fails': { run: 'mkdir a/b', stderr: /No such file or directory/, exitCode: 1 },
  'files: touch makes an empty file and keeps a full one': {
    run: 'touch new.txt fruit.txt && wc -c < new.txt && wc -l < fruit.txt',
    stdout: '0\n4\n',
    files: { 'new.txt': '' },
  },
  'files: ls sorts and hides dotfiles': { run: 'ls', stdout: 'docs\nempty.txt\nfruit.txt\npeople.csv\nsrc\n' },
  'files: ls -A shows dotfiles': { run: 'ls -A | head -n 2', stdout: '.hidden\ndocs\n' },
  'files: ls of a missing path fails': { run: 'ls missing', stderr: /missing.*No such file or directory/, exitCode: 2 },
  'files: ls -l begins with the kind and the mode': {
    run: 'chmod 640 fruit.txt; ls -l fruit.txt | cut -c1-10; ls -ld src | cut -c1',
    stdout: '-rw-r-----\nd\n',
  },
  'files: ln -s makes a link that is followed': {
    run: 'ln -s fruit.txt link && readlink link && head -n 1 link && [ -L link ]',
    stdout: 'fruit.txt\nbanana\n',
  },
  'files: rm of a link leaves its target': { run: 'ln -s src link; rm link; ls src', stdout: 'add.ts\nmain.ts\n', files: { link: null } },
  'files: find by name and kind': {
    run: "find . -type f -name '*.ts' | sort; find . -type d | sort",
    stdout: './src/add.ts\n./src/main.ts\n.\n./docs\n./src\n',
  },
  'files: find -exec runs a command for each': {
    run: "find src -name 'a*' -exec head -c 6 {} \\; -exec echo {} \\;",
    stdout: 'exportsrc/add.ts\n',
  },
  'files: find with ! and -o': {
    run: "find . -maxdepth 1 -type f ! -name '*.txt' -o -name 'e*' | sort",
    stdout: './.hidden\n./empty.txt\n./people.csv\n',
  },
  'files: find -delete': { run: "find . -name '*.txt' -delete; ls", stdout: 'docs\npeople.csv\nsrc\n', files: { 'fruit.txt': null } },
  'files: head by lines and bytes': {
    run: 'head -n 1 fruit.txt; head -2 fruit.txt; head -c 3 fruit.txt',
    stdout: 'banana\nbanana\napple\nban',
  },
  'files: head of several names each': {
    run: 'head -n 1 fruit.txt .hidden',
    stdout: '==> fruit.txt <==\nbanana\n\n==> .hidden <==\nsecret\n',
  },
  'files: tail by lines and from a line on': {
    run: 'tail -n 1 fruit.txt; tail -n +3 fruit.txt; tail -c 6 fruit.txt',
    stdout: 'apple\ncherry\napple\napple\n',
  },
  'files: wc of a file and of an input': {
    run: 'wc -l fruit.txt; wc -l < fruit.txt; wc -w < fruit.txt; wc -c < fruit.txt',
    stdout: '4 fruit.txt\n4\n4\n26\n',
  },
  'files: tee writes and passes on': {
    run: 'echo a | tee one.txt two.txt | tr a b; echo c | tee -a one.txt > /dev/null',
    stdout: 'b\n',
    files: { 'one.txt': 'a\nc\n', 'two.txt': 'a\n' },
  },
  'files: chmod makes a script that runs': {
    run: 'chmod +x run.sh && [ -x run.sh ] && ./run.sh now; echo "$?"',
    before: { 'run.sh': '#!/bin/bash\necho "ran $1"\nexit 4\n' },
    stdout: 'ran now\n4\n',
  },
  'files: a script without its x bit is 126': {
    run: 'chmod 644 run.sh; ./run.sh',
    before: { 'run.sh': '#!/bin/bash\necho ran\n' },
    stderr: /run\.sh.*[Pp]ermission denied/,
    exitCode: 126,
  },
  'files: cmp is silent about what is the same': { run: 'cp fruit.txt a && cmp fruit.txt a && echo same', stdout: 'same\n' },
  'files: ls of several names': { run: 'ls *.txt', stdout: 'empty.txt\nfruit.txt\n' },
  'files: ls -l names and sizes': { run: "ls -l fruit.txt | awk '{ print $5, $NF }'", stdout: '26 fruit.txt\n' },
  'files: basename and dirname': { run: 'basename src/main.ts .ts; dirname src/main.ts', stdout: 'main\nsrc\n' },
  'files: diff of two files': {
    run: 'sed s/cherry/pear/ fruit.txt > other.txt; diff fruit.txt other.txt',
    stdout: '3c3\n< cherry\n---\n> pear\n',
    exitCode: 1,
  },
  'files: diff -u shows hunks': {
    run: 'sed s/cherry/pear/ fruit.txt > other.txt; diff -u fruit.txt other.txt | tail -n +3',
    stdout: '@@ -1,4 +1,4 @@\n banana\n apple\n-cherry\n+pear\n apple\n',
  },
  'files: mktemp gives a file of its own': { run: 'f=$(mktemp) && echo x > "$f" && cat "$f" && rm "$f" && [ ! -e "$f" ]', stdout: 'x\n' },
  'files: tests of files': {
    run: 'for p in fruit.txt empty.txt missing; do for t in e f d s; do [ -$t $p ] && echo "$t $p"; done; done; [ -d src ]',
    stdout: 'e fruit.txt\nf fruit.txt\ns fruit.txt\ne empty.txt\nf empty.txt\n',
  },
  'files: a name with spaces': {
    run: `cat "docs/read me.md" | head -n 1; cd docs && ls && cat read\\ me.md | tail -n 1`,
    stdout: '# Notes\nread me.md\nTODO: write them\n',
  },
  'files: tar packs and lists': { run: 'tar -cf a.tar src/add.ts fruit.txt && tar -tf a.tar', stdout: 'src/add.ts\nfruit.txt\n' },
  'files: gzip and back': { run: 'gzip fruit.txt && [ ! -e fruit.txt ] && gunzip fruit.txt.gz && head -n 1 fruit.txt', stdout: 'banana\n' },
}
