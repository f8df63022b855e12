import type { Requirement, ToolRuntime } from 'toolport'

const NAMES: Readonly<Record<Requirement, string>> = {
  shell: 'shell',
  'shell.spawn': 'processes',
  js: 'JavaScript',
  'js.spawn': 'JavaScript in the background',
  fetch: 'network',
  model: 'model',
  memory: 'memory',
}

/**
 * Tools that a preset has only where it is given an address to ask, and this page gives none: the registry does not know of them. `beside`: a
 * tool that no other preset has.
 */
const SEARCHES: readonly { readonly beside: string; readonly names: readonly string[] }[] = [
  { beside: 'list_checkpoints', names: ['web_search'] },
  { beside: 'oracle', names: ['web_search', 'web_search_serper'] },
  { beside: 'list_dir', names: ['search_web'] },
]

/** The tools of a runtime that this page cannot run, in words; empty: there are none. */
export function missingTools({ registry, available }: ToolRuntime): string {
  const byReason = new Map<string, string[]>()
  const add = (reason: string, name: string): void => void byReason.set(reason, [...(byReason.get(reason) ?? []), name])
  for (const { name, requires = [] } of registry.list()) {
    const lacking = requires.find((one) => !available.has(one))
    if (lacking) add(NAMES[lacking], name)
  }
  for (const { beside, names } of SEARCHES)
    if (registry.has(beside)) for (const name of names.filter((one) => !registry.has(one))) add('search service', name)
  const all = [...byReason].map(([reason, names]) => told(names, reason))
  return all.length > 0 ? `Left out: ${all.join('; ')}.` : ''
}

/** A long list would take the room of the form. */
const SHOWN_NAMES = 3

const told = (names: readonly string[], reason: string): string =>
  `${names.length > SHOWN_NAMES ? `${names.length} tools` : names.join(', ')} (no ${reason} here)`
