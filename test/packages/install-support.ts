import { createWorkspace } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createMemoryFs } from 'toolport/adapters/memory'
import { writeTar } from 'toolport/archive'
import { collectBytes, gzip } from '../../src/entries/archive.js'
import type { FsAdapter, Workspace } from '../../src/index.js'
import { type InstallOptions, type InstallReport, installPackages } from '../../src/packages/install/index.js'
import recorded from './registry/metadata.json'

/** Base URL in the recorded packages. */
export const REGISTRY = 'https://registry.example/'

const TARBALLS = import.meta.glob<string>('./registry/*.tgz', { query: '?url&inline', import: 'default' })

export type Answer = (request: {
  readonly url: string
  readonly headers: Headers
  readonly signal: AbortSignal
}) => Response | Promise<Response>

/** The recorded answer for a path of the registry (`nanoid`, `nanoid/-/nanoid-5.1.16.tgz`). */
export async function recordedAnswer(path: string): Promise<Response> {
  const tarball = /^(.+)\/-\/[^/]+-(\d[^/]*)\.tgz$/.exec(path)
  if (!tarball) {
    const metadata = (recorded as Record<string, unknown>)[path.replace('%2f', '/')]
    return metadata ? Response.json(metadata) : Response.json({ error: 'Not found' }, { status: 404 })
  }
  const load = TARBALLS[`./registry/${tarball[1]?.replace('/', '+')}-${tarball[2]}.tgz`]
  return load ? new Response(bytesOf(await load())) : new Response('', { status: 404 })
}

function bytesOf(dataUrl: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))
}

export interface Network {
  readonly fetch: InstallOptions['fetch']
  /** The requested paths, in order. */
  readonly asked: string[]
}

/** The real fetch adapter with a network that returns these answers by path, or else the recorded ones. */
export function network(answers: Readonly<Record<string, Answer>> = {}, base: string = REGISTRY): Network {
  const asked: string[] = []
  const fetch = createFetch({
    origins: [new URL(base).origin],
    fetch: async (url, init) => {
      if (!url.startsWith(base)) throw new TypeError(`asked for ${url}`)
      const path = url.slice(base.length)
      asked.push(path)
      const answer = answers[path]
      const request = { url, headers: new Headers(init.headers), signal: init.signal as AbortSignal }
      return answer ? answer(request) : recordedAnswer(path)
    },
  })
  return { fetch, asked }
}

/** A package that a test makes: fields of its package.json, and its other files. */
export interface MadePackage {
  readonly name: string
  readonly version: string
  readonly files?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

export async function tarballOf({ files = {}, ...json }: MadePackage): Promise<Uint8Array<ArrayBuffer>> {
  const all = { 'package.json': JSON.stringify(json), ...files }
  const entries = Object.entries(all).map(([path, text]) => {
    const content = new TextEncoder().encode(text)
    return { path: `package/${path}`, kind: 'file' as const, size: content.length, content }
  })
  return zipped(writeTar(entries))
}

export async function zipped(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await collectBytes(gzip(parts)))
}

export async function integrityOf(bytes: Uint8Array<ArrayBuffer>, algorithm = 'SHA-512'): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytes))
  return `${algorithm.toLowerCase().replace('-', '')}-${btoa(String.fromCharCode(...digest))}`
}

/** Registry answers for packages that a test makes. The last version of each package is `latest`. */
export async function madeAnswers(
  packages: readonly MadePackage[],
  tags: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {}
  const all = new Map<string, Record<string, unknown>>()
  for (const made of packages) {
    const { files: _, ...manifest } = made
    const { name, version } = made
    const bytes = await tarballOf(made)
    const path = `${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`
    answers[path] = () => new Response(bytes)
    const versions = all.get(name) ?? {}
    versions[version] = { ...manifest, dist: { tarball: REGISTRY + path, integrity: await integrityOf(bytes) } }
    all.set(name, versions)
  }
  for (const [name, versions] of all) {
    const latest = Object.keys(versions).at(-1)
    answers[name.replace('/', '%2f')] = () => Response.json({ name, 'dist-tags': { latest, ...tags[name] }, versions })
  }
  return answers
}

/** A network with a registry of these packages. Answers in `more` take precedence. */
export async function madeRegistry(packages: readonly MadePackage[], more: Readonly<Record<string, Answer>> = {}): Promise<Network> {
  return network({ ...(await madeAnswers(packages)), ...more })
}

// biome-ignore lint/suspicious/noExplicitAny: what is in it is for the test to say
type Json = any

export interface Project {
  readonly workspace: Workspace
  install(packages?: readonly string[], options?: Partial<InstallOptions>): Promise<InstallReport>
  json(path: string): Promise<Json>
  /** Path -> content of all entries. */
  tree(): Promise<Record<string, string | Uint8Array>>
}

export function project(
  { fetch }: Network,
  files: Readonly<Record<string, string>> = {},
  fs: FsAdapter = createMemoryFs({ files }),
): Project {
  const workspace = createWorkspace({ fs })
  return {
    workspace,
    install: (packages = [], options = {}) => installPackages(workspace, { packages, fetch, registry: REGISTRY, ...options }),
    json: async (path) => JSON.parse((await workspace.readText(path)).text),
    tree: () => workspace.files(),
  }
}

/** The error that an install rejects with. */
export async function failure(work: Promise<unknown>): Promise<Error & { code?: string; details?: Json }> {
  return work.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: unknown) => error as Error,
  )
}
