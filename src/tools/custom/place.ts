import type { AnyTool, ToolTable } from '../../types/tool.js'

/** Where custom tools are registered. */
export interface ToolPlace {
  has(name: string): boolean
  /** A name that no custom tool may take, nor replace. */
  isBuiltin(name: string): boolean
  /** The file of a custom tool that is registered. */
  fileOf(name: string): string | undefined
  /** The custom tool that came from this file. */
  toolOf(path: string): string | undefined
  /** Registers it in place of the one of its name; what undoes that. @throws RegistryError, with everything as it was */
  put(tool: AnyTool, path: string): () => void
  /** One after another. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

interface Known {
  readonly files: Map<string, string>
  last: Promise<unknown>
}

const known = new WeakMap<object, Known>()

/** `key`: whose custom tools they are, where the table is only a view of it. */
export function placeIn(table: ToolTable, isBuiltin?: (name: string) => boolean, key: object = table): ToolPlace {
  const own = known.get(key) ?? { files: new Map<string, string>(), last: Promise.resolve() }
  known.set(key, own)
  const { files } = own
  const place = (name: string, path: string | undefined): void => {
    if (path === undefined) files.delete(name)
    else files.set(name, path)
  }
  const isForeign = (name: string): boolean => table.has(name) && !files.has(name)
  // What the host has disabled stays so.
  const isDisabled = (name: string): boolean => table.find?.(name)?.disabled !== undefined
  return {
    has: (name) => table.has(name),
    isBuiltin: (name) => (isBuiltin ?? isForeign)(name) || isDisabled(name),
    fileOf: (name) => (table.has(name) ? files.get(name) : undefined),
    toolOf: (path) => [...files].find(([name, file]) => file === path && table.has(name))?.[0],
    put(tool, path) {
      const before = table.get(tool.name)
      const file = files.get(tool.name)
      if (before) table.unregister(tool.name)
      try {
        table.register(tool)
      } catch (error) {
        if (before) table.register(before)
        throw error
      }
      place(tool.name, path)
      return () => {
        table.unregister(tool.name)
        if (before) table.register(before)
        place(tool.name, file)
      }
    },
    inTurn(work) {
      const turn = own.last.then(work)
      own.last = turn.catch(() => undefined)
      return turn
    },
  }
}
