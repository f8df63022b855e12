import { init, parse } from 'es-module-lexer'
import type { HasDefaultExport } from './rules.js'
import type { HasModuleSyntax } from './typescript.js'

export interface Lexer {
  readonly hasModuleSyntax: HasModuleSyntax
  /** Returns false for code that cannot be parsed, because Node reports the error. */
  readonly hasDefaultExport: HasDefaultExport
}

export async function loadLexer(): Promise<Lexer> {
  await init()
  return {
    hasModuleSyntax: (code) => /import|export/.test(code) && attempt(() => parse(code)[3]),
    hasDefaultExport: (code) =>
      code.includes('default') && attempt(() => parse(code)[1].some((found) => 'name' in found && found.name === 'default')),
  }
}

function attempt(read: () => boolean): boolean {
  try {
    return read()
  } catch {
    return false
  }
}
