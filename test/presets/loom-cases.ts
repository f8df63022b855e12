import type { FetchAdapter, FetchResponse, ModelAdapter } from 'toolport'
import { NetworkError } from 'toolport'
import type { TableCall, TableCase } from './table.js'

const OTHER_FORM = '/workspace/unie\u0301.txt, but "/workspace/uni\\u00e9.txt" exists, the same name in another Unicode form (NFC, NFD)'

const MIB = 1024 * 1024

const success = (name: string, input: unknown, output: unknown): TableCall => ({
  id: 'call_123',
  name,
  input,
  wire: { Success: { call_id: 'call_123', output } },
  text: JSON.stringify(output),
})

/** `text`: the model view after `Error: `. */
const failure = (name: string, input: unknown, error: unknown, text: string): TableCall => ({
  id: 'call_123',
  name,
  input,
  wire: { Error: { call_id: 'call_123', error } },
  text: `Error: ${text}`,
})

const read = (input: unknown, contents: string, truncated = false, path = '/workspace/a.txt'): TableCall =>
  success('read_file', input, { path, contents, truncated })
type Edit = readonly [old_str: string, new_str: string, replace_all?: boolean]

const edits = (path: string, list: readonly Edit[]) => ({
  path,
  edits: list.map(([old_str, new_str, replace_all]) => ({ old_str, new_str, ...(replace_all !== undefined && { replace_all }) })),
})
/** The last parameter is the size of the whole file in bytes, before and after. */
const edited = (path: string, list: readonly Edit[], [original_bytes, new_bytes]: readonly [number, number], shown = path): TableCall =>
  success('edit_file', edits(path, list), { path: `/workspace/${shown}`, edits_applied: list.length, original_bytes, new_bytes })
/** Each entry is a path with a file's size. A directory has no size. */
const listed = (input: unknown, ...entries: readonly (readonly [path: string, size?: number])[]): TableCall =>
  success('list_files', input, { files: entries.map(([path, size]) => ({ path, size: size ?? 0, is_dir: size === undefined })) })
const ran = (input: object, stdout = '', more: object = {}): TableCall =>
  success('bash', input, { exit_code: 0, stdout, stderr: '', timed_out: false, truncated: false, ...more })
const fileNotFound = (name: string, input: unknown, path: string): TableCall =>
  failure(name, input, { FileNotFound: path }, `File not found: ${path}`)
const outside = (name: string, input: unknown, path: string): TableCall =>
  failure(name, input, { PathOutsideWorkspace: path }, `Path outside workspace: ${path}`)
const badArguments = (name: string, input: unknown, text: string): TableCall =>
  failure(name, input, { InvalidArguments: text }, `Invalid arguments: ${text}`)
const io = (name: string, input: unknown, text: string): TableCall => failure(name, input, { Io: text }, `IO error: ${text}`)
const misshapen = (name: string, input: unknown, text: string): TableCall =>
  failure(name, input, { Serialization: text }, `Serialization error: ${text}`)

