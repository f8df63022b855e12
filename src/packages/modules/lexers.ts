import type { Export, Import } from 'es-module-lexer/js'
import { lazy } from '../../core/lazy.js'

export interface Lexers {
  /** Finds the imports and exports of an ES module. @throws {Error} with `idx`, for text that cannot be split into tokens */
  readonly module: (code: string) => readonly [readonly Import[], readonly Export[], facade: boolean, hasModuleSyntax: boolean]
  /** Finds the exports of a CommonJS module. @throws {Error} for text that cannot be split into tokens */
  readonly commonjs: (code: string) => { readonly exports: Set<string>; readonly reexports: Set<string> }
}

/** Loads the lexers on first use, because most sessions run no program. */
export const lexers: () => Lexers | Promise<Lexers> = lazy(async () => {
  const [module, commonjs] = await Promise.all([import('es-module-lexer/js'), import('#cjs-module-lexer')])
  await module.init()
  return { module: module.parse, commonjs: commonjs.parse }
})
