import type { Requirement, ToolRuntime } from 'toolport'
import type { SearchProxy, SearchService } from '../web-search/proxy-store.js'
import type { PresetChoice } from './choice.js'

const NAMES: Readonly<Record<Requirement, string>> = {
  shell: 'shell',
  'shell.spawn': 'processes',
  js: 'JavaScript',
  'js.spawn': 'JavaScript in the background',
  fetch: 'network',
  model: 'model',
  memory: 'memory',
  preview: 'preview',
  bundler: 'bundler',
}

const SERVICE_NAMES: Readonly<Record<SearchService, string>> = { exa: 'Exa', google: 'Google', serper: 'Serper' }

/** Describes the tools of a preset that this page cannot run. Empty if it can run all of them. */
export function missingTools({ registry, available }: ToolRuntime, { searches }: PresetChoice, proxy?: SearchProxy): string {
  const byReason = new Map<string, string[]>()
  const add = (reason: string, name: string): void => void byReason.set(reason, [...(byReason.get(reason) ?? []), name])
  for (const { name, requires = [] } of registry.list()) {
    const lacking = requires.find((one) => !available.has(one))
    if (lacking) add(`no ${NAMES[lacking]} here`, name)
  }
  for (const [name, services] of Object.entries(searches?.tools ?? {}))
    if (!registry.has(name))
      add(proxy ? `no ${services.map((one) => SERVICE_NAMES[one]).join(', ')} at the proxy` : 'no search service here', name)
  const all = [...byReason].map(([reason, names]) => told(names, reason))
  return all.length > 0 ? `Left out: ${all.join('; ')}.` : ''
}

/** Maximum number of names shown, because a long list would take too much space. */
const SHOWN_NAMES = 3

const told = (names: readonly string[], reason: string): string =>
  `${names.length > SHOWN_NAMES ? `${names.length} tools` : names.join(', ')} (${reason})`
