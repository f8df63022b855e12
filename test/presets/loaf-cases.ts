import type { Workspace } from 'toolport'
import type { TableCall, TableCase } from './table.js'

/** A failure of a file tool, whose output equals its error message. */
const failed = (error: string): unknown => ({ ok: false, output: error, error })
const ok = (output: unknown): unknown => ({ ok: true, output })
const read = (input: object, wire: unknown): TableCall => ({ name: 'read_file', input, wire })
const list = (input: object, wire: unknown): TableCall => ({ name: 'list_dir', input, wire })
const grep = (input: object, wire: unknown): TableCall => ({ name: 'grep_files', input, wire })
const patch = (input: string, wire: unknown): TableCall => ({ name: 'apply_patch', input: { input }, wire })
const numbers = (to: number): string => Array.from({ length: to }, (_, i) => `${i + 1}\n`).join('')
const labels = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, i) => `L${from + i}: ${from + i}`).join('\n')

export const RUST = `// a small module
fn first() {
    one();
}

// what second does
#[inline]
fn second() {
    if flag {
        deep();
    }
    last();
}

fn third() {}
`

const PYTHON = `class Box:
    # how many
    size = 3

    def fill(self, items):
        for item in items:
            if item:
                self.put(item)
            else:
                self.skip()
        return self
`

const CPP = 'int run() {\n\tswitch (mode) {\n\t\tcase A:\n\t\t\treturn one();\n\t\tdefault:\n\t\t\treturn two();\n\t}\n}\n'

/** Lines `from` to `to` (1-based, inclusive) of a text, in the format of `read_file`. */
const shown = (text: string, from: number, to: number): string =>
  text
    .split('\n')
    .slice(from - 1, to)
    .map((line, i) => `L${from + i}: ${line}`)
    .join('\n')

const block = (text: string, indentation: object, from: number, to: number, more: object = {}): TableCall =>
  read({ file_path: 'code', mode: 'indentation', indentation, ...more }, ok(shown(text, from, to)))

