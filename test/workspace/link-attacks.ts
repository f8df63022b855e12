/** Error code for following the path, or the path inside the workspace (relative to the root) that it leads to. */
export type LinkOutcome = 'symlink_escape' | 'ELOOP' | 'ENOENT' | { readonly inside: string }

export interface LinkAttack {
  readonly name: string
  /** Path relative to the root -> symlink target. Missing directories are created. */
  readonly links: Readonly<Record<string, string>>
  readonly input: string
  readonly outcome: LinkOutcome
}

/** Attacks with existing symlinks. */
export function linkAttacks(root: string): LinkAttack[] {
  const outer = root.slice(0, root.lastIndexOf('/'))
  return [...escapes(root, outer), ...chains(root, outer), ...loops(), ...harmless(root, outer)]
}

function escapes(root: string, outer: string): LinkAttack[] {
  const to = (name: string, target: string, input = 'link'): LinkAttack => ({
    name,
    links: { link: target },
    input,
    outcome: 'symlink_escape',
  })
  return [
    to('absolute file outside', `${outer}/secret.txt`),
    to('relative file outside', '../secret.txt'),
    to('relative with double slashes', '..//secret.txt'),
    to('relative with dots', './.././secret.txt'),
    to('down and up again', 'src/../../secret.txt'),
    to('through a missing directory', 'missing/../../secret.txt'),
    to('the directory above', '..'),
    to('the directory above, file in it', '..', 'link/secret.txt'),
    to('two directories above', '../..', 'link/etc/passwd'),
    to('directory outside, file in it', '../outside', 'link/dir/secret.txt'),
    to('directory outside with slash', '../outside/', 'link/notes.txt'),
    to('link with a trailing slash', '../outside', 'link/'),
    to('absolute directory outside', `${outer}/outside`, 'link/dir/secret.txt'),
    to('prefix sibling, absolute', `${root}2`, 'link/secret.txt'),
    to('prefix sibling, relative', '../workspace2/secret.txt'),
    to('dotted sibling', '../workspace.old', 'link/secret.txt'),
    to('system file', '/etc/passwd'),
    to('top of the machine', '/'),
    to('top of the machine, file in it', '/', `link${outer}/secret.txt`),
    to('proc root', '/proc/self/root', 'link/etc/passwd'),
    to('proc cwd', '/proc/self/cwd'),
    to('a new file outside', '../planted.txt'),
    to('a new file in a new directory outside', '../planted/deep.txt'),
    to('a new file below a directory outside', '../outside', 'link/planted.txt'),
    to('many levels up', `${'../'.repeat(40)}etc/passwd`),
    to('root written twice', `${root}/../secret.txt`),
  ]
}

function chains(root: string, outer: string): LinkAttack[] {
  const chain = (length: number, last: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length }, (_, i) => [`hop${i}`, i === length - 1 ? last : `hop${i + 1}`]))
  return [
    { name: 'two hops out', links: { a: 'b', b: '../secret.txt' }, input: 'a', outcome: 'symlink_escape' },
    { name: 'twenty hops out', links: chain(20, '../secret.txt'), input: 'hop0', outcome: 'symlink_escape' },
    { name: 'hop through a directory', links: { a: 'b/secret.txt', b: '..' }, input: 'a', outcome: 'symlink_escape' },
    { name: 'absolute inside, then out', links: { a: `${root}/b`, b: `${outer}/secret.txt` }, input: 'a', outcome: 'symlink_escape' },
    {
      name: 'link below a linked directory',
      links: { dir: 'src', 'src/out': '../../outside' },
      input: 'dir/out/notes.txt',
      outcome: 'symlink_escape',
    },
    { name: 'up from below', links: { 'src/deep/up': '../../..' }, input: 'src/deep/up/secret.txt', outcome: 'symlink_escape' },
    {
      name: 'up step by step',
      links: { 'src/deep/up': '..', 'src/up': '..', up: '..' },
      input: 'src/deep/up/up/up/secret.txt',
      outcome: 'symlink_escape',
    },
    { name: 'climbing behind a link', links: { dir: 'src/deep', a: 'dir/../../secret.txt' }, input: 'a', outcome: 'symlink_escape' },
    { name: 'forty hops inside', links: chain(40, 'notes.txt'), input: 'hop0', outcome: { inside: 'notes.txt' } },
    { name: 'forty-one hops inside', links: chain(41, 'notes.txt'), input: 'hop0', outcome: 'ELOOP' },
    { name: 'hundred hops out', links: chain(100, '../secret.txt'), input: 'hop0', outcome: 'ELOOP' },
  ]
}