const reading: readonly TableCase[] = [
  {
    title: 'read_file: the documented result cap:24 cap:25 cap:9',
    files: { 'src/main.rs': 'fn main() {...}' },
    calls: [
      read({ path: 'src/main.rs' }, 'fn main() {...}', false, '/workspace/src/main.rs'),
      read({ path: '/workspace/src/main.rs' }, 'fn main() {...}', false, '/workspace/src/main.rs'),
      read({ path: './src/../src/main.rs' }, 'fn main() {...}', false, '/workspace/src/main.rs'),
    ],
  },
  {
    title: 'read_file: max_bytes cuts at a byte, and truncated says whether the file has more cap:24 cap:25',
    files: { 'a.txt': 'hello' },
    calls: [
      read({ path: 'a.txt', max_bytes: 4 }, 'hell', true),
      read({ path: 'a.txt', max_bytes: 5 }, 'hello'),
      read({ path: 'a.txt', max_bytes: 6 }, 'hello'),
      read({ path: 'a.txt', max_bytes: 0 }, '', true),
      read({ path: 'a.txt', max_bytes: null }, 'hello'),
      read({ path: 'a.txt', max_bytes: 1e15 }, 'hello'),
    ],
  },
  {
    title: 'read_file: returns 1 MiB by default cap:24 cap:25 cap:46',
    files: { 'a.txt': 'x'.repeat(MIB), 'b.txt': 'x'.repeat(MIB + 1) },
    calls: [read({ path: 'a.txt' }, 'x'.repeat(MIB)), read({ path: 'b.txt' }, 'x'.repeat(MIB), true, '/workspace/b.txt')],
  },
  {
    title: 'read_file: replaces invalid UTF-8, also a truncated character cap:26',
    files: {
      'a.txt': Uint8Array.of(0x61, 0xff, 0x00, 0xe2, 0x82, 0x62, 0x0d, 0x0a),
      'euro.txt': '€€',
      'bom.txt': Uint8Array.of(0xef, 0xbb, 0xbf, 0x61),
      'empty.txt': '',
    },
    calls: [
      read({ path: 'a.txt' }, 'a\ufffd\0\ufffdb\r\n'),
      read({ path: 'euro.txt', max_bytes: 4 }, '€\ufffd', true, '/workspace/euro.txt'),
      read({ path: 'bom.txt' }, '\ufeffa', false, '/workspace/bom.txt'),
      read({ path: 'empty.txt' }, '', false, '/workspace/empty.txt'),
    ],
  },
  {
    title: 'read_file: missing files, with the documented message cap:10 cap:11 cap:9',
    files: { 'a.txt': 'x' },
    calls: [
      fileNotFound('read_file', { path: 'missing.txt' }, '/workspace/missing.txt'),
      fileNotFound('read_file', { path: 'no/such/dir.txt' }, '/workspace/no/such/dir.txt'),
      fileNotFound('read_file', { path: 'a.txt/b' }, '/workspace/a.txt/b'),
    ],
  },
  {
    title: 'read_file: a directory is an IO error cap:11',
    files: { 'src/main.rs': 'x' },
    calls: [
      io('read_file', { path: 'src' }, 'EISDIR: Cannot read "/workspace/src": it is a directory'),
      io('read_file', { path: '' }, 'EISDIR: Cannot read "/workspace": it is a directory'),
    ],
  },
]

