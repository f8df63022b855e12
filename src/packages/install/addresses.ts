import { NetworkError } from '../../errors/index.js'
import { shown } from './faults.js'

/** `URL` is standard in every runtime, but not in the type libraries of this project. */
declare const URL: {
  new (
    url: string,
  ): {
    readonly href: string
    readonly protocol: string
    readonly origin: string
    readonly pathname: string
    readonly username: string
    readonly password: string
    readonly search: string
    readonly hash: string
  }
  canParse(url: string): boolean
}

/** Returns the base URL of a registry, with a trailing slash. @throws {TypeError} */
export function registryBase(registry: string): string {
  const url = typeof registry === 'string' && URL.canParse(registry) ? new URL(registry) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('The option "registry" must be an http(s) address')
  if (url.username || url.password) throw new TypeError('The option "registry" has a user or password in it: pass them as a header')
  if (url.search || url.hash) throw new TypeError('The option "registry" must be an address without "?" and "#"')
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/** Returns the URL of a package's metadata. */
export function metadataAddress(base: string, name: string): string {
  return base + name.replace('/', '%2f')
}

/**
 * Returns the URL of a tarball at the registry in use, whatever host the metadata name.
 *
 * @throws {NetworkError} `blocked_origin`
 */
export function tarballAddress(base: string, name: string, resolved: string): string {
  const url = URL.canParse(resolved) ? new URL(resolved) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) {
    if (url.href.startsWith(base)) return url.href
    const usual = usualPath(name, url.pathname)
    if (usual !== undefined) return base + usual
    if (url.origin === new URL(base).origin) return url.href
  }
  throw new NetworkError(
    'blocked_origin',
    `Cannot install ${shown(name)}: its tarball is at ${shown(resolved)}, which is not an address of the registry in use`,
  )
}

/** Returns the part of a tarball's path that is the same at all registries: `@scope/name/-/name-1.0.0.tgz`. Undefined for other paths. */
function usualPath(name: string, pathname: string): string | undefined {
  for (const written of [name, name.replace('/', '%2f'), name.replace('/', '%2F')]) {
    const at = pathname.lastIndexOf(`/${written}/-/`)
    if (at >= 0) return pathname.slice(at + 1)
  }
  return undefined
}

/** Returns the usual URL of a tarball, for lock files that omit addresses. */
export function usualAddress(base: string, name: string, version: string): string {
  return `${base}${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`
}
