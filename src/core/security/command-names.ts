import type { SecuritySettings } from './types.js'

const SYSTEM = /^(?:\/usr|\/usr\/local|\/opt\/homebrew|\/opt\/local|\/snap)?\/s?bin\/[^/]+$/
const SHOWN = 30

export type Listing = 'explicit' | 'star' | 'none'

/** The commands that a policy allows. */
export class CommandNames {
  readonly star: boolean
  readonly #names: ReadonlySet<string>
  readonly #paths: ReadonlySet<string>
  readonly #shown: string

  constructor({ allowedCommands }: Pick<SecuritySettings, 'allowedCommands'>) {
    this.star = allowedCommands.includes('*')
    const entries = allowedCommands.filter((entry) => entry !== '*')
    this.#paths = new Set(entries.filter((entry) => entry.includes('/')))
    this.#names = new Set(entries.filter((entry) => !entry.includes('/')).map((entry) => entry.toLowerCase()))
    this.#shown = `${entries.slice(0, SHOWN).join(', ')}${entries.length > SHOWN ? ', ...' : ''}`
  }

  /**
   * Returns how the policy lists a command. A listed name matches in any case, bare or in a system directory: in any other directory the
   * program may be the agent's own.
   */
  listing(name: string): Listing {
    if (this.#paths.has(name)) return 'explicit'
    const base = name.split('/').at(-1)?.toLowerCase() ?? ''
    const isKnown = this.#names.has(base) || (base.endsWith('.exe') && this.#names.has(base.slice(0, -4)))
    if (isKnown && (!name.includes('/') || SYSTEM.test(name))) return 'explicit'
    return this.star ? 'star' : 'none'
  }

  isSystem(name: string): boolean {
    return !name.includes('/') || SYSTEM.test(name) || this.#paths.has(name)
  }

  /** Returns why the command is not allowed, and lists the allowed commands. */
  refusal(name: string): string {
    const allowed = this.#shown === '' ? 'the policy allows none' : `allowed are: ${this.#shown}`
    const base = name.split('/').at(-1) ?? ''
    const hint = name.includes('/') && this.#names.has(base.toLowerCase()) ? ` (only without a path, as "${base}")` : ''
    return `"${name}" is not an allowed command${hint}; ${allowed}`
  }
}