const editing: readonly TableCase[] = [
  {
    title: 'edit_file: edits one after another, one write, byte counts of the whole file cap:27 cap:31',
    files: { 'src/lib.rs': 'one ä two\n' },
    calls: [
      edited(
        'src/lib.rs',
        [
          ['one', 'two'],
          ['two ä', '€'],
          ['', 'end\n'],
        ],
        [11, 12],
      ),
    ],
    after: { 'src/lib.rs': '€ two\nend\n' },
  },
  {
    title: 'edit_file: an empty old_str appends, or creates the file and its parents cap:28',
    files: { 'a.txt': 'a' },
    calls: [
      edited('a.txt', [['', 'b']], [1, 2]),
      edited(
        'new/deep/b.txt',
        [
          ['', 'x'],
          ['x', 'y'],
        ],
        [0, 1],
      ),
    ],
    after: { 'a.txt': 'ab', 'new/deep/b.txt': 'y' },
  },
  {
    title: 'edit_file: does not append to text in another encoding, or make a text binary cap:11 cap:28',
    files: { 'utf-16': Uint8Array.of(0x61, 0, 0x0a, 0), sjis: Uint8Array.of(0x83, 0x65), 'a.txt': 'a' },
    calls: [
      io('edit_file', edits('utf-16', [['', 'b']]), 'Cannot edit "/workspace/utf-16": it is binary (application/octet-stream)'),
      io('edit_file', edits('sjis', [['', 'b']]), 'Cannot edit "/workspace/sjis": it is not valid UTF-8'),
      failure(
        'edit_file',
        edits('a.txt', [['a', 'b\0']]),
        {
          InvalidArguments: 'Cannot edit "/workspace/a.txt": the result would be binary (a NUL character) and no longer readable as text',
        },
        'Invalid arguments: Cannot edit "/workspace/a.txt": the result would be binary (a NUL character) and no longer readable as text',
      ),
    ],
    after: { 'utf-16': 'a\0\n\0', sjis: Uint8Array.of(0x83, 0x65), 'a.txt': 'a' },
  },
  {
    title: 'edit_file: without edits it writes the file unchanged, or an empty one cap:27 cap:28',
    files: { 'a.txt': 'a' },
    calls: [edited('a.txt', [], [1, 1]), edited('b.txt', [], [0, 0])],
    after: { 'a.txt': 'a', 'b.txt': '' },
  },
  {
    title: 'an error for a missing file names the existing spelling cap:29',
    files: { 'uni\u00e9.txt': 'x' },
    calls: [
      failure('read_file', { path: 'unie\u0301.txt' }, { FileNotFound: OTHER_FORM }, `File not found: ${OTHER_FORM}`),
      failure('edit_file', edits('unie\u0301.txt', [['x', 'y']]), { FileNotFound: OTHER_FORM }, `File not found: ${OTHER_FORM}`),
    ],
    after: { 'uni\u00e9.txt': 'x' },
  },
  {
    title: 'edit_file: rejects text that is missing or occurs more than once cap:29',
    files: { 'a.txt': 'aaaa b b\n', nfd: 'cafe\u0301' },
    calls: [
      badArguments('edit_file', edits('a.txt', [['zzz\n', '']]), 'old_str not found: zzz\n'),
      badArguments(
        'edit_file',
        edits('nfd', [['caf\u00e9', '']]),
        'old_str not found: caf\u00e9\nThe file has the text in another Unicode form (NFC, NFD): "cafe\\u0301"',
      ),
      badArguments('edit_file', edits('a.txt', [['b', '']]), 'old_str found 2 times, use replace_all'),
      badArguments('edit_file', edits('a.txt', [['aa', '']]), 'old_str found 2 times, use replace_all'),
      badArguments('edit_file', edits('a.txt', [['b', '', false]]), 'old_str found 2 times, use replace_all'),
      badArguments('edit_file', edits('missing/b.txt', [['x', 'y']]), 'old_str not found: x'),
    ],
    after: { 'a.txt': 'aaaa b b\n', nfd: 'cafe\u0301' },
  },
  {
    title: 'edit_file: a failed edit leaves the file unchanged cap:27 cap:29',
    files: { 'a.txt': 'one' },
    calls: [
      badArguments(
        'edit_file',
        edits('a.txt', [
          ['one', 'two'],
          ['one', 'three'],
        ]),
        'old_str not found: one',
      ),
    ],
    after: { 'a.txt': 'one' },
  },
  {
    title: 'edit_file: replace_all replaces literally, and counts as one edit even without matches cap:30',
    files: { 'a.txt': 'a.a$a' },
    calls: [
      edited(
        'a.txt',
        [
          ['a', "$&$1$$$'", true],
          ['nowhere', 'x', true],
        ],
        [5, 26],
      ),
      edited('a.txt', [[".$&$1$$$'$", '$`']], [26, 18]),
    ],
    after: { 'a.txt': "$&$1$$$'$`$&$1$$$'" },
  },
  {
    title: 'edit_file: keeps line endings, a byte order mark and control characters cap:27 cap:31',
    files: { 'a.txt': Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0x00, 0x62, 0x0a) },
    calls: [
      edited('a.txt', [['a\r\n', 'A\r\n']], [9, 9]),
      badArguments('edit_file', edits('a.txt', [['A\n', '']]), 'old_str not found: A\n'),
      read({ path: 'a.txt' }, '\ufeffA\r\n\0b\n'),
    ],
  },
  {
    title: 'edit_file: leaves a file that is not UTF-8 unchanged cap:11 cap:27',
    files: { 'a.bin': Uint8Array.of(0x61, 0xff, 0x62) },
    calls: [
      io('edit_file', edits('a.bin', [['a', 'b']]), 'Cannot edit "/workspace/a.bin": it is not valid UTF-8'),
      io('edit_file', { path: 'a.bin', edits: [] }, 'Cannot edit "/workspace/a.bin": it is not valid UTF-8'),
    ],
    after: { 'a.bin': Uint8Array.of(0x61, 0xff, 0x62) },
  },
  {
    title: 'edit_file: rejects a directory, and a path below a file cap:11',
    files: { 'src/a.txt': 'x' },
    calls: [
      io('edit_file', { path: 'src', edits: [] }, 'EISDIR: Cannot read "/workspace/src": it is a directory'),
      io(
        'edit_file',
        edits('src/a.txt/b', [['', 'x']]),
        'ENOTDIR: Cannot edit "/workspace/src/a.txt/b": a part of the path is not a directory',
      ),
    ],
    after: { 'src/a.txt': 'x' },
  },
]

