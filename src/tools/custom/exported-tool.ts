/** The tool that a file exports. */
export interface ExportedTool {
  readonly name: string
  readonly description: unknown
  readonly inputSchema: unknown
  readonly run: (...given: unknown[]) => unknown
}

type Fields = Readonly<Record<string, unknown>>
type Run = ExportedTool['run']

// `program.ts` has the same as text, for sandboxes; a test compares the two.

/** The five ways to export a tool, over the module and then over its default export. */
export function findTool(namespace: Fields): ExportedTool | null {
  return toolOf(namespace) ?? (isRecord(namespace.default) ? toolOf(namespace.default) : null)
}

function toolOf(root: Fields): ExportedTool | null {
  if (isTool(root)) return plain(root)
  if (isTool(root.tool)) return plain(root.tool)
  const { meta } = root
  if (!isRecord(meta)) return null
  const name = meta.name ?? root.name
  const run = runOf(root)
  if (!isNamed(name) || !run) return null
  const inputSchema = meta.args ?? meta.inputSchema ?? root.args ?? root.inputSchema
  return { name: name.trim(), description: meta.description ?? root.description, inputSchema, run }
}

function plain(tool: Fields & { readonly name: string; readonly run: Run }): ExportedTool {
  const { name, description, inputSchema, args } = tool
  // Asked for at each call, and with the object as `this`.
  return { name: name.trim(), description, inputSchema: inputSchema ?? args, run: (...given) => tool.run(...given) }
}

function runOf(root: Fields): Run | undefined {
  if (typeof root.run === 'function') return (...given) => (root.run as Run)(...given)
  if (typeof root.default === 'function') return (...given) => (root.default as Run)(...given)
  return undefined
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isNamed = (name: unknown): name is string => typeof name === 'string' && name.trim() !== ''
const isTool = (it: unknown): it is Fields & { readonly name: string; readonly run: Run } =>
  isRecord(it) && isNamed(it.name) && typeof it.run === 'function'
