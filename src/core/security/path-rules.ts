import type { Access } from '../../types/workspace.js'
import { componentsOf, isWithin, pathProblem } from './path-text.js'
import type { SecuritySettings } from './types.js'

interface Root {
  readonly path: string
  readonly parts: readonly string[]
  readonly read: boolean
  readonly write: boolean
}

/** A rule for a path relative to the workspace. */
export interface InsideRule {
  readonly path: string
  /** Default: read and write. */
  readonly access?: Access
  readonly reason: string
}

interface Forbidden {
  readonly path: string
  readonly parts: readonly string[]
  readonly home: boolean
}

type PathSettings = Pick<SecuritySettings, 'workspaceRoot' | 'workspaceOnly' | 'forbiddenPaths' | 'allowedRoots'>

/** Allows or rejects paths by their text, without access to files. */
export class PathRules {
  readonly #workspace: Root
  /** The allowed roots and the workspace, deepest first. */
  readonly #roots: readonly Root[]
  readonly #forbidden: readonly Forbidden[]
  readonly #workspaceOnly: boolean

  constructor({ workspaceRoot, workspaceOnly, forbiddenPaths, allowedRoots }: PathSettings) {
    this.#workspace = { path: workspaceRoot, parts: componentsOf(workspaceRoot), read: true, write: true }
    const others = allowedRoots.map(({ path, access }) => ({
      path,
      parts: componentsOf(path),
      read: access !== 'write-only',
      write: access !== 'read-only',
    }))
    this.#roots = [...others, this.#workspace].sort((a, b) => b.parts.length - a.parts.length)
    this.#forbidden = forbiddenPaths.map((path) => this.#toForbidden(path))
    this.#workspaceOnly = workspaceOnly
    this.hasInside = this.inside().length > 0
  }

  /** Whether a path inside the workspace can be rejected. */
  readonly hasInside: boolean

  /**
   * Returns the reason to reject a path; undefined if the path is allowed. Relative paths start at `cwd`, an absolute path (default: the
   * workspace's root). `globs`: a shell will expand `*`, `?` and `[` in the path.
   */
  problem(path: string, access: Access, cwd?: string, globs = false): string | undefined {
    const text = pathProblem(path, globs)
    if (text !== undefined) return text
    if (path.startsWith('~')) return this.#homeProblem(path)
    if (/^[a-z]:[/\\]/i.test(path)) return this.#workspaceOnly ? this.#outside() : undefined
    const base = cwd === undefined ? this.#workspace.parts : componentsOf(cwd)
    const parts = isAbsolute(path) ? withoutPrivate(componentsOf(path)) : [...base, ...componentsOf(path)]
    const root = this.#rootOf(parts)
    const depth = root?.parts.length ?? -1
    const forbidden = this.#forbidden.find(
      (entry) => !entry.home && entry.parts.length > depth && isWithin(parts, entry.parts, true, globs),
    )
    if (forbidden && (root || !this.#workspaceOnly)) return `"${forbidden.path}" is forbidden by the policy`
    if (!root) return this.#workspaceOnly ? this.#outside() : undefined
    if (access === 'write' && !root.write) return `"${root.path}" may only be read`
    if (access === 'read' && !root.read) return `"${root.path}" may only be written`
    return undefined
  }

  isInside(path: string): boolean {
    return isWithin(componentsOf(path), this.#workspace.parts)
  }

  /** Forbidden and restricted paths inside the workspace, relative to its root. */
  inside(): readonly InsideRule[] {
    const depth = this.#workspace.parts.length
    const below = ({ parts }: { readonly parts: readonly string[] }): boolean =>
      parts.length > depth && isWithin(parts, this.#workspace.parts)
    const relative = (parts: readonly string[]): string => parts.slice(depth).join('/')
    const forbidden = this.#forbidden.filter((entry) => !entry.home && below(entry) && !this.#roots.some((root) => covers(root, entry)))
    return [
      ...forbidden.map(({ parts, path }) => ({ path: relative(parts), reason: `"${path}" is forbidden by the policy` })),
      ...this.#roots.filter(below).flatMap(({ parts, path, read, write }): readonly InsideRule[] => {
        if (!write) return [{ path: relative(parts), access: 'write', reason: `"${path}" may only be read` }]
        return read ? [] : [{ path: relative(parts), access: 'read', reason: `"${path}" may only be written` }]
      }),
    ]
  }

  #toForbidden(path: string): Forbidden {
    if (path.startsWith('~')) return { path, parts: componentsOf(path.slice(1)), home: true }
    return { path, parts: isAbsolute(path) ? componentsOf(path) : [...this.#workspace.parts, ...componentsOf(path)], home: false }
  }

  #rootOf(parts: readonly string[]): Root | undefined {
    return this.#roots.find((root) => isWithin(parts, root.parts))
  }

  /** Checks a path below a home directory. The real location is unknown here, so only forbidden paths that begin with `~` apply. */
  #homeProblem(path: string): string | undefined {
    if (this.#workspaceOnly) return this.#outside()
    const parts = componentsOf(path.slice(1))
    const hit = this.#forbidden.find(({ home, parts: prefix }) => home && isWithin(parts, prefix, true, true))
    return hit && `"${hit.path}" is forbidden by the policy`
  }

  #outside(): string {
    const others = this.#roots.filter((root) => root !== this.#workspace).map(({ path }) => `"${path}"`)
    return `it is outside the workspace "${this.#workspace.path}"${others.length > 0 ? ` and of ${others.join(', ')}` : ''}`
  }
}

const isAbsolute = (path: string): boolean => path.startsWith('/') || path.startsWith('\\')

const covers = (root: { readonly parts: readonly string[] }, entry: Forbidden): boolean =>
  root.parts.length >= entry.parts.length && isWithin(root.parts, entry.parts) && isWithin(entry.parts, root.parts)

/** On macOS, `/etc`, `/tmp` and `/var` are also reachable below `/private`. */
function withoutPrivate(parts: readonly string[]): readonly string[] {
  return parts[0] === 'private' && ['etc', 'var', 'tmp'].includes(parts[1] ?? '') ? parts.slice(1) : parts
}
