import { loadCustomTools } from 'toolport'
import { GRANTS } from '../javascript/grants.js'
import { messageOf } from '../notice.js'
import type { Agent, Snapshot } from '../session.js'
import { isSearchTool } from '../web-search/search-tools.js'

const DIRECTORY = '.toolport/tools/'

/** Another text whenever a file of a tool has changed; empty: there are none. */
export function toolFilesOf({ versions }: Snapshot): string {
  return [...versions]
    .filter(([path]) => path.startsWith(DIRECTORY))
    .map(([path, version]) => `${path} ${version}`)
    .sort()
    .join('\n')
}

/** The tools that the workspace itself has, as files. */
export interface OwnTools {
  isOwn(agent: Agent, name: string): boolean
  /**
   * Takes up what the tool files say now, unless that is what was taken up last; what has no file any more goes. Gives what is wrong with
   * the files, once. Never rejects.
   */
  load(agent: Agent, toolFiles: string): Promise<readonly string[]>
}

interface Known {
  /** The tools that no file can take the place of. */
  readonly others: ReadonlySet<string>
  files: string
  last: Promise<unknown>
}

export function createOwnTools(): OwnTools {
  const agents = new WeakMap<Agent, Known>()

  /** An agent is known from when it is first seen, which is before its own tools are there. */
  function knownOf(agent: Agent): Known {
    const { runtime } = agent
    const others = (): string[] => namesOf(runtime).filter((name) => !isSearchTool(runtime, name))
    const known = agents.get(agent) ?? { others: new Set(others()), files: '', last: Promise.resolve() }
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

  return {
    isOwn: (agent, name) => isOwn(agent, knownOf(agent), name),
    async load(agent, toolFiles) {
      const known = knownOf(agent)
      if (known.files === toolFiles) return []
      known.files = toolFiles
      const loading = known.last.then(() => loadNow(agent, known))
      known.last = loading
      return loading
    },
  }
}

const namesOf = ({ registry }: Agent['runtime']): string[] => registry.list().map(({ name }) => name)
