import type { Analysis } from './analyze.js'
import type { Dice } from './builtins.js'
import type { ArrayOf, Code, Step } from './code.js'
import type { Runtime } from './runtime.js'
import type { AwkProgram, Expr, FunctionDef } from './syntax.js'

/** What the compilers of single kinds of expressions need of the one for all of them. */
export interface Compiler {
  readonly runtime: Runtime
  readonly program: AwkProgram
  readonly analysis: Analysis
  /** The function that is being compiled. */
  readonly scope: FunctionDef | undefined
  /** Of the functions; they are there when the program runs. */
  readonly bodies: ReadonlyMap<string, Step>
  readonly dice: Dice
  value(expr: Expr): Code
  array(name: string): ArrayOf
  isArray(name: string): boolean
  /** Several keys are one, with `SUBSEP` between them. */
  key(keys: readonly Expr[]): Code
}
