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

/** Outcome of a call: its value or the code of its error, and the tree afterwards. */
interface Outcome {
  readonly result: string
  readonly tree: string
}

/** Reasons for differences from Node, by method and arguments. The first match counts. */
const REASONS: readonly (readonly [method: RegExp, what: RegExp, why: string, refused?: boolean])[] = [
  [
    /^(write|append)File$/,
    /flag ("rs?\+?"|1)$/,
    '`writeFile` and `appendFile` accept the flags `w`, `wx`, `a` and `ax`, with or without `+`. They reject all other flags and numbers.',
  ],
  [
    /^readFile$/,
    /flag ("[wa].*"|"xw"|1)$/,
    '`readFile` accepts the flags `r`, `rs`, `r+` and `rs+`. It rejects all other flags and numbers, so it never creates or truncates a file.',
  ],
  [
    /./,
    /path .*(not UTF-8|a lone surrogate)/,
    'Paths that are not valid UTF-8 are rejected. If invalid bytes were replaced by U+FFFD, the path could name another file.',
  ],
  [/File$/, /encoding "buffer"/, 'The encoding `buffer` returns bytes, as in the other methods.'],
  [/File$/, /a lone surrogate/, 'Text that is not valid Unicode is rejected. Node replaces the invalid part by U+FFFD.'],
  [/File$/, /a Map/, 'Each piece of an iterable is text or bytes, never a list of numbers.'],
  [/File$/, /a list of numbers|that throws/, '`toNodeFs` creates or truncates a file only when it has the complete content.'],
  [/File$/, /mode 2541/, 'New files never get setuid, setgid or sticky bits.'],
  [/^mkdir$/, /4077/, 'New directories never get setuid, setgid or sticky bits.'],
  [
    /^rmdir$/,
    /recursive":true/,
    '`rmdir` does not accept `recursive`, an option that newer versions of Node do not have. Use `rm` to remove a tree.',
  ],
  [
    /^copyFile$/,
    /^"(dir|void|dirlink)" to/,
    '`toNodeFs` checks the source first. Node truncates the destination before it rejects a directory as source.',
  ],
  [/^rename$/, /"dir\/inner.txt" to "dir"/, 'A file cannot replace a directory, empty or not.'],
  [/^rm$/, /^"(dir|void)"/, "The error has the code of the operating system (EISDIR) instead of Node's own code."],
  [
    /^rm$/,
    /^"dirlink\/"/,
    '`rm` does not remove a link if its path ends with a slash. In Node, `rmdir` and `unlink` behave in the same way, but `rm` does not.',
  ],
  [
    /^readdir$/,
    /^"\." , |^"\.", \{"recursive"/,
    '`readdir` with `recursive` does not follow links, because a link to its own directory would make it endless.',
  ],
  [
    /^readdir$/,
    /^recursive, .*encoding/,
    'The encoding applies only to the names in the result. Node also looks up subdirectories by their encoded names, and misses them.',
  ],
  [/^access$/, /mode 1.5/, 'A mode has to be an integer.'],
  [/^utimes$/, /date of NaN/, 'An invalid date counts as an argument of the wrong type.'],
  [/^l?stat$/, /bigint":true/, '`bigint` is not supported.'],
  [/^l?stat$/, /^null$/, '`null` means no options.'],
  [/^rename$/, /^"(link|dirlink)" to/, 'A link cannot replace its own target, because the content would be lost.', true],
  [
    /./,
    /\/\.{0,2}"/,
    'If a slash, `.` or `..` follows the path of a file or a link, the error can have another code than in Node. `toNodeFs` then changes nothing.',
    true,
  ],
]

export interface Difference {
  readonly method: string
  readonly what: string
  readonly node: string
  readonly here: string
  readonly why: string | undefined
}

const LOOKS = ['stat', 'lstat', 'readdir', 'readlink', 'access', 'realpath']

/** Makes each call with Node and with the facade that `make` creates for a directory. */
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

/** Runs calls on a tree. After a call that has changed the tree, the next call gets a new tree. */
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
    // The name is not valid UTF-8, so no text is its path.
    if (entry.name.includes('\ufffd')) return [path]
    const { mode, mtimeMs } = lstatSync(join(root, path))
    const bits = (mode & 0o7777).toString(8)
    if (entry.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(root, path)).replaceAll(root, '<root>')}`]
    if (entry.isDirectory()) return [`${path}/ ${bits}`, ...treeOf(root, path)]
    const when = Date.now() - mtimeMs < 1e6 ? 'now' : mtimeMs
    return [`${path} ${bits} ${readFileSync(join(root, path)).toString('hex')} ${when}`]
  })
}

/** Lines of `tree` that `other` does not have. */
function changed(tree: string, other: string): string {
  const lines = tree.split('\n').filter((line) => !other.split('\n').includes(line))
  return lines.length > 0 ? `leaves ${lines.join('; ')}` : 'leaves nothing more'
}

/** The documentation page. */
export function page(found: readonly Difference[]): string {
  const methods = [...new Set(CALLS.map(({ method }) => method))].sort()
  const count = (list: readonly { readonly method: string }[], method: string): number =>
    list.filter((each) => each.method === method).length
  const summary = methods.map((method) => `| \`${method}\` | ${count(CALLS, method)} | ${count(found, method)} |`)
  const reasons = [...new Set(found.map(({ why }) => why))]
  const tables = reasons.map((why) => `${why}\n\n${ROW}${rowsOf(found.filter((each) => each.why === why)).join('\n')}\n`)
  return `${HEAD}${summary.join('\n')}\n${MIDDLE}${tables.join('\n')}`
}