const readCases: TableCase[] = [
  {
    title: 'read_file: the documented call, with every line numbered from 1 cap:7 cap:18 cap:67',
    files: { 'path/to/file.txt': 'alpha\nbeta\ngamma\n' },
    calls: [
      {
        id: 'call-123',
        name: 'read_file',
        input: { file_path: '/workspace/path/to/file.txt' },
        wire: ok('L1: alpha\nL2: beta\nL3: gamma'),
        text: 'L1: alpha\nL2: beta\nL3: gamma',
      },
    ],
  },
  {
    title: 'read_file: offset is 0-based, labels are 1-based, relative paths are accepted cap:67 cap:69',
    files: { 'n.txt': numbers(2500) },
    calls: [
      read({ file_path: 'n.txt', offset: 0, limit: 1 }, ok('L1: 1')),
      read({ file_path: 'n.txt', offset: 1, limit: 2 }, ok('L2: 2\nL3: 3')),
      read({ file_path: 'n.txt', offset: 2499 }, ok('L2500: 2500')),
      read({ file_path: 'n.txt' }, ok(labels(1, 2000))),
      read({ file_path: 'n.txt', offset: 2490, limit: 5000 }, ok(labels(2491, 2500))),
      read({ file_path: 'n.txt', offset: 1.9, limit: 1.9 }, ok('L2: 2')),
    ],
  },
  {
    title: 'read_file: values of other types are ignored, an unknown mode is slice cap:22 cap:67',
    files: { 'a.txt': 'x\ny\n' },
    calls: [
      read({ file_path: 'a.txt', offset: '1', limit: null, mode: 'paragraph', indentation: 3 }, ok('L1: x\nL2: y')),
      read({ file_path: 'a.txt', offset: Number.NaN, extra: true }, ok('L1: x\nL2: y')),
      read({ file_path: 'a.txt', mode: 'indentation', indentation: 'x' }, ok('L1: x\nL2: y')),
    ],
  },
  {
    title: 'read_file: line endings, empty lines, invalid UTF-8 cap:26 cap:67',
    files: {
      'crlf.txt': 'a\r\n\r\nb\rc\r\n',
      'open.txt': 'a\n\nlast\r',
      'bytes.bin': Uint8Array.of(0xff, 0x41, 0x0a, 0xc3, 0x28, 0x00),
      'bom.txt': '\ufeffx\n',
    },
    calls: [
      read({ file_path: 'crlf.txt' }, ok('L1: a\nL2: \nL3: b\rc')),
      read({ file_path: 'open.txt' }, ok('L1: a\nL2: \nL3: last\r')),
      read({ file_path: 'bytes.bin' }, ok('L1: \ufffdA\nL2: \ufffd(\0')),
      read({ file_path: 'bom.txt' }, ok('L1: \ufeffx')),
    ],
  },
  {
    title: 'read_file: truncates a line to 500 code points without a note cap:70',
    files: { 'long.txt': `${'a'.repeat(500)}\n${'b'.repeat(501)}\r\n${'😀'.repeat(501)}\n${'é'.repeat(499)}😀x\n` },
    calls: [
      read(
        { file_path: 'long.txt' },
        ok(`L1: ${'a'.repeat(500)}\nL2: ${'b'.repeat(500)}\nL3: ${'😀'.repeat(500)}\nL4: ${'é'.repeat(499)}😀`),
      ),
    ],
  },
  {
    title: 'read_file: its errors cap:20 cap:22 cap:43 cap:44 cap:67',
    files: { 'two.txt': 'a\nb\n', 'empty.txt': '', 'dir/x': 'x' },
    calls: [
      read({}, failed('file_path must not be empty')),
      read({ file_path: 7 }, failed('file_path must not be empty')),
      read({ file_path: 'two.txt', offset: -1 }, failed('offset must be zero or greater')),
      read({ file_path: 'two.txt', limit: 0 }, failed('limit must be greater than zero')),
      read({ file_path: 'two.txt', offset: 2 }, failed('offset exceeds file length')),
      read({ file_path: 'empty.txt' }, failed('offset exceeds file length')),
      {
        ...read(
          { file_path: 'none.txt' },
          failed('failed to read file: ENOENT: Cannot read "/workspace/none.txt": no such file or directory'),
        ),
        text: 'Error: failed to read file: ENOENT: Cannot read "/workspace/none.txt": no such file or directory',
      },
      read({ file_path: 'dir' }, failed('failed to read file: EISDIR: Cannot read "/workspace/dir": it is a directory')),
      read(
        { file_path: '../etc/passwd' },
        failed('failed to read file: Cannot use path "../etc/passwd": it is outside the workspace "/workspace"'),
      ),
      read(
        { file_path: '/etc/passwd' },
        failed('failed to read file: Cannot use path "/etc/passwd": it is outside the workspace "/workspace"'),
      ),
      read(
        { file_path: 'two.txt', mode: 'indentation', indentation: { anchor_line: 0 } },
        failed('anchor_line must be a 1-indexed line number'),
      ),
      read({ file_path: 'two.txt', mode: 'indentation', indentation: { anchor_line: 3 } }, failed('anchor_line exceeds file length')),
      read({ file_path: 'empty.txt', mode: 'indentation' }, failed('anchor_line exceeds file length')),
    ],
  },
  {
    title: 'read_file: blocks by indentation in rust-like text cap:68',
    files: { code: RUST },
    calls: [
      block(RUST, { anchor_line: 10, max_levels: 1 }, 9, 11),
      block(RUST, { anchor_line: 10, max_levels: 2 }, 6, 13),
      block(RUST, { anchor_line: 10 }, 6, 13),
      block(RUST, {}, 6, 13, { offset: 9 }),
      block(RUST, { anchor_line: 10, include_header: false }, 8, 13),
      block(RUST, { anchor_line: 10, include_siblings: true }, 1, 15),
      block(RUST, { anchor_line: 10, max_lines: 3 }, 9, 11),
      block(RUST, { anchor_line: 10, max_lines: 0 }, 6, 13),
      block(RUST, { anchor_line: 10 }, 10, 10, { limit: 1 }),
    ],
  },
  {
    title: 'read_file: blocks by indentation in python-like text cap:68',
    files: { code: PYTHON },
    calls: [
      block(PYTHON, { anchor_line: 8, max_levels: 1 }, 7, 10),
      block(PYTHON, { anchor_line: 8, max_levels: 2 }, 6, 11),
      block(PYTHON, { anchor_line: 3, max_levels: 1 }, 1, 11),
    ],
  },
  {
    title: 'read_file: blocks by indentation in c++-like text with tabs cap:68',
    files: { code: CPP },
    calls: [
      block(CPP, { anchor_line: 4, max_levels: 1 }, 3, 6),
      block(CPP, { anchor_line: 4, max_levels: 2 }, 2, 7),
      block(CPP, { anchor_line: 4 }, 1, 8),
    ],
  },
]

