/** One entry of the tree that the recorded `find` commands run over. */
export interface SeedEntry {
  readonly path: string
  /** Content of a file. */
  readonly text?: string
  /** Target of a symlink. */
  readonly target?: string
  readonly mode?: number
  /** Default: a fixed time in 2023. */
  readonly ageSeconds?: number
}

const HOUR = 3600
const DAY = 24 * HOUR

/** Files and symlinks. Directories follow from the paths, except empty ones. */
export const FIND_SEED: readonly SeedEntry[] = [
  { path: '.env', text: 'KEY=1\n' },
  { path: '.git/HEAD', text: 'ref: refs/heads/main\n' },
  { path: '.git/config', text: '[core]\n' },
  { path: '.gitignore', text: 'build\n' },
  { path: 'README.md', text: '# Read me\n\nTODO: write\n' },
  { path: 'bin/run', text: '#!/bin/sh\necho "ran $1"\n', mode: 0o755 },
  { path: 'bin/secret', text: 'x\n', mode: 0o600 },
  { path: 'broken', target: 'missing' },
  { path: 'build/big.bin', text: 'b'.repeat(3000) },
  { path: 'build/out.o', text: 'o'.repeat(1024) },
  { path: 'build/x.tmp', text: 'tmp\n' },
  { path: 'docs/a b.md', text: 'space\n' },
  { path: 'docs/guide.md', text: 'guide\n' },
  { path: 'docs/it\'s "q".md', text: 'quotes\n' },
  { path: 'docs/ünï.md', text: 'umlaut\n' },
  { path: 'empty.txt', text: '' },
  { path: 'hollow/', mode: 0o755 },
  { path: 'link-dir', target: 'src' },
  { path: 'link-file', target: 'README.md' },
  { path: 'logs/hour.log', text: 'h\n', ageSeconds: HOUR + 30 },
  { path: 'logs/new.log', text: 'n\n', ageSeconds: 90 },
  { path: 'logs/old.log', text: 'o\n', ageSeconds: 100 * DAY },
  { path: 'logs/week.log', text: 'w\n', ageSeconds: 7 * DAY + HOUR },
  { path: 'node_modules/lib/index.js', text: 'TODO lib\n' },
  { path: 'node_modules/lib/package.json', text: '{}\n' },
  { path: 'src/a.js', text: '// TODO one\n' },
  { path: 'src/b.js', text: 'let b = 2\n' },
  { path: 'src/c.TXT', text: 'see\n' },
  { path: 'src/lib/d.js', text: '// TODO two\n' },
  { path: 'src/lib/deep/e.ts', text: 'export {}\n' },
]

/** Modification time of all entries without an age: 2023-11-14 22:13:20.5 UTC. */
export const SEED_MTIME_MS = 1_700_000_000_500