const listing: readonly TableCase[] = [
  {
    title: 'list_files: the workspace root, sorted, with sizes in bytes cap:37',
    files: { 'src/main.rs': 'x'.repeat(1024), 'Cargo.toml': 'x'.repeat(512), '.hidden': 'ä', '.gitignore': 'Cargo.toml\n' },
    calls: [
      listed({}, ['.gitignore', 11], ['.hidden', 2], ['Cargo.toml', 512], ['src']),
      listed({ path: 'src' }, ['src/main.rs', 1024]),
      listed({ root: '/workspace/src' }, ['src/main.rs', 1024]),
      listed({ path: null, root: 'src' }, ['src/main.rs', 1024]),
    ],
  },
  {
    title: 'list_files: lists ten levels recursively by default cap:37 cap:46',
    files: { '1/2/3/4/5/6/7/8/9/10/11/f': '', '1/f': 'x' },
    calls: [
      listed({ recursive: true, max_depth: 2 }, ['1'], ['1/2'], ['1/f', 1]),
      success(
        'list_files',
        { recursive: true, path: '1/2' },
        {
          files: ['3', '3/4', '3/4/5', '3/4/5/6', '3/4/5/6/7', '3/4/5/6/7/8', '3/4/5/6/7/8/9', '3/4/5/6/7/8/9/10', '3/4/5/6/7/8/9/10/11']
            .map((path) => ({ path: `1/2/${path}`, size: 0, is_dir: true }))
            .concat([{ path: '1/2/3/4/5/6/7/8/9/10/11/f', size: 0, is_dir: false }]),
        },
      ),
      success(
        'list_files',
        { recursive: true },
        {
          files: [
            ...Array.from({ length: 10 }, (_, i) => ({
              path: Array.from({ length: i + 1 }, (_, j) => j + 1).join('/'),
              size: 0,
              is_dir: true,
            })),
            { path: '1/f', size: 1, is_dir: false },
          ],
        },
      ),
      listed({ recursive: true, max_depth: 0 }),
    ],
  },
  {
    title: 'list_files: lists a limited number of entries cap:37 cap:46',
    files: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${String(i).padStart(4, '0')}`, ''])),
    calls: [
      listed({ max_results: 2 }, ['f0000', 0], ['f0001', 0]),
      success(
        'list_files',
        {},
        { files: Array.from({ length: 1000 }, (_, i) => ({ path: `f${String(i).padStart(4, '0')}`, size: 0, is_dir: false })) },
      ),
      listed({ max_results: 0 }),
    ],
  },
  {
    title: 'list_files: rejects paths that cannot be listed cap:11 cap:37',
    files: { 'a.txt': '' },
    calls: [
      fileNotFound('list_files', { path: 'missing' }, '/workspace/missing'),
      fileNotFound('list_files', { path: 'a.txt/b' }, '/workspace/a.txt/b'),
      ...[{}, { max_depth: 0, recursive: true }, { max_results: 0 }].map((more) =>
        io(
          'list_files',
          { path: 'a.txt', ...more },
          `ENOTDIR: Cannot list "/workspace/a.txt": it is a file. Name the directory that holds it, or read the file`,
        ),
      ),
      io(
        'list_files',
        { path: 'a.txt/' },
        `ENOTDIR: Cannot list "/workspace/a.txt": it is a file. Write the path without a slash at the end`,
      ),
      io(
        'read_file',
        { path: 'a.txt/' },
        `ENOTDIR: Cannot read "/workspace/a.txt": it is a file. Write the path without a slash at the end`,
      ),
      fileNotFound('read_file', { path: 'a.txt/b/' }, '/workspace/a.txt/b'),
      misshapen('list_files', { path: 'a', root: 'b' }, 'duplicate field `path`'),
    ],
  },
]

const TOOLS_WITH_PATHS: readonly (readonly [string, object, string])[] = [
  ['read_file', {}, 'path'],
  ['edit_file', { edits: [{ old_str: '', new_str: 'x' }] }, 'path'],
  ['list_files', {}, 'path'],
  ['bash', { command: 'echo no' }, 'cwd'],
]

const paths: readonly TableCase[] = [
  ...[
    ['../../../etc/passwd', '/etc/passwd'],
    ['/etc/shadow', '/etc/shadow'],
    ['missing/../../x', '/x'],
    ['/workspace/../workspace2/x', '/workspace2/x'],
    ['/workspace2', '/workspace2'],
    ['..', '/'],
  ].map(([path = '', shown = '']) => ({
    title: `every tool: "${path}" leads out cap:43 cap:44 cap:33`,
    files: { 'a.txt': 'x' },
    calls: TOOLS_WITH_PATHS.map(([name, input, field]) => outside(name, { ...input, [field]: path }, shown)),
    after: { 'a.txt': 'x' },
  })),
  {
    title: 'every tool: rejects a link to a path outside the workspace cap:45 cap:33',
    files: { 'a.txt': 'x' },
    prepare: async ({ fs }) => {
      await fs.symlink?.('/etc', '/out')
      await fs.symlink?.('../../..', '/up')
    },
    calls: TOOLS_WITH_PATHS.flatMap(([name, input, field]) => [
      outside(name, { ...input, [field]: 'out' }, '/workspace/out'),
      outside(name, { ...input, [field]: 'up/tmp' }, '/workspace/up'),
    ]),
    after: { 'a.txt': 'x' },
  },
  {
    title: 'links inside the workspace are followed, and the result has the target path cap:45',
    files: { 'a.txt': 'x' },
    prepare: (workspace) => workspace.symlink('a.txt', 'link'),
    calls: [read({ path: 'link' }, 'x'), edited('link', [['x', 'yy']], [1, 2], 'a.txt'), listed({}, ['a.txt', 2], ['link', 0])],
  },
  {
    title: 'loops of links are an error cap:11 cap:45',
    prepare: (workspace) => workspace.symlink('loop', 'loop'),
    calls: [
      fileNotFound('read_file', { path: 'loop' }, '/workspace/loop'),
      fileNotFound('list_files', { path: 'loop/x' }, '/workspace/loop/x'),
      badArguments('bash', { command: 'pwd', cwd: 'loop' }, 'working directory does not exist: /workspace/loop'),
      io('edit_file', edits('loop', [['', 'x']]), 'ELOOP: Cannot resolve "/workspace/loop": too many symbolic links, or a loop of links'),
    ],
  },
  {
    title: 'invalid paths are rejected cap:43',
    calls: [
      badArguments('read_file', { path: 'a\0b' }, 'Cannot use path "a\\0b": it contains a NUL character'),
      badArguments('read_file', { path: '..\\x' }, 'Cannot use path "..\\x": it contains a backslash, separate components with "/"'),
    ],
  },
]

const shapes: readonly TableCase[] = [
  {
    title: 'invalid arguments are rejected with the messages of serde cap:11 cap:22',
    calls: [
      misshapen('read_file', {}, 'missing field `path`'),
      misshapen('read_file', undefined, 'missing field `path`'),
      misshapen('read_file', { path: null }, 'invalid type: null, expected a string'),
      misshapen('read_file', { path: 5 }, 'invalid type: integer `5`, expected a string'),
      misshapen('read_file', { path: 1.5 }, 'invalid type: floating point `1.5`, expected a string'),
      misshapen('read_file', { path: true }, 'invalid type: boolean `true`, expected a string'),
      misshapen('read_file', { path: ['a'] }, 'invalid type: sequence, expected a string'),
      misshapen('read_file', { path: {} }, 'invalid type: map, expected a string'),
      misshapen('read_file', { path: 'a\ud83d' }, 'lone leading surrogate in hex escape'),
      misshapen('read_file', { path: 'a', max_bytes: '5' }, 'invalid type: string "5", expected u64'),
      misshapen('read_file', { max_bytes: 1.5 }, 'invalid type: floating point `1.5`, expected u64'),
      misshapen('read_file', { path: 'a', max_bytes: -1 }, 'invalid value: integer `-1`, expected u64'),
      misshapen('read_file', null, 'invalid type: null, expected a map'),
      misshapen('read_file', ['a'], 'invalid type: sequence, expected a map'),
      misshapen('read_file', 'a', 'invalid type: string, expected a map'),
      misshapen('edit_file', { path: 'a' }, 'missing field `edits`'),
      misshapen('edit_file', { path: 'a', edits: 'x' }, 'invalid type: string "x", expected a sequence'),
      misshapen('edit_file', { path: 'a', edits: [5] }, 'invalid type: integer `5`, expected a map'),
      misshapen('edit_file', { path: 'a', edits: [{ new_str: 'x' }] }, 'missing field `old_str`'),
      misshapen('edit_file', { path: 'a', edits: [{ old_str: 'x' }] }, 'missing field `new_str`'),
      misshapen(
        'edit_file',
        { path: 'a', edits: [{ old_str: 'x', new_str: '', replace_all: 'yes' }] },
        'invalid type: string "yes", expected a boolean',
      ),
      misshapen('bash', { cwd: '.' }, 'missing field `command`'),
      misshapen('bash', { command: 'true', timeout_secs: '5' }, 'invalid type: string "5", expected u64'),
      misshapen('list_files', { recursive: 1 }, 'invalid type: integer `1`, expected a boolean'),
      misshapen('oracle', { query: 'q', temperature: 'hot' }, 'invalid type: string "hot", expected f64'),
      misshapen('web_search', { max_results: 5 }, 'missing field `query`'),
    ],
    after: {},
  },
  {
    title: 'unknown fields are ignored cap:22',
    files: { 'a.txt': 'x' },
    calls: [read({ path: 'a.txt', encoding: 'utf8', __proto__: { max_bytes: 0 } }, 'x')],
  },
  { title: 'an unknown tool cap:11', calls: [failure('my_tool', {}, { NotFound: 'my_tool' }, 'Tool not found: my_tool')] },
  {
    title: 'calls without an id cap:9',
    files: { 'a.txt': 'x' },
    calls: [
      {
        name: 'read_file',
        input: { path: 'a.txt' },
        wire: { Success: { call_id: null, output: { path: '/workspace/a.txt', contents: 'x', truncated: false } } },
      },
      { name: 'read_file', input: {}, wire: { Error: { call_id: 'call_2', error: { Serialization: 'missing field `path`' } } } },
    ],
  },
]

const shell: readonly TableCase[] = [
  {
    title: 'bash: the documented result cap:32 cap:36',
    files: { 'src/a.txt': 'x' },
    calls: [
      ran({ command: 'echo "test output"' }, 'test output\n'),
      ran({ command: 'echo out; echo err >&2; exit 3' }, 'out\n', { exit_code: 3, stderr: 'err\n' }),
      ran({ command: '' }),
      ran({ command: 'cat a.txt', cwd: 'src', timeout_secs: 300 }, 'x'),
    ],
  },
  {
    title: 'bash: each command starts with a fresh state cap:32',
    files: { 'src/a.txt': 'x' },
    calls: [
      ran({ command: 'cd src; export NAME=value; echo made > made.txt' }),
      ran({ command: 'echo "[$NAME]"; cat src/made.txt' }, '[]\nmade\n'),
    ],
    after: { 'src/a.txt': 'x', 'src/made.txt': 'made\n' },
  },
  {
    title: 'bash: rejects a cwd that is missing or not a directory cap:33',
    files: { 'a.txt': 'x' },
    calls: [
      badArguments('bash', { command: 'pwd', cwd: 'nowhere' }, 'working directory does not exist: /workspace/nowhere'),
      badArguments('bash', { command: 'pwd', cwd: 'a.txt/b' }, 'working directory does not exist: /workspace/a.txt/b'),
      badArguments('bash', { command: 'pwd', cwd: 'a.txt' }, 'working directory is not a directory: /workspace/a.txt'),
      badArguments('bash', { command: 'echo a\0b' }, 'command contains a NUL character'),
    ],
  },
]

const REPLY = {
  query: 'rust async',
  results: [
    { title: 'Tokio', url: 'https://tokio.rs/', snippet: 'A runtime', display_link: 'tokio.rs', rank: 1 },
    { title: 'Book', url: 'https://rust-lang.github.io/async-book/', snippet: 'A book', rank: 2 },
  ],
}

const web: readonly TableCase[] = ['web_search', 'web_search_serper'].flatMap((name) => [
  {
    title: `${name}: the reply of the proxy cap:38 cap:39 cap:41`,
    calls: [
      success(name, { query: 'rust async' }, REPLY),
      success(name, { query: 'echo', max_results: 3 }, { query: 'echo', results: [row(name, 3)] }),
      success(name, { query: 'echo' }, { query: 'echo', results: [row(name, 5)] }),
      success(name, { query: 'echo', max_results: 1000 }, { query: 'echo', results: [row(name, name === 'web_search' ? 10 : 100)] }),
      success(name, { query: 'echo', max_results: 0 }, { query: 'echo', results: [row(name, 1)] }),
    ],
  },
  {
    title: `${name}: its errors cap:38 cap:11`,
    calls: [
      badArguments(name, { query: '' }, 'query must not be empty'),
      badArguments(name, { query: ' \n' }, 'query must not be empty'),
      failure(name, { query: 'timeout' }, 'Timeout', 'Tool execution timed out'),
      io(name, { query: 'refused' }, 'Cannot fetch "http://proxy.test/": the connection failed'),
      failure(
        name,
        { query: 'status 502' },
        { Internal: 'web_search proxy error: HTTP 502' },
        'Internal error: web_search proxy error: HTTP 502',
      ),
      misshapen(name, { query: 'not json' }, 'the proxy did not answer with JSON'),
      misshapen(name, { query: 'other json' }, 'the proxy answered with JSON of another shape'),
    ],
  },
])

function row(tool: string, max: number) {
  return {
    title: `${tool === 'web_search' ? '/proxy/cse' : '/proxy/serper'} POST ${max}`,
    url: 'https://example.com/',
    snippet: '[key]',
    rank: 1,
  }
}

const asking: readonly TableCase[] = [
  {
    title: 'oracle: asks the model adapter cap:42',
    calls: [
      success('oracle', { query: 'why?' }, { response: '{"prompt":"why?","maxTokens":512,"temperature":0.2}' }),
      success(
        'oracle',
        { query: 'why?', max_tokens: 5, temperature: 9, system_prompt: 'be short' },
        { response: '{"prompt":"why?","system":"be short","maxTokens":16,"temperature":2}' },
      ),
      success(
        'oracle',
        { query: 'why?', model: null, max_tokens: 9999, temperature: -1 },
        { response: '{"prompt":"why?","maxTokens":4096,"temperature":0}' },
      ),
      badArguments('oracle', { query: '  ' }, 'query must not be empty'),
      badArguments('oracle', { query: 'q', model: 'big' }, 'model cannot be chosen: the host set one up, leave the field out'),
      failure('oracle', { query: 'fail' }, { Internal: 'the model is away' }, 'Internal error: the model is away'),
    ],
  },
]

export const loomCases: readonly TableCase[] = [...reading, ...editing, ...listing, ...paths, ...shapes, ...shell, ...web, ...asking]

export const PROXY_KEY = 'Bearer loom-key-0123456789'

/** The table's network, whose response is taken from the query. */
export const network: FetchAdapter = {
  name: 'table',
  async fetch({ url, method, headers, body }) {
    const { query, max_results } = JSON.parse(String(body)) as { query: string; max_results: number }
    if (query === 'timeout') throw new NetworkError('network', 'no answer', { cause: Object.assign(new Error(), { name: 'TimeoutError' }) })
    if (query === 'refused') throw new NetworkError('network', 'Cannot fetch "http://proxy.test/": the connection failed')
    if (query.startsWith('status ')) return respond('{"error":"secret"}', Number(query.slice('status '.length)))
    if (query === 'not json') return respond('{"results": [')
    if (query === 'other json') return respond('{"items": []}')
    if (query !== 'echo') return respond(JSON.stringify(REPLY))
    const title = `${url.replace('http://proxy.test', '')} ${method} ${max_results}`
    const snippet = (headers as Record<string, string>).authorization
    return respond(JSON.stringify({ query, results: [{ title, url: 'https://example.com/', snippet, rank: 1 }] }))
  },
}

function respond(text: string, status = 200): FetchResponse {
  return {
    ok: status === 200,
    status,
    headers: { get: () => null },
    text: async () => text,
    json: async () => JSON.parse(text),
    arrayBuffer: async () => new ArrayBuffer(0),
  }
}

/** A model that returns its request. */
export const model: ModelAdapter = {
  async complete({ signal: _, ...request }) {
    if (request.prompt === 'fail') throw new Error('the model is away')
    return JSON.stringify(request)
  },
}
