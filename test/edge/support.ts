import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import type { ToolResult } from 'toolport'
import { bundleEdge, startEdge } from '../../scripts/edge.mjs'

export const SCRIPT = 'toolport-edge'
export const CLASS = 'WorkspaceObject'

/** Limits for a busy machine, on which waiting for the CPU counts as a program's time. */
export const PATIENT = { STRETCH_MS: '10000', PROGRAM_MS: '60000', PROGRAM_MS_PER_MINUTE: '600000', OWN_TOOLS_MS: '120000' }

export interface EdgeOptions {
  /** Variables. Default: anyone may create a workspace. */
  readonly bindings?: Readonly<Record<string, string>>
  /** Main module. Default: the worker's own. */
  readonly entry?: string
  /** Whether to bind a Worker Loader. */
  readonly loader?: boolean
  /** Further Durable Object bindings -> class names. */
  readonly objects?: Readonly<Record<string, string>>
}

/** Main module -> its bundle. */
const bundles = new Map<string | undefined, ReturnType<typeof bundleEdge>>()

/** The worker in its own workerd on the loopback interface. Its storage survives `restart`. */
export class Edge {
  readonly #options: EdgeOptions
  readonly #modules: Awaited<ReturnType<typeof bundleEdge>>
  readonly #persist: string
  #miniflare: Miniflare
  #address = ''
  /** Stays the same after a restart, so that clients can reconnect. */
  #port = 0

  private constructor(options: EdgeOptions, modules: Awaited<ReturnType<typeof bundleEdge>>, persist: string) {
    this.#options = options
    this.#modules = modules
    this.#persist = persist
    this.#miniflare = this.#begin()
  }

  static async start(options: EdgeOptions = {}): Promise<Edge> {
    const bundle = bundles.get(options.entry) ?? bundleEdge(options.entry)
    bundles.set(options.entry, bundle)
    const modules = await bundle
    const edge = new Edge(options, modules, await mkdtemp(join(tmpdir(), 'toolport-edge-')))
    await edge.#ready()
    return edge
  }

  get address(): string {
    return this.#address
  }

  get miniflare(): Miniflare {
    return this.#miniflare
  }

  /** Restarts workerd, as a deployment or a crash does: everything in memory is lost. */
  async restart(): Promise<void> {
    await this.#miniflare.dispose()
    this.#miniflare = this.#begin()
    try {
      await this.#ready()
    } catch {
      // Another program may briefly use the port meanwhile, so try once more.
      await this.#miniflare.dispose().catch(() => {})
      this.#miniflare = this.#begin()
      await this.#ready()
    }
  }

  async stop(): Promise<void> {
    await this.#miniflare.dispose()
    await rm(this.#persist, { recursive: true, force: true })
  }

  /** Evicts the object from memory, as the platform does. */
  evict(id: string, webSockets: 'close' | 'hibernate' = 'hibernate'): Promise<void> {
    return this.#miniflare.unsafeEvictDurableObject(SCRIPT, CLASS, { id, webSockets })
  }

  /** The names of the tables that an object has. */
  async tables(id: string): Promise<readonly unknown[]> {
    const storage = await this.#miniflare.unsafeGetDurableObjectStorage(SCRIPT, CLASS, { id })
    return storage.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
  }

  /** All files of the storage, as they are on disk. */
  async stored(): Promise<readonly { readonly name: string; readonly bytes: Buffer }[]> {
    const entries = await readdir(this.#persist, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const read = await Promise.all(files.map(async (name) => ({ name, bytes: await readFile(name).catch(noneFor(name)) })))
    return read.flatMap(({ name, bytes }) => (bytes ? [{ name, bytes }] : []))
  }

  fetch(path: string, init?: RequestInit): Promise<Response> {
    return fetch(this.#address + path, init)
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  }

  async create(start: { readonly files?: Readonly<Record<string, string>>; readonly ttlMs?: number } = {}): Promise<Client> {
    const response = await this.post('/workspaces', start)
    if (response.status !== 201) throw new Error(`No workspace: ${response.status} ${await response.text()}`)
    return new Client(this, (await response.json()) as Created)
  }

  #begin(): Miniflare {
    const { bindings = { OPEN: 'true' }, objects = {}, loader = false } = this.#options
    return startEdge({
      modules: this.#modules,
      persist: this.#persist,
      bindings: { ...bindings },
      objects: { ...objects },
      loader,
      inspect: true,
      port: this.#port,
    })
  }

  async #ready(): Promise<void> {
    const url = await this.#miniflare.ready
    this.#address = url.origin
    this.#port = Number(url.port)
  }
}

/** Ignores missing temporary files, which SQLite creates and deletes beside its database. */
function noneFor(name: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code === 'ENOENT' && /-(wal|shm|journal)$/.test(name)) return undefined
    throw error
  }
}

