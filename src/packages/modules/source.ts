import type { Lexers } from './lexers.js'
import type { Import, ModuleSyntax } from './module-lexer.js'
import { scan, scanCreatedRequires } from './scan.js'
import { syntaxFault } from './syntax-fault.js'
import type { ModuleFault, ModuleKind, Span } from './types.js'

/** The kind of a source text, and its imports before resolution. */
export interface Source {
  readonly kind: ModuleKind
  readonly code: string
  readonly imports: readonly Wanted[]
  readonly requires: readonly string[]
  readonly dynamicImports: readonly Span[]
  readonly importMetas: readonly Span[]
  /** For a CommonJS module: the names of its own exports, and the specifiers of the modules that it re-exports. */
  readonly exports: readonly string[]
  readonly reexports: readonly string[]
  readonly error?: ModuleFault
}

export interface Wanted {
  readonly specifier: string
  /** Whether the import has `with { type: 'json' }`, or options that are only known at run time. */
  readonly typed: boolean
}

export interface SourceText {
  readonly path: string
  readonly text: string
  /** The kind by extension or package. Undefined: the source text decides. */
  readonly declared: ModuleKind | undefined
}

/** The import attribute `type: 'json'`. */
const JSON_TYPE = /\btype["']?\s*:\s*["']json["']/
const NOTHING = { imports: [], requires: [], dynamicImports: [], importMetas: [], exports: [], reexports: [] }
const OUTSIDE =
  'Cannot use import statement or export outside a module: set "type": "module" in the nearest package.json, or name the file .mjs'

/** Creates the source of an invalid text, which causes an error when the program reaches the module. */
export function brokenSource(kind: ModuleKind, code: string, error: ModuleFault): Source {
  return { ...NOTHING, kind, code, error }
}

export function readSource({ path, text, declared }: SourceText, lexers: Lexers): Source {
  if (declared === 'json') return jsonSource(path, text)
  const code = text.startsWith('#!') ? `//${text.slice(2)}` : text
  const lexed = mentionsModules(code) || declared === 'module' ? lex(code, lexers) : undefined
  const syntax = lexed && 'imports' in lexed && lexed.hasModuleSyntax
  const scanned = declared !== 'module' && !syntax && /require|await/.test(code) ? scan(code) : undefined
  const kind = declared ?? (syntax || scanned?.topLevelAwait ? 'module' : 'commonjs')
  const spans = lexed && 'imports' in lexed ? spansOf(lexed.imports) : {}
  const imports = lexed && 'imports' in lexed ? wantedOf(code, lexed.imports) : []
  if (kind === 'module') {
    if (lexed && 'reason' in lexed) return brokenSource(kind, code, syntaxFault(path, code, lexed.offset, lexed.reason))
    return { ...NOTHING, kind, code, imports, requires: scanCreatedRequires(code), ...spans }
  }
  const fault = lexed && 'imports' in lexed ? outsideModule(path, code, lexed) : undefined
  const names = exportsOf(code, lexers)
  const requires = [...new Set([...(scanned ?? scan(code)).requires, ...names.reexports])]
  return { ...NOTHING, kind, code, imports, requires, ...names, ...spans, ...(fault && { error: fault }) }
}

type Lexed = ModuleSyntax | { readonly reason: string; readonly offset: number }

function mentionsModules(code: string): boolean {
  return code.includes('import') || code.includes('export')
}

function lex(code: string, lexers: Lexers): Lexed {
  try {
    return lexers.module(code)
  } catch (error) {
    const offset = error instanceof Error && 'idx' in error && typeof error.idx === 'number' ? error.idx : code.length
    const reason = offset >= code.length ? 'Unexpected end of input' : `Invalid or unexpected token ${JSON.stringify(code[offset])}`
    return { reason, offset }
  }
}

/** Returns the error for a static import or export outside an ES module, which every engine rejects. Undefined if the code has neither. */
function outsideModule(path: string, code: string, lexed: ModuleSyntax): ModuleFault | undefined {
  const first = lexed.imports.find(({ type }) => type === 'static')
  const offset = Math.min(first?.importStart ?? Number.POSITIVE_INFINITY, lexed.firstExport ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(offset) ? syntaxFault(path, code, offset, OUTSIDE) : undefined
}

function wantedOf(code: string, imports: readonly Import[]): Wanted[] {
  return imports.flatMap(({ type, specifier, attributesStart, importEnd }) => {
    if (specifier === undefined) return []
    const typed = attributesStart >= 0 && (type === 'dynamic' || JSON_TYPE.test(code.slice(attributesStart, importEnd)))
    return [{ specifier, typed }]
  })
}

function spansOf(imports: readonly Import[]): Pick<Source, 'dynamicImports' | 'importMetas'> {
  const dynamic = imports.filter(({ type }) => type === 'dynamic')
  const metas = imports.filter(({ type }) => type === 'import-meta')
  return {
    dynamicImports: dynamic.map(({ importStart }) => ({ start: importStart, end: importStart + 'import'.length })),
    importMetas: metas.map(({ start, end }) => ({ start, end })),
  }
}

function exportsOf(code: string, lexers: Lexers): Pick<Source, 'exports' | 'reexports'> {
  try {
    const { exports, reexports } = lexers.commonjs(code)
    return { exports: [...exports], reexports: [...reexports] }
  } catch {
    // The engine reports the error when it runs the module.
    return { exports: [], reexports: [] }
  }
}

function jsonSource(path: string, text: string): Source {
  try {
    JSON.parse(text)
    return { ...NOTHING, kind: 'json', code: text }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return brokenSource('json', text, { code: 'ERR_SYNTAX', message: `${path}: ${why}` })
  }
}
