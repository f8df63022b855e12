import { init, parse } from 'es-module-lexer/minimal/js'

export { init }

/** An import in the code of an ES module. */
export interface Import {
  readonly type: 'static' | 'dynamic' | 'import-meta'
  /** Undefined for `import.meta`, and for a specifier that the program computes. A static import always has a specifier. */
  readonly specifier: string | undefined
  /** Range of the specifier without its quotes (static), of the first argument (dynamic), or of the expression (`import.meta`). */
  readonly start: number
  readonly end: number
  /** Range of the statement or expression. A re-export is a static import. */
  readonly importStart: number
  readonly importEnd: number
  /** Start of the import attributes, or of the second argument; -1 without them. */
  readonly attributesStart: number
  /** Whether the import has a phase, such as `import.source()`. */
  readonly hasPhase: boolean
}

export interface ModuleSyntax {
  readonly imports: readonly Import[]
  /** Offset of the first export with a name. */
  readonly firstExport: number | undefined
  /** Whether the code has a static import, an export or `import.meta`. */
  readonly hasModuleSyntax: boolean
}

/** The beginning of a list of exports. The lexer does not report a list without names. */
const EXPORT_LIST = /\bexport\s*\{/g

/** Finds the imports and exports of an ES module. Await `init` first. @throws {Error} with `idx`, for text that cannot be split into tokens */
export function lexModule(code: string): ModuleSyntax {
  const [found, exports] = parse(code)
  const imports = found.map(
    ({ n, t, s, e, ss, se, d, a }): Import => ({
      type: d === -1 ? 'static' : d === -2 ? 'import-meta' : 'dynamic',
      specifier: n,
      start: s,
      end: e,
      importStart: ss,
      importEnd: se,
      attributesStart: a,
      hasPhase: t >= 4 && t <= 7,
    }),
  )
  const [first] = exports
  return {
    imports,
    firstExport: first && code.lastIndexOf('export', first.s),
    hasModuleSyntax: exports.length > 0 || imports.some(({ type }) => type !== 'dynamic') || hasEmptyExport(code),
  }
}

/** Adds a name to each list of exports. The lexer then reports these lists, except in strings and comments. */
function hasEmptyExport(code: string): boolean {
  const named = code.replace(EXPORT_LIST, 'export{a,')
  return named !== code && parse(named)[1].length > 0
}
