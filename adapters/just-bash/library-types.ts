import type { BashFs } from '../../src/workspace/facades/to-bash-fs.js'

// The part of just-bash 3.4 that the adapter uses, declared here so that compiling against this package does not need just-bash.

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

/**
 * A file system with the interface `IFileSystem` of the library: here always `BashFs`. The bundled build also calls its methods of
 * `InterpreterHooks`.
 */
export type BashFileSystem = object

export interface ExecOptions {
  readonly env?: Record<string, string>
  readonly rawScript?: boolean
  readonly stdin?: string
  readonly stdinKind?: 'text' | 'bytes'
  readonly signal?: AbortSignal
}

export interface ExecResult extends CommandResult {
  /** All final variables, exported or not. If the final state is unknown, these are the initial variables, without `?`. */
  readonly env: Record<string, string>
}

/** The live state of a running shell. Maps and sets are modified in place. */
export interface InterpreterState {
  env: Map<string, string>
  arrays?: Map<string, ArrayValue>
  cwd: string
  previousDir: string
  currentLine: number
  functions: Map<string, FunctionDefNode>
  /** Names of name references (`declare -n`). */
  namerefs?: Set<string>
  options: Record<string, boolean>
  shoptOptions: Record<string, boolean>
  lastExitCode: number
  lastBackgroundPid: number
  virtualPid: number
  virtualPpid: number
  bashPid: number
  nextVirtualPid: number
  /** File descriptors of this shell: those that `exec` redirects, and those above 2. */
  fileDescriptors?: Map<number, string>
  closedStandardFds?: Set<number>
  loopDepth: number
  callDepth: number
  /** Running functions and sourced files, innermost first. */
  funcNameStack?: string[]
  sourceStack?: string[]
  callLineStack?: number[]
  inCondition: boolean
  groupStdin?: string | undefined
  signal?: AbortSignal
  directoryStack?: string[] | undefined
  /** Paths of commands, as `hash` lists them. */
  hashTable?: Map<string, string>
  exportedVars?: Set<string>
  /** Variables that are assigned for a single command: `name=value command`. */
  tempExportedVars?: Set<string>
  readonlyVars?: Set<string>
  integerVars?: Set<string>
  tempEnvBindings?: Map<string, string | undefined>[]
}

export interface ArrayValue {
  readonly kind: 'indexed' | 'associative'
  readonly elements: Map<string, string>
}

/** What a file descriptor refers to: a copy of a standard stream (`dup-out`), an output file (`output`), or another kind. */
export interface DescriptorEntry {
  readonly kind: string
  /** For `dup-out`: the descriptor that is copied. */
  readonly sourceFd?: number
  /** For `output`: the path of the file. */
  readonly path?: string
  readonly append?: boolean
}

/** The budget of a script and everything that it runs. */
export interface Scope {
  readonly limits: object
  outputBytes: number
  accountResult(result: CommandResult, what: string): CommandResult
  readonly constructor: new (limits: object) => Scope
}

/** The context of an interpreter. */
export interface Context {
  /** The shell's file system. */
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
  /** `bytes`: `stdout` has one character per byte. */
  readonly stdoutKind?: 'text' | 'bytes' | undefined
  /** The older form of `stdoutKind: 'bytes'`. */
  readonly stdoutEncoding?: 'binary'
  /** The output in printing order. The standard output of each piece precedes its standard error. Default: a single piece. */
  readonly pieces?: readonly Piece[] | undefined
  /** Number of bytes that were already charged to the budget. */
  readonly internalOutputAccounting?: { readonly stdout: number; readonly stderr: number }
  /** Bytes of input that a builtin consumed. */
  readonly internalStdinConsumed?: number
  /** Bytes of input that a program consumed. Default: all, if it accessed the input. */
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
  /** Private in the library: runs a script within a budget. */
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
  /** Source text of the statement. */
  readonly sourceText?: string
}

export interface PipelineNode extends Node {
  type: 'Pipeline'
  commands: CommandNode[]
  negated: boolean
  timed?: boolean
  /** Whether each `|` is `|&`. */
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
  /** The text as bash prints it. */
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
  /** Source texts of the three expressions. */
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
  /** Source text of the expression. */
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
  /** The source text, or undefined for a word that is not from a script. */
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
  /** Source text of the lines. */
  readonly source?: string
}

export interface RedirectionNode extends Node {
  type: 'Redirection'
  fd: number | null
  fdVariable?: string
  operator: '<' | '>' | '>>' | '>&' | '<&' | '<>' | '>|' | '&>' | '&>>' | '<<<' | '<<' | '<<-'
  target: WordNode | HereDocNode
}