/** One row per group of calls of a method with the same difference. */
function rowsOf(found: readonly Difference[]): string[] {
  const rows = new Map<string, string[]>()
  for (const { method, what, node, here } of found) {
    const key = `| \`${method}\` | {} | ${cell(node)} | ${cell(here)} |`
    rows.set(key, [...(rows.get(key) ?? []), what])
  }
  return [...rows].map(([key, whats]) => key.replace('{}', () => cell(whats.join('; '))))
}

function cell(text: string): string {
  const short = text.length > 240 ? `${text.slice(0, 239)}…` : text
  return short.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\u0000', 'NUL')
}

const HEAD = `# toNodeFs and Node's fs.promises

\`toNodeFs(workspace)\` is a workspace in the shape of Node's \`fs\`, for code that expects one:

\`\`\`ts
import { createWorkspace, toNodeFs } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'

const workspace = createWorkspace({ fs: createMemoryFs({ files: { 'a.txt': 'one' } }) })
const { promises } = toNodeFs(workspace)
console.log(await promises.readFile('/workspace/a.txt', 'utf8'))
\`\`\`

\`promises\` has the methods, arguments, options, results and error codes of Node's \`fs.promises\`. Paths are text, bytes or \`file:\` URLs.

A test makes the same calls with Node and with a workspace on equal directories. It compares the result, the error code and the files afterwards, and writes this page (\`npx vitest run test/workspace/node-fs -u\`).

| Method | Calls | Different from Node |
|-|-|-|
`

const MIDDLE = `
## Not supported

- Missing methods: \`open opendir cp truncate link lchown lchmod lutimes chown mkdtemp watch statfs glob constants\`. A workspace has no descriptors, owners, hard links or watchers. Use \`workspace.copy\` and \`workspace.walk\` instead.
- A storage keeps one time. \`atime\`, \`ctime\` and \`birthtime\` equal \`mtime\`, and \`utimes\` ignores the access time.
- \`access\` checks the permission bits only, not the user.

## Every difference

`

const ROW = `| Method | Arguments | Node | toNodeFs |
|-|-|-|-|
`
