import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createWorkspace } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createNodeFs } from 'toolport/adapters/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { installPackages } from '../../src/packages/install/index.js'
import { type LoopbackRegistry, serveRegistry } from './install-server.js'
import { type Answer, type MadePackage, madeAnswers, recordedAnswer } from './install-support.js'

const run = promisify(execFile)
const NOT_FOUND: Answer = () => new Response('{}', { status: 404 })

export const text = (...path: string[]): Promise<string> => readFile(join(...path), 'utf8')

export async function listing(path: string): Promise<string[]> {
  const all = await readdir(path, { recursive: true })
  return all.filter((name) => !name.endsWith('.package-lock.json')).sort()
}

/** Compares npm and our installer on one registry on the loopback interface. */
export function besideNpm() {
  let registry: LoopbackRegistry
  let folder: string
  /** Answers for one test, instead of the recorded ones. */
  let made: Readonly<Record<string, Answer>> | undefined

  beforeAll(async () => {
    registry = await serveRegistry((path) => (made ? (made[path] ?? NOT_FOUND) : () => recordedAnswer(path)))
    folder = await realpath(await mkdtemp(join(tmpdir(), 'toolport-npm-')))
  })

  afterAll(async () => {
    registry.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs npm with the loopback registry, without this machine's settings. */
  async function npm(cwd: string, ...args: string[]): Promise<string> {
    const settings = [
      '--registry',
      registry.address,
      '--replace-registry-host',
      'always',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
    ]
    const own = ['--cache', join(folder, 'cache'), '--userconfig', join(folder, 'none'), '--globalconfig', join(folder, 'neither')]
    const env = { PATH: process.env.PATH, HOME: folder }
    const { stdout } = await run('npm', [...args, ...settings, ...own], { cwd, env })
    return stdout
  }

  async function projects(json: object): Promise<{ readonly ours: string; readonly theirs: string }> {
    const at = await mkdtemp(join(folder, 'case-'))
    const [ours, theirs] = [join(at, 'ours'), join(at, 'theirs')]
    for (const path of [ours, theirs]) {
      await mkdir(path)
      await writeFile(join(path, 'package.json'), `${JSON.stringify({ name: 'case', version: '1.0.0', ...json }, null, 2)}\n`)
    }
    return { ours, theirs }
  }

  async function install(root: string, packages: readonly string[] = [], options: { readonly dev?: boolean } = {}) {
    const workspace = createWorkspace({ fs: createNodeFs({ root }) })
    const asked: string[] = []
    const network = createFetch({ origins: [new URL(registry.address).origin] })
    const fetch: typeof network = {
      name: network.name,
      fetch: (request) => {
        asked.push(request.url.slice(registry.address.length))
        return network.fetch(request)
      },
    }
    const report = await installPackages(workspace, { packages, fetch, registry: registry.address, ...options })
    await workspace.close()
    return { report, asked }
  }

  afterEach(() => {
    made = undefined
  })

  /** Serves these packages for one test, instead of the recorded ones. */
  const serve = async (packages: readonly MadePackage[]): Promise<void> => {
    made = await madeAnswers(packages)
  }

  return { npm, projects, install, serve }
}
