import { NetworkError } from '../../errors/index.js'
import type { Limit } from '../../ops/concurrency.js'
import { retryFetch } from '../../ops/retry.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { Host } from '../../types/host.js'
import type { FetchAdapter, FetchResponse } from '../../types/ports.js'
import { Slicer } from '../../workspace/slicer.js'
import { metadataAddress, tarballAddress, usualAddress } from './addresses.js'
import type { PackageEntry } from './entry.js'
import { installError, registryError, shown } from './faults.js'
import { checkIntegrity } from './integrity.js'
import { type Metadata, parseMetadata, pickVersion } from './pick-version.js'
import { parseSpec, type Spec } from './specs.js'

export interface RegistryOptions {
  readonly fetch: FetchAdapter
  /** Base URL of the registry, with a trailing slash. */
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  /** Prefetching happens only while fewer packages than this have been requested. */
  readonly prefetches: number
  readonly metadataBytes: number
  readonly packageBytes: number
  readonly nodeVersion: string | undefined
  readonly host: Host
  readonly limit: Limit
  readonly signal: AbortSignal
}

/** A registry client for one install. Downloads each package's metadata once. */
export interface Registry {
  /** Starts downloading metadata. Errors are reported when the metadata are used. */
  prefetch(registryName: string): void
  /** @throws {InputError} `unknown_package`, `no_version`; {NetworkError} */
  pick(spec: Spec, by: string): Promise<PackageEntry>
  /** Downloads and verifies the tarball of an entry. @throws {NetworkError} */
  tarball(name: string, entry: PackageEntry): Promise<Uint8Array>
}

/** `Accept` header that prefers abbreviated metadata. */
const ABBREVIATED = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*'

export function createRegistry(options: RegistryOptions): Registry {
  const { base, limit, host, signal, nodeVersion } = options
  const known = new Map<string, Promise<Metadata | 'unknown'>>()

  const abortable = createAbortable(signal)

  /** Downloads a response body. Undefined for 404. @throws {NetworkError} `http_status`, `too_large` */
  const get = (url: string, accept: string, what: string, maxBytes: number): Promise<Uint8Array | undefined> =>
    abortable(async (own) => {
      const headers = { ...options.headers, accept }
      const send = (): Promise<FetchResponse> => options.fetch.fetch({ url, method: 'GET', headers, signal: own })
      const response = await retryFetch(send, { host, signal: own })
      return response.status === 404 ? undefined : bodyOf(response, what, maxBytes)
    })

  const fetchMetadata = async (name: string): Promise<Metadata | 'unknown'> => {
    const what = `the description of ${shown(name)}`
    const bytes = await get(metadataAddress(base, name), ABBREVIATED, what, options.metadataBytes)
    return bytes ? parseMetadata(name, parseJson(name, bytes)) : 'unknown'
  }

  const metadata = (name: string): Promise<Metadata | 'unknown'> => {
    const before = known.get(name)
    if (before) return before
    const got = limit(() => fetchMetadata(name))
    // The code that awaits this reports the error, but no code may ever await a prefetch.
    got.catch(() => undefined)
    known.set(name, got)
    return got
  }

  const pick = async (spec: Spec, by: string): Promise<PackageEntry> => {
    const found = await metadata(spec.registryName)
    if (found === 'unknown') throw unknownPackage(spec.registryName, by)
    return pickVersion(found, spec, by, nodeVersion, new Slicer(host, { signal }))
  }

  /** Adds the tarball's URL and digest, which lock files may omit. */
  const completed = async (name: string, entry: PackageEntry): Promise<PackageEntry> => {
    if (entry.integrity !== undefined)
      return entry.resolved === undefined ? { ...entry, resolved: usualAddress(base, name, entry.version) } : entry
    const { resolved, integrity } = await pick(parseSpec(name, entry.version, ''), ' (of the lock file)')
    return { ...entry, ...(resolved !== undefined && { resolved }), ...(integrity !== undefined && { integrity }) }
  }

  return {
    prefetch(name) {
      if (known.size < options.prefetches) void metadata(name)
    },
    pick,
    async tarball(name, given) {
      const label = `${name}@${given.version}`
      const { resolved, integrity = '' } = await completed(name, given)
      if (resolved === undefined) throw registryError(`Cannot install ${label}: the registry does not say where its tarball is`)
      const address = tarballAddress(base, name, resolved)
      const what = `the tarball of ${label}`
      const bytes = await limit(() => get(address, '*/*', what, options.packageBytes))
      if (!bytes) throw new NetworkError('http_status', `Cannot install: the registry answered 404 for ${what}`, { httpStatus: 404 })
      await abortable(() => checkIntegrity(label, bytes, integrity))
      return bytes
    },
  }
}

function unknownPackage(name: string, by: string): Error {
  const message = `Cannot install ${shown(name)}${by}: the registry has no package of this name (404). Check the spelling`
  return installError('unknown_package', message, { package: name })
}

/** @throws {NetworkError} `http_status`, `too_large` */
async function bodyOf(response: FetchResponse, what: string, maxBytes: number): Promise<Uint8Array> {
  const { ok, status } = response
  if (!ok) {
    const why = status === 401 || status === 403 ? ': it is not allowed here' : ''
    throw new NetworkError('http_status', `Cannot install: the registry answered ${status} for ${what}${why}`, {
      httpStatus: status,
      retryable: status >= 500 || status === 429,
    })
  }
  const tooLarge = (): Error => new NetworkError('too_large', `Cannot install: ${what} is larger than the limit of ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge()
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length > maxBytes) throw tooLarge()
  return bytes
}

function parseJson(name: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes) ?? '')
  } catch {
    throw registryError(`Cannot install ${shown(name)}: the registry's answer is not JSON`)
  }
}

/** Runs work with its own signal. Rejects as soon as the outer signal aborts, even if the work ignores its signal. */
type Abortable = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Uses one listener for any number of tasks, because Node warns about more than ten listeners. */
function createAbortable(signal: AbortSignal): Abortable {
  const running = new Set<() => void>()
  const stopAll = (): void => {
    for (const stop of running) stop()
  }
  signal.addEventListener('abort', stopAll, { once: true })
  return (work) => {
    if (signal.aborted) return Promise.reject(signal.reason)
    const own = new AbortController()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        reject(signal.reason)
        own.abort(signal.reason)
      }
      running.add(stop)
      work(own.signal)
        .then(resolve, reject)
        .finally(() => running.delete(stop))
    })
  }
}
