import type { ZeroclawToolResult } from 'toolport/presets/zeroclaw'
import type { TableCall, TableCase } from './table.js'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3])
const TEN_MIB = 10 * 1024 * 1024

export const done = (output: string): ZeroclawToolResult => ({ success: true, output, error: null })
export const failed = (error: string, output = ''): ZeroclawToolResult => ({ success: false, output, error })

const shell = (command: unknown, wire: ZeroclawToolResult, more: object = {}): TableCall => ({
  name: 'shell',
  input: { command, ...more },
  wire,
})
const read = (input: unknown, wire: ZeroclawToolResult): TableCall => ({ name: 'file_read', input, wire })
const recall = (input: unknown, wire: ZeroclawToolResult): TableCall => ({ name: 'memory_recall', input, wire })

const NOTES = [
  { time: Date.UTC(2025, 0, 1), key: 'drink', category: 'core', text: 'The user likes green tea' },
  { time: Date.UTC(2025, 1, 1), text: 'The build runs\nnightly - at two' },
  { time: Date.UTC(2025, 2, 1), key: 'editor', category: 'conversation', text: 'Uses vim' },
]
const MEMORY = { '.toolport/memory.jsonl': NOTES.map((note) => `${JSON.stringify(note)}\n`).join('') }
const NEWEST_FIRST = '- [conversation] editor: Uses vim\n- The build runs\n  nightly - at two\n- [core] drink: The user likes green tea'
const FIVE = 'one\ntwo\nthree\nfour\nfive\n'

const blocked = (reason: string): ZeroclawToolResult => failed(`Command blocked by security policy: ${reason}`)
const ALLOWED =
  'git, npm, cargo, ls, cat, grep, find, echo, pwd, wc, head, tail, date, df, du, uname, uptime, hostname, python, python3, pip, node, free'
const unlisted = (name: string, where = ''): ZeroclawToolResult =>
  blocked(`"${name}" is not an allowed command; allowed are: ${ALLOWED}${where}`)
const SUBSTITUTION =
  'command substitution is not allowed: run the inner command by itself first, then write its output into the next command'
const MEDIUM = 'the command has medium risk and needs approval (approved=true)'
const denied = (reason: string): ZeroclawToolResult => failed(`Path not allowed by security policy: ${reason}`)
const unread = (reason: string): ZeroclawToolResult => failed(`Failed to read file: ${reason}`)
const DOTS = 'is not allowed: it contains "..": write a path without "..", relative to the workspace'
const OUTSIDE = 'is not allowed: it is outside the workspace "/workspace"'

