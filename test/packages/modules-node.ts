import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface Ask {
  readonly kind: 'import' | 'require'
  /** Absolute path of the importer. */
  readonly from: string
  readonly specifier: string
}

/** A path, `node:x`, or an error code. */
export type Answer = string

/** `import.meta.resolve` does not fail for a missing file, so the script checks that the file exists. */
const SCRIPT = `
import { readFileSync, statSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
const named = (name) => (isBuiltin(name) ? (name.startsWith('node:') ? name : 'node:' + name) : name)
function lookAt(path) {
  try {
    return statSync(path)
  } catch {}
}
function byImport(from, specifier) {
  const url = import.meta.resolve(specifier, pathToFileURL(from).href)
  if (!url.startsWith('file:')) return url
  const path = fileURLToPath(url)
  const stat = lookAt(path.replace(/(.)\\/$/, '$1'))
  if (stat?.isDirectory()) return 'ERR_UNSUPPORTED_DIR_IMPORT'
  return stat?.isFile() ? path : 'ERR_MODULE_NOT_FOUND'
}
const answers = JSON.parse(readFileSync(0, 'utf8')).map(({ kind, from, specifier }) => {
  try {
    return kind === 'import' ? byImport(from, specifier) : named(createRequire(from).resolve(specifier))
  } catch (error) {
    // Node 20 has no error code for a package.json that does not parse if require reads it.
    return error.code ?? (/^Error parsing/.test(error.message) ? 'ERR_INVALID_PACKAGE_CONFIG' : String(error))
  }
})
process.stdout.write(JSON.stringify(answers))
`

/** Answers of this Node, from one process. */
export async function askNode(asks: readonly Ask[]): Promise<Answer[]> {
  const flags = ['--experimental-import-meta-resolve', '--no-warnings', '--input-type=module', '-e', SCRIPT]
  const child = promisify(execFile)(process.execPath, flags, { maxBuffer: 64 * 1024 * 1024, env: {} })
  child.child.stdin?.end(JSON.stringify(asks))
  return JSON.parse((await child).stdout) as Answer[]
}

/** Runs `body` with a folder that is removed afterwards. */
export async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'modules-')))
  try {
    return await body(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function writeTree(
  folder: string,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(target, join(folder, path))
  }
}
