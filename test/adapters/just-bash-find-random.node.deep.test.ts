// @module-tag virtual-shell
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspace, type Workspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterAll, expect, it } from 'vitest'
import fc, { rounds } from '../fast-check.js'

const base = mkdtempSync(join(tmpdir(), 'find-random-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

interface Item {
  readonly path: string
  readonly kind: 'file' | 'dir' | 'link'
  readonly text: string
  readonly target: string
  readonly mode: number
  readonly seconds: number
}

const name = fc.constantFrom('a', 'b', 'ab', 'c.js', 'A.js', '.h', 'x y', 'd')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
const items = fc.array(
  fc.record({
    path,
    kind: fc.constantFrom('file', 'file', 'dir', 'link') as fc.Arbitrary<Item['kind']>,
    text: fc.constantFrom('', 'a', 'TODO\n', 'x'.repeat(600), 'y'.repeat(2000)),
    target: fc.constantFrom('ab', '..', '.', '../a', 'nowhere', 'c.js'),
    mode: fc.constantFrom(0o644, 0o600, 0o755, 0o444),
    seconds: fc.integer({ min: 1_600_000_000, max: 1_600_000_009 }),
  }),
  { maxLength: 14 },
)

const words = (text: string): readonly string[] => text.split(' ')
const looks = [
  ...[
    '-name a',
    '-name *.js',
    '-iname a*',
    '-name ?',
    '-name [!a]*',
    '-name .*',
    '-path ./a*',
    '-path *a/*',
    '-ipath *A*',
    '-true',
    '-false',
  ],
  ...['-type f', '-type d', '-type l', '-type f,l', '-empty', '-perm 644', '-perm -u+w', '-perm /111', '-prune', '-print', '-mindepth 1'],
  ...['-regex .*/[ab]', '-regex .*/a+b?', '-iregex .*\\.JS', '-maxdepth 2', '-print0', '-printf %p:%d:%f:%h:%P:%y\\n', '-printf %m\\n'],
  ...[
    '-type f -size +1',
    '-type f -size -1k',
    '-type f -size 600c',
    '-type f -newer REF',
    '-type f -newermt @1600000005',
    '-links 1 -type f',
  ],
  ...[
    '-type f -exec test -s {} ;',
    '-exec grep -q TODO {} ;',
    '-exec echo <{}> {} ;',
    '-exec false ;',
    '-execdir echo {} ;',
    '-exec test -d {} ;',
  ],
]
const links = ['-xtype f', '-xtype d', '-xtype l', '-lname *a', '-lname .', '-samefile REF', '-printf %Y%l\\n']
const changes = [
  '-delete',
  '-exec rm -f {} ;',
  '-type f -exec mv {} {}.o ;',
  '-type f -exec rm {} +',
  '-type f -execdir mv {} {}.p ;',
  '-exec chmod 600 {} ;',
]

/** Words of an expression that is made of these parts. */
function expressionOf(parts: readonly string[]): fc.Arbitrary<readonly string[]> {
  const { tree } = fc.letrec<{ tree: readonly string[] }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...parts).map(words),
      fc.tuple(fc.constantFrom('!', '-not'), tie('tree')).map(([not, one]) => [not, '(', ...one, ')']),
      fc.tuple(tie('tree'), fc.constantFrom([], ['-a'], ['-o'], ['-or']), tie('tree')).map(([a, between, b]) => [...a, ...between, ...b]),
      // No bare name after the comma: GNU's optimiser would evaluate the name first, which changes the value of the list.
      fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => ['(', ...a, ',', '(', ...b, ')', '-print', ')']),
      tie('tree').map((one) => ['(', ...one, ')']),
    ),
  }))
  return tree
}

/** No symlink points to a symlink, because which of two loops is found first depends on the directory's order. */
const TARGETS = /(?:^|\/)(?:a|ab|c\.js)$/

/** Symlinks in a workspace do not lead outside. */
const isInside = ({ path, target }: Item): boolean => !target.startsWith('..') || path.includes('/')

/** The entries that can be created one after another, so that no parent is a file. */
function placed(given: readonly Item[], withLinks: boolean): Item[] {
  const kinds = new Map<string, Item['kind']>()
  return given.filter((item) => {
    const parents = item.path
      .split('/')
      .slice(0, -1)
      .map((_, i, all) => all.slice(0, i + 1).join('/'))
    if (kinds.has(item.path) || (item.kind === 'link' && (!withLinks || !isInside(item) || TARGETS.test(item.path)))) return false
    if (parents.some((parent) => (kinds.get(parent) ?? 'dir') !== 'dir')) return false
    for (const parent of parents) kinds.set(parent, 'dir')
    kinds.set(item.path, item.kind)
    return true
  })
}

