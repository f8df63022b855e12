import { lazy } from '../../core/lazy.js'
import type { lexModule } from './module-lexer.js'

export interface Lexers {
  readonly module: typeof lexModule
  /** Finds the exports of a CommonJS module. @throws {Error} for text that cannot be split into tokens */
  readonly commonjs: (code: string) => { readonly exports: Set<string>; readonly reexports: Set<string> }
}

/** Loads the lexers on first use, because most sessions run no program. */
export const lexers: () => Lexers | Promise<Lexers> = lazy(async () => {
  const [module, commonjs] = await Promise.all([import('./module-lexer.js'), import('#cjs-module-lexer')])
  await module.init()
  return { module: module.lexModule, commonjs: commonjs.parse }
})
