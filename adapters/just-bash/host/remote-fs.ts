import { FsError } from '../../../src/errors/index.js'
import { Routes } from '../../../src/workspace/facades/routes.js'
import type { BashFs } from '../../../src/workspace/facades/to-bash-fs.js'
import { joinPath } from '../../../src/workspace/paths.js'
import type { Line } from '../../shared/worker/rpc.js'

type Method = Exclude<keyof BashFs, 'resolvePath' | 'getAllPaths'>

/** Methods whose calls are sent to the other side. */
const METHODS = [
  'readFile',
  'readFileBuffer',
  'writeFile',
  'appendFile',
  'exists',
  'stat',
  'lstat',
  'mkdir',
  'readdir',
  'readdirWithFileTypes',
  'rm',
  'cp',
  'mv',
  'replace',
  'chmod',
  'symlink',
  'link',
  'readlink',
  'realpath',
  'utimes',
] as const satisfies readonly Method[]

/** Methods that change nothing. */
const LOOKS: ReadonlySet<string> = new Set<Method>([
  'readFile',
  'readFileBuffer',
  'exists',
  'stat',
  'lstat',
  'readdir',
  'readdirWithFileTypes',
  'readlink',
  'realpath',
])

/**
 * Returns a file system on the other side of a connection. Performs recursive operations entry by entry, so that they stop when the
 * connection closes.
 */
export function remoteFs(line: Line, cwd: string): BashFs {
  const paths = new Routes([], cwd)
  const asked = METHODS.map((method) => [method, (...args: readonly unknown[]) => line.ask('fs', [method, ...args])])
  const local: Pick<BashFs, 'resolvePath' | 'getAllPaths'> = {
    resolvePath: (base, path) => path && paths.absolute(path, base),
    getAllPaths: () => [],
  }
  const fs: BashFs = { ...(Object.fromEntries(asked) as Omit<BashFs, keyof typeof local>), ...local }
  const cp: BashFs['cp'] = (from, to, options) =>
    options?.recursive ? copyTree(fs, paths.absolute(from), paths.absolute(to)) : fs.cp(from, to, options)
  return { ...fs, cp }
}

/** Answers requests of `remoteFs`. */
export function answerFs(fs: BashFs, [method, ...args]: readonly unknown[]): Promise<unknown> {
  const known = METHODS.find((name) => name === method)
  if (!known) throw new Error('the page and its worker are of different versions of this library')
  const run = fs[known] as (...given: readonly unknown[]) => Promise<unknown>
  return run.apply(fs, args).then((value) => (value instanceof Uint8Array ? whole(value) : value))
}

/** Whether a call may change the command folders. */
export function touchesCommands([method, ...args]: readonly unknown[]): boolean {
  return !LOOKS.has(method as string) && args.some((arg) => typeof arg === 'string' && /^\/(?:usr\/)?bin(?:\/|$)/.test(arg))
}

/** Copies a view of a larger buffer, because sending the view would transfer the whole buffer. */
const whole = (bytes: Uint8Array): Uint8Array => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))

type Steps = Pick<BashFs, 'lstat' | 'cp' | 'mkdir' | 'readdirWithFileTypes'>

/** Copies like `cp` with `recursive`, but one file at a time. Stops at the first error. @throws {FsError} */
async function copyTree(fs: Steps, from: string, to: string): Promise<void> {
  const { isDirectory } = await fs.lstat(from)
  if (!isDirectory) return fs.cp(from, to, { recursive: true })
  if (`${to}/`.startsWith(`${from}/`)) throw new FsError({ code: 'EINVAL', op: 'copy', path: from, dest: to })
  await copyFolder(fs, from, to)
}

async function copyFolder(fs: Steps, from: string, to: string): Promise<void> {
  await fs.mkdir(to, { recursive: true })
  for (const { name, isDirectory } of await fs.readdirWithFileTypes(from)) {
    const [source, dest] = [joinPath(from, name), joinPath(to, name)]
    if (isDirectory) await copyFolder(fs, source, dest)
    else await fs.cp(source, dest, { recursive: true })
  }
}
