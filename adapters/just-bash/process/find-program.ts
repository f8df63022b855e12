import { isBuiltin } from '../commands/shared/shell-words.js'
import type { Context } from '../library-types.js'

/** A program in the library's format. */
export type Program =
  | { readonly cmd: unknown; readonly path: string }
  | { readonly script: true; readonly path: string }
  | { readonly error: 'not_found' | 'permission_denied'; readonly path: string }

interface ProgramFile {
  /** Path to print: the folder as written in PATH, plus the name. */
  readonly shown: string
  readonly path: string
  readonly executable: boolean
}

/** Finds the program for `name`. Resolves to null if there is none. */
export async function findProgram(context: Context, name: string, path: string = pathIn(context)): Promise<Program | null> {
  const { commands, state } = context
  // The shell's own commands are in `/bin` and `/usr/bin`. If PATH begins with one of these, no search is necessary.
  const folder = isBuiltin(name) ? '/usr/bin' : /^(?:\/usr)?\/bin(?=:|$)/.exec(path)?.[0]
  const command = folder === undefined ? undefined : commands.get(name)
  if (command !== undefined) return { cmd: command, path: `${folder}/${name}` }
  // `hash -p` adds entries whose path ends with another name. Search again for other entries, because PATH may have changed.
  const hashed = state.hashTable?.get(name)
  if (hashed !== undefined && !hashed.endsWith(`/${name}`)) {
    const found = await findProgram(context, hashed)
    if (found && !('error' in found)) return found
  }
  let denied: Program | undefined
  for await (const file of programFiles(context.fs, context.state.cwd, name, path)) {
    if (file.executable) return programAt(context, file.path)
    denied ??= { error: 'permission_denied', path: file.path }
  }
  if (denied) return denied
  if (name.includes('/')) return { error: 'not_found', path: name }
  return (await needsNoFile(context, name)) ? { cmd: context.commands.get(name), path: `/usr/bin/${name}` } : null
}

/** Returns the path that `type` and `command -v` print: the first executable file, or else the first file in PATH. */
export async function pathOf(context: Context, name: string): Promise<string | undefined> {
  let first: string | undefined
  for await (const { shown, executable } of programFiles(context.fs, context.state.cwd, name, pathIn(context))) {
    if (executable) return shown
    if (!name.includes('/')) first ??= shown
  }
  return first ?? ((await needsNoFile(context, name)) ? `/usr/bin/${name}` : undefined)
}

/** Whether a command works without a file, because the file system has no command folder. */
const needsNoFile = async ({ commands, fs }: Context, name: string): Promise<boolean> =>
  commands.has(name) && !(await fs.exists('/usr/bin'))

/** The output of `type` for a file. */
export const describeFile = ({ state }: Context, name: string, path: string): string =>
  state.hashTable?.has(name) ? `${name} is hashed (${path})` : `${name} is ${path}`

/** Returns the paths of all executable files for `name`. */
export async function pathsOf(context: Context, name: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { shown, executable } of programFiles(context.fs, context.state.cwd, name, pathIn(context)))
    if (executable) paths.push(shown)
  return paths
}

const pathIn = ({ state }: Context): string => state.env.get('PATH') ?? ''

/** Yields all candidate files for `name`. An empty folder in `path` means the working directory. */
export async function* programFiles(
  fs: Context['fs'],
  cwd: string,
  name: string,
  path: string,
): AsyncGenerator<ProgramFile, void, undefined> {
  const candidates = name.includes('/')
    ? [name]
    : path.split(':').map((folder) => `${folder === '' ? '.' : folder.replace(/\/+$/, '')}/${name}`)
  for (const shown of candidates) {
    const absolute = fs.resolvePath(cwd, shown)
    if (!(await fs.exists(absolute))) continue
    const found = await fs.stat(absolute).catch(() => undefined)
    if (found && (!found.isDirectory || name.includes('/')))
      yield { shown, path: absolute, executable: !found.isDirectory && (found.mode & 0o111) !== 0 }
  }
}

function programAt({ commands }: Context, path: string): Program {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const command = /^(?:\/usr)?\/bin\/[^/]+$/.test(path) ? commands.get(name) : undefined
  return command === undefined ? { script: true, path } : { cmd: command, path }
}
