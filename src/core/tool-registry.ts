import { RegistryError } from '../errors/index.js'
import type { AnyTool, JsonSchema, ManifestEntry, Requirement, SchemaLike } from '../types/tool.js'
import { toJsonSchema } from './json-schema.js'
import { createValidator, type SchemaSupport, type Validator } from './schema.js'

/** A registered tool, as the runtime finds it. */
export interface RegisteredTool {
  readonly name: string
  readonly alias: string
  readonly tool: AnyTool
  readonly validator: Validator
  /** Present while the tool is disabled. */
  readonly disabled?: { readonly reason?: string }
}

/** The tools of one runtime by name. Methods that change the registry return it. */
export interface ToolRegistry {
  /** @throws RegistryError duplicate_tool, invalid_tool_name, unsupported_schema; TypeError for a value that is not a tool */
  register(tool: AnyTool): this
  /** Registers all tools, or none if one is invalid. */
  registerMany(tools: Iterable<AnyTool>): this
  /** Ignores unknown names. */
  unregister(name: string): this
  /** Changes the name of a tool. @throws RegistryError duplicate_tool, invalid_tool_name; TypeError for an unknown tool */
  rename(from: string, to: string): this
  /** Hides the tool from lists and manifests; calls fail with the reason. @throws TypeError for an unknown tool */
  disable(name: string, reason?: string): this
  enable(name: string): this
  get(name: string): AnyTool | undefined
  has(name: string): boolean
  /** Enabled tools, sorted by name in code-unit order. */
  list(): readonly AnyTool[]
  /**
   * Describes the enabled tools for a model, sorted like `list`. With `available`, omits tools that require other ports. Default: the
   * registry's own option, otherwise all tools.
   */
  getModelManifest(available?: ReadonlySet<Requirement>): ManifestEntry[]
  /**
   * Loads output schemas that tools provide as functions; later manifests include them. Call it again after adding tools. Tries all tools,
   * then rejects with the first error: RegistryError unsupported_schema, or the error of a loader.
   */
  loadOutputSchemas(): Promise<this>
  /** Returns the name of the tool with this alias. */
  resolveAlias(alias: string): string | undefined
  /** Finds a tool by name. If no tool has this name, finds it by alias. Also finds disabled tools. */
  find(nameOrAlias: string): RegisteredTool | undefined
}

interface Entry extends RegisteredTool {
  readonly outputSchema?: JsonSchema
}

const NAME = /^[a-zA-Z0-9_.:-]+$/

export interface ToolRegistryOptions {
  /** The ports that manifests assume to exist. Default: all. */
  readonly available?: ReadonlySet<Requirement>
}