const shellCases: readonly TableCase[] = [
  {
    title: 'shell runs a command in the workspace and gives what it printed cap:8 cap:104',
    files: { 'a.txt': 'A' },
    calls: [
      { ...shell('echo hello', done('hello\n')), text: 'hello\n' },
      shell('ls', done('a.txt\n')),
      shell('pwd', done('/workspace\n')),
      shell('echo one && echo two', done('one\ntwo\n')),
      shell('cat a.txt | wc -c', done('1\n')),
      shell('echo -n', done('')),
    ],
  },
  {
    title: 'shell keeps nothing from one command to the next cap:104',
    files: { 'sub/a.txt': 'A' },
    calls: [shell('cd sub && pwd', unlisted('cd', ' (in command 1 of 2)')), shell('pwd', done('/workspace\n'))],
  },
  {
    title: "shell: Missing 'command' parameter cap:23 cap:110",
    calls: [{}, { command: 5 }, { command: null }, { cmd: 'ls' }, [], null, 'ls'].map((input) => ({
      name: 'shell',
      input,
      wire: failed("Missing 'command' parameter"),
      text: "Error: Missing 'command' parameter",
    })),
  },
  {
    title: 'shell: Command cannot be empty cap:108',
    calls: ['', ' ', '\n\t '].map((command) => shell(command, failed('Command cannot be empty'))),
  },
  {
    title: 'shell: Command blocked by security policy, with the reason cap:104 cap:105',
    files: { 'a.txt': 'A' },
    calls: [
      { ...shell('rm a.txt', unlisted('rm')), text: `Error: ${unlisted('rm').error}` },
      shell('curl https://example.com', unlisted('curl')),
      shell('cat /etc/passwd', blocked(`the path "/etc/passwd" ${OUTSIDE}`)),
      shell('cat ../x', blocked(`the path "../x" ${DOTS}`)),
      shell('echo `ls`', blocked(`"\`ls\`": ${SUBSTITUTION}`)),
      shell('echo $(ls)', blocked(`"$(ls)": ${SUBSTITUTION}`)),
      shell(
        'echo x > a.txt',
        blocked(
          '"> a.txt": output to files is not allowed, only to /dev/null or another stream ("2>&1"): remove it, or use a file tool to write',
        ),
      ),
      shell('ls & ls', blocked('"&" is not allowed: commands run one after another, use "&&" or ";", and "2>&1" to merge streams')),
      shell('ls; nope', unlisted('nope', ' (in command 2 of 2)')),
      shell('find . -exec ls {} +', blocked('"find" with -exec runs another command: list the files first, then pass them to the command')),
      shell('git commit -m x', blocked(MEDIUM)),
    ],
    after: { 'a.txt': 'A' },
  },
  {
    title: 'shell: a medium risk waits for approved=true, which does not help against a ban cap:104 cap:105',
    calls: [
      shell('git commit -m x', blocked(MEDIUM)),
      shell('git commit -m x', blocked(MEDIUM), { approved: 'true' }),
      shell('rm -rf x', unlisted('rm'), { approved: true }),
    ],
  },
  {
    title: 'shell: a command that fails is a failure, and what it printed stays cap:104',
    files: { 'a.txt': 'A\n' },
    calls: [
      {
        ...shell('cat a.txt nope', failed('Execution failed: exit code 1', 'A\ncat: nope: No such file or directory\n')),
        text: 'Error: Execution failed: exit code 1',
      },
      shell('grep nothing a.txt', failed('Execution failed: exit code 1')),
      shell('cat nope; echo fine', done('fine\ncat: nope: No such file or directory\n')),
    ],
  },
  {
    title: 'shell: Rate limit exceeded, of which only successes count cap:104 cap:105',
    files: { 'a.txt': 'A' },
    calls: [
      ...Array.from({ length: 19 }, () => shell('echo ok', done('ok\n'))),
      shell('cat nope', failed('Execution failed: exit code 1', 'cat: nope: No such file or directory\n')),
      shell('rm x', unlisted('rm')),
      shell('echo ok', done('ok\n')),
      shell('echo ok', failed('Rate limit exceeded: too many actions in the last hour')),
      read({ path: 'a.txt' }, done('1: A\n[1 lines total]')),
    ],
  },
]