const listCases: TableCase[] = [
  {
    title: 'list_dir: lists two levels, sorted by the full path, with hidden and ignored entries cap:71',
    files: {
      'p/.gitignore': 'dist\n',
      'p/.env': '',
      'p/a.txt': '',
      'p/a/x.txt': '',
      'p/a/deep/y.txt': '',
      'p/Z.txt': '',
      'p/dist/out.js': '',
      'p/.git/HEAD': '',
    },
    prepare: (workspace) => workspace.symlink('a', '/workspace/p/link'),
    calls: [
      list(
        { dir_path: '/workspace/p' },
        ok(
          [
            'Absolute path: /workspace/p',
            '.env',
            '.git/',
            '  HEAD',
            '.gitignore',
            'Z.txt',
            'a/',
            'a.txt',
            '  deep/',
            '  x.txt',
            'dist/',
            '  out.js',
            'link@',
          ].join('\n'),
        ),
      ),
      list({ dir_path: '/workspace/p/../p/a/', depth: 1 }, ok('Absolute path: /workspace/p/a\ndeep/\nx.txt')),
      list({ dir_path: '/workspace/p/a', depth: 9 }, ok('Absolute path: /workspace/p/a\ndeep/\n  y.txt\nx.txt')),
      list({ dir_path: '/workspace/p', offset: 5, limit: 2 }, ok('Absolute path: /workspace/p\nZ.txt\na/\nMore than 2 entries found')),
      list({ dir_path: '/workspace/p', offset: 12 }, ok('Absolute path: /workspace/p\nlink@')),
    ],
  },
  {
    title: 'list_dir: lists 25 entries by default cap:71',
    files: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${String(i).padStart(2, '0')}`, ''])),
    calls: [
      list(
        { dir_path: '/workspace' },
        ok(
          [
            'Absolute path: /workspace',
            ...Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, '0')}`),
            'More than 25 entries found',
          ].join('\n'),
        ),
      ),
    ],
  },
  {
    title: 'list_dir: an empty directory has a header only, and its errors cap:71 cap:44',
    files: { 'file.txt': 'x' },
    prepare: (workspace) => workspace.mkdir('/workspace/empty'),
    calls: [
      list({ dir_path: '/workspace/empty', offset: 9 }, ok('Absolute path: /workspace/empty')),
      list({}, failed('dir_path must be an absolute path')),
      list({ dir_path: 'empty' }, failed('dir_path must be an absolute path')),
      list({ dir_path: '/workspace', offset: 0 }, failed('offset must be a 1-indexed entry number')),
      list({ dir_path: '/workspace', limit: 0 }, failed('limit must be greater than zero')),
      list({ dir_path: '/workspace', depth: 0 }, failed('depth must be greater than zero')),
      list({ dir_path: '/workspace', offset: 3 }, failed('offset exceeds directory entry count')),
      list(
        { dir_path: '/workspace/none' },
        failed('failed to read directory: ENOENT: Cannot list "/workspace/none": no such file or directory'),
      ),
      list(
        { dir_path: '/workspace/file.txt' },
        failed(
          'failed to read directory: ENOTDIR: Cannot list "/workspace/file.txt": it is a file. Name the directory that holds it, or read the file',
        ),
      ),
      list({ dir_path: '/etc' }, failed('failed to read directory: Cannot use path "/etc": it is outside the workspace "/workspace"')),
    ],
  },
]