/** Creates an empty registry. It accepts schemas that provide their JSON Schema, and the schemas that `support` handles. */
export function toolRegistry(options: ToolRegistryOptions, support: SchemaSupport = {}): ToolRegistry {
  let entries = new Map<string, Entry>()
  let aliases = new Map<string, string>()
  let sorted: readonly Entry[] | undefined

  const add = (tool: AnyTool): void => {
    checkShape(tool)
    checkName(tool.name)
    checkFree(tool.name)
    put(createEntry(tool, freeAlias(tool.name), support))
  }
  const put = (entry: Entry): void => {
    entries.set(entry.name, entry)
    aliases.set(entry.alias, entry.name)
    sorted = undefined
  }
  const drop = (entry: Entry): void => {
    entries.delete(entry.name)
    aliases.delete(entry.alias)
    sorted = undefined
  }
  const checkFree = (name: string): void => {
    if (entries.has(name)) throw new RegistryError('duplicate_tool', `tool already registered: ${name}`)
    const owner = aliases.get(name)
    if (owner !== undefined) throw new RegistryError('duplicate_tool', `tool already registered: ${name} is the alias of ${owner}`)
  }
  const freeAlias = (name: string): string => {
    let attempt = 0
    let alias = toolAlias(name)
    while (aliases.has(alias) || (alias !== name && entries.has(alias))) alias = toolAlias(name, ++attempt)
    return alias
  }
  const existing = (name: string): Entry => {
    const entry = entries.get(name)
    if (!entry) throw new TypeError(`Cannot change tool "${name}": it is not registered`)
    return entry
  }
  const enabled = (): readonly Entry[] => {
    sorted ??= [...entries.values()].filter((entry) => !entry.disabled).sort((a, b) => (a.name < b.name ? -1 : 1))
    return sorted
  }

  return {
    register(tool) {
      add(tool)
      return this
    },
    registerMany(tools) {
      const before = { entries, aliases, sorted }
      entries = new Map(entries)
      aliases = new Map(aliases)
      try {
        for (const tool of tools) add(tool)
      } catch (error) {
        ;({ entries, aliases, sorted } = before)
        throw error
      }
      return this
    },
    unregister(name) {
      const entry = entries.get(name)
      if (entry) drop(entry)
      return this
    },
    rename(from, to) {
      const entry = existing(from)
      if (to === from) return this
      checkName(to)
      checkFree(to)
      drop(entry)
      put({ ...entry, name: to, alias: freeAlias(to), tool: renamed(entry.tool, to) })
      return this
    },
    disable(name, reason) {
      put({ ...existing(name), disabled: reason === undefined ? {} : { reason } })
      return this
    },
    enable(name) {
      const { disabled: _, ...entry } = existing(name)
      put(entry)
      return this
    },
    get: (name) => entries.get(name)?.tool,
    has: (name) => entries.has(name),
    list: () => enabled().map(({ tool }) => tool),
    getModelManifest(available = options.available) {
      const offered = available ? enabled().filter(({ tool }) => tool.requires?.every((need) => available.has(need)) ?? true) : enabled()
      return offered.map(toManifestEntry)
    },
    async loadOutputSchemas() {
      const errors: unknown[] = []
      for (const { name, tool, outputSchema } of [...entries.values()]) {
        if (outputSchema || !isLoader(tool.outputSchema)) continue
        try {
          const loaded = await tool.outputSchema()
          // Read the entry again: somebody may have changed it during the wait.
          const entry = entries.get(name)
          if (entry?.tool === tool) put(withOutput(entry, loaded, support))
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
      return this
    },
    resolveAlias: (alias) => aliases.get(alias),
    find: (name) => entries.get(name) ?? entries.get(aliases.get(name) ?? ''),
  }
}

function createEntry(tool: AnyTool, alias: string, support: SchemaSupport): Entry {
  try {
    const entry: Entry = { name: tool.name, alias, tool, validator: createValidator(tool.inputSchema, support) }
    return tool.outputSchema === undefined || isLoader(tool.outputSchema) ? entry : withOutput(entry, tool.outputSchema, support)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw new RegistryError(error.code, `Cannot register "${tool.name}": ${error.message}`)
  }
}

const withOutput = (entry: Entry, schema: SchemaLike, support: SchemaSupport): Entry => {
  return { ...entry, outputSchema: toJsonSchema(schema, 'output', support.convert) }
}

/** Whether the schema is a loader. Schemas of some libraries are functions, too. */
const isLoader = (schema: AnyTool['outputSchema']): schema is () => Promise<SchemaLike> =>
  typeof schema === 'function' && !('~standard' in schema)

/** Copies a schema, because clients extend and rewrite the schemas of a manifest. */
const copyOf = (schema: JsonSchema): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema

function toManifestEntry({ name, alias, tool, validator, outputSchema }: Entry): ManifestEntry {
  return {
    name,
    alias,
    description: tool.description,
    inputSchema: copyOf(validator.jsonSchema()),
    ...(outputSchema && { outputSchema: copyOf(outputSchema) }),
    // A copy, because several runtimes share a tool.
    ...(tool.annotations && { annotations: { ...tool.annotations } }),
  }
}

/**
 * Returns the tool under another name. Its methods call the original object: if the tool is a class instance, a spread would lose its
 * methods, and private fields need the original `this`.
 */
function renamed(tool: AnyTool, name: string): AnyTool {
  const { description, inputSchema, outputSchema, annotations, requires, toText } = tool
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(requires && { requires }),
    ...(toText && { toText: (output) => toText.call(tool, output) }),
    run: (input, context) => tool.run(input, context),
  }
}

function checkShape(tool: AnyTool): void {
  if (typeof tool !== 'object' || tool === null) throw new TypeError('Cannot register a tool: it is not an object')
  const label = `Cannot register ${typeof tool.name === 'string' ? `"${tool.name}"` : 'a tool'}`
  if (typeof tool.description !== 'string') throw new TypeError(`${label}: "description" is not a string`)
  if (typeof tool.run !== 'function') throw new TypeError(`${label}: "run" is not a function`)
}

function checkName(name: string): void {
  if (typeof name === 'string' && NAME.test(name)) return
  throw new RegistryError(
    'invalid_tool_name',
    `Cannot register ${JSON.stringify(name) ?? 'undefined'}: a tool name consists of letters, numbers and _ . : -`,
  )
}

const SAFE = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Returns a name that every provider accepts (`^[a-zA-Z0-9_-]{1,64}$`). A valid name is its own alias. Any other name is sanitised and gets
 * a hash of the original name. So an alias depends only on its name, and stays the same when other tools change. `attempt` counts
 * collisions.
 */
function toolAlias(name: string, attempt = 0): string {
  if (SAFE.test(name) && attempt === 0) return name
  return `${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 57)}_${hash(attempt === 0 ? name : `${name} ${attempt}`)}`
}

/** FNV-1a, truncated to 24 bits: six hexadecimal digits. Names are ASCII. */
function hash(text: string): string {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return ((state >>> 0) & 0xffffff).toString(16).padStart(6, '0')
}
