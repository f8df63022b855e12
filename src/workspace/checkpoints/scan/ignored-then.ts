import { lazy } from '../../../core/lazy.js'
import type { IgnoreScope } from '../../../ops/ignore.js'
import { baseName, joinPath, parentPath } from '../../paths.js'
import type { Manifest } from './manifest.js'

const ignoring = lazy(() => import('../../../ops/ignore.js'))
const decoder = new TextDecoder()

/**
 * Whether a path was left out of a manifest by the rules that held then. It may have been there all the same: nobody knows, and so it is
 * no difference, and a restore leaves it alone.
 */
export class IgnoredThen {
  readonly #manifest: Manifest
  readonly #read: (blob: string, path: string) => Promise<Uint8Array>
  readonly #scopes = new Map<string, IgnoreScope | 'ignored' | undefined>()

  constructor(manifest: Manifest, read: (blob: string, path: string) => Promise<Uint8Array>) {
    this.#manifest = manifest
    this.#read = read
  }

  async has(path: string, isDirectory: boolean): Promise<boolean> {
    const scope = await this.#scopeOf(parentPath(path))
    return scope === 'ignored' || (scope?.ignores(baseName(path), isDirectory ? 'dir' : 'file') ?? false)
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
    if (above === 'ignored' || above?.ignores(name, 'dir')) return 'ignored'
    const inherited = above?.enter(name)
    const path = joinPath(folder, '.gitignore')
    const rules = this.#manifest.entries.get(path)
    if (rules?.kind !== 'file' || rules.blob === undefined) return inherited
    return (inherited ?? (await ignoring()).NO_RULES).add(decoder.decode(await this.#read(rules.blob, path)))
  }
}