export interface Created {
  readonly id: string
  readonly token: string
  readonly expiresAt: string
}

/** A client with its workspace and token. */
export class Client {
  readonly edge: Edge
  readonly id: string
  readonly token: string
  readonly expiresAt: string

  constructor(edge: Edge, { id, token, expiresAt }: Created) {
    this.edge = edge
    this.id = id
    this.token = token
    this.expiresAt = expiresAt
  }

  get path(): string {
    return `/workspaces/${this.id}`
  }

  get headers(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.token}` }
  }

  get(part = '', headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.edge.fetch(this.path + part, { headers: { ...this.headers, ...headers } })
  }

  async describe(): Promise<Description> {
    return (await (await this.get()).json()) as Description
  }

  delete(part = ''): Promise<Response> {
    return this.edge.fetch(this.path + part, { method: 'DELETE', headers: this.headers })
  }

  post(body: unknown, headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<Response> {
    return this.edge.fetch(`${this.path}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.headers, ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  }

  async call(name: string, input: object = {}): Promise<ToolResult> {
    const response = await this.post({ name, input })
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`)
    return (await response.json()) as ToolResult
  }

  /** Runs a call and returns its output. Throws if the call fails. */
  async output(name: string, input: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.call(name, input)
    if (!result.ok) throw new Error(`${name}: ${result.error}`)
    return result.output as Readonly<Record<string, unknown>>
  }

  /** Starts a background session and returns its id. */
  async background(command: string): Promise<string> {
    return String((await this.output('bash', { command, run_in_background: true })).session_id)
  }

  async events(
    name: string,
    input: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<AsyncIterableIterator<ServerEvent>> {
    const response = await this.post({ name, input }, { accept: 'text/event-stream', ...headers })
    return readEvents(response)
  }
}

export interface Description {
  readonly id: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly ttlMs: number
  readonly usage: {
    readonly bytes: number
    readonly files: number
    readonly calls: number
    readonly sessions: number
    readonly sockets: number
  }
  readonly quota: Readonly<Record<string, number>>
  readonly ownTools: { readonly loaded: number; readonly problems: readonly string[] }
}

export interface ServerEvent {
  /** `comment` for a comment line, which starts with a colon. */
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON it is
  readonly data: any
}

/** Parses server-sent events. */
export async function* readEvents(response: Response): AsyncIterableIterator<ServerEvent> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      yield eventOf(rest.slice(0, end))
      rest = rest.slice(end + 2)
    }
  }
}

function eventOf(block: string): ServerEvent {
  if (block.startsWith(':')) return { event: 'comment', data: block.slice(1).trim() }
  const field = (name: string): string =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? ''
  return { event: field('event'), data: JSON.parse(field('data')) }
}

export async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of all) items.push(item)
  return items
}

export async function errorOf(response: Response): Promise<{ readonly status: number; readonly code: string; readonly text: string }> {
  const text = await response.text()
  return { status: response.status, code: JSON.parse(text).error.code, text }
}

const DEADLINE_MS = 60_000

/** Waits until `holds` returns true. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${DEADLINE_MS} ms: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