function makeReal(folder: string, all: readonly Item[]): void {
  for (const { path, kind, text, target, mode, seconds } of all) {
    const at = join(folder, path)
    mkdirSync(dirname(at), { recursive: true })
    if (kind === 'dir') mkdirSync(at, { recursive: true })
    else if (kind === 'link') symlinkSync(target, at)
    else {
      writeFileSync(at, text)
      chmodSync(at, mode)
      utimesSync(at, seconds, seconds)
    }
  }
}

async function makeOurs(all: readonly Item[]): Promise<Workspace> {
  const workspace = createWorkspace({ fs: createMemoryFs() })
  for (const { path, kind, text, target, mode, seconds } of all) {
    if (path.includes('/')) await workspace.mkdir(dirname(path))
    if (kind === 'dir') await workspace.mkdir(path)
    else if (kind === 'link') await workspace.symlink(target, path)
    else {
      await workspace.writeText(path, text)
      await workspace.setMeta(path, { mode, mtimeMs: seconds * 1000 })
    }
  }
  return workspace
}

function realTree(folder: string, at = ''): string[] {
  return readdirSync(join(folder, at)).flatMap((one) => {
    const path = at === '' ? one : `${at}/${one}`
    const stat = lstatSync(join(folder, path))
    if (stat.isDirectory()) return [`${path}/`, ...realTree(folder, path)]
    return [
      stat.isSymbolicLink() ? `${path} -> ${readlinkSync(join(folder, path))}` : `${path} ${stat.size} ${(stat.mode & 0o777).toString(8)}`,
    ]
  })
}

async function ourTree(workspace: Workspace, at = '.'): Promise<string[]> {
  const lists = (await workspace.list(at)).map(async ({ name: one, kind }) => {
    const path = at === '.' ? one : `${at}/${one}`
    if (kind === 'dir') return [`${path}/`, ...(await ourTree(workspace, path))]
    if (kind === 'symlink') return [`${path} -> ${await workspace.readlink(path)}`]
    const { size, mode = 0o644 } = await workspace.lstat(path)
    return [`${path} ${size} ${mode.toString(8)}`]
  })
  return (await Promise.all(lists)).flat()
}

const sorted = (text: string): string[] => text.split(/[\n\0]/).sort()
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

async function expectSame(given: readonly Item[], args: readonly string[], withLinks: boolean): Promise<void> {
  const all = placed(given, withLinks)
  const folder = mkdtempSync(join(base, 'd-'))
  chmodSync(folder, 0o755)
  makeReal(folder, all)
  const workspace = await makeOurs(all)
  const reference = all.find(({ kind }) => kind === 'file')?.path ?? '.'
  const line = args.map((arg) => (arg === 'REF' ? reference : arg))
  const real = spawnSync('find', line, { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, input: '' })
  const ours = await createJustBashShell({ scratch: createMemoryFs() })(workspace).exec(`find ${line.map(quoted).join(' ')} < /dev/null`)
  // Whether `find` looks at a file after an action removed the file depends on the order of GNU's optimiser.
  const isGone = /No such file or directory/.test(ours.stderr + real.stderr.toString())
  expect({ stdout: sorted(ours.stdout), exitCode: isGone ? 'any' : ours.exitCode, tree: (await ourTree(workspace)).sort() }).toEqual({
    stdout: sorted(real.stdout.toString()),
    exitCode: isGone ? 'any' : real.status,
    tree: realTree(folder).sort(),
  })
  rmSync(folder, { recursive: true, force: true })
}

it('prints what GNU find prints', async () => {
  const following = fc.constantFrom([], [], ['-L'], ['-H'], ['-P'])
  // Not `./`, because GNU's output for an empty directory with `-depth` and a trailing slash depends on the file system.
  const starts = fc.constantFrom(['.'], ['.'], ['a', '.'], ['b', 'a'], [])
  await fc.assert(
    fc.asyncProperty(items, following, starts, fc.boolean(), expressionOf([...looks, ...links]), (given, how, where, depth, expression) =>
      expectSame(given, [...how, ...where, ...(depth ? ['-depth'] : []), ...expression], true),
    ),
    { numRuns: rounds(600) },
  )
}, 600_000)

it('leaves the tree that GNU find leaves', async () => {
  // Without `-print0` and numbers of calls, because these would show the order in which directories are listed.
  await fc.assert(
    fc.asyncProperty(items, expressionOf([...looks, ...changes]), (given, expression) => expectSame(given, ['.', ...expression], false)),
    { numRuns: rounds(600) },
  )
}, 600_000)
