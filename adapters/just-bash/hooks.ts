import type {
  Bash,
  CommandNode,
  CommandResult,
  Context,
  DescriptorEntry,
  ExecResult,
  Interpreter,
  RedirectionNode,
  ScriptNode,
  StatementNode,
} from './library-types.js'
import type { Program } from './process/find-program.js'

/** A script about to run: the script of the call, or one that a command runs (`bash -c`). */
export interface ScriptCall {
  readonly bash: Bash
  readonly interpreter: Interpreter
  readonly context: Context
  readonly ast: ScriptNode
  readonly source: string
  /** Runs the pending commands of `exec > >(...)`. */
  finish(): Promise<{ readonly stdout: string; readonly stderr: string }>
  /** Nesting depth of the script. The script of the call has the depth 0. */
  readonly depth: number
  /** Class of the error that the library throws to end a script with a status. */
  readonly Exit: new (
    exitCode: number,
    stdout: string,
    stderr: string,
  ) => Error
}

export interface BuiltinCall {
  readonly name: string
  readonly args: readonly string[]
  /** Input from a redirection or a pipe, one character per byte. */
  readonly stdin: string
  /** Whether the call has its own input, from a redirection or a pipe. This input may be empty. */
  readonly owned: boolean
  /** Whether the call bypasses functions (`builtin`, `command`). */
  readonly plain: boolean
  /** Runs the library's own builtin, or a function of the same name. `args` defaults to the arguments of the call. */
  run(stdin: string, args?: readonly string[]): Promise<CommandResult | null>
}

export interface ProgramCall {
  readonly name: string
  readonly args: readonly string[]
  readonly stdin: string
  readonly owned: boolean
  /** Finds the program for `name`. */
  find(): Promise<Program | null>
  /** Runs a program. `name` and `args` default to those of the call. */
  run(stdin: string, name?: string, args?: readonly string[]): Promise<CommandResult>
}

/** Writes a result to the targets of the redirections. Resolves to the part for the original streams. */
export type Route = (context: Context, redirections: readonly RedirectionNode[], result: CommandResult) => Promise<CommandResult>

/** The hooks that the bundled library calls on its file system (patches/hooks.patch, patches/turns.patch). */
export interface InterpreterHooks {
  script(call: ScriptCall): Promise<ExecResult>
  /** Whether the commands of `>(...)` in this node run at the end of the script instead of at the end of the node. */
  outlives(node: CommandNode): boolean
  /** Called before each command of any kind. */
  beforeCommand(context: Context, node: CommandNode): Promise<void> | undefined
  /** Called before each iteration of `for`, which counts as a command for a DEBUG trap. */
  debug(context: Context, node: CommandNode): Promise<void> | undefined
  /** Runs the body of a function. */
  called(context: Context, run: () => Promise<CommandResult>): Promise<CommandResult>
  /** Runs a file with `source`. */
  sourced(context: Context, run: () => Promise<ExecResult>): Promise<ExecResult>
  /**
   * Returns a promise to await if it is time to yield during a long expansion. `steps`: approximate microseconds of work since the last
   * call.
   */
  pause(steps: number): Promise<void> | undefined
  /** Returns the result for a command that threw. */
  afterFailure(error: unknown): CommandResult | undefined
  /** Prints the output of a command after its redirections. Returns the rest of the result. */
  print(context: Context, result: CommandResult): CommandResult | Promise<CommandResult>
  /** Runs a statement that ends with `&`. */
  background(interpreter: Interpreter, statement: StatementNode): CommandResult | Promise<CommandResult>
  /** Called when a statement fails where `set -e` would end the script. */
  onError(context: Context, status: number, statement: StatementNode): Promise<void>
  /** Runs one part of a pipeline. `own`: in a subshell. `merged`: standard error goes into the pipe too (`|&`). */
  stage(
    context: Context,
    kind: { readonly first: boolean; readonly last: boolean; readonly merged: boolean; readonly own: boolean },
    run: () => Promise<CommandResult>,
  ): Promise<CommandResult>
  /** `process`: whether this is `<(...)` or `>(...)` instead of `$(...)`. */
  substitute(context: Context, run: () => Promise<ExecResult>, process?: boolean): Promise<ExecResult>
  subshell(context: Context, run: () => Promise<CommandResult>): Promise<CommandResult>
  /** `simple`: a simple command, for which the library calls this hook even without redirections. */
  redirected(
    context: Context,
    redirections: readonly RedirectionNode[],
    run: () => Promise<CommandResult>,
    route: Route,
    simple?: boolean,
  ): Promise<CommandResult>
  /** Creates the entry of a descriptor above 2 from the entry of a standard stream. */
  duplicate(context: Context, entry: DescriptorEntry): DescriptorEntry
  /** The entry of a standard stream that `exec` redirects to a descriptor above 2; undefined: the entry of that descriptor. */
  original(context: Context, fd: number, entry: DescriptorEntry | undefined): DescriptorEntry | undefined
  readonly builtins: ReadonlySet<string>
  /** Runs one of `builtins`. Returns null if the library must look for a program with this name. */
  builtin(context: Context, call: BuiltinCall): Promise<CommandResult | null>
  /** Runs a command that is neither a builtin nor a function. */
  program(context: Context, call: ProgramCall): Promise<CommandResult>
  /** The value of a dynamic variable. `isAsked`: the caller only asks whether the variable is set. */
  special(context: Context, name: string, isAsked?: boolean): string | undefined
  /** Evaluates `text =~ expression`: returns the match and its groups, or null. Throws for an invalid expression. */
  match(expression: string, text: string, ignoreCase: boolean): Promise<readonly (string | undefined)[] | null>
  /** Whether standard input is a pipe. */
  isPipe(context: Context): boolean
  /** Returns the input of a program. */
  input(context: Context, text: string): string
}
