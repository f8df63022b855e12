import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { createWorkspace, type JsAdapter, type Workspace } from 'toolport'
import { createWebContainerFs, createWebContainerJs, type WebContainerProcessesLike } from 'toolport/adapters/webcontainer'
import type { FakeCall, FakeFaults } from './webcontainer-fake.js'
import { FakeProcesses, type ProgramIo } from './webcontainer-fake-processes.js'

/**
 * A fake container with files in a temporary directory and the machine's `node`, on one terminal. Its working directory is that directory,
 * so that all paths are the same on both sides.
 */
export class DiskContainer {
  readonly dir: string = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-webcontainer-')))
  readonly processes: FakeProcesses
  readonly calls: string[] = []
  faults: Pick<FakeFaults, 'before' | 'after'> = {}
  readonly #children = new Set<ChildProcess>()
  #torn = false

  constructor() {
    this.processes = new FakeProcesses({ kind: 'dir', entries: new Map() }, this.dir)
    this.processes.commands.set('node', (io) => this.#node(io))
  }

  /** Typed as the real API: this does not compile if a member is missing or extra. */
  get api(): WebContainerProcessesLike {
    return {
      fs: {
        readdir: (path, options) => this.#call('readdir', path, () => readdir(join(this.dir, path), options)),
        readFile: (path) => this.#call('readFile', path, async () => new Uint8Array(await readFile(join(this.dir, path)))),
        writeFile: (path, data) => this.#call('writeFile', path, () => writeFile(join(this.dir, path), data)),
        mkdir: (path) => this.#call('mkdir', path, () => mkdir(join(this.dir, path))),
        rm: (path, options) => this.#call('rm', path, () => rm(join(this.dir, path), options)),
        rename: (from, to) => this.#call('rename', from, () => rename(join(this.dir, from), join(this.dir, to))),
      },
      mount: () => Promise.reject(new Error('It does not mount')),
      spawn: (command, args, options) => this.processes.spawn(command, args, options),
      path: '/usr/bin:/bin',
      workdir: this.dir,
    }
  }

  teardown(): void {
    this.#torn = true
    this.processes.teardown()
  }

  /** Hidden entries beside the workspace's folder. */
  async left(): Promise<string[]> {
    return (await readdir(this.dir)).filter((name) => name.startsWith('.'))
  }

  dispose(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.dir, { recursive: true, force: true })
  }

  /** Not `async`, because the client throws synchronously after a teardown. */
  #call<T>(call: FakeCall, path: string, body: () => Promise<T>): Promise<T> {
    if (this.#torn) throw new Error('Proxy has been released and is not useable')
    this.calls.push(`${call} ${path}`)
    return this.#answer(call, path, body)
  }

  async #answer<T>(call: FakeCall, path: string, body: () => Promise<T>): Promise<T> {
    await this.faults.before?.(call, path)
    const answer = await body()
    await this.faults.after?.(call, path)
    return answer
  }

  /** Runs Node with both output streams on the terminal, decoded piece by piece, and without input. */
  #node({ args, terminal, options, signal }: ProgramIo): Promise<number> {
    const child = spawn(process.execPath, args, {
      cwd: join(this.dir, options.cwd ?? '.'),
      env: options.env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    signal.addEventListener('abort', () => child.kill('SIGKILL'))
    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder('utf8')
      stream?.on('data', (chunk: Buffer) => terminal.print(decoder.write(chunk)))
    }
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => {
        this.#children.delete(child)
        resolve(code ?? Number(signal.reason ?? 143))
      })
    })
  }
}

export interface JsInContainer {
  readonly container: DiskContainer
  readonly workspace: Workspace
  readonly js: JsAdapter
}

const ROOT = 'project'

/**
 * The adapter for Node in a folder of a fake container. `virtual`: the root of the workspace has another path than the folder in the
 * container.
 */
export function jsInContainer(virtual = false): JsInContainer {
  const container = new DiskContainer()
  const fs = createWebContainerFs({ container: container.api, root: ROOT })
  const workspace = createWorkspace({ fs, ...(!virtual && { root: `${container.dir}/${ROOT}` }) })
  return { container, workspace, js: createWebContainerJs()(workspace) }
}
