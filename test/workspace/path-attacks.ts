/** Outcome of an input: always rejected with this code, or a path inside (relative to the root; `''` is the root itself). */
export type TextOutcome = 'path_outside_workspace' | 'invalid_path' | { readonly inside: string }

export interface PathAttack {
  readonly input: string
  readonly outcome: TextOutcome
}

export const SECRET = 'TOP-SECRET-2f9c'

/** Files in the workspace at the start of every attack. */
export const INSIDE_FILES: Readonly<Record<string, string>> = {
  'notes.txt': 'notes\n',
  'src/a.ts': 'export const a = 1\n',
  'src/deep/b.ts': 'export const b = 2\n',
}

/** Files beside the workspace, in the directory that contains the root. An attack must neither read nor change them. */
export const OUTSIDE_FILES: Readonly<Record<string, string>> = {
  'secret.txt': `${SECRET} beside\n`,
  'workspace2/secret.txt': `${SECRET} prefix sibling\n`,
  'workspace.old/secret.txt': `${SECRET} dotted sibling\n`,
  'outside/dir/secret.txt': `${SECRET} deep\n`,
  'outside/notes.txt': `${SECRET} same name\n`,
}

const name255 = 'n'.repeat(255)
const deep = (levels: number): string => Array.from({ length: levels }, () => 'd').join('/')

/** Attacks that use only the path's text. `root` ends in `/workspace`; `outer` is the directory that contains `root`. */
export function pathAttacks(root: string): PathAttack[] {
  const outer = root.slice(0, root.lastIndexOf('/'))
  return [
    ...group('path_outside_workspace', climbing(), absolutes(root, outer)),
    ...group('invalid_path', characters(), windows(), urls(), lengths(root)),
    ...names().map((name) => ({ input: name, outcome: { inside: name } })),
    ...insides(root).map(([input, inside]) => ({ input, outcome: { inside } })),
  ]
}

function group(outcome: TextOutcome, ...inputs: string[][]): PathAttack[] {
  return inputs.flat().map((input) => ({ input, outcome }))
}

function climbing(): string[] {
  return [
    '..',
    '../',
    '../.',
    './..',
    '../secret.txt',
    './../secret.txt',
    '.././secret.txt',
    '..//secret.txt',
    './/..//secret.txt',
    '../../../../../../../../etc/passwd',
    '../workspace2/secret.txt',
    '../workspace.old/secret.txt',
    '../outside',
    '../outside/dir/secret.txt',
    'src/../../secret.txt',
    'src/../..',
    'src/../../',
    'src/deep/../../../secret.txt',
    'src/./../../secret.txt',
    'src//../..//secret.txt',
    'missing/../../secret.txt',
    'notes.txt/../../secret.txt',
    'a/b/c/../../../../secret.txt',
    `${'../'.repeat(500)}etc/passwd`,
    `${deep(30)}/${'../'.repeat(31)}secret.txt`,
  ]
}

function absolutes(root: string, outer: string): string[] {
  return [
    '/',
    '//',
    '///',
    '/.',
    '/..',
    '/../',
    '/etc/passwd',
    '//etc/passwd',
    '/etc/../etc/passwd',
    '/proc/self/environ',
    '/proc/self/root/etc/passwd',
    '/proc/self/cwd/package.json',
    '/dev/fd/0',
    outer,
    `${outer}/secret.txt`,
    `${outer}//secret.txt`,
    `${outer}/./secret.txt`,
    `/${outer}/secret.txt`,
    `${root}2`,
    `${root}2/`,
    `${root}2/secret.txt`,
    `${root}.old/secret.txt`,
    `${root}/..`,
    `${root}/../secret.txt`,
    `${root}/../workspace2/secret.txt`,
    `${root}/src/../../secret.txt`,
    `${root}/./.././secret.txt`,
    `${root}//..//secret.txt`,
    root.toUpperCase(),
    `${root} /secret.txt`,
    `${root}%2f../secret.txt`,
    '/workspace-elsewhere/notes.txt',
    '//server/share/secret.txt',
    '/C:/secret.txt',
  ]
}

function characters(): string[] {
  return [
    '',
    '\0',
    'notes.txt\0',
    'notes.txt\0.png',
    '../secret.txt\0.png',
    'src\0/../../secret.txt',
    '\ud800',
    'a\udc00b',
    'src/\udfff/a.ts',
    '\udc00\ud800',
    '../\ud800',
  ]
}

function windows(): string[] {
  return [
    '\\',
    '..\\secret.txt',
    '..\\..\\secret.txt',
    'src\\..\\..\\secret.txt',
    'src\\a.ts',
    '\\etc\\passwd',
    '..\\/secret.txt',
    '../..\\secret.txt',
    'C:',
    'C:\\secret.txt',
    'C:/secret.txt',
    'Z:/',
    '\\\\server\\share\\secret.txt',
    '\\\\?\\C:\\secret.txt',
    '\\\\.\\PhysicalDrive0',
    '//server\\share',
    '\\??\\C:\\secret.txt',
  ]
}