const aged = async (workspace: Workspace, times: Readonly<Record<string, number>>): Promise<void> => {
  for (const [path, mtimeMs] of Object.entries(times)) await workspace.setMeta(path, { mtimeMs })
}

const grepCases: TableCase[] = [
  {
    title: 'grep_files: returns only paths, newest first, without hidden, binary and ignored files cap:72',
    files: {
      '.gitignore': 'out\n',
      'old.ts': 'a needle\n',
      'src/new.ts': 'needle\n',
      'src/mid.md': 'Needle\nneedle\n',
      'out/gen.ts': 'needle\n',
      '.secret': 'needle\n',
      'b.bin': Uint8Array.of(0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0),
    },
    prepare: (workspace) => aged(workspace, { 'old.ts': 1_000_000, 'src/new.ts': 3_000_000, 'src/mid.md': 2_000_000 }),
    calls: [
      grep({ pattern: ' needle ' }, ok('/workspace/src/new.ts\n/workspace/src/mid.md\n/workspace/old.ts')),
      grep({ pattern: '^needle$', limit: 1 }, ok('/workspace/src/new.ts')),
      grep({ pattern: 'needle', include: '*.ts' }, ok('/workspace/src/new.ts\n/workspace/old.ts')),
      grep({ pattern: 'needle', path: 'src', limit: 5000 }, ok('/workspace/src/new.ts\n/workspace/src/mid.md')),
      grep({ pattern: 'needle', path: '/workspace/old.ts' }, ok('/workspace/old.ts')),
      grep({ pattern: 'NEEDLE' }, { ok: false, output: 'No matches found.' }),
    ],
  },
  {
    title: 'grep_files: interprets globs as intended, and skips files that cannot be searched cap:72',
    files: {
      'app/[id]/page.ts': 'needle\n',
      'src/a.ts': 'needle\n',
      'src/.b.ts': 'needle\n',
      '.env': 'needle\n',
      'dos.txt': 'a\r\nneedle\r\n',
      'x\ny.md': 'needle\n',
    },
    prepare: (workspace) =>
      aged(workspace, { 'app/[id]/page.ts': 4_000_000, 'src/a.ts': 3_000_000, 'src/.b.ts': 2_000_000, '.env': 1_000_000 }),
    calls: [
      grep({ pattern: 'needle', include: '/workspace/src/*.ts' }, ok('/workspace/src/a.ts')),
      grep({ pattern: 'needle', include: 'app/[id]/*.ts' }, ok('/workspace/app/[id]/page.ts')),
      grep({ pattern: 'needle', include: '*.ts, .env' }, ok('/workspace/app/[id]/page.ts\n/workspace/src/a.ts\n/workspace/.env')),
      grep({ pattern: 'needle', include: '!*.{ts,txt,md}' }, { ok: false, output: 'No matches found.' }),
      grep({ pattern: 'needle$', include: '*.txt' }, ok('/workspace/dos.txt')),
      grep({ pattern: 'needle', include: '*.md' }, ok('/workspace/x⟨U+000A⟩y.md')),
      grep(
        { pattern: 'needle', include: '/etc/*' },
        failed('rg failed: glob "/etc/*": it is outside the workspace "/workspace": write it relative to path, as in "etc/*"'),
      ),
      grep(
        { pattern: 'needle', include: '*.{ts' },
        failed('rg failed: glob "*.{ts": a "{" is not closed: add the "}", or write "\\{" for the character itself'),
      ),
      grep({ pattern: 'needle', include: '["src/*.ts","*.txt"]' }, ok('/workspace/dos.txt\n/workspace/src/a.ts')),
      grep({ pattern: 'needle', include: [7, '*.txt', null] }, ok('/workspace/dos.txt')),
      grep({ pattern: 'needle', include: ['src/*.ts', '*.txt'] }, ok('/workspace/dos.txt\n/workspace/src/a.ts')),
      grep({ pattern: 'needle', include: 'src\\a.ts:1' }, ok('/workspace/src/a.ts')),
      grep(
        { pattern: 'needle', include: '~/*.ts' },
        failed('rg failed: glob "~/*.ts": "~" is not expanded: write a path below "/workspace"'),
      ),
      grep({ pattern: 'needle', include: '*.zig' }, { ok: false, output: 'No matches found.' }),
      grep(
        { pattern: 'needle', include: 'A.TS' },
        failed('rg failed: globs are case-sensitive: "/workspace/src/a.ts" matches if case is ignored'),
      ),
      list({ dir_path: '/workspace', depth: 1, limit: 3 }, ok('Absolute path: /workspace\n.env\napp/\ndos.txt\nMore than 3 entries found')),
    ],
  },
  {
    title: 'grep_files: fails if it found only links cap:44',
    files: { 'real/a.ts': 'needle' },
    prepare: async (workspace) => {
      for (const name of ['top', 'loop', 'mixed']) await workspace.mkdir(name)
      await workspace.symlink('../real', 'top/link')
      await workspace.symlink('.', 'loop/here')
      await workspace.symlink('../real', 'mixed/link')
      await workspace.writeText('mixed/b.ts', 'x')
    },
    calls: [
      grep(
        { pattern: 'needle', path: 'top' },
        failed('rg failed: no file was searched, 1 symbolic links were not followed: give one as path'),
      ),
      grep({ pattern: 'needle', path: 'top/link' }, ok('/workspace/real/a.ts')),
      grep({ pattern: 'needle', path: 'loop' }, { ok: false, output: 'No matches found.' }),
      grep({ pattern: 'needle', path: 'mixed' }, { ok: false, output: 'No matches found.' }),
    ],
  },
  {
    title: 'grep_files: its errors cap:72 cap:44',
    files: { 'a.txt': 'x' },
    calls: [
      grep({}, failed('pattern must not be empty')),
      grep({ pattern: '  ' }, failed('pattern must not be empty')),
      grep({ pattern: 'x', limit: 0 }, failed('limit must be greater than zero')),
      grep({ pattern: '(' }, failed('rg failed: error parsing regexp: missing closing ): `(`')),
      grep({ pattern: '(?=x)' }, failed('rg failed: look-ahead "(?=" is not supported: match the text itself')),
      grep({ pattern: 'a\\nb' }, failed('rg failed: it contains a line break, which a single line never has')),
      grep({ pattern: '[\\r\\n]+b' }, failed('rg failed: it contains a line break, which a single line never has')),
      grep({ pattern: 'x', include: '../*' }, failed('rg failed: glob "../*": it contains "..": set the start directory instead')),
      grep(
        { pattern: 'x', path: 'none' },
        failed('unable to access `/workspace/none`: ENOENT: Cannot search "/workspace/none": no such file or directory'),
      ),
      grep(
        { pattern: 'x', path: '../up' },
        failed('unable to access `../up`: Cannot use path "../up": it is outside the workspace "/workspace"'),
      ),
    ],
  },
]

