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
   * Takes up what the tool files say now, unless that is what was taken up last; what has no file any more goes. A file that gave no tool is
   * tried again when the tools that search have come or gone: it may have had the name of one. Gives what is wrong with the files, once.
   * Never rejects.
   */
  load(agent: Agent, toolFiles: string): Promise<readonly string[]>
}

interface Known {
  /** The tools that no file can take the place of. */
  readonly others: ReadonlySet<string>
  files: string
  /** The tools that searched when the files were taken up. */
  searching: string
  problems: readonly string[]
  last: Promise<unknown>
}

export function createOwnTools(): OwnTools {
  const agents = new WeakMap<Agent, Known>()

  /** An agent is known from when it is first seen, which is before its own tools are there. */
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
