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

/** A script that is about to run: that of the call, or one that a command runs (`bash -c`). */
export interface ScriptCall {
  readonly bash: Bash
  readonly interpreter: Interpreter
  readonly context: Context
  readonly ast: ScriptNode
  readonly source: string
  /** Runs the commands of `exec > >(...)`. */
  finish(): Promise<{ readonly stdout: string; readonly stderr: string }>
  /** 0 for that of the call. */
  readonly depth: number
  /** What a script throws to end with a status. */
  readonly Exit: new (
    exitCode: number,
    stdout: string,
    stderr: string,
  ) => Error
}

export interface BuiltinCall {
  readonly name: string
  readonly args: readonly string[]
  /** What a redirection or a pipe gives it, one character a byte. */
  readonly stdin: string
  /** It has an input of its own, which may be empty. */
  readonly owned: boolean
  /** Functions do not come before it (`builtin`, `command`). */
  readonly plain: boolean
  /** What the library does, a function of the name included. Default of `args`: those of the call. */
  run(stdin: string, args?: readonly string[]): Promise<CommandResult | null>
}

export interface ProgramCall {
  readonly name: string
  readonly args: readonly string[]
  readonly stdin: string
  readonly owned: boolean
  /** The program that `name` means. */
  find(): Promise<Program | null>
  /** Default of `name` and `args`: those of the call. */
  run(stdin: string, name?: string, args?: readonly string[]): Promise<CommandResult>
}

/** Writes a result as redirections say; gives what of it goes to the streams that were there before. */
export type Route = (context: Context, redirections: readonly RedirectionNode[], result: CommandResult) => Promise<CommandResult>

/** What the bundled library asks its filesystem for (patches/hooks.patch, patches/turns.patch). */
export interface InterpreterHooks {
  script(call: ScriptCall): Promise<ExecResult>
  /** Whether the commands of its `>(...)` run when the script ends, and not when it ends itself. */
  outlives(node: CommandNode): boolean
  /** Before each command, of whatever kind and wherever. */
  beforeCommand(context: Context, node: CommandNode): Promise<void> | undefined
  /** Before each turn of `for`, whose head is a command for a DEBUG trap. */
  debug(context: Context, node: CommandNode): Promise<void> | undefined
  /** Runs the body of a function. */
  called(context: Context, run: () => Promise<CommandResult>): Promise<CommandResult>
  /** Runs a file that is sourced. */
  sourced(context: Context, run: () => Promise<ExecResult>): Promise<ExecResult>
  /** Amid a long expansion: gives way when it is time. `steps` is about how many microseconds of work were done since the last time. */
  pause(steps: number): Promise<void> | undefined
  /** What takes the place of a command that threw. */
  afterFailure(error: unknown): CommandResult | undefined
  /** Takes over what a command printed, its redirections done; gives what is left of the result. */
  print(context: Context, result: CommandResult): CommandResult | Promise<CommandResult>
  /** A statement that ends with `&`. */
  background(interpreter: Interpreter, statement: StatementNode): CommandResult | Promise<CommandResult>
  /** A statement failed where `set -e` would end the script. */
  onError(context: Context, status: number, statement: StatementNode): Promise<void>
  /** One part of a pipe. `own`: in a shell of its own. `merged`: standard error goes into the pipe too. */
  stage(
    context: Context,
    kind: { readonly first: boolean; readonly last: boolean; readonly merged: boolean; readonly own: boolean },
    run: () => Promise<CommandResult>,
  ): Promise<CommandResult>
  /** `process`: `<(...)` or `>(...)`. */
  substitute(context: Context, run: () => Promise<ExecResult>, process?: boolean): Promise<ExecResult>
  subshell(context: Context, run: () => Promise<CommandResult>): Promise<CommandResult>
  /** `simple`: a simple command, which may have no redirections. */
  redirected(
    context: Context,
    redirections: readonly RedirectionNode[],
    run: () => Promise<CommandResult>,
    route: Route,
    simple?: boolean,
  ): Promise<CommandResult>
  /** What a descriptor above 2 is, made of the entry of one up to 2. */
  duplicate(context: Context, entry: DescriptorEntry): DescriptorEntry
  /** What a standard stream is that `exec` made of a descriptor above 2; undefined: what that is. */
  original(context: Context, fd: number, entry: DescriptorEntry | undefined): DescriptorEntry | undefined
  readonly builtins: ReadonlySet<string>
  /** One of `builtins`. Null: the library looks for a program of the name. */
  builtin(context: Context, call: BuiltinCall): Promise<CommandResult | null>
  /** A command that is no builtin and no function. */
  program(context: Context, call: ProgramCall): Promise<CommandResult>
  /** The value of a variable that is another one each time. `isAsked`: only whether there is one. */
  special(context: Context, name: string, isAsked?: boolean): string | undefined
  /** `text =~ expression`: the match and its groups; null where it does not match. Throws for what is no expression. */
  match(expression: string, text: string, ignoreCase: boolean): Promise<readonly (string | undefined)[] | null>
  /** Whether its standard input is a pipe. */
  isPipe(context: Context): boolean
  /** The input that a program looks at. */
  input(context: Context, text: string): string
}
