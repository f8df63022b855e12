// Written by scripts/record-js-programs.mjs: what Node v20.20.2 prints. Not to be edited.
export const RECORDED: Readonly<Record<string, { readonly exitCode: number; readonly stdout: string }>> = {
  prints: { exitCode: 0, stdout: 'hello 1 true null undefined 10n Symbol(s) -0\n' },
  computes: { exitCode: 0, stdout: '2584 [ 1, 2, 3 ] 0.30000000000000004\n' },
  'shows objects': {
    exitCode: 0,
    stdout: "{\n  a: 1,\n  b: { c: { d: [Object] } },\n  'x-y': [ 1, <1 empty item>, 3 ],\n  f: [Function: f],\n  [Symbol(k)]: 1\n}\n",
  },
  'shows nested strings': { exitCode: 0, stdout: "[ \"it's\", `q\"'x`, 'a\\nb' ] { s: 'text' } plain\n" },
  'shows collections': {
    exitCode: 0,
    stdout: "Map(2) { 'a' => { b: 1 }, { k: 1 } => 2 } Set(3) { 1, 'two', [ 3 ] } Map(0) {} Set(0) {}\n",
  },
  'shows instances': {
    exitCode: 0,
    stdout:
      'Point { x: 1 } Named { x: 1 } [class Point] [class Named extends Point] [class (anonymous)] [Function (anonymous)] [AsyncFunction: f] [GeneratorFunction: g]\n',
  },
  'shows null prototypes': { exitCode: 0, stdout: '[Object: null prototype] {} [Object: null prototype] { a: 1 }\n' },
  'shows circles': {
    exitCode: 0,
    stdout: "<ref *1> {\n  name: 'a',\n  self: [Circular *1],\n  list: [ [Circular *1], { a: [Circular *1] } ]\n}\n",
  },
  'shows long lists': {
    exitCode: 0,
    stdout:
      "[\n   0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11,\n  12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,\n  24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,\n  36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,\n  48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,\n  60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71,\n  72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83,\n  84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,\n  96, 97, 98, 99,\n  ... 20 more items\n]\n[\n  'item0',  'item1',  'item2',\n  'item3',  'item4',  'item5',\n  'item6',  'item7',  'item8',\n  'item9',  'item10', 'item11',\n  'item12', 'item13', 'item14',\n  'item15', 'item16', 'item17',\n  'item18', 'item19', 'item20',\n  'item21', 'item22', 'item23',\n  'item24', 'item25', 'item26'\n]\n",
  },
  'shows rows': {
    exitCode: 0,
    stdout:
      "[\n  { id: 0, name: 'name 0', tags: [ 'a', 'b' ] },\n  { id: 1, name: 'name 1', tags: [ 'a', 'b' ] },\n  { id: 2, name: 'name 2', tags: [ 'a', 'b' ] },\n  { id: 3, name: 'name 3', tags: [ 'a', 'b' ] },\n  { id: 4, name: 'name 4', tags: [ 'a', 'b' ] },\n  { id: 5, name: 'name 5', tags: [ 'a', 'b' ] },\n  { id: 6, name: 'name 6', tags: [ 'a', 'b' ] },\n  { id: 7, name: 'name 7', tags: [ 'a', 'b' ] }\n]\n",
  },
  'shows dates and patterns': { exitCode: 0, stdout: '1970-01-01T00:00:00.000Z [ 1970-01-02T00:00:00.000Z ] /a+/gi Invalid Date\n' },
  'shows bytes': {
    exitCode: 0,
    stdout:
      'Uint8Array(3) [ 1, 2, 255 ] ArrayBuffer { [Uint8Contents]: <00 00 00 00>, byteLength: 4 } Float64Array(2) [ 0, 0 ] <Buffer 68 c3 a9>\n',
  },
  'shows boxed values': { exitCode: 0, stdout: "[Number: 3] [String: 'abc'] [ [Boolean: false] ] [BigInt: 10n]\n" },
  'shows accessors': { exitCode: 0, stdout: '{ a: [Getter/Setter], b: [Getter], c: [Setter] }\n' },
  'shows promises': { exitCode: 0, stdout: 'Promise { 4 } Promise { <pending> } [ Promise { { a: 1 } } ]\n' },
  'breaks long lines': {
    exitCode: 0,
    stdout: "{\n  first: 'a value that is quite long',\n  second: 'another value that is long',\n  third: 'and one more of them'\n}\n",
  },
  formats: { exitCode: 0, stdout: 'Bob is 42.5 years and 42, 1.5, {"a":1} [ 1, [length]: 1 ] { b: 2 } % more\n' },
  'prints a table': {
    exitCode: 0,
    stdout:
      "┌─────────┬───┬─────┬──────┐\n│ (index) │ a │ b   │ c    │\n├─────────┼───┼─────┼──────┤\n│ 0       │ 1 │ 'x' │      │\n│ 1       │ 2 │     │ true │\n└─────────┴───┴─────┴──────┘\n┌─────────┬────────┐\n│ (index) │ Values │\n├─────────┼────────┤\n│ 0       │ 'p'    │\n│ 1       │ 'q'    │\n└─────────┴────────┘\n5\n",
  },
  groups: { exitCode: 0, stdout: 'one\n  two\n  lines\n    three\nfour\n' },
  counts: { exitCode: 0, stdout: 'default: 1\nx: 1\ndefault: 2\ndefault: 1\n{ a: [Object] }\n' },
  'writes without a line end': { exitCode: 0, stdout: 'ab\n' },
  'uses newer functions': { exitCode: 0, stdout: '3 [ 1, 3 ] { a: 1 } a+b Map(1) { 1 => { a: 1970-01-01T00:00:00.000Z } }\n' },
  'uses patterns': { exitCode: 0, stdout: "2024 [ '1', '2' ] ..x\n" },
  'uses text encodings': { exitCode: 0, stdout: '9 € aGk= hi a%20b%26c\n' },
  'reads addresses': {
    exitCode: 0,
    stdout: "https://u:p@host.example:8080/a/x?q=1&r=a+b&s=%C3%A9#h https://host.example:8080 /a/x a b [ 'q', 'r', 's' ]\na=1&b=x+y\n",
  },
  'orders turns in a module': { exitCode: 0, stdout: 'sync\npromise\nmicrotask\ntick\ntimeout\n' },
  'orders turns in a script': { exitCode: 0, stdout: 'sync\ntick\ntick in tick\npromise\npromise in tick\n' },
  'orders timers': { exitCode: 0, stdout: 'a\nb\nc\n' },
  'runs jobs between timers': { exitCode: 0, stdout: 'one\njob\ntwo\n' },
  repeats: { exitCode: 0, stdout: '1\n2\n3\n' },
  'runs immediates in rounds': { exitCode: 0, stdout: 'a\nb\nc\n' },
  'does not wait for what is unreferenced': { exitCode: 0, stdout: 'done\n' },
  'awaits at the top': { exitCode: 0, stdout: "[ 'a', 'b' ] fast\n" },
  'iterates asynchronously': { exitCode: 0, stdout: '0\n1\n2\nx\ny\n' },
  'settles all': { exitCode: 0, stdout: "[ 'fulfilled', 'rejectedno' ]\n2\n" },
  aborts: { exitCode: 0, stdout: 'heard AbortError\ntrue\nAbortError This operation was aborted\n' },
  'sleeps by promise': { exitCode: 0, stdout: 'slept\n' },
  emits: { exitCode: 0, stdout: 'once 1\non 1\non 2\n1 false\n[ 7 ]\n' },
  'imports files': { exitCode: 0, stdout: '[Function: named] 1 [Module: null prototype] { a: 1, default: [Function: named] }\n' },
  'imports in circles': { exitCode: 0, stdout: 'afunction\n' },
  'imports CommonJS': { exitCode: 0, stdout: '{ one: 1, two: { x: 2 } } 1 { x: 2 }\n' },
  'imports when it runs': { exitCode: 0, stdout: 'evaluated\n5 true\nERR_MODULE_NOT_FOUND\n' },
  'knows itself': { exitCode: 0, stdout: 'main.mjs undefined true\n' },
  requires: { exitCode: 0, stdout: '9 true { a: [ 1, 2 ] } index object true\n' },
  'requires in circles': { exitCode: 0, stdout: '{ early: 1, late: { seen: { early: 1 } } }\n' },
  'requires what is not there': { exitCode: 0, stdout: "MODULE_NOT_FOUND Cannot find module './gone'\nMODULE_NOT_FOUND\n" },
  'requires an ES module': { exitCode: 0, stdout: '1\n' },
  'has its names': { exitCode: 0, stdout: 'main.cjs true true false true undefined\n' },
  'makes a require': { exitCode: 0, stdout: '3\n' },
  'imports packages': { exitCode: 0, stdout: 'esm n sub legacy legacy\n' },
  'reads and writes': { exitCode: 0, stdout: 'one two 6 true false\n' },
  'reads by promise': { exitCode: 0, stdout: "[ 'e', 'e/f.txt' ] 1 x\nENOENT\n" },
  'has file errors': {
    exitCode: 0,
    stdout:
      "ENOENT open -2 ENOENT: no such file or directory, open 'gone.txt'\nEISDIR read -21 EISDIR: illegal operation on a directory, read\nEEXIST mkdir -17 EEXIST: file already exists, mkdir 'dir'\nENOTEMPTY rmdir -39 ENOTEMPTY: directory not empty, rmdir 'dir'\nENOTDIR scandir -20 ENOTDIR: not a directory, scandir 'dir/file'\nENOENT open -2 ENOENT: no such file or directory, open 'gone/x'\n",
  },
  lists: { exitCode: 0, stdout: "[ 'a', 'b', 'c' ] [ [ 'a', false, true ], [ 'b', false, true ], [ 'c', true, false ] ] true 2\n" },
  'moves, copies, links': { exitCode: 0, stdout: 'text false c true text\nt\n' },
  'calls back': { exitCode: 0, stdout: 'null text\nENOENT\n' },
  'streams files': { exitCode: 0, stdout: 'text\nstreamed\n' },
  'handles paths': {
    exitCode: 0,
    stdout: "b/c /x .c ../c/d { root: '/', dir: '/home', base: 'f.txt', ext: '.txt', name: 'f' } false /a/c\n",
  },
  'writes as flags say': {
    exitCode: 0,
    stdout:
      'write "wx" Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\nhello\nappend "wx" Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\nhello\nnew "wx" n\nwrite "r+" undefined\nXYllo\nappend "r+" undefined\n-Yllo\nnew "r+" Error | ENOENT | ENOENT: no such file or directory, open \'new\' | open | new | -\nwrite "a" undefined\nhelloXY\nappend "a" undefined\nhelloXY-\nnew "a" n\nwrite "ax" Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\nhello\nappend "ax" Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\nhello\nnew "ax" n\nwrite "a+" undefined\nhelloXY\nappend "a+" undefined\nhelloXY-\nnew "a+" n\nwrite "w+" undefined\nXY\nappend "w+" undefined\n-\nnew "w+" n\nwrite "wx+" Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\nhello\nappend "wx+" Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\nhello\nnew "wx+" n\nwrite "rs+" undefined\nXYllo\nappend "rs+" undefined\n-Yllo\nnew "rs+" Error | ENOENT | ENOENT: no such file or directory, open \'new\' | open | new | -\nwrite "r" Error | EBADF | EBADF: bad file descriptor, write | write | - | -\nhello\nappend "r" Error | EBADF | EBADF: bad file descriptor, write | write | - | -\nhello\nnew "r" Error | ENOENT | ENOENT: no such file or directory, open \'new\' | open | new | -\nwrite "as" undefined\nhelloXY\nappend "as" undefined\nhelloXY-\nnew "as" n\nwrite "" undefined\nXY\nappend "" undefined\nXY-\nnew "" n\nwrite null undefined\nXY\nappend null undefined\nXY-\nnew null n\nwrite "zz" TypeError | ERR_INVALID_ARG_VALUE | The argument \'flags\' is invalid. Received \'zz\' | - | - | -\nhello\nappend "zz" TypeError | ERR_INVALID_ARG_VALUE | The argument \'flags\' is invalid. Received \'zz\' | - | - | -\nhello\nnew "zz" TypeError | ERR_INVALID_ARG_VALUE | The argument \'flags\' is invalid. Received \'zz\' | - | - | -\nwrite 1.5 RangeError | ERR_OUT_OF_RANGE | The value of "flags" is out of range. It must be an integer. Received 1.5 | - | - | -\nhello\nappend 1.5 RangeError | ERR_OUT_OF_RANGE | The value of "flags" is out of range. It must be an integer. Received 1.5 | - | - | -\nhello\nnew 1.5 RangeError | ERR_OUT_OF_RANGE | The value of "flags" is out of range. It must be an integer. Received 1.5 | - | - | -\nwrite {} TypeError | ERR_INVALID_ARG_VALUE | The argument \'flags\' is invalid. Received {} | - | - | -\nhello\nappend {} TypeError | ERR_INVALID_ARG_VALUE | The argument \'flags\' is invalid. Received {} | - | - | -\nhello\nnew {} TypeError | ERR_INVALID_ARG_VALUE | The argument \'flags\' is invalid. Received {} | - | - | -\n1 undefined\nXYllo\n1025 undefined\nhelloXY\n193 Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\nhello\n514 undefined\nXY\n66 undefined\nXYllo\n1089 undefined\nhelloXY\nread a+ hello\nread w+ \nread wx+ Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\nread w Error | EBADF | EBADF: bad file descriptor, read | read | - | -\nread r+ hello\ndir w Error | EISDIR | EISDIR: illegal operation on a directory, open \'d\' | open | d | -\ndir wx Error | EEXIST | EEXIST: file already exists, open \'d\' | open | d | -\ndir a Error | EISDIR | EISDIR: illegal operation on a directory, open \'d\' | open | d | -\ndir r+ Error | EISDIR | EISDIR: illegal operation on a directory, open \'d\' | open | d | -\nencoding TypeError | ERR_INVALID_ARG_VALUE | The argument \'encoding\' is invalid encoding. Received \'nope\' | - | - | -\n',
  },
  'writes streams as flags say': {
    exitCode: 0,
    stdout:
      '{} open,ready,finish,close 2 "ZZ"\n{"flags":"wx"} error EEXIST,close 0 "hello"\n{"flags":"r+","start":2} open,ready,finish,close 2 "heZZo"\n{"flags":"a"} open,ready,finish,close 2 "helloZZ"\n{"flags":"r+"} open,ready,finish,close 2 "ZZllo"\n{"start":2} open,ready,finish,close 2 "\\u0000\\u0000ZZ"\n{"flags":"ax"} error EEXIST,close 0 "hello"\n{"flags":"a+","start":1} open,ready,finish,close 2 "helloZZ"\n{"flags":"zz"} error ERR_INVALID_ARG_VALUE,close 0 "hello"\npromise r+ XYllo\npromise ax Error | EEXIST | EEXIST: file already exists, open \'a.txt\' | open | a.txt | -\niterated xy\n',
  },
  'aborts files': {
    exitCode: 0,
    stdout:
      'write AbortError | ABORT_ERR | The operation was aborted | - | - | -\nappend AbortError | ABORT_ERR | The operation was aborted | - | - | -\nread AbortError | ABORT_ERR | The operation was aborted | - | - | -\ncall back AbortError | ABORT_ERR | The operation was aborted | - | - | -\nno signal TypeError | ERR_INVALID_ARG_TYPE | The "options.signal" property must be an instance of AbortSignal. Received type number (5) | - | - | -\nfalse\nAbortError ABORT_ERR\nAbortError ABORT_ERR\nhello\n',
  },
  'copies as options say': {
    exitCode: 0,
    stdout:
      "missing parent e,e/w\nforce B\nerrorOnExist SystemError | ERR_FS_CP_EEXIST | Target already exists: cp returned EEXIST (b already exists) b | cp | b | -\nerrorOnExist later SystemError | ERR_FS_CP_EEXIST | Target already exists: cp returned EEXIST (b already exists) b | cp | b | -\nboth A\nno recursive SystemError | ERR_FS_EISDIR | Path is a directory: cp returned EISDIR (d is a directory (not copied)) d | cp | d | -\nnone Error | ENOENT | ENOENT: no such file or directory, lstat 'none' | lstat | none | -\nnone later Error | ENOENT | ENOENT: no such file or directory, lstat 'none' | lstat | none | -\nsame SystemError | ERR_FS_CP_EINVAL | Invalid src or dest: cp returned EINVAL (src and dest cannot be the same) a | cp | a | -\nwithin SystemError | ERR_FS_CP_EINVAL | Invalid src or dest: cp returned EINVAL (cannot copy d to a subdirectory of self d/s/t) d/s/t | cp | d/s/t | -\nover a file SystemError | ERR_FS_CP_DIR_TO_NON_DIR | Cannot overwrite non-directory with directory: cp returned EISDIR (cannot overwrite non-directory a with directory d) a | cp | a | -\nover a directory SystemError | ERR_FS_CP_NON_DIR_TO_DIR | Cannot overwrite directory with non-directory: cp returned ENOTDIR (cannot overwrite directory d with non-directory a) d | cp | d | -\nall s,s/y,x\nfilter [ 'd/s/y>f/s/y,d/s>f/s,d/x>f/x,d>f', 's,x' ]\nfilter later [ 'd/s/y>g/s/y,d/s>g/s,d/x>g/x,d>g', 's,x' ]\nfilter of a promise TypeError | ERR_INVALID_RETURN_VALUE | Expected boolean to be returned from the \"filter\" function but got an instance of Promise. | - | - | -\nfilter of nothing false\nno filter TypeError | ERR_INVALID_ARG_TYPE | The \"options.filter\" property must be of type function. Received type number (5) | - | - | -\nmode 755\ntimes 6000\ncopyFile itself undefined\ncopyFile exclusive Error | EEXIST | EEXIST: file already exists, copyfile 'a' -> 'b' | copyfile | a | b\ncopyFile wrong RangeError | ERR_OUT_OF_RANGE | mode is out of range: >= 0 && <= 7 | - | - | -\n",
  },
  'makes directories': {
    exitCode: 0,
    stdout:
      "empty Error | ENOENT | ENOENT: no such file or directory, mkdir '' | mkdir |  | -\nempty, all Error | ENOENT | ENOENT: no such file or directory, mkdir '' | mkdir |  | -\nall d\nagain undefined\nbelow d/e/f\nup d/../w\nabsolute /d/../v\nmissing and up [ 'm', 'd,m,n,v,w' ]\nfile Error | EEXIST | EEXIST: file already exists, mkdir 'file' | mkdir | file | -\nfile, all Error | EEXIST | EEXIST: file already exists, mkdir 'file' | mkdir | file | -\nbelow a file Error | ENOTDIR | ENOTDIR: not a directory, mkdir 'file/g/h' | mkdir | file/g/h | -\nbelow nothing Error | ENOENT | ENOENT: no such file or directory, mkdir 'gone/f' | mkdir | gone/f | -\noptions TypeError | ERR_INVALID_ARG_TYPE | The \"options.recursive\" property must be of type boolean. Received type string ('yes') | - | - | -\n",
  },
  'has file errors of each call': {
    exitCode: 0,
    stdout:
      "stat  Error | ENOENT | ENOENT: no such file or directory, stat '' | stat |  | -\nreadFile  Error | ENOENT | ENOENT: no such file or directory, open '' | open |  | -\nwriteFile  Error | ENOENT | ENOENT: no such file or directory, open '' | open |  | -\nreaddir  Error | ENOENT | ENOENT: no such file or directory, scandir '' | scandir |  | -\naccess  Error | ENOENT | ENOENT: no such file or directory, access '' | access |  | -\nrename  Error | ENOENT | ENOENT: no such file or directory, rename '' -> 'x' | rename |  | x\nrename file Error | ENOENT | ENOENT: no such file or directory, rename 'file' -> '' | rename | file | \ncopyFile  Error | ENOENT | ENOENT: no such file or directory, copyfile '' -> 'x' | copyfile |  | x\nrm  Error | ENOENT | ENOENT: no such file or directory, lstat '' | lstat |  | -\nrm  undefined\nrm dir SystemError | ERR_FS_EISDIR | Path is a directory: rm returned EISDIR (is a directory) dir | rm | dir | -\nrm none Error | ENOENT | ENOENT: no such file or directory, lstat 'none' | lstat | none | -\nrm file/x Error | ENOTDIR | ENOTDIR: not a directory, lstat 'file/x' | lstat | file/x | -\nrmdir file Error | ENOTDIR | ENOTDIR: not a directory, rmdir 'file' | rmdir | file | -\nunlink file/ Error | ENOTDIR | ENOTDIR: not a directory, unlink 'file/' | unlink | file/ | -\nstat file/ Error | ENOTDIR | ENOTDIR: not a directory, stat 'file/' | stat | file/ | -\nreadFile file/ Error | ENOTDIR | ENOTDIR: not a directory, open 'file/' | open | file/ | -\nwriteFile new/ Error | EISDIR | EISDIR: illegal operation on a directory, open 'new/' | open | new/ | -\nrename file Error | ENOTDIR | ENOTDIR: not a directory, rename 'file' -> 'x/' | rename | file | x/\nrename file/ Error | ENOTDIR | ENOTDIR: not a directory, rename 'file/' -> 'x' | rename | file/ | x\ncopyFile file Error | EISDIR | EISDIR: illegal operation on a directory, copyfile 'file' -> 'x/' | copyfile | file | x/\ncopyFile dir Error | EISDIR | EISDIR: illegal operation on a directory, copyfile 'dir' -> 'x' | copyfile | dir | x\naccess file Error | EACCES | EACCES: permission denied, access 'file' | access | file | -\naccess file RangeError | ERR_OUT_OF_RANGE | mode is out of range: >= 0 && <= 7 | - | - | -\nmkdtemp no/no/x Error | ENOENT | ENOENT: no such file or directory, mkdtemp 'no/no/xXXXXXX' | mkdtemp | no/no/xXXXXXX | -\ntruncate none Error | ENOENT | ENOENT: no such file or directory, open 'none' | open | none | -\ntruncate dir Error | EISDIR | EISDIR: illegal operation on a directory, open 'dir' | open | dir | -\nchmod none Error | ENOENT | ENOENT: no such file or directory, chmod 'none' | chmod | none | -\nreadlink file Error | EINVAL | EINVAL: invalid argument, readlink 'file' | readlink | file | -\nlutimes none Error | ENOENT | ENOENT: no such file or directory, lutime 'none' | lutime | none | -\nopen none Error | ENOENT | ENOENT: no such file or directory, open 'none' | open | none | -\nopen dir Error | EISDIR | EISDIR: illegal operation on a directory, open 'dir' | open | dir | -\nfalse false true\nError | ENOTDIR | ENOTDIR: not a directory, lstat 'file/x' | lstat | file/x | -\n",
  },
  'makes files with modes': { exitCode: 0, stdout: '755 755 700 700 644 600 700\n777 undefined\n' },
  'shows what files are': {
    exitCode: 0,
    stdout:
      "Stats {\n  dev: 0,\n  mode: 33188,\n  nlink: 1,\n  uid: 0,\n  gid: 0,\n  rdev: 0,\n  blksize: 4096,\n  ino: 0,\n  size: 2,\n  blocks: 0,\n  atimeMs: 0,\n  mtimeMs: 0,\n  ctimeMs: 0,\n  birthtimeMs: 0,\n  atime: then,\n  mtime: then,\n  ctime: then,\n  birthtime: then\n}\n[\n  Dirent { name: 'a', parentPath: 'd', path: 'd', [Symbol(type)]: 1 },\n  Dirent { name: 'e', parentPath: 'd', path: 'd', [Symbol(type)]: 2 }\n]\n[ <Buffer 61>, <Buffer 65> ] d:a,d:e,d/e:f\nStats true false true readFileSync readFile\n",
  },
  'tells of file streams': {
    exitCode: 0,
    stdout:
      'true 0 w null w 438\nopen,ready,finish,close true 6 null true true\ntrue 0 w null r 1 3\nopen,ready,data,end,close true 3 null true\nerror ENOENT,close\nopen,error EISDIR,close\nerror ENOENT,close\nstart TypeError | ERR_INVALID_ARG_TYPE | The "start" argument must be of type number. Received type string (\'x\') | - | - | -\nend RangeError | ERR_OUT_OF_RANGE | The value of "start" is out of range. It must be <= "end" (here: 2). Received 5 | - | - | -\nbefore RangeError | ERR_OUT_OF_RANGE | The value of "start" is out of range. It must be >= 0 && <= 9007199254740991. Received -2 | - | - | -\nReadStream true ReadStream WriteStream\n<Buffer e9 41>\nx\ndata,end,close\n',
  },
  'uses descriptors': {
    exitCode: 0,
    stdout:
      '4 hell 1 oell 0 4 ello\n2 2 2 7\n["ZZlbcXY\\u0000\\u0000","\\u0000\\u0000"]\nundefined\nclosed Error | EBADF | EBADF: bad file descriptor, read | read | - | -\nnone Error | EBADF | EBADF: bad file descriptor, fstat | fstat | - | -\nclose none Error | EBADF | EBADF: bad file descriptor, close | close | - | -\ntype TypeError | ERR_INVALID_ARG_TYPE | The "fd" argument must be of type number. Received type string (\'x\') | - | - | -\nrange RangeError | ERR_OUT_OF_RANGE | The value of "fd" is out of range. It must be >= 0 && <= 2147483647. Received -1 | - | - | -\nwrite of r Error | EBADF | EBADF: bad file descriptor, write | write | - | -\nread of w Error | EBADF | EBADF: bad file descriptor, read | read | - | -\ntruncate of r Error | EINVAL | EINVAL: invalid argument, ftruncate | ftruncate | - | -\ndirectory Error | EISDIR | EISDIR: illegal operation on a directory, read | read | - | -\nposition TypeError | ERR_INVALID_ARG_TYPE | The "position" argument must be of type bigint or integer. Received type string (\'x\') | - | - | -\nlength RangeError | ERR_OUT_OF_RANGE | The value of "length" is out of range. It must be <= 4. Received 9 | - | - | -\nnumber TypeError | ERR_INVALID_ARG_TYPE | The "buffer" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received type number (5) | - | - | -\nappend [ 4, \'netw\' ]\ntwo [ 3, 3, \'defw\' ]\nfiles [ \'\', \'abcdef\' ]\nvectors [ 5, 5, \'abcdeabcde\' ]\nmoved abcdef\nhole "\\u0000\\u0000\\u0000x"\n3 Zlb\nEBADF\nnull\n',
  },
  'uses file handles': {
    exitCode: 0,
    stdout:
      'FileHandle 4 true hell 5 2\n[Object: null prototype] { bytesWritten: 1, buffer: \'Q\' } 1 5 ""\n2000\nclose\nundefined -1 "QeS\\u0000\\u0000zzyy"\nclosed Error | EBADF | file closed | read | - | -\nundefined\n[one]\n[two]\n[]\n[end]\n-1\n"ne\\nt" -1\nhi -1\nhi\nhimoreab c,d\nnone Error | ENOENT | ENOENT: no such file or directory, open \'none\' | open | none | -\n',
  },
  'opens directories': {
    exitCode: 0,
    stdout:
      "d Dir\n1false,1trued,2falsed,2true\nclosed Error | ERR_DIR_CLOSED | Directory handle was closed | - | - | -\nnone Error | ENOENT | ENOENT: no such file or directory, opendir 'none' | opendir | none | -\nd/1,d/2,d/2/3\nstring\nnull\n",
  },
  'makes directories at links': {
    exitCode: 0,
    stdout:
      "dangling Error | EEXIST | EEXIST: file already exists, mkdir 'dangling' | mkdir | dangling | -\ndangling/ Error | EEXIST | EEXIST: file already exists, mkdir 'dangling/' | mkdir | dangling/ | -\ndangling, all Error | ENOENT | ENOENT: no such file or directory, mkdir 'dangling' | mkdir | dangling | -\nbelow dangling Error | ENOENT | ENOENT: no such file or directory, mkdir 'dangling/x' | mkdir | dangling/x | -\nexclusive Error | EEXIST | EEXIST: file already exists, open 'dangling' | open | dangling | -\nfalse\nthrough q/r\nthrough and up q/../w\nr,x true true\nlink/ Error | ENOENT | ENOENT: no such file or directory, symlink 'd' -> 'sl/' | symlink | d | sl/\nempty Error | ENOENT | ENOENT: no such file or directory, symlink '' -> 'x' | symlink |  | x\nat nothing Error | ENOENT | ENOENT: no such file or directory, symlink 'x' -> '' | symlink | x | \n6000 false true\n",
  },
  'copies links': {
    exitCode: 0,
    stdout:
      './d/x x true\nagain SystemError | ERR_FS_CP_EINVAL | Invalid src or dest: cp returned EINVAL (cannot copy ./d/x to a subdirectory of self ./d/x) e/l | cp | e/l | -\n./a true\nover a file Error | EEXIST | EEXIST: file already exists, symlink \'./a\' -> \'b\' | symlink | ./a | b\nfalse A\n./a\noptions TypeError | ERR_INCOMPATIBLE_OPTION_PAIR | Option "dereference" cannot be used in combination with option "verbatimSymlinks" | - | - | -\n',
  },
  throws: { exitCode: 1, stdout: 'before\n' },
  'throws no error': { exitCode: 1, stdout: '' },
  rejects: { exitCode: 1, stdout: 'one\n' },
  'floats a rejection': { exitCode: 1, stdout: '' },
  'floats a rejection at once': { exitCode: 1, stdout: '' },
  'handles a rejection late': { exitCode: 0, stdout: 'caught x\n' },
  'listens to rejections': { exitCode: 0, stdout: 'unhandled x\non\n' },
  'listens to errors': { exitCode: 0, stdout: 'uncaught x\non\n' },
  exits: { exitCode: 3, stdout: 'exit 3\n' },
  'exits by a code': { exitCode: 4, stdout: 'to the end\n' },
  'exits in a try': { exitCode: 5, stdout: '' },
  'never settles': { exitCode: 13, stdout: 'x\n' },
  'tells of its end': { exitCode: 0, stdout: 'before\nexit\n' },
  'has no such module': { exitCode: 1, stdout: '' },
  'has no such export': { exitCode: 1, stdout: '' },
  'does not parse': { exitCode: 1, stdout: '' },
  recurses: { exitCode: 0, stdout: 'true\non\n' },
  'catches what modules throw': {
    exitCode: 0,
    stdout:
      "throws [ 'TypeError', undefined ]\nagain [ 'TypeError', undefined ]\ndeep [ 'TypeError', undefined ]\ncommon [ 'RangeError', undefined ]\ntext [ 'SyntaxError', undefined ]\nnumber 5\nmissing [ 'Error', 'ERR_MODULE_NOT_FOUND' ]\nwaits [ 'EvalError', undefined ]\nafter [ 'URIError', undefined ]\nend\n",
  },
  'tells of rejections with what modules throw': {
    exitCode: 0,
    stdout: 'unhandled thrown true\nunhandled thrown false\ncaught own\nunhandled own false\n',
  },
  'floats an import': { exitCode: 1, stdout: 'begun\n' },
  'tells of its failure once': { exitCode: 0, stdout: 'unhandledRejection x\n' },
  'has errors of classes': { exitCode: 0, stdout: 'true true Own m c Own: m Own: m\n' },
  asserts: { exitCode: 0, stdout: 'AssertionError ERR_ASSERTION 1 2\n' },
  'has arguments and variables': { exitCode: 0, stdout: "[ 'a', '--b=c', '' ] value undefined number true\n" },
  'reads its input': { exitCode: 0, stdout: 'ONE\nTWO\n\n' },
  'listens to its input': { exitCode: 0, stdout: '6\n' },
  'reads its input at once': { exitCode: 0, stdout: '3\n' },
  'reads lines': { exitCode: 0, stdout: '[one]\n[two]\n[]\n[last]\n' },
  'has no input': { exitCode: 0, stdout: 'end\n' },
  'uses util': { exitCode: 0, stdout: 'a-1 { a: [Object] } true 2 true\n' },
  'uses buffers': { exitCode: 0, stdout: '<Buffer 68 c3 a9 00 00 ff 00> 68c3a90000ff00 aMOpAAD/AA== 255 hÃ 3 true -1 true\n' },
  hashes: {
    exitCode: 0,
    stdout:
      'c8477b3d058dc0dfcb88357f852536a0 kAFQmDzST7DWlj99KOF/cg==\n3ef81b6d07be82f252ddf645566d0b4c4dab0c10 jrII9+BdmHqbBEqOmMawh/FaC/w=\n6d392fb5173039754ccd473fa84994b61e99dce3 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=\nd48f6651bc0336d47a9aa9af3d84192eec098ee62228899c30d0e4e2 Iwl9IjQF2CKGQqR3vaJVsyqtvOS9oLP342ydpw==\nab2b4afd2eb587b106d4831e83d3f408a44dc34a4479fa991b8dd19cc63d7208 ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\n9ab5dc14323c947fe63ac4409f47adb25aff324bc1c9b674250f7c7cfeb7a97d6ab0a964e09f59a6c5f9c5c969fa8208 ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn\n8bd1a107e14aa8b921a5dfb9b0277507a47fe911b18a08bf1e91b1582347dc10af69335b6c57630ea717c6e7e4e0a3a8e7d69ce2401ea841587da00c81a2c08f 3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==\nb06f1aecdd1b8062a43253c6f5674abbb62f3980\nERR_CRYPTO_HASH_FINALIZED\nERR_CRYPTO_HASH_FINALIZED\nERR_INVALID_ARG_TYPE\nUDH+PZicbRU3oBP6bnOdojRj/a7DtwE32Cjjas4iG9A= JX0sNUQ68eL+WQvPcdfPwuclMxA=\nba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n',
  },
  'uses streams': { exitCode: 0, stdout: "[ 'A', 'B' ]\n" },
}