const updated = (...lines: string[]): unknown => ok(['Success. Updated the following files:', ...lines].join('\n'))
const envelope = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

const patchCases: TableCase[] = [
  {
    title: 'apply_patch: adds, updates, moves and deletes; the result is grouped A, M, D cap:73 cap:75',
    files: { 'a.txt': 'one\ntwo\n', 'gone.txt': 'x\n', 'old.txt': 'was\n' },
    calls: [
      patch(
        envelope(
          '*** Delete File: gone.txt',
          '*** Update File: a.txt',
          '@@',
          ' one',
          '-two',
          '+three',
          '*** Update File: old.txt',
          '*** Move to: dir/new.txt',
          '@@',
          '-was',
          '+is',
          '*** Add File: sub/fresh.txt',
          '+made',
        ),
        updated('A /workspace/sub/fresh.txt', 'M /workspace/a.txt', 'M /workspace/dir/new.txt', 'D /workspace/gone.txt'),
      ),
    ],
    after: { 'a.txt': 'one\nthree\n', 'dir/new.txt': 'is\n', 'sub/fresh.txt': 'made\n' },
  },
  {
    title: 'apply_patch: accepts unified diffs as documented cap:73 cap:74',
    files: { 'a.txt': 'one\ntwo\nthree\n' },
    calls: [
      patch('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n', updated('M /workspace/a.txt')),
      patch('--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+new\n', updated('A /workspace/n.txt')),
    ],
    after: { 'a.txt': 'one\n2\nthree\n', 'n.txt': 'new\n' },
  },
  {
    title: 'apply_patch: uses the first of several matches, and ends a file with a newline cap:73',
    files: { 'a.txt': 'x\ny\nx' },
    calls: [patch(envelope('*** Update File: a.txt', '@@', '-x', '+z'), updated('M /workspace/a.txt'))],
    after: { 'a.txt': 'z\ny\nx\n' },
  },
  {
    title: 'apply_patch: rejects input that is not a patch, and malformed patches cap:74 cap:22',
    files: { 'a.txt': 'x\n' },
    calls: [
      { name: 'apply_patch', input: {}, wire: failed('input must not be empty') },
      patch('hello', failed("invalid patch: The first line of the patch must be '*** Begin Patch'")),
      patch('{"patch": "x"}', failed('invalid patch: it is JSON: pass the patch itself as a plain string')),
      patch(
        '*** Update File: a.txt\n@@\n-x\n*** End Patch',
        failed("invalid patch: The first line of the patch must be '*** Begin Patch'"),
      ),
      patch('*** Begin Patch\n*** Delete File: a.txt', failed("invalid patch: The last line of the patch must be '*** End Patch'")),
      patch(envelope(), failed('No files were modified.')),
      patch(
        envelope('*** Frobnicate: a.txt'),
        failed(
          "invalid patch: invalid hunk at line 2, '*** Frobnicate: a.txt' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
        ),
      ),
      patch(
        envelope('*** Update File: a.txt'),
        failed("invalid patch: invalid hunk at line 2, Update file hunk for path 'a.txt' is empty"),
      ),
      patch(
        envelope('*** Update File: a.txt', '@@', '-x', '+y', 'oops'),
        failed("invalid patch: invalid hunk at line 6, Expected update hunk to start with a @@ context marker, got: 'oops'"),
      ),
      patch(
        envelope('*** Update File: a.txt', '@@'),
        failed('invalid patch: invalid hunk at line 3, Update hunk does not contain any lines'),
      ),
      patch(
        envelope('*** Update File: a.txt', '@@', 'oops'),
        failed(
          "invalid patch: invalid hunk at line 4, Unexpected line found in update hunk: 'oops'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
        ),
      ),
    ],
    after: { 'a.txt': 'x\n' },
  },
  {
    title: 'apply_patch: rejects patches that do not apply cap:74 cap:75 cap:44',
    files: { 'a.txt': 'x\n', 'dir/f': 'f' },
    calls: [
      patch(envelope('*** Update File: a.txt', '@@ fn main', '-x', '+y'), failed("Failed to find context 'fn main' in /workspace/a.txt")),
      patch(
        envelope('*** Update File: a.txt', '@@', ' x', '-nope', '+y'),
        failed('Failed to find expected lines in /workspace/a.txt:\nx\nnope'),
      ),
      patch(
        envelope('*** Update File: none.txt', '@@', '-x', '+y'),
        failed('Failed to read file to update /workspace/none.txt: ENOENT: Cannot patch "/workspace/none.txt": no such file or directory'),
      ),
      patch(
        envelope('*** Delete File: none.txt'),
        failed('Failed to delete file /workspace/none.txt: ENOENT: Cannot delete "/workspace/none.txt": no such file or directory'),
      ),
      patch(
        envelope('*** Delete File: dir'),
        failed('Failed to delete file /workspace/dir: EISDIR: Cannot delete "/workspace/dir": it is a directory'),
      ),
      patch(envelope('*** Add File: ../out.txt', '+x'), failed('Cannot use path "../out.txt": it is outside the workspace "/workspace"')),
    ],
    after: { 'a.txt': 'x\n', 'dir/f': 'f' },
  },
  {
    title: 'apply_patch: a failed match shows the Unicode form in the file',
    files: { 'a.txt': 'caf\u00e9\nx\n' },
    calls: [
      patch(
        envelope('*** Update File: a.txt', '@@', '-cafe\u0301', '+y'),
        failed(
          'Failed to find expected lines in /workspace/a.txt:\ncafe\u0301\nThe file has the text in another Unicode form (NFC, NFD): "caf\\u00e9"',
        ),
      ),
      patch(
        envelope('*** Update File: a.txt', '@@ cafe\u0301', '-x', '+y'),
        failed(
          'Failed to find context \'cafe\u0301\' in /workspace/a.txt\nThe file has the text in another Unicode form (NFC, NFD): "caf\\u00e9"',
        ),
      ),
    ],
    after: { 'a.txt': 'caf\u00e9\nx\n' },
  },
  {
    title: 'apply_patch: keeps the changes before a failure cap:74',
    files: { 'a.txt': 'x\n' },
    calls: [
      patch(
        envelope('*** Add File: first.txt', '+one', '*** Update File: a.txt', '@@', '-nope', '+y'),
        failed('Failed to find expected lines in /workspace/a.txt:\nnope'),
      ),
    ],
    after: { 'a.txt': 'x\n', 'first.txt': 'one\n' },
  },
]

