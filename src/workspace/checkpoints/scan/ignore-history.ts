import { lazy } from '../../../core/lazy.js'
import type { IgnoreScope } from '../../../ops/ignore.js'
import type { Host } from '../../../types/host.js'
import { baseName, joinPath, parentPath } from '../../paths.js'
import { inSlices, Slicer } from '../../slicer.js'
import type { Manifest } from './manifest.js'

const ignoring = lazy(() => import('../../../ops/ignore.js'))
const decoder = new TextDecoder()

/**
 * Tells which paths the ignore rules of a manifest excluded. Such a path may have existed, so a missing entry is not a difference, and a
 * restore does not touch the path.
 */
export class IgnoredThen {
  readonly #manifest: Manifest
  readonly #slicer: Slicer
  readonly #read: (blob: string, path: string) => Promise<Uint8Array>
  readonly #scopes = new Map<string, IgnoreScope | 'ignored' | undefined>()

  constructor(manifest: Manifest, host: Host, read: (blob: string, path: string) => Promise<Uint8Array>) {
    this.#manifest = manifest
    this.#slicer = new Slicer(host)
    this.#read = read
  }

  async has(path: string, isDirectory: boolean): Promise<boolean> {
    const scope = await this.#scopeOf(parentPath(path))
    return scope === 'ignored' || (await this.#ignores(scope, baseName(path), isDirectory))
  }

  async #ignores(scope: IgnoreScope | undefined, name: string, isDirectory: boolean): Promise<boolean> {
    if (!scope) return false
    await inSlices(scope.prepareSteps([name]), this.#slicer)
    return scope.ignores(name, isDirectory ? 'dir' : 'file')
  }

  async #scopeOf(folder: string): Promise<IgnoreScope | 'ignored' | undefined> {
    if (this.#scopes.has(folder)) return this.#scopes.get(folder)
    const scope = await this.#makeScope(folder)
    this.#scopes.set(folder, scope)
    return scope
  }

  async #makeScope(folder: string): Promise<IgnoreScope | 'ignored' | undefined> {
    const name = baseName(folder)
    const above = folder === '/' ? undefined : await this.#scopeOf(parentPath(folder))
    if (above === 'ignored' || (await this.#ignores(above, name, true))) return 'ignored'
    const inherited = above?.enter(name)
    const path = joinPath(folder, '.gitignore')
    const rules = this.#manifest.entries.get(path)
    if (rules?.kind !== 'file' || rules.blob === undefined) return inherited
    const text = decoder.decode(await this.#read(rules.blob, path))
    return inSlices((inherited ?? (await ignoring()).NO_RULES).addSteps(text), this.#slicer)
  }
}
