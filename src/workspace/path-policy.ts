import { lazy } from '../core/lazy.js'
import { FsError, PolicyError } from '../errors/index.js'
import type { Access, PathRule, WorkspacePolicy, WorkspaceScope } from '../types/workspace.js'
import { relativePath } from './paths.js'

/** Loads on first use: most workspaces have no rules. */
const globbing = lazy(() => import('../ops/glob.js'))

interface CompiledRule extends PathRule {
  readonly matches: (path: string) => boolean
}

/** Read-only mode and path rules, checked with resolved paths only. */
export class PathPolicy {
  readonly readOnly: boolean
  /** The settings that the policy was created from. */
  readonly given: WorkspacePolicy | undefined
  readonly #root: string
  readonly #rules: readonly PathRule[]
  readonly #fold: (text: string) => string
  #compiled: readonly CompiledRule[] | undefined
  readonly #answers = new WeakMap<WorkspaceScope, Map<string, Promise<boolean>>>()

  /** @throws {TypeError} for a rule that can never match, because it would protect nothing */
  constructor(policy: WorkspacePolicy | undefined, root: string, caseSensitive = true) {
    this.readOnly = policy?.readOnly ?? false
    this.given = policy
    this.#root = root
    this.#fold = caseSensitive ? (text) => text : (text) => text.toLowerCase()
    this.#rules = [...(policy?.paths ?? [])]
    for (const rule of this.#rules) checkRule(rule)
  }

  /** Whether there are path rules, so that each path in a directory has to be checked. */
  get hasRules(): boolean {
    return this.#rules.length > 0
  }

  /** @throws {FsError} EROFS, EACCES; {PolicyError} `approval_required` */
  async check(access: Access, path: string, op: string, scope: WorkspaceScope): Promise<void> {
    if (access === 'write' && this.readOnly) throw new FsError({ code: 'EROFS', op, path })
    const rule = this.#rules.length === 0 ? undefined : await this.#find(access, relativePath(path, this.#root))
    if (!rule || rule.action === 'allow') return
    const { reason } = rule
    if (rule.action === 'deny') throw new FsError({ code: 'EACCES', op, path, detail: reason ?? 'a rule of the workspace forbids it' })
    if (await this.#ask(scope, { path, access, ...(reason !== undefined && { reason }) })) return
    const name = typeof rule.paths === 'string' ? rule.paths : rule.paths.join(', ')
    throw new PolicyError('approval_required', `Cannot ${op} "${path}": approval is required${reason ? `: ${reason}` : ''}`, name, reason)
  }

  /** Asks for approval once per path and access in a scope, because a tool checks, reads and writes a file in one call. */
  #ask(scope: WorkspaceScope, request: Parameters<NonNullable<WorkspaceScope['approve']>>[0]): Promise<boolean> {
    if (!scope.approve) return Promise.resolve(false)
    const answers = this.#answers.get(scope) ?? new Map<string, Promise<boolean>>()
    this.#answers.set(scope, answers)
    const key = `${request.access} ${request.path}`
    const answer = answers.get(key) ?? scope.approve(request)
    answers.set(key, answer)
    return answer
  }

  async #find(access: Access, relative: string): Promise<CompiledRule | undefined> {
    this.#compiled ??= await this.#compile()
    return this.#compiled.find((rule) => (rule.access === undefined || rule.access === access) && rule.matches(relative))
  }

  /** Compiles the rules. If a glob cannot be compiled, every check fails, so nothing is allowed by mistake. */
  async #compile(): Promise<readonly CompiledRule[]> {
    const { compileGlob } = await globbing()
    const fold = this.#fold
    return this.#rules.map((rule) => {
      const patterns = [rule.paths].flat().flatMap((pattern) => covering(fold(pattern)))
      const glob = compileGlob(patterns, { kind: 'any' })
      return { ...rule, matches: (path: string) => glob.matches(fold(path)) }
    })
  }
}

function checkRule({ paths, access, action }: PathRule): void {
  const patterns = [paths].flat()
  if (!patterns.every((pattern) => typeof pattern === 'string') || patterns.length === 0) {
    throw new TypeError('A path rule needs "paths": a glob or a list of globs')
  }
  const odd = patterns.find((pattern) => /^!?\/*$|\0|(?:^!?|\/)\.\.(?:\/|$)/.test(pattern))
  if (odd !== undefined) throw new TypeError(`The path rule ${JSON.stringify(odd)} matches nothing: write a glob without ".." or NUL`)
  const absolute = patterns.find((pattern) => /^!?\//.test(pattern))
  if (absolute !== undefined) throw new TypeError(`The path rule "${absolute}" begins with a slash: write it relative to the root`)
  if (access !== undefined && access !== 'read' && access !== 'write') {
    throw new TypeError(`The path rule "${patterns.join(', ')}" has access "${access}": use "read" or "write", or leave it out for both`)
  }
  if (action !== 'allow' && action !== 'deny' && action !== 'ask') {
    throw new TypeError(`The path rule "${patterns.join(', ')}" has action "${action}": use "allow", "deny" or "ask"`)
  }
}

/** Returns globs for a pattern and everything below its matches. A `!` glob already excludes everything below. */
function covering(pattern: string): string[] {
  const bare = pattern.replace(/\/+$/, '')
  return pattern.startsWith('!') || bare.endsWith('**') ? [bare] : [bare, `${bare}/**`]
}
