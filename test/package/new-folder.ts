import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import semver from 'semver'
import { onTestFinished } from 'vitest'

/**
 * The path of Node 22.19 or later, for packages that need it. The variable NEWER_NODE names it if the tests run in an older version.
 * Undefined if there is no such Node.
 */
export const NEWER_NODE: string | undefined =
  process.env.NEWER_NODE ?? (semver.gte(process.version, '22.19.0') ? process.execPath : undefined)

/** The search path for commands, with `NEWER_NODE` first. */
export const NEWER_PATH: string = [...(NEWER_NODE ? [dirname(NEWER_NODE)] : []), process.env.PATH].join(':')

export interface NewFolder {
  readonly folder: string
  /** What npm printed if it could not install the packages; otherwise empty. */
  readonly problem: string
  remove(): Promise<void>
}

const QUIET = ['--prefer-offline', '--no-audit', '--no-fund']

/** Installs packages into a new folder outside the repository, whose package has this name. */
export async function newFolder(name: string, packages: readonly string[], options: readonly string[] = []): Promise<NewFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'toolport-new-'))
  await writeFile(join(folder, 'package.json'), `{ "name": "${name}", "private": true, "type": "module" }\n`)
  return prepared(folder, 'npm', ['install', ...QUIET, ...options, ...packages])
}

/** Runs the commands of a page in a new, empty folder outside the repository. */
export async function folderAfter(commands: string, env: NodeJS.ProcessEnv): Promise<NewFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'toolport-new-'))
  return prepared(folder, 'sh', ['-ec', commands], { ...env, npm_config_prefer_offline: 'true' })
}

async function prepared(folder: string, file: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<NewFolder> {
  const problem = await promisify(execFile)(file, args, { cwd: folder, ...(env && { env }) }).then(
    () => '',
    ({ stderr }: { readonly stderr: string }) => stderr || `${file} failed`,
  )
  return { folder, problem, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Whether the packages could not be installed because the registry cannot be reached. */
export const isUnreachable = ({ problem }: NewFolder): boolean => /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(problem)

/** Starts a server with `npx`, until the test ends. Resolves to the loopback address that the server prints. */
export function serveWithNpx(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const server = spawn('npx', ['--no-install', ...args], { cwd, env: { ...env, NO_COLOR: '1' }, detached: true })
  const closed = once(server, 'close')
  onTestFinished(async () => {
    // Ends the whole process group: npx, the server and its workers.
    if (server.exitCode === null) process.kill(-(server.pid as number))
    await closed
  })
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (text: Buffer) => {
        output += text
        const [address] = /http:\/\/(?:127\.0\.0\.1|localhost):\d+\/?(?=\s)/.exec(output) ?? []
        if (address) resolve(address)
      })
    server.once('exit', () => reject(new Error(`npx ${args.join(' ')} ended: ${output}`)))
  })
}
