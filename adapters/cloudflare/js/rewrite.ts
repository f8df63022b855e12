import type { LoadedModule, ModuleFault, Resolution } from '../../../src/packages/modules/index.js'
import { lexers } from '../../../src/packages/modules/lexers.js'
import { type Edit, rewriteModule } from '../../shared/js/rewrite-module.js'

/** An import that is made before anything runs. */
export interface StaticImport {
  readonly specifier: string
  readonly start: number
  readonly end: number
  /** Where the statement ends: what lies between are attributes. */
  readonly statementEnd: number
}

/** @returns why not, where it does not lex */
export async function staticImports({ code }: LoadedModule): Promise<readonly StaticImport[] | ModuleFault> {
  const { module } = await lexers()
  try {
    const [imports] = module(code)
    return imports.flatMap((found) =>
      found.type === 'static' || found.type === 'reexport-star'
        ? [{ specifier: found.specifier, start: found.start, end: found.end, statementEnd: found.importEnd }]
        : [],
    )
  } catch (error) {
    return { code: 'SyntaxError', message: error instanceof Error ? error.message : String(error) }
  }
}

/** The text of an ES module, with names of the Worker's modules for those of files. Lines stay lines. */
export function moduleText(module: LoadedModule, imports: readonly StaticImport[], nameOf: (resolution: Resolution) => string): string {
  const edits: Edit[] = imports.flatMap(({ specifier, start, end, statementEnd }) => {
    const resolution = Object.hasOwn(module.imports, specifier) ? module.imports[specifier] : undefined
    if (!resolution) return []
    const attributes = module.code.slice(end + 1, statementEnd)
    const edit = { start, end, text: JSON.stringify(nameOf(resolution)).slice(1, -1).replaceAll("'", '%27') }
    // The runtime knows none.
    return /^\s*(?:with|assert)\b/.test(attributes)
      ? [edit, { start: end + 1, end: statementEnd, text: attributes.replace(/[^\n]+/g, '') }]
      : [edit]
  })
  return rewriteModule(module, edits)
}

/** A module that hands over a function of CommonJS's five names. */
export function functionText(module: LoadedModule): string {
  return `module.exports = function (exports, require, module, __filename, __dirname) {${rewriteModule(module)}\n}`
}