const readCases: readonly TableCase[] = [
  {
    title: 'file_read numbers the lines and says how many there are cap:109',
    files: {
      'a.txt': FIVE,
      'no-end.txt': 'x\ny',
      'crlf.txt': 'x\r\ny\r\n',
      'sub/b.txt': 'b\n',
      'bom.txt': '\ufeffx\n',
      'blank.txt': '\n\n',
    },
    calls: [
      { ...read({ path: 'a.txt' }, done('1: one\n2: two\n3: three\n4: four\n5: five\n[5 lines total]')) },
      read({ path: '/workspace/sub/b.txt' }, done('1: b\n[1 lines total]')),
      read({ path: 'no-end.txt' }, done('1: x\n2: y\n[2 lines total]')),
      read({ path: 'crlf.txt' }, done('1: x\n2: y\n[2 lines total]')),
      read({ path: 'bom.txt' }, done('1: x\n[1 lines total]')),
      read({ path: 'blank.txt' }, done('1: \n2: \n[2 lines total]')),
    ],
  },
  {
    title: 'file_read shows a part with offset and limit cap:109',
    files: { 'a.txt': FIVE },
    calls: [
      read({ path: 'a.txt', offset: 2, limit: 2 }, done('2: two\n3: three\n[Lines 2-3 of 5]')),
      read({ path: 'a.txt', offset: 4 }, done('4: four\n5: five\n[Lines 4-5 of 5]')),
      read({ path: 'a.txt', limit: 1 }, done('1: one\n[Lines 1-1 of 5]')),
      read({ path: 'a.txt', offset: 5, limit: 100 }, done('5: five\n[Lines 5-5 of 5]')),
      read({ path: 'a.txt', offset: 0, limit: 5 }, done('1: one\n2: two\n3: three\n4: four\n5: five\n[5 lines total]')),
      read({ path: 'a.txt', offset: 6 }, done('[No lines in range, file has 5 lines]')),
      read({ path: 'a.txt', offset: Number.MAX_SAFE_INTEGER }, done('[No lines in range, file has 5 lines]')),
      read({ path: 'a.txt', limit: 0 }, done('[No lines in range, file has 5 lines]')),
      read({ path: 'a.txt', offset: -1, limit: 1.5 }, done('1: one\n2: two\n3: three\n4: four\n5: five\n[5 lines total]')),
      read({ path: 'a.txt', offset: '2', limit: '1' }, done('1: one\n2: two\n3: three\n4: four\n5: five\n[5 lines total]')),
    ],
  },
  {
    title: 'file_read gives nothing for an empty file cap:109',
    files: { 'empty.txt': '' },
    calls: [read({ path: 'empty.txt' }, done('')), read({ path: 'empty.txt', offset: 9 }, done(''))],
  },
  {
    title: 'file_read gives bytes as base64 cap:109',
    files: { 'a.png': PNG, 'a.txt': 'hé\n', 'empty.txt': '' },
    calls: [
      read({ path: 'a.png', encoding: 'base64' }, done('iVBORw0KGgoAAQID')),
      read({ path: 'a.txt', encoding: 'base64' }, done('aMOpCg==')),
      read({ path: 'empty.txt', encoding: 'base64' }, done('')),
      read({ path: 'a.txt', encoding: 'latin1' }, failed("Invalid 'encoding' parameter: expected utf8 or base64")),
    ],
  },
  {
    title: 'file_read refuses what is no text, with a hint cap:109',
    files: { 'a.png': PNG, 'a.bin': new Uint8Array([1, 0, 2]), 'latin.txt': new Uint8Array([0x68, 0xe9, 0x0a]) },
    calls: [
      read(
        { path: 'a.png' },
        failed('Failed to read file: "/workspace/a.png" is an image (image/png): read it with encoding "base64" for its bytes'),
      ),
      read(
        { path: 'a.bin' },
        failed(
          'Failed to read file: "/workspace/a.bin" is no text file (application/octet-stream): read it with encoding "base64" for its bytes',
        ),
      ),
      read(
        { path: 'latin.txt' },
        failed(
          'Failed to read file: "/workspace/latin.txt" is no text file (not valid UTF-8): read it with encoding "base64" for its bytes',
        ),
      ),
    ],
  },
  {
    title: 'file_read takes 10 MiB and no byte more cap:46 cap:109',
    files: { 'most.txt': 'x'.repeat(TEN_MIB), 'more.txt': 'x'.repeat(TEN_MIB + 1) },
    calls: [
      read({ path: 'most.txt', offset: 2 }, done('[No lines in range, file has 1 lines]')),
      read({ path: 'more.txt' }, failed('File too large: 10485761 bytes (limit: 10485760 bytes)')),
      read({ path: 'more.txt', limit: 1, encoding: 'base64' }, failed('File too large: 10485761 bytes (limit: 10485760 bytes)')),
    ],
  },
  {
    title: 'file_read says what is wrong with the path cap:43 cap:44 cap:45 cap:109',
    files: { 'a.txt': 'A', 'sub/b.txt': 'b' },
    prepare: (workspace) => workspace.fs.symlink?.('/etc/passwd', '/link') ?? Promise.resolve(),
    calls: [
      read({}, failed("Missing 'path' parameter")),
      read({ path: 7 }, failed("Missing 'path' parameter")),
      read([], failed("Missing 'path' parameter")),
      read({ path: '' }, unread('Cannot use path "": it is empty, use "." for the current directory')),
      read({ path: 'nope.txt' }, unread('Cannot read "/workspace/nope.txt": no such file or directory')),
      read({ path: 'sub' }, unread('Cannot read "/workspace/sub": it is a directory')),
      read({ path: 'a.txt/x' }, unread('Cannot resolve "/workspace/a.txt/x": a part of the path is not a directory')),
      read({ path: '../etc/passwd' }, denied(`the path "../etc/passwd" ${DOTS}`)),
      read({ path: 'sub/../a.txt' }, denied(`the path "sub/../a.txt" ${DOTS}`)),
      read({ path: '/etc/passwd' }, denied(`the path "/etc/passwd" ${OUTSIDE}`)),
      read({ path: '/workspace-2/a.txt' }, denied(`the path "/workspace-2/a.txt" ${OUTSIDE}`)),
      read({ path: '..%2fetc' }, denied('the path "..%2fetc" is not allowed: it contains an encoded ".."')),
      read({ path: '~root/x' }, denied('the path "~root/x" is not allowed: it names the home directory of a user')),
      read({ path: 'a\0b' }, denied('the path "a\0b" is not allowed: it contains a NUL character')),
      read({ path: 'a\\b' }, unread('Cannot use path "a\\b": it contains a backslash, separate components with "/"')),
      read({ path: 'link' }, denied('Cannot follow the link "/workspace/link": it points outside the workspace "/workspace"')),
    ],
  },
]

