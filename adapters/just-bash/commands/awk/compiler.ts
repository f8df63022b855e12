import type { Analysis } from './analyze.js'
import type { Dice } from './builtins.js'
import type { ArrayOf, Code, Step } from './code.js'
import type { Runtime } from './runtime.js'
import type { AwkProgram, Expr, FunctionDef } from './syntax.js'

/** The part of the expression compiler that the compilers of single kinds of expressions use. */
export interface Compiler {
  readonly runtime: Runtime
  readonly program: AwkProgram
  readonly analysis: Analysis
  /** The function being compiled; undefined in a rule. */
  readonly scope: FunctionDef | undefined
  /** Compiled function bodies. They are complete when the program starts. */
  readonly bodies: ReadonlyMap<string, Step>
  readonly dice: Dice
  value(expr: Expr): Code
  array(name: string): ArrayOf
  isArray(name: string): boolean
  /** Joins several keys with `SUBSEP`. */
  key(keys: readonly Expr[]): Code
}
