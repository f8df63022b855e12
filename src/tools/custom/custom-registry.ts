import type { AnyTool, ToolTable } from '../../types/tool.js'

/** The registry of custom tools. */
export interface ToolPlace {
  has(name: string): boolean
  /** Whether custom tools may neither use nor replace this name. */
  isBuiltin(name: string): boolean
  /** The file of a registered custom tool. */
  fileOf(name: string): string | undefined
  /** The custom tool that was loaded from this file. */
  toolOf(path: string): string | undefined
  /**
   * Registers a tool, replacing a tool of the same name. Returns a function that undoes the registration.
   *
   * @throws RegistryError; the registry is then unchanged
   */
  put(tool: AnyTool, path: string): () => void
  /** Runs pieces of work one after another. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

interface Origin {
  readonly path: string
  /** The tool that was registered from the file at `path`. The host may have replaced the tool since. */
  readonly tool: unknown
}

interface Known {
  readonly origins: Map<string, Origin>
  last: Promise<unknown>
}

const known = new WeakMap<object, Known>()

interface Behind {
  get(name: string): unknown
}

/** Returns the custom tools of a table. `behind`: the owner of the custom tools, if the table is only a view of it. */
export function placeIn(table: ToolTable, isBuiltin?: (name: string) => boolean, behind: Behind = table): ToolPlace {
  const own = known.get(behind) ?? { origins: new Map<string, Origin>(), last: Promise.resolve() }
  known.set(behind, own)
  const { origins } = own
  const pathOf = (name: string): string | undefined => {
    const origin = origins.get(name)
    return origin && table.has(name) && origin.tool === behind.get(name) ? origin.path : undefined
  }
  const isForeign = (name: string): boolean => table.has(name) && pathOf(name) === undefined
  // A tool that the host disabled stays disabled.
  const isDisabled = (name: string): boolean => table.find?.(name)?.disabled !== undefined
  return {
    has: (name) => table.has(name),
    isBuiltin: (name) => (isBuiltin ?? isForeign)(name) || isDisabled(name),
    fileOf: pathOf,
    toolOf: (path) => [...origins.keys()].find((name) => pathOf(name) === path),
    put(tool, path) {
      const before = table.get(tool.name)
      const origin = origins.get(tool.name)
      if (before) table.unregister(tool.name)
      try {
        table.register(tool)
      } catch (error) {
        if (before) table.register(before)
        throw error
      }
      origins.set(tool.name, { path, tool: behind.get(tool.name) })
      return () => {
        table.unregister(tool.name)
        if (before) table.register(before)
        if (origin) origins.set(tool.name, origin)
        else origins.delete(tool.name)
      }
    },
    inTurn(work) {
      const turn = own.last.then(work)
      own.last = turn.catch(() => undefined)
      return turn
    },
  }
}