const memoryCases: readonly TableCase[] = [
  {
    title: 'memory_recall lists what fits best first cap:109',
    files: MEMORY,
    calls: [
      recall({ query: 'tea' }, done('Found 1 memories:\n- [core] drink: The user likes green tea [69%]')),
      recall(
        { query: 'the' },
        done('Found 2 memories:\n- The build runs\n  nightly - at two [69%]\n- [core] drink: The user likes green tea [69%]'),
      ),
      recall({ query: 'the', limit: 1 }, done('Found 1 memories:\n- The build runs\n  nightly - at two [69%]')),
      recall({ query: 'coffee' }, done('No memories found.')),
      recall({}, done(`Found 3 memories:\n${NEWEST_FIRST}`)),
      recall({ limit: 0 }, done('No memories found.')),
      recall({ query: 7, limit: '1', since: 5 }, done(`Found 3 memories:\n${NEWEST_FIRST}`)),
    ],
  },
  {
    title: 'memory_recall keeps to since and until cap:109',
    files: MEMORY,
    calls: [
      recall({ since: '2025-03-01T00:00:00Z' }, done('Found 1 memories:\n- [conversation] editor: Uses vim')),
      recall({ until: '2025-01-01T01:00:00+01:00' }, done('Found 1 memories:\n- [core] drink: The user likes green tea')),
      recall({ since: '2025-01-15', until: '2025-02-15' }, done('Found 1 memories:\n- The build runs\n  nightly - at two')),
      recall({ since: '2026-01-01T00:00:00.000Z' }, done('No memories found.')),
      recall({ since: 'yesterday' }, failed("Invalid 'since' date: yesterday. Expected RFC 3339, for example 2025-03-01T00:00:00Z")),
      recall({ until: '2025-13-01' }, failed("Invalid 'until' date: 2025-13-01. Expected RFC 3339, for example 2025-03-01T00:00:00Z")),
      recall({ since: '2025-02-01', until: '2025-01-01' }, failed("'since' must be before 'until'")),
    ],
  },
  {
    title: 'memory_recall takes every search mode, and no other cap:109',
    files: MEMORY,
    calls: [
      ...['bm25', 'embedding', 'hybrid'].map((mode) =>
        recall({ query: 'vim', search_mode: mode }, done('Found 1 memories:\n- [conversation] editor: Uses vim [78%]')),
      ),
      recall({ query: 'vim', search_mode: 'regex' }, failed("Invalid 'search_mode' parameter: expected bm25, embedding, hybrid")),
      recall('tea', failed('Invalid arguments: expected object, got string')),
    ],
  },
  {
    title: 'memory_recall finds nothing where there is no memory yet cap:109',
    calls: [recall({ query: 'tea' }, done('No memories found.'))],
    after: {},
  },
]

const otherCases: readonly TableCase[] = [
  {
    title: 'an unknown tool cap:110',
    calls: ['nope', 'Shell', '', 'shell '].map((name) => ({
      name,
      input: {},
      wire: failed(`Unknown tool: ${name}`),
      text: `Error: Unknown tool: ${name}`,
    })),
  },
]

/** All documented examples, defaults, limits and errors that a call can show. */
export const zeroclawCases: readonly TableCase[] = [...shellCases, ...readCases, ...memoryCases, ...otherCases]
