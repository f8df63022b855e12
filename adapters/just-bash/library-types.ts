import type { BashFs } from '../../src/workspace/facades/to-bash-fs.js'

// The part of just-bash 3.4 that the adapter uses, written down here so that its package is not needed to compile against ours.

export interface BashOptions {
  readonly fs?: BashFileSystem
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly commands?: string[]
  readonly customCommands?: readonly object[]
  readonly executionLimits?: Record<string, number>
  readonly defenseInDepth?: boolean
  readonly sleep?: (ms: number) => Promise<void>
}

/** Whatever implements the library's `IFileSystem`; ours is `BashFs`. The bundled build also calls the methods of `InterpreterHooks`. */
export type BashFileSystem = object

export interface ExecOptions {
  readonly env?: Record<string, string>
  readonly rawScript?: boolean
  readonly stdin?: string
  readonly stdinKind?: 'text' | 'bytes'
  readonly signal?: AbortSignal
}

export interface ExecResult extends CommandResult {
  /** Every variable at the end, exported or not; has no `?` where the end is not known, and then holds those of the beginning. */
  readonly env: Record<string, string>
}

/** The state of a shell that runs, as it is at any time. What is a map or a set is changed in place. */
export interface InterpreterState {
  env: Map<string, string>
  arrays?: Map<string, ArrayValue>
  cwd: string
  previousDir: string
  currentLine: number
  functions: Map<string, FunctionDefNode>
  /** Names of `declare -n`. */
  namerefs?: Set<string>
  options: Record<string, boolean>
  shoptOptions: Record<string, boolean>
  lastExitCode: number
  lastBackgroundPid: number
  virtualPid: number
  virtualPpid: number
  bashPid: number
  nextVirtualPid: number
  /** Of this shell: what `exec` has redirected, and what is above 2. */
  fileDescriptors?: Map<number, string>
  closedStandardFds?: Set<number>
  loopDepth: number
  callDepth: number
  /** Of the functions and sourced files that run, the innermost first. */
  funcNameStack?: string[]
  sourceStack?: string[]
  callLineStack?: number[]
  inCondition: boolean
  groupStdin?: string | undefined
  signal?: AbortSignal
  directoryStack?: string[] | undefined
  /** Files of commands, as `hash` lists them. */
  hashTable?: Map<string, string>
  exportedVars?: Set<string>
  /** Of `name=value command`. */
  tempExportedVars?: Set<string>
  readonlyVars?: Set<string>
  integerVars?: Set<string>
  tempEnvBindings?: Map<string, string | undefined>[]
}

export interface ArrayValue {
  readonly kind: 'indexed' | 'associative'
  readonly elements: Map<string, string>
}

/** What a descriptor is: a copy of a standard stream, a file for output, or one of other kinds. */
export interface DescriptorEntry {
  readonly kind: string
  /** Of `dup-out`. */
  readonly sourceFd?: number
  /** Of `output`. */
  readonly path?: string
  readonly append?: boolean
}

/** The budget of a script and of all that it runs. */
export interface Scope {
  readonly limits: object
  outputBytes: number
  accountResult(result: CommandResult, what: string): CommandResult
  readonly constructor: new (limits: object) => Scope
}

/** What an interpreter works with. */
export interface Context {
  /** That of the shell. */
  readonly fs: Pick<BashFs, 'exists' | 'resolvePath' | 'stat' | 'readFileBuffer'>
  /** Programs by name. */
  readonly commands: ReadonlyMap<string, unknown>
  readonly state: InterpreterState
  readonly limits: object
  readonly executionScope: Scope
  execFn: (script: string, options?: object, accounted?: boolean) => Promise<ExecResult>
  readonly executeScript: (ast: ScriptNode) => Promise<ExecResult>
  sleep?: (ms: number) => Promise<void>
}

export interface Interpreter {
  readonly ctx: Context
  executeScript(ast: ScriptNode): Promise<ExecResult>
  readonly constructor: new (options: object, state: InterpreterState) => Interpreter
}

export type Piece = Pick<CommandResult, 'stdout' | 'stderr'>

export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** `bytes`: `stdout` is one character a byte. */
  readonly stdoutKind?: 'text' | 'bytes' | undefined
  /** An older way to say so. */
  readonly stdoutEncoding?: 'binary'
  /** The output in the order in which it was printed, each piece what is on standard output first. Default: one such piece. */
  readonly pieces?: readonly Piece[] | undefined
  /** How many bytes of it the budget has been charged with. */
  readonly internalOutputAccounting?: { readonly stdout: number; readonly stderr: number }
  /** How many bytes a builtin took of its input. */
  readonly internalStdinConsumed?: number
  /** How many bytes a program took of its input. Default: all, when it looked at it. */
  readonly inputTaken?: number | undefined
}

