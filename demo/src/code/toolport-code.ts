import type { CodeBlock, CodeCall, CodeFormat } from './code-call.js'
import { stringLiteral } from './escapes.js'
import { literal } from './literal.js'

/** Preset -> name of the function that creates it. The module has the name of the preset. */
const PRESETS: Readonly<Record<string, string>> = {
  standard: 'standard',
  loom: 'loom',
  loaf: 'loaf',
  'loom-elixir': 'loomElixir',
  zeroclaw: 'zeroclaw',
}

/** Package registry that the example code uses. */
const REGISTRY = 'https://registry.npmjs.org'

/** The parts of the generated program. */
interface Parts {
  /** Module -> imported names. */
  readonly imports: Map<string, Set<string>>
  readonly options: string[]
}

function take({ imports }: Parts, module: string, name: string): void {
  imports.set(module, (imports.get(module) ?? new Set()).add(name))
}

/** A complete program that makes the call on an in-memory workspace and prints the result that a model would read. */
function program(call: CodeCall): string {
  const parts: Parts = { imports: new Map(), options: [] }
  take(parts, 'toolport', 'createRuntime')
  take(parts, 'toolport', 'toModelText')
  addStorage(parts, call)
  addPorts(parts, call)
  addPreset(parts, call)
  const own = call.isOwn ? ownTools(parts) : []
  return [
    ...importLines(parts),
    '',
    'const runtime = createRuntime({',
    ...parts.options.map((option) => `  ${option},`),
    '})',
    ...own,
    '',
    `const result = await runtime.execute(${literal({ name: call.entry.name, input: call.input })})`,
    'console.log(toModelText(result))',
    'await runtime.dispose()',
    '',
  ].join('\n')
}

function addStorage(parts: Parts, { files }: CodeCall): void {
  take(parts, 'toolport/adapters/memory', 'createMemoryFs')
  const first = Object.keys(files).length > 0 ? literal({ files }, 1) : ''
  parts.options.push(`fs: createMemoryFs(${first})`)
}

function addPorts(parts: Parts, { requires, isOwn, search }: CodeCall): void {
  if (requires.some((one) => one.startsWith('shell'))) {
    take(parts, 'toolport/adapters/just-bash', 'createJustBashShell')
    parts.options.push('shell: createJustBashShell({ scratch: createMemoryFs() })')
  }
  if (isOwn || requires.some((one) => one.startsWith('js'))) {
    take(parts, 'toolport/adapters/quickjs', 'createQuickJs')
    parts.options.push('js: createQuickJs()')
  }
  const origin = search?.origin ?? (requires.includes('fetch') ? REGISTRY : undefined)
  if (origin !== undefined) {
    take(parts, 'toolport/adapters/fetch', 'createFetch')
    parts.options.push(`fetch: createFetch({ origins: [${stringLiteral(origin)}] })`)
  }
  if (requires.includes('memory')) {
    take(parts, 'toolport/adapters/workspace-memory', 'createWorkspaceMemory')
    parts.options.push('memory: createWorkspaceMemory()')
  }
}

function addPreset(parts: Parts, { preset, requires, search }: CodeCall): void {
  const make = Object.hasOwn(PRESETS, preset) ? PRESETS[preset] : undefined
  if (make === undefined) throw new Error(`the preset ${preset} is not one of Toolport’s own`)
  take(parts, `toolport/presets/${preset}`, make)
  const grants = { tools: true }
  const jsTools = requires.includes('fetch') ? { grants, registry: REGISTRY } : { grants }
  const options = requires.includes('js') ? { jsTools, ...(preset === 'standard' && { customTools: { grants } }) } : search?.options
  parts.options.push(`preset: ${make}(${options ? literal(options, 1) : ''})`)
}

function ownTools(parts: Parts): string[] {
  take(parts, 'toolport', 'loadCustomTools')
  return ['await loadCustomTools(runtime, { grants: { tools: true } })']
}

function importLines({ imports }: Parts): string[] {
  const modules = [...imports].sort(([a], [b]) => (a < b ? -1 : 1))
  return modules.map(([module, names]) => `import { ${[...names].sort().join(', ')} } from ${stringLiteral(module)}`)
}

export const toolportFormat: CodeFormat = {
  name: 'Toolport',
  about:
    'A program of its own, on a workspace in memory with the files that the call names. In Node createNodeFs({ root }) of toolport/adapters/node takes its place.',
  blocks: (call): readonly CodeBlock[] => [{ title: 'TypeScript', language: 'ts', text: program(call) }],
}
