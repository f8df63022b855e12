import type { Analysis } from './analyze.js'
import type { Dice } from './builtins.js'
import type { ArrayOf, Code, Step } from './code.js'
import type { Runtime } from './runtime.js'
import type { AwkProgram, Expr, FunctionDef } from './syntax.js'

/** The part of the expression compiler that is used by the files that compile one kind of expression. */
export interface Compiler {
  readonly runtime: Runtime
  readonly program: AwkProgram
  readonly analysis: Analysis
  /** The function that is being compiled. Undefined in a rule. */
  readonly scope: FunctionDef | undefined
  /** Compiled bodies of functions. The map is complete when the program starts. */
  readonly bodies: ReadonlyMap<string, Step>
  readonly dice: Dice
  value(expr: Expr): Code
  array(name: string): ArrayOf
  isArray(name: string): boolean
  /** Compiles several keys to one key, joined with `SUBSEP`. */
  key(keys: readonly Expr[]): Code
}