function urls(): string[] {
  return [
    'file:///etc/passwd',
    'file://localhost/etc/passwd',
    'file:/etc/passwd',
    'file:secret.txt',
    'FILE:///etc/passwd',
    'FiLe:etc/passwd',
    'http://localhost/secret.txt',
    'https://example.com/../secret.txt',
    'ftp://example.com/secret.txt',
    'git+ssh://example.com/secret.git',
    'data://text/plain,secret',
    'vscode-remote://ssh/secret.txt',
  ]
}

function lengths(root: string): string[] {
  return [
    'n'.repeat(256),
    `src/${'n'.repeat(256)}/a.ts`,
    'ä'.repeat(128),
    '\u{1f600}'.repeat(64),
    `${'n'.repeat(300)}/../notes.txt`,
    'a/'.repeat(2049),
    './'.repeat(2050),
    '../'.repeat(2000),
    `${root}/${'a/'.repeat(2048)}`,
    // Short enough as written, but too long after the working directory is prepended.
    `a${'/a'.repeat(2047)}`,
    'x'.repeat(100_000),
    `${'é/'.repeat(1366)}`,
  ]
}

/** Plain names that look like attacks. Nothing in them is decoded, expanded, normalised or looked up. */
function names(): string[] {
  return [
    // Only `c:/` and `c:\\` are drives. On Windows the adapter rejects these names.
    'c:secret.txt',
    'a:b',
    '%2e%2e',
    '%2e%2e%2fsecret.txt',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '..%5csecret.txt',
    '%252e%252e%252f',
    '..%c0%afsecret.txt',
    '%00',
    '~',
    '~/secret.txt',
    '~root',
    '$HOME',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a shell would expand.
    '${HOME}/secret.txt',
    '`id`',
    '$(id)',
    '; rm -rf ..',
    '-rf',
    '--help',
    '*',
    '[a-z]',
    '!x',
    '"|>?',
    ' ',
    ' ..',
    '.. ',
    '. .',
    '...',
    '....',
    '.../.../secret.txt',
    '..secret',
    'secret..',
    '..;/secret.txt',
    '.\u200b./secret.txt',
    '\u2024\u2024/secret.txt',
    '\uff0e\uff0e/secret.txt',
    '\u2025/secret.txt',
    '\u2026',
    '..\u2215secret.txt',
    '..\u2044secret.txt',
    '..\uff0fsecret.txt',
    '..\uff3csecret.txt',
    '..\u29f5secret.txt',
    '\u202e..txt',
    '\ufeffnotes.txt',
    '\u0001',
    'a\nb',
    'a\r\nb',
    '\t',
    '\u001b[31mred',
    '\u007f',
    'caf\u00e9',
    'cafe\u0301',
    '\u{1f600}',
    '__proto__',
    '__proto__/polluted',
    'constructor',
    'prototype/x',
    'hasOwnProperty',
    'toString',
    'con',
    'NUL',
    'aux.txt',
    'COM1',
    'notes.txt.',
    'stream.txt:$DATA',
    'mailto:me',
    '.env',
    '.ssh/id_rsa',
    'NOTES.TXT',
    name255,
    `${name255}/${name255}`,
    'ä'.repeat(127),
    deep(250),
  ]
}

/** Odd spellings of paths inside, and the path that each means. */
function insides(root: string): [input: string, inside: string][] {
  return [
    ['.', ''],
    ['./', ''],
    ['././.', ''],
    ['src/..', ''],
    ['src/../', ''],
    [root, ''],
    [`${root}/`, ''],
    [`/${root}`, ''],
    [`${root}/.`, ''],
    [`${root}/src/..`, ''],
    ['./notes.txt', 'notes.txt'],
    ['.//notes.txt', 'notes.txt'],
    ['src/../notes.txt', 'notes.txt'],
    ['missing/../notes.txt', 'notes.txt'],
    ['a/b/c/../../../notes.txt', 'notes.txt'],
    [`${root}//notes.txt`, 'notes.txt'],
    [`/${root}///./notes.txt`, 'notes.txt'],
    [`${root}/../workspace/notes.txt`, 'notes.txt'],
    [`/etc/..${root}/notes.txt`, 'notes.txt'],
    ['../workspace/notes.txt', 'notes.txt'],
    ['src/./a.ts', 'src/a.ts'],
    ['src//a.ts', 'src/a.ts'],
    ['notes.txt/', 'notes.txt'],
    ['src/a.ts/', 'src/a.ts'],
    [`${root}${root}/notes.txt`, `${root.slice(1)}/notes.txt`],
    [`${'./'.repeat(2000)}notes.txt`, 'notes.txt'],
  ]
}