function loops(): LinkAttack[] {
  return [
    { name: 'itself', links: { loop: 'loop' }, input: 'loop', outcome: 'ELOOP' },
    { name: 'itself, spelled otherwise', links: { loop: './src/../loop' }, input: 'loop', outcome: 'ELOOP' },
    { name: 'below itself', links: { loop: 'loop/x' }, input: 'loop', outcome: 'ELOOP' },
    { name: 'each other', links: { a: 'b', b: 'a' }, input: 'a', outcome: 'ELOOP' },
    { name: 'three in a ring', links: { a: 'b', b: 'c', c: 'a' }, input: 'b', outcome: 'ELOOP' },
    { name: 'in the middle', links: { loop: 'loop' }, input: 'loop/notes.txt', outcome: 'ELOOP' },
    { name: 'growing', links: { grow: 'grow/grow' }, input: 'grow/grow', outcome: 'ELOOP' },
    { name: 'own directory, too deep', links: { 'src/self': '.' }, input: `src/${'self/'.repeat(41)}a.ts`, outcome: 'ELOOP' },
  ]
}

function harmless(root: string, outer: string): LinkAttack[] {
  const to = (name: string, target: string, input: string, inside: string): LinkAttack => ({
    name,
    links: { link: target },
    input,
    outcome: { inside },
  })
  return [
    to('a file', 'notes.txt', 'link', 'notes.txt'),
    to('a file by virtual path', `${root}/notes.txt`, 'link', 'notes.txt'),
    to('a directory', 'src', 'link/a.ts', 'src/a.ts'),
    to('a directory by virtual path', `${root}/src/`, 'link/deep/b.ts', 'src/deep/b.ts'),
    to('the root', '.', 'link/link/link/notes.txt', 'notes.txt'),
    to('the root by virtual path', root, 'link/notes.txt', 'notes.txt'),
    to('out and in again', '../workspace/notes.txt', 'link', 'notes.txt'),
    to('out and in again, absolute', `${outer}/outside/../workspace/notes.txt`, 'link', 'notes.txt'),
    to('dots are lexical', '..', 'link/../notes.txt', 'notes.txt'),
    to('a link that does not matter', '../secret.txt', 'link/../src/a.ts', 'src/a.ts'),
    { name: 'own directory', links: { 'src/self': '.' }, input: 'src/self/self/a.ts', outcome: { inside: 'src/a.ts' } },
    { name: 'parent', links: { 'src/up': '..' }, input: 'src/up/notes.txt', outcome: { inside: 'notes.txt' } },
    { name: 'dangling', links: { link: 'missing.txt' }, input: 'link', outcome: 'ENOENT' },
    { name: 'dangling below a missing directory', links: { link: 'missing/new.txt' }, input: 'link', outcome: 'ENOENT' },
    { name: 'dangling in the middle', links: { link: 'missing' }, input: 'link/new.txt', outcome: 'ENOENT' },
    { name: 'percent signs are a name', links: { link: '%2e%2e/secret.txt' }, input: 'link', outcome: 'ENOENT' },
    { name: 'backslashes are a name', links: { link: '..\\secret.txt' }, input: 'link', outcome: 'ENOENT' },
    { name: 'a drive is a name', links: { link: 'C:/secret.txt' }, input: 'link', outcome: 'ENOENT' },
    { name: 'a URL is a name', links: { link: 'file:secret.txt' }, input: 'link', outcome: 'ENOENT' },
  ]
}
