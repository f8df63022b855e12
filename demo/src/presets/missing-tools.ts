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
  const parts = [...byReason].map(([reason, names]) => `${names.join(', ')} (no ${reason} here)`)
  return parts.length ? `Left out: ${parts.join('; ')}.` : ''
}
