import type { Workspace } from 'toolport'
import type { TableCase } from './table.js'

const OTHER_FORM = '/workspace/unie\u0301.txt, but "/workspace/uni\\u00e9.txt" exists, the same name in another Unicode form (NFC, NFD)'

const ROUTER = 'defmodule MyApp.Router do\n  use Plug.Router\n\n  plug :match\n  plug :dispatch\nend\n'
const path = 'lib/my_app/router.ex'
const read = (input: Record<string, unknown>, wire: unknown) => ({ name: 'file_read', input, wire })
const write = (input: Record<string, unknown>, wire: unknown) => ({ name: 'file_write', input, wire })
const edit = (input: Record<string, unknown>, wire: unknown) => ({ name: 'file_edit', input, wire })
const numbered = (text: string): string =>
  text
    .slice(0, -1)
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(6)}\t${line}`)
    .join('\n')
const notFound = { error: 'old_string not found in file. Make sure the text matches exactly (including whitespace and indentation).' }

const reading: readonly TableCase[] = [
  {
    title: 'file_read numbers lines to six columns under a header with the path as given cap:95 cap:2',
    files: { [path]: ROUTER },
    calls: [
      {
        name: 'file_read',
        input: { file_path: path },
        wire: {
          ok: 'lib/my_app/router.ex (6 lines total, showing 6)\n     1\tdefmodule MyApp.Router do\n     2\t  use Plug.Router\n     3\t\n     4\t  plug :match\n     5\t  plug :dispatch\n     6\tend',
        },
        text: 'lib/my_app/router.ex (6 lines total, showing 6)\n     1\tdefmodule MyApp.Router do\n     2\t  use Plug.Router\n     3\t\n     4\t  plug :match\n     5\t  plug :dispatch\n     6\tend',
      },
      read(
        { file_path: './lib/../lib/my_app/router.ex', limit: 1 },
        { ok: './lib/../lib/my_app/router.ex (6 lines total, showing 1)\n     1\tdefmodule MyApp.Router do' },
      ),
      read(
        { file_path: '/workspace/lib/my_app/router.ex', limit: 1 },
        { ok: '/workspace/lib/my_app/router.ex (6 lines total, showing 1)\n     1\tdefmodule MyApp.Router do' },
      ),
    ],
  },
  {
    title: 'file_read and file_write report the counts of the documented examples cap:95 cap:99',
    files: { [path]: `${ROUTER}${'\n'.repeat(39)}` },
    calls: [
      read({ file_path: path }, { ok: `${path} (45 lines total, showing 45)\n${numbered(`${ROUTER}${'\n'.repeat(39)}`)}` }),
      write(
        { file_path: 'lib/my_app/new_module.ex', content: 'x'.repeat(1234) },
        { ok: 'Wrote 1234 bytes to /workspace/lib/my_app/new_module.ex' },
      ),
    ],
  },
  {
    title: 'file_read counts offset and limit from 1, and shows nothing past the end cap:96 cap:69',
    files: { a: 'one\ntwo\nthree\nfour' },
    calls: [
      read({ file_path: 'a', offset: 2, limit: 2 }, { ok: 'a (4 lines total, showing 2)\n     2\ttwo\n     3\tthree' }),
      read({ file_path: 'a', offset: 4 }, { ok: 'a (4 lines total, showing 1)\n     4\tfour' }),
      read({ file_path: 'a', offset: 3, limit: 99 }, { ok: 'a (4 lines total, showing 2)\n     3\tthree\n     4\tfour' }),
      read({ file_path: 'a', offset: 5 }, { ok: 'a (4 lines total, showing 0)\n' }),
      read({ file_path: 'a', offset: 1e300, limit: 1e300 }, { ok: 'a (4 lines total, showing 0)\n' }),
    ],
  },
  {
    title: 'file_read ignores an offset or limit of null, zero or less, and accepts numbers as text cap:96 cap:22',
    files: { a: 'one\ntwo\n' },
    calls: [
      read({ file_path: 'a', offset: null, limit: null }, { ok: 'a (2 lines total, showing 2)\n     1\tone\n     2\ttwo' }),
      read({ file_path: 'a', offset: 0, limit: 0 }, { ok: 'a (2 lines total, showing 2)\n     1\tone\n     2\ttwo' }),
      read({ file_path: 'a', offset: -3, limit: -1 }, { ok: 'a (2 lines total, showing 2)\n     1\tone\n     2\ttwo' }),
      read({ file_path: 'a', offset: '2', limit: '1' }, { ok: 'a (2 lines total, showing 1)\n     2\ttwo' }),
    ],
  },
  {
    title: 'file_read keeps CR and byte order mark, and counts no line after the last newline cap:95',
    files: { crlf: 'a\r\nb\r\n', bom: '\ufeffa\n', cr: 'a\rb', blank: '\n\n', empty: '', nul: 'a\0b' },
    calls: [
      read({ file_path: 'crlf' }, { ok: 'crlf (2 lines total, showing 2)\n     1\ta\r\n     2\tb\r' }),
      read({ file_path: 'bom' }, { ok: 'bom (1 lines total, showing 1)\n     1\t\ufeffa' }),
      read({ file_path: 'cr' }, { ok: 'cr (1 lines total, showing 1)\n     1\ta\rb' }),
      read({ file_path: 'blank' }, { ok: 'blank (2 lines total, showing 2)\n     1\t\n     2\t' }),
      read({ file_path: 'empty' }, { ok: 'empty (0 lines total, showing 0)\n' }),
      read({ file_path: 'nul' }, { ok: 'nul (1 lines total, showing 1)\n     1\ta\0b' }),
    ],
  },
  {
    title: 'file_read names a missing file, a directory and a path outside the project cap:97 cap:43 cap:44',
    files: { 'lib/a.ex': 'a' },
    calls: [
      read({ file_path: 'lib/gone.ex' }, { error: 'File not found: /workspace/lib/gone.ex' }),
      {
        name: 'file_read',
        input: { file_path: 'lib' },
        wire: { error: 'Path is a directory, not a file: /workspace/lib' },
        text: 'Error: Path is a directory, not a file: /workspace/lib',
      },
      read({ file_path: '../secret' }, { error: 'Path ../secret is outside the project directory' }),
      read({ file_path: 'lib/../../secret' }, { error: 'Path lib/../../secret is outside the project directory' }),
      read({ file_path: '/etc/passwd' }, { error: 'Path /etc/passwd is outside the project directory' }),
      read({ file_path: '/workspace2/a' }, { error: 'Path /workspace2/a is outside the project directory' }),
    ],
  },
  {
    title: 'file_read says why a file cannot be read cap:97',
    files: {
      'a.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
      'latin1.txt': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
      'a.ex': 'a',
    },
    calls: [
      read({ file_path: 'a.png' }, { error: 'Failed to read /workspace/a.png: it is binary (image/png)' }),
      read({ file_path: 'latin1.txt' }, { error: 'Failed to read /workspace/latin1.txt: it is not valid UTF-8' }),
      read({ file_path: 'a.ex/b' }, { error: 'Failed to read /workspace/a.ex/b: enotdir (a part of the path is not a directory)' }),
      read({ file_path: 'a\0b' }, { error: 'Failed to read a\\0b: it contains a NUL character' }),
    ],
  },
]

const writing: readonly TableCase[] = [
  {
    title: 'file_write creates parent directories and overwrites cap:98 cap:99',
    files: { 'old.ex': 'old content\n' },
    calls: [
      write(
        { file_path: 'lib/my_app/controllers/user_controller.ex', content: 'defmodule MyApp.UserController do\nend' },
        { ok: 'Wrote 37 bytes to /workspace/lib/my_app/controllers/user_controller.ex' },
      ),
      write(
        { file_path: 'lib/my_app/hello.ex', content: 'defmodule MyApp.Hello do\n  def world, do: "Hello, world!"\nend\n' },
        { ok: 'Wrote 62 bytes to /workspace/lib/my_app/hello.ex' },
      ),
      write({ file_path: 'old.ex', content: 'new' }, { ok: 'Wrote 3 bytes to /workspace/old.ex' }),
      write({ file_path: 'old.ex', content: '' }, { ok: 'Wrote 0 bytes to /workspace/old.ex' }),
    ],
    after: {
      'old.ex': '',
      'lib/my_app/hello.ex': 'defmodule MyApp.Hello do\n  def world, do: "Hello, world!"\nend\n',
      'lib/my_app/controllers/user_controller.ex': 'defmodule MyApp.UserController do\nend',
    },
  },
  {
    title: 'file_write counts UTF-8 bytes and writes the text unchanged cap:99',
    calls: [
      write({ file_path: 'a', content: 'é😀\r\n' }, { ok: 'Wrote 8 bytes to /workspace/a' }),
      write({ file_path: 'b', content: '\ufeffx' }, { ok: 'Wrote 4 bytes to /workspace/b' }),
    ],
    after: { a: 'é😀\r\n', b: '\ufeffx' },
  },
  {
    title: 'file_write says why a file cannot be written cap:98 cap:103',
    files: { 'lib/a.ex': 'a' },
    calls: [
      write({ file_path: 'lib', content: 'x' }, { error: 'Failed to write /workspace/lib: eisdir (it is a directory)' }),
      write(
        { file_path: 'lib/a.ex/b', content: 'x' },
        { error: 'Failed to write /workspace/lib/a.ex/b: enotdir (a part of the path is not a directory)' },
      ),
      write({ file_path: '../a', content: 'x' }, { error: 'Path ../a is outside the project directory' }),
      write({ file_path: '/tmp/a', content: 'x' }, { error: 'Path /tmp/a is outside the project directory' }),
    ],
    after: { 'lib/a.ex': 'a' },
  },
]

const editing: readonly TableCase[] = [
  {
    title: 'file_edit replaces the one occurrence and names the path as given cap:100 cap:101',
    files: { [path]: ROUTER },
    calls: [
      edit(
        { file_path: path, old_string: 'plug :match', new_string: 'plug :match\n  plug :auth' },
        { ok: 'Replaced 1 occurrence(s) in lib/my_app/router.ex' },
      ),
    ],
    after: { [path]: ROUTER.replace('plug :match', 'plug :match\n  plug :auth') },
  },
  {
    title: 'file_edit rejects text that is missing or occurs more than once cap:100 cap:102',
    files: { a: 'x = 1\nx = 2\nx = 3\ncafe\u0301\n' },
    calls: [
      edit(
        { file_path: 'a', old_string: 'caf\u00e9', new_string: 'z' },
        { error: `${notFound.error}\nThe file has the text in another Unicode form (NFC, NFD): "cafe\\u0301"` },
      ),
      {
        ...edit({ file_path: 'a', old_string: 'y', new_string: 'z' }, notFound),
        text: 'Error: old_string not found in file. Make sure the text matches exactly (including whitespace and indentation).',
      },
      edit({ file_path: 'a', old_string: 'x =  1', new_string: 'z' }, notFound),
      {
        ...edit(
          { file_path: 'a', old_string: 'x =', new_string: 'z =', replace_all: false },
          { error: 'old_string appears 3 times. Use replace_all: true to replace all, or provide a larger unique string.' },
        ),
        text: 'Error: old_string appears 3 times. Use replace_all: true to replace all, or provide a larger unique string.',
      },
    ],
    after: { a: 'x = 1\nx = 2\nx = 3\ncafe\u0301\n' },
  },
  {
    title: 'file_edit replaces all, counting occurrences that do not overlap cap:101',
    files: { a: 'x = 1\nx = 2\nx = 3\n', b: 'aaaaa' },
    calls: [
      edit({ file_path: 'a', old_string: 'x =', new_string: 'z =', replace_all: true }, { ok: 'Replaced 3 occurrence(s) in a' }),
      edit({ file_path: 'a', old_string: ' = 3', new_string: '', replace_all: true }, { ok: 'Replaced 1 occurrence(s) in a' }),
      edit({ file_path: 'b', old_string: 'aa', new_string: 'b', replace_all: 'true' }, { ok: 'Replaced 2 occurrence(s) in b' }),
    ],
    after: { a: 'z = 1\nz = 2\nz\n', b: 'bba' },
  },
  {
    title: 'file_edit rejects an empty old_string and one that equals new_string cap:100',
    files: { a: 'x' },
    calls: [
      edit(
        { file_path: 'a', old_string: '', new_string: 'y' },
        { error: 'old_string is empty. Provide the exact text to replace, or use file_write to create or overwrite the file.' },
      ),
      edit(
        { file_path: 'a', old_string: 'x', new_string: 'x' },
        { error: 'old_string and new_string are the same. new_string must be different from old_string.' },
      ),
    ],
    after: { a: 'x' },
  },
  {
    title: 'file_edit takes text literally and keeps line endings and byte order mark cap:100 cap:101',
    files: { a: 'cost: $1 (a.b*)\n', crlf: 'a\r\nb\r\nc', bom: '\ufeffhead\nbody\n' },
    calls: [
      edit({ file_path: 'a', old_string: '$1 (a.b*)', new_string: "$$ $& $` $' $1 \\n" }, { ok: 'Replaced 1 occurrence(s) in a' }),
      edit({ file_path: 'crlf', old_string: 'a\nb', new_string: 'x' }, notFound),
      edit({ file_path: 'crlf', old_string: 'a\r\nb', new_string: 'x\ny' }, { ok: 'Replaced 1 occurrence(s) in crlf' }),
      edit({ file_path: 'bom', old_string: 'head', new_string: 'HEAD' }, { ok: 'Replaced 1 occurrence(s) in bom' }),
    ],
    after: { a: "cost: $$ $& $` $' $1 \\n\n", crlf: 'x\ny\r\nc', bom: '\ufeffHEAD\nbody\n' },
  },
  {
    title: 'an error for a missing file names the existing spelling cap:102',
    files: { 'uni\u00e9.txt': 'x', 'a\nb': 'x' },
    calls: [
      edit({ file_path: 'unie\u0301.txt', old_string: 'x', new_string: 'y' }, { error: `File not found: ${OTHER_FORM}` }),
      read({ file_path: 'unie\u0301.txt' }, { error: `File not found: ${OTHER_FORM}` }),
      read(
        { file_path: 'a⟨U+000A⟩b' },
        { error: 'File not found: /workspace/a⟨U+000A⟩b, but "/workspace/a\\u000ab" exists, a name that lists show like this' },
      ),
    ],
    after: { 'uni\u00e9.txt': 'x', 'a\nb': 'x' },
  },
  {
    title: 'file_edit names a missing file, a directory, a path outside and a file that is not text cap:102 cap:103',
    files: { 'lib/a.ex': 'a', 'a.bin': new Uint8Array([0x61, 0xff, 0x61]) },
    calls: [
      edit({ file_path: 'gone', old_string: 'a', new_string: 'b' }, { error: 'File not found: /workspace/gone' }),
      edit({ file_path: 'lib', old_string: 'a', new_string: 'b' }, { error: 'Path is a directory, not a file: /workspace/lib' }),
      edit({ file_path: '../a', old_string: 'a', new_string: 'b' }, { error: 'Path ../a is outside the project directory' }),
      edit(
        { file_path: 'a.bin', old_string: 'a', new_string: 'b', replace_all: true },
        { error: 'Failed to read /workspace/a.bin: it is not valid UTF-8' },
      ),
    ],
    after: { 'lib/a.ex': 'a', 'a.bin': new Uint8Array([0x61, 0xff, 0x61]) },
  },
]

