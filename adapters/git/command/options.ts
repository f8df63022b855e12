import { GitFault } from './fault.js'

const USAGE_STATUS = 129

export interface Given {
  /** Operands before `--`. */
  readonly operands: readonly string[]
  /** The operands after `--`, or undefined without `--`. */
  readonly paths: readonly string[] | undefined
  has(id: string): boolean
  /** Returns the value of the last occurrence. */
  value(id: string): string | undefined
  values(id: string): readonly string[]
}

interface Spec {
  readonly id: string
  readonly value: 'none' | 'required' | 'optional'
}

/**
 * Parses the options of a git command.
 *
 * @param specs options, separated by spaces. `|` separates the names of an option; the first name is the id. `=` requires a value, `=?`
 * allows one. `#` stands for a number (`-5`)
 * @throws {GitFault} in git's wording, with the available options
 */
export function parse(name: string, args: readonly string[], specs: string): Given {
  const known = new Map<string, Spec>()
  for (const spec of specs.split(/\s+/).filter((one) => one !== '')) {
    const value = spec.endsWith('=?') ? 'optional' : spec.endsWith('=') ? 'required' : 'none'
    const names = spec.replace(/=\??$/, '').split('|')
    for (const one of names) known.set(one, { id: names[0] as string, value })
  }
  const found: { id: string; value: string | undefined }[] = []
  const operands: string[] = []
  const rest = [...args]
  let paths: readonly string[] | undefined
  const refuse = (what: string): GitFault =>
    new GitFault(`error: ${what}\nusage: git ${name} [${[...known.keys()].map(dashed).join('] [')}]`, USAGE_STATUS)
  const take = (spec: Spec, shown: string, attached: string | undefined): void => {
    const value = attached ?? (spec.value === 'required' ? rest.shift() : undefined)
    if (value === undefined && spec.value === 'required') throw refuse(`${shown} requires a value`)
    found.push({ id: spec.id, value })
  }
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      paths = rest.splice(0)
      break
    }
    if (/^-\d+$/.test(arg) && known.has('#')) found.push({ id: '#', value: arg.slice(1) })
    else if (arg.startsWith('--')) {
      const [, given = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? []
      const spec = known.get(given)
      if (!spec || given.length < 2 || (value !== undefined && spec.value === 'none')) throw refuse(`unknown option \`${arg.slice(2)}'`)
      take(spec, `option \`${given}'`, value)
    } else if (arg.startsWith('-') && arg !== '-') {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg[at] as string
        const spec = known.get(letter)
        if (!spec) throw refuse(`unknown switch \`${letter}'`)
        const attached = spec.value === 'none' ? undefined : arg.slice(at + 1) || undefined
        take(spec, `switch \`${letter}'`, attached)
        if (spec.value !== 'none') break
      }
    } else operands.push(arg)
  }
  return {
    operands,
    paths,
    has: (id) => found.some((one) => one.id === id),
    value: (id) => found.findLast((one) => one.id === id)?.value,
    values: (id) => found.flatMap((one) => (one.id === id && one.value !== undefined ? [one.value] : [])),
  }
}

const dashed = (name: string): string => (name === '#' ? '-<n>' : name.length === 1 ? `-${name}` : `--${name}`)
