import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import semver from 'semver'

/**
 * The path of Node 22.19 or later, for packages that need it. The variable NEWER_NODE names it if the tests run in an older version.
 * Undefined: there is none.
 */
export const NEWER_NODE: string | undefined =
  process.env.NEWER_NODE ?? (semver.gte(process.version, '22.19.0') ? process.execPath : undefined)

export interface NewFolder {
  readonly folder: string
  /** What npm printed if it could not install the packages; otherwise empty. */
  readonly problem: string
  remove(): Promise<void>
}

/** Installs packages into a new folder outside the repository, whose package has this name. */
export async function newFolder(name: string, packages: readonly string[], options: readonly string[] = []): Promise<NewFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'toolport-new-'))
  await writeFile(join(folder, 'package.json'), `{ "name": "${name}", "private": true, "type": "module" }\n`)
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...options, ...packages]
  const problem = await promisify(execFile)('npm', install, { cwd: folder }).then(
    () => '',
    ({ stderr }: { readonly stderr: string }) => stderr || 'npm failed',
  )
  return { folder, problem, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Whether the packages could not be installed because the registry cannot be reached. */
export const isUnreachable = ({ problem }: NewFolder): boolean => /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(problem)