const links = async (workspace: Workspace): Promise<void> => {
  await workspace.symlink('lib/a.ex', 'link.ex')
  await workspace.symlink('/workspace/lib', 'folder')
}

const machinery: readonly TableCase[] = [
  {
    title: 'an unknown tool is named cap:19',
    calls: [{ name: 'file_delete', input: {}, wire: { error: 'Unknown tool: file_delete' }, text: 'Error: Unknown tool: file_delete' }],
  },
  {
    title: 'invalid input is reported field by field cap:22',
    calls: [
      read({}, { error: 'Invalid input for file_read: file_path is required' }),
      read({ file_path: '' }, { error: 'Invalid input for file_read: file_path must not be empty' }),
      read(
        { file_path: 'a', offset: 1.5, limit: 'ten' },
        { error: 'Invalid input for file_read: offset must be a whole number; limit must be a whole number' },
      ),
      write(
        { file_path: ['a'], content: null },
        { error: 'Invalid input for file_write: file_path must be a string; content is required' },
      ),
      write(
        { file_path: 'a', content: '\ud83d' },
        { error: 'Invalid input for file_write: content must not contain half a character (a lone surrogate): UTF-8 cannot hold it' },
      ),
      edit(
        { file_path: 'a', old_string: 'a', new_string: 'b', replace_all: 'maybe' },
        { error: 'Invalid input for file_edit: replace_all must be true or false' },
      ),
    ],
    after: {},
  },
  {
    title: 'links are followed, and the result has the target path cap:99 cap:45',
    files: { 'lib/a.ex': 'a\n' },
    prepare: links,
    calls: [
      read({ file_path: 'link.ex' }, { ok: 'link.ex (1 lines total, showing 1)\n     1\ta' }),
      edit({ file_path: 'folder/a.ex', old_string: 'a', new_string: 'b' }, { ok: 'Replaced 1 occurrence(s) in folder/a.ex' }),
      write({ file_path: 'folder/b.ex', content: 'é' }, { ok: 'Wrote 2 bytes to /workspace/lib/b.ex' }),
    ],
  },
]

/** All documented examples, defaults, errors and results. */
export const loomElixirCases: readonly TableCase[] = [...reading, ...writing, ...editing, ...machinery]
