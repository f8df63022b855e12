// The part of just-bash 3.4 that the adapter uses, written down here so that its package is not needed to compile against ours.

export interface BashOptions {
  readonly fs?: BashFileSystem
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly commands?: string[]
  readonly executionLimits?: Record<string, number>
  readonly defenseInDepth?: boolean
  readonly sleep?: (ms: number) => Promise<void>
}

/**
 * Whatever implements the library's `IFileSystem`; ours is `BashFs`. The bundled build also calls `beforeCommand(state: ShellState)` and
 * `afterFailure(error: unknown)` where it has them (scripts/vendor.mjs).
 */
export type BashFileSystem = object

export interface ExecOptions {
  readonly env?: Record<string, string>
  readonly rawScript?: boolean
  readonly stdin?: string
  readonly signal?: AbortSignal
}

export interface ExecResult extends CommandResult {
  /** Every variable at the end, exported or not; has no `?` where the end is not known, and then holds those of the beginning. */
  readonly env: Record<string, string>
}

/** The state of a shell that runs, as it is at any time. */
export interface ShellState {
  readonly cwd: string
  readonly env: ReadonlyMap<string, string>
  readonly exportedVars?: ReadonlySet<string>
}

export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export interface TransformPlugin {
  readonly name: string
  transform(context: { readonly ast: ScriptNode }): { readonly ast: ScriptNode }
}

export declare class Bash {
  constructor(options?: BashOptions)
  exec(command: string, options?: ExecOptions): Promise<ExecResult>
  registerTransformPlugin(plugin: TransformPlugin): void
}

export declare function getCommandNames(): string[]

/** Any node of the syntax tree. */
export interface Node {
  readonly type: string
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
}

export interface IfNode extends RedirectedNode {
  type: 'If'
  clauses: { condition: StatementNode[]; body: StatementNode[] }[]
  elseBody: StatementNode[] | null
}

export interface ForNode extends RedirectedNode {
  type: 'For'
  words: WordNode[] | null
  body: StatementNode[]
}

export interface CStyleForNode extends RedirectedNode {
  type: 'CStyleFor'
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
  items: { patterns: WordNode[]; body: StatementNode[] }[]
}

export interface BlockNode extends RedirectedNode {
  type: 'Group' | 'Subshell'
  body: StatementNode[]
}

export interface TestNode extends RedirectedNode {
  type: 'ArithmeticCommand' | 'ConditionalCommand'
  expression: Node
}

export interface FunctionDefNode extends RedirectedNode {
  type: 'FunctionDef'
  body: CommandNode
}

export interface WordNode extends Node {
  type: 'Word'
  parts: WordPart[]
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
}

export interface RedirectionNode extends Node {
  type: 'Redirection'
  fd: number | null
  fdVariable?: string
  operator: '<' | '>' | '>>' | '>&' | '<&' | '<>' | '>|' | '&>' | '&>>' | '<<<' | '<<' | '<<-'
  target: WordNode | HereDocNode
}
