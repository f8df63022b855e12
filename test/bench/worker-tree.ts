import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

/** A tree of 100,000 files in a Durable Object, in its own workerd process. */
export interface WorkerTree {
  /** `list`: lists every directory through the adapter; `walk`: the workspace's walk. @throws if entries are missing */
  call(what: 'list' | 'walk'): Promise<void>
  /**
   * Peak memory in bytes. `added`: above the memory before the call. `inAll`: above the memory before there was a tree. NaN except on
   * Linux.
   */
  peakOf(what: 'list' | 'walk'): Promise<{ readonly added: number; readonly inAll: number }>
  end(): Promise<void>
}

const FOLDERS = 1000
const AT_ONCE = 50

const WORKER = `
import { createWorkspace } from 'toolport'
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'

export class Tree {
  constructor(ctx) {
    this.fs = createDurableObjectFs({ storage: ctx.storage })
  }
  async fill(from, to) {
    for (let f = from; f < to; f++) {
      await this.fs.mkdir('/package-' + f)
      for (let i = 0; i < 100; i++) await this.fs.write('/package-' + f + '/component-' + i + '.ts', new Uint8Array(1))
    }
    return 0
  }
  async list(path = '/') {
    let count = 0
    for (const { name, kind } of await this.fs.readdir(path)) count += 1 + (kind === 'dir' ? await this.list(path === '/' ? '/' + name : path + '/' + name) : 0)
    return count
  }
  async walk() {
    let count = 0
    for await (const entries of createWorkspace({ fs: this.fs }).walk('.')) count += entries.length
    return count
  }
  async fetch(request) {
    const [what, ...numbers] = new URL(request.url).pathname.slice(1).split('/')
    return new Response(String(await this[what](...numbers.map(Number))))
  }
}
export default { fetch: (request, env) => env.TREE.get(env.TREE.idFromName('tree')).fetch(request) }
`

export async function createWorkerTree(): Promise<WorkerTree> {
  const { outputFiles } = await build({
    stdin: { contents: WORKER, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // The package is free of side effects, so esbuild warns about each import of a chunk.
    logLevel: 'error',
  })
  const others = new Set(workersBelow())
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: outputFiles[0]?.text ?? '',
      compatibilityDate: '2026-07-01',
      durableObjects: { TREE: { className: 'Tree', useSQLite: true } },
    }),
  )
  const ask = async (path: string): Promise<number> => Number(await (await miniflare.dispatchFetch(`http://tree/${path}`)).text())
  await ask('list')
  const pid = workersBelow().find((worker) => !others.has(worker))
  const empty = pid === undefined ? Number.NaN : residentOf(pid, 'VmRSS')
  for (let from = 0; from < FOLDERS; from += AT_ONCE) await ask(`fill/${from}/${from + AT_ONCE}`)

  async function call(what: 'list' | 'walk'): Promise<void> {
    const count = await ask(what)
    if (count !== FOLDERS * 101) throw new Error(`The ${what} found ${count} entries`)
  }

  return {
    call,
    async peakOf(what) {
      if (pid === undefined) return { added: Number.NaN, inAll: Number.NaN }
      // Resets the peak (VmHWM).
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      const before = residentOf(pid, 'VmRSS')
      await call(what)
      const peak = residentOf(pid, 'VmHWM')
      return { added: peak - before, inAll: peak - empty }
    },
    end: () => miniflare.dispose(),
  }
}

function residentOf(pid: string, mark: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`${mark}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** Process ids of the workerd processes that this process has started. */
function workersBelow(): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').filter((pid) => {
    try {
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return name === 'workerd' && Number(parent) === process.pid
    } catch {
      // Not a process, or a process that has exited.
      return false
    }
  })
}