export interface TransformPlugin {
  readonly name: string
  transform(context: { readonly ast: ScriptNode }): { readonly ast: ScriptNode }
}

export declare class Bash {
  constructor(options?: BashOptions)
  exec(command: string, options?: ExecOptions): Promise<ExecResult>
  registerTransformPlugin(plugin: TransformPlugin): void
  /** Private there: runs a script within a budget. */
  execInScope(
    script: string,
    options: object | undefined,
    scope: Scope,
    depth: number,
    signal?: AbortSignal,
    accounted?: boolean,
  ): Promise<ExecResult>
}

export declare function getCommandNames(): string[]

/** Any node of the syntax tree. */
export interface Node {
  readonly type: string
  readonly line?: number
}

export interface ScriptNode extends Node {
  type: 'Script'
  statements: StatementNode[]
}

export interface StatementNode extends Node {
  type: 'Statement'
  pipelines: PipelineNode[]
  operators: ('&&' | '||' | ';')[]
  background: boolean
  /** As it was written. */
  readonly sourceText?: string
}

export interface PipelineNode extends Node {
  type: 'Pipeline'
  commands: CommandNode[]
  negated: boolean
  timed?: boolean
  /** For each `|`, whether it is `|&`. */
  pipeStderr?: boolean[]
}

export type CommandNode =
  | SimpleCommandNode
  | IfNode
  | ForNode
  | CStyleForNode
  | WhileNode
  | CaseNode
  | BlockNode
  | TestNode
  | FunctionDefNode

interface RedirectedNode extends Node {
  redirections: RedirectionNode[]
}

export interface SimpleCommandNode extends RedirectedNode {
  type: 'SimpleCommand'
  assignments: Node[]
  name: WordNode | null
  args: WordNode[]
  /** As bash shows it. */
  readonly source?: string
}

export interface IfNode extends RedirectedNode {
  type: 'If'
  clauses: { condition: StatementNode[]; body: StatementNode[] }[]
  elseBody: StatementNode[] | null
}

export interface ForNode extends RedirectedNode {
  type: 'For'
  variable: string
  words: WordNode[] | null
  body: StatementNode[]
}

export interface CStyleForNode extends RedirectedNode {
  type: 'CStyleFor'
  /** The three expressions. */
  readonly sources?: readonly string[]
  body: StatementNode[]
}

export interface WhileNode extends RedirectedNode {
  type: 'While' | 'Until'
  condition: StatementNode[]
  body: StatementNode[]
}

export interface CaseNode extends RedirectedNode {
  type: 'Case'
  word: WordNode
  items: { patterns: WordNode[]; body: StatementNode[]; terminator?: ';;' | ';&' | ';;&' }[]
}

export interface BlockNode extends RedirectedNode {
  type: 'Group' | 'Subshell'
  body: StatementNode[]
}

export interface TestNode extends RedirectedNode {
  type: 'ArithmeticCommand' | 'ConditionalCommand'
  expression: Node
  /** As it was written. */
  readonly source?: string
}

export interface FunctionDefNode extends RedirectedNode {
  type: 'FunctionDef'
  name: string
  body: CommandNode
}

export interface WordNode extends Node {
  type: 'Word'
  parts: WordPart[]
  /** As it was written; undefined for what is no word of a script. */
  readonly source?: string
}

export interface LiteralPart extends Node {
  type: 'Literal'
  value: string
}

export interface ParameterPart extends Node {
  type: 'ParameterExpansion'
  parameter: string
  operation: Node | null
}

export interface SubstitutionPart extends Node {
  type: 'CommandSubstitution' | 'ProcessSubstitution'
  body: ScriptNode
}

export type WordPart = LiteralPart | ParameterPart | SubstitutionPart | Node

export interface HereDocNode extends Node {
  type: 'HereDoc'
  content: WordNode
  readonly delimiter: string
  /** Its lines. */
  readonly source?: string
}

export interface RedirectionNode extends Node {
  type: 'Redirection'
  fd: number | null
  fdVariable?: string
  operator: '<' | '>' | '>>' | '>&' | '<&' | '<>' | '>|' | '&>' | '&>>' | '<<<' | '<<' | '<<-'
  target: WordNode | HereDocNode
}
