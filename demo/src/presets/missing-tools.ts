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

/** The tools of a runtime that this page cannot run, in words; empty: there are none. */
export function missingTools({ registry, available }: ToolRuntime): string {
  const byReason = new Map<string, string[]>()
  for (const { name, requires = [] } of registry.list()) {
    const lacking = requires.find((one) => !available.has(one))
    if (lacking) byReason.set(NAMES[lacking], [...(byReason.get(NAMES[lacking]) ?? []), name])
  }
  return [...byReason].map(([reason, names]) => told(names, reason)).join(' ')
}

/** A long list would take the room of the form. */
const SHOWN_NAMES = 3

const told = (names: readonly string[], reason: string): string =>
  names.length > SHOWN_NAMES ? `${names.length} left out: no ${reason}.` : `Left out: ${names.join(', ')} (no ${reason} here).`
