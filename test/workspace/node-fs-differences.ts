import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  promises as real,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CALLS, type Call, TREE } from './node-fs-calls.js'

export type Promises = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

const TIME = 1_000_000_000

/** What a call came to: its value or the code of its error, and the tree after it. */
interface Outcome {
  readonly result: string
  readonly tree: string
}

/** Why something is not as Node has it, by method and arguments. The first that fits counts. */
const REASONS: readonly (readonly [method: RegExp, what: RegExp, why: string, refused?: boolean])[] = [
  [
    /^(write|append)File$/,
    /flag ("rs?\+?"|1)$/,
    'a file is written whole or appended to: flags are `w`, `wx`, `a`, `ax`, with or without `+`, and no numbers',
  ],
  [/^readFile$/, /flag ("[wa].*"|"xw"|1)$/, 'reading makes and empties nothing: flags are `r`, `rs`, `r+`, `rs+`, and no numbers'],
  [
    /./,
    /path .*(not UTF-8|half a character)/,
    'what UTF-8 cannot hold is refused, not replaced by U+FFFD: that may be the name of another file',
  ],
  [/File$/, /encoding "buffer"/, '`buffer` means bytes, as it does in the other methods'],
  [/File$/, /half a character/, 'what UTF-8 cannot hold is refused, not replaced by U+FFFD'],
  [/File$/, /a Map/, 'a piece is text or bytes, never a list of numbers'],
  [/File$/, /a list of numbers|that throws/, 'nothing is made or emptied before all that is to be written is known'],
  [/File$/, /mode 2541/, 'no new file gets special bits'],
  [/^mkdir$/, /4077/, 'no new directory gets special bits'],
  [/^rmdir$/, /recursive":true/, 'a link is not followed, and newer versions of Node have no such option: `rm` removes a tree'],
  [
    /^copyFile$/,
    /^"(dir|void|dirlink)" to/,
    'the source is looked at first: a directory is copied to nowhere, and Node has emptied the destination by then',
  ],
  [/^rename$/, /"dir\/inner.txt" to "dir"/, 'a file is not moved onto a directory, whatever it holds'],
  [/^rm$/, /^"(dir|void)"/, "the system's name of the error, not Node's own"],
  [/^rm$/, /^"dirlink\/"/, 'a link is not removed through a slash at its end, as with `rmdir` and `unlink`'],
  [/^readdir$/, /^"\." , |^"\.", \{"recursive"/, 'links are not followed: one that leads to its own directory would have no end'],
  [/^readdir$/, /^recursive, .*encoding/, 'only the answer is encoded: directories are looked for by their own names'],
  [/^access$/, /mode 1.5/, 'a mode is a whole number'],
  [/^utimes$/, /date of NaN/, 'a date that is none is an argument that is none'],
  [/^l?stat$/, /bigint":true/, 'numbers are numbers'],
  [/^l?stat$/, /^null$/, 'null is no options'],
  [/^rename$/, /^"(link|dirlink)" to/, 'a link is not put in the place of what it leads to: nothing else would be left', true],
  [/./, /\/\.{0,2}"/, 'a slash, `.` or `..` behind what is no directory: another code, and nothing is done either', true],
]

export interface Difference {
  readonly method: string
  readonly what: string
  readonly node: string
  readonly here: string
  readonly why: string | undefined
}

const LOOKS = ['stat', 'lstat', 'readdir', 'readlink', 'access', 'realpath']

/** Makes each call with Node and with what `make` lays over a directory. */
export async function differences(make: (root: string) => Promises): Promise<Difference[]> {
  const found: Difference[] = []
  const node = trees(() => real as unknown as Promises)
  const here = trees(make)
  for (const call of CALLS) {
    const [a, b] = [await node.run(call), await here.run(call)]
    if (a.result === b.result && a.tree === b.tree) continue
    const isTree = a.result === b.result
    found.push({
      method: call.method,
      what: call.what,
      node: isTree ? changed(a.tree, b.tree) : a.result,
      here: isTree ? changed(b.tree, a.tree) : b.result,
      why: REASONS.find(
        ([method, what, , refused]) => method.test(call.method) && what.test(call.what) && (!refused || /^E[A-Z]+$/.test(b.result)),
      )?.[2],
    })
  }
  node.end()
  here.end()
  return found
}

/** A new tree after each call that has changed the one before. */
function trees(make: (root: string) => Promises): { run(call: Call): Promise<Outcome>; end(): void } {
  let [root, fresh] = ['', '']
  const end = (): void => {
    if (root) rmSync(root, { recursive: true, force: true })
    root = ''
  }
  return {
    end,
    async run(call) {
      if (!root) {
        root = furnished()
        fresh = treeOf(root, '').join('\n')
      }
      const result = await resultOf(make(root), call, root)
      const tree = LOOKS.includes(call.method) ? fresh : treeOf(root, '').join('\n')
      if (tree !== fresh) end()
      return { result, tree }
    },
  }
}

function furnished(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'node-fs-')))
  for (const [name, entry] of Object.entries(TREE)) {
    const path = join(root, name)
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (name.endsWith('/')) continue
    if (typeof entry === 'string' && entry.startsWith('-> ')) symlinkSync(entry.slice(3), path)
    else if (typeof entry === 'object' && 'text' in entry) writeFileSync(path, entry.text, { mode: entry.mode })
    else writeFileSync(path, entry)
    if (!String(entry).startsWith('->')) utimesSync(path, TIME, TIME)
  }
  return root
}

async function resultOf(fs: Promises, { method, args }: Call, root: string): Promise<string> {
  const at = (name: string): string => (name === '' ? root : `${root}/${name}`)
  return Promise.resolve()
    .then(() => fs[method]?.(...args(at)))
    .then(
      (value) => shown(value, root),
      (error: { readonly code?: unknown; readonly name?: string }) => String(error.code ?? error.name),
    )
}

function shown(value: unknown, root: string): string {
  if (value === undefined) return 'done'
  if (value instanceof Uint8Array)
    return `bytes ${Buffer.from(value).toString('hex').replaceAll(Buffer.from(root).toString('hex'), '<root>')}`
  if (typeof value === 'string') return JSON.stringify(value.replaceAll(root, '<root>'))
  if (Array.isArray(value))
    return `[${value
      .map((each) => shown(each, root))
      .sort()
      .join(', ')}]`
  const { size, mode, mtimeMs, name, parentPath, isFile, isDirectory, isSymbolicLink } = value as Record<string, unknown> & {
    isFile(): boolean
    isDirectory(): boolean
    isSymbolicLink(): boolean
  }
  if (typeof isFile !== 'function') return JSON.stringify(value)
  const kind = isFile.call(value) ? 'file' : isDirectory.call(value) ? 'directory' : isSymbolicLink.call(value) ? 'link' : 'other'
  if (name !== undefined) return `${kind} ${shown(name, root)} in ${shown(parentPath, root)}`
  const sized = kind === 'file' ? ` of ${String(size)} ${typeof size}` : ''
  return `${kind}${sized}, ${Number(mode).toString(8)}${kind === 'file' ? `, ${String(mtimeMs)}` : ''}`
}

function treeOf(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // No text is its path.
    if (entry.name.includes('\ufffd')) return [path]
    const { mode, mtimeMs } = lstatSync(join(root, path))
    const bits = (mode & 0o7777).toString(8)
    if (entry.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(root, path)).replaceAll(root, '<root>')}`]
    if (entry.isDirectory()) return [`${path}/ ${bits}`, ...treeOf(root, path)]
    const when = Date.now() - mtimeMs < 1e6 ? 'now' : mtimeMs
    return [`${path} ${bits} ${readFileSync(join(root, path)).toString('hex')} ${when}`]
  })
}

/** Lines of the one tree that the other has not. */
function changed(tree: string, other: string): string {
  const lines = tree.split('\n').filter((line) => !other.split('\n').includes(line))
  return lines.length > 0 ? `leaves ${lines.join('; ')}` : 'leaves nothing more'
}

/** The page of the documentation. */
export function page(found: readonly Difference[]): string {
  const methods = [...new Set(CALLS.map(({ method }) => method))].sort()
  const count = (list: readonly { readonly method: string }[], method: string): number =>
    list.filter((each) => each.method === method).length
  const summary = methods.map((method) => `| \`${method}\` | ${count(CALLS, method)} | ${count(found, method)} |`)
  const rows = new Map<string, string[]>()
  for (const { method, what, node, here, why } of found) {
    const key = `| \`${method}\` | {} | ${cell(node)} | ${cell(here)} | ${why} |`
    rows.set(key, [...(rows.get(key) ?? []), what])
  }
  const table = [...rows].map(([key, whats]) => key.replace('{}', () => cell(whats.join('; '))))
  return `${HEAD}${summary.join('\n')}\n${MIDDLE}${table.join('\n')}\n`
}

function cell(text: string): string {
  const short = text.length > 240 ? `${text.slice(0, 239)}…` : text
  return short.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\u0000', 'NUL')
}

const HEAD = `# toNodeFs beside Node's fs.promises

\`toNodeFs(workspace).promises\` has Node's methods, arguments, options, results and error codes. A test makes every call of this page with Node and with a workspace on an equal directory, and compares the result, the code of the error and the tree afterwards; this page is what it found (\`npx vitest run test/workspace/node-fs -u\` writes it). Paths are text, bytes or \`file:\` URLs.

| Method | Calls | Not as in Node |
|-|-|-|
`

const MIDDLE = `
Not there: \`open opendir cp truncate link lchown lchmod lutimes chown mkdtemp watch statfs glob constants\`. A workspace has no descriptors, owners, hard links or watchers; \`workspace.copy\` and \`workspace.walk\` are what it has instead. A storage has one time: \`atime\`, \`ctime\` and \`birthtime\` are \`mtime\`, and \`utimes\` keeps no access time. \`access\` goes by the permission bits, whoever asks.

| Method | Arguments | Node | toNodeFs | Why |
|-|-|-|-|-|
`
