import { loadCustomTools } from 'toolport'
import { GRANTS } from '../javascript/grants.js'
import { messageOf } from '../notice.js'
import type { Agent, Snapshot } from '../session.js'
import { isSearchTool } from '../web-search/search-tools.js'

const DIRECTORY = '.toolport/tools/'

/** A fingerprint of all tool files. Empty: no tool files. */
export function toolFilesOf({ versions }: Snapshot): string {
  return [...versions]
    .filter(([path]) => path.startsWith(DIRECTORY))
    .map(([path, version]) => `${path} ${version}`)
    .sort()
    .join('\n')
}

/** The tools that the workspace defines as files. */
export interface OwnTools {
  isOwn(agent: Agent, name: string): boolean
  /**
   * Loads the current tool files unless they are unchanged, and removes tools whose file is gone. Retries failed files when search tools
   * were added or removed, because of possible name conflicts. Returns problems with the files once. Never rejects.
   */
  load(agent: Agent, toolFiles: string): Promise<readonly string[]>
}

interface Known {
  /** Names of the tools that files cannot replace. */
  readonly others: ReadonlySet<string>
  files: string
  /** The search tools at the time of the last load. */
  searching: string
  problems: readonly string[]
  last: Promise<unknown>
}

export function createOwnTools(): OwnTools {
  const agents = new WeakMap<Agent, Known>()

  /** What is known about an agent. On first use, records the agent's other tools, before the workspace's own tools are loaded. */
  function knownOf(agent: Agent): Known {
    const { runtime } = agent
    const others = (): string[] => namesOf(runtime).filter((name) => !isSearchTool(runtime, name))
    const known = agents.get(agent) ?? { others: new Set(others()), files: '', searching: '', problems: [], last: Promise.resolve() }
    agents.set(agent, known)
    return known
  }

  const isOwn = ({ runtime }: Agent, { others }: Known, name: string): boolean => !others.has(name) && !isSearchTool(runtime, name)

  async function loadNow(agent: Agent, known: Known): Promise<readonly string[]> {
    const { runtime } = agent
    const before = namesOf(runtime)
    try {
      const { loaded, errors } = await loadCustomTools(runtime, { grants: GRANTS })
      const kept = new Set(loaded.map(({ name }) => name))
      for (const name of before) if (isOwn(agent, known, name) && !kept.has(name)) runtime.registry.unregister(name)
      return errors
    } catch (error) {
      return [messageOf(error)]
    }
  }

  async function loadChanged(agent: Agent, known: Known, files: string): Promise<readonly string[]> {
    const searching = searchingIn(agent.runtime)
    const isAgain = known.files === files
    if (isAgain && (known.problems.length === 0 || known.searching === searching)) return []
    const told = isAgain ? known.problems : []
    known.files = files
    known.searching = searching
    known.problems = await loadNow(agent, known)
    return known.problems.filter((problem) => !told.includes(problem))
  }

  return {
    isOwn: (agent, name) => isOwn(agent, knownOf(agent), name),
    async load(agent, toolFiles) {
      const known = knownOf(agent)
      const loading = known.last.then(() => loadChanged(agent, known, toolFiles))
      known.last = loading
      return loading
    },
  }
}

const namesOf = ({ registry }: Agent['runtime']): string[] => registry.list().map(({ name }) => name)

const searchingIn = (runtime: Agent['runtime']): string =>
  namesOf(runtime)
    .filter((name) => isSearchTool(runtime, name))
    .join(' ')