const runtimeCases: TableCase[] = [
  {
    title: 'an unknown tool cap:19',
    calls: [
      {
        id: 'c1',
        name: 'nope',
        wire: { ok: false, output: { callId: 'c1', tool: 'nope', status: 'not_found' }, error: 'unknown tool: nope' },
        text: 'Error: unknown tool: nope',
      },
      {
        name: 'read_fil',
        wire: { ok: false, output: { callId: null, tool: 'read_fil', status: 'not_found' }, error: 'unknown tool: read_fil' },
      },
      { name: 'run_py', wire: { ok: false, output: { callId: null, tool: 'run_py', status: 'not_found' }, error: 'unknown tool: run_py' } },
    ],
  },
  {
    title: 'input that is not an object cap:22',
    calls: [
      { name: 'read_file', input: 'a.txt', wire: failed('Cannot call "read_file": the input: expected object, got string') },
      {
        name: 'bash',
        input: [],
        wire: {
          ok: false,
          output: { status: 'invalid_input', message: 'Cannot call "bash": the input: expected object, got array' },
          error: 'Cannot call "bash": the input: expected object, got array',
        },
      },
    ],
  },
]

export const loafCases: readonly TableCase[] = [...readCases, ...listCases, ...grepCases, ...patchCases, ...runtimeCases]
