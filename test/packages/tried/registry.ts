import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createLimit } from '../../../src/ops/concurrency.js'
import { type LoopbackRegistry, serveRegistry } from '../install-server.js'
import recorded from './metadata.json' with { type: 'json' }

interface Recorded {
  readonly name: string
  readonly versions: Readonly<Record<string, { readonly dist: { readonly integrity: string; readonly tarball: string } }>>
}

const METADATA = recorded as unknown as Readonly<Record<string, Recorded>>
/** Base URL in the recorded metadata. */
const HOST = 'https://registry.example/'
const CACHE = fileURLToPath(new URL('../../../.cache/packages/', import.meta.url))
const TIMEOUT_MS = 60_000

type Tarball = Uint8Array<ArrayBuffer>

/**
 * Serves the recorded versions on the loopback interface, and nothing else. Tarballs that `.cache/packages` lacks are downloaded first, from
 * the registry that npm is configured for.
 *
 * @throws if a tarball is missing and cannot be downloaded, or is not the recorded one
 */
export async function serveTried(): Promise<LoopbackRegistry> {
  const tarballs = await readTarballs()
  return serveRegistry((path) => () => {
    const name = decodeURIComponent(path)
    const tarball = tarballs.get(name)
    if (tarball) return new Response(tarball)
    return Object.hasOwn(METADATA, name) ? Response.json(METADATA[name]) : Response.json({ error: 'Not found' }, { status: 404 })
  })
}

/** Path at the registry -> tarball. */
async function readTarballs(): Promise<Map<string, Tarball>> {
  await mkdir(CACHE, { recursive: true })
  const all = Object.values(METADATA).flatMap(({ versions }) => Object.values(versions).map(({ dist }) => dist))
  const limit = createLimit(6)
  const tarballs = new Map<string, Tarball>()
  const failed: string[] = []
  let registry: Promise<string> | undefined
  const read = async (path: string, integrity: string): Promise<void> => {
    try {
      const cached = await readCached(path, integrity)
      if (!cached) registry ??= npmRegistry()
      tarballs.set(path, cached ?? (await download(`${await registry}${path}`, path, integrity)))
    } catch (error) {
      failed.push(`${path} (${(error as Error).message})`)
    }
  }
  await Promise.all(all.map(({ tarball, integrity }) => limit(() => read(tarball.slice(HOST.length), integrity))))
  if (failed.length === 0) return tarballs
  throw new Error(
    `Cannot download ${failed.length} of ${all.length} tarballs, such as ${failed[0]}. Run this test once with access to npm's registry: it keeps the tarballs in .cache/packages.`,
  )
}

const cachePath = (path: string): string => CACHE + path.replaceAll('/', '+')

async function readCached(path: string, integrity: string): Promise<Tarball | undefined> {
  const bytes = await readFile(cachePath(path)).catch(() => undefined)
  return bytes && isIntact(bytes, integrity) ? new Uint8Array(bytes) : undefined
}

async function download(url: string, path: string, integrity: string): Promise<Tarball> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`the registry answered ${response.status}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (!isIntact(bytes, integrity)) throw new Error('the registry has another tarball than the recorded one')
  await writeFile(`${cachePath(path)}.new`, bytes)
  await rename(`${cachePath(path)}.new`, cachePath(path))
  return bytes
}

async function npmRegistry(): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
  return stdout.trim().replace(/\/?$/, '/')
}

function isIntact(bytes: Uint8Array, integrity: string): boolean {
  const [algorithm = ''] = integrity.split('-')
  return `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}` === integrity
}
