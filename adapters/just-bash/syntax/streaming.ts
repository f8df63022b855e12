import type {
  CommandNode,
  Node,
  PipelineNode,
  RedirectionNode,
  ScriptNode,
  SimpleCommandNode,
  StatementNode,
  SubstitutionPart,
} from '#just-bash'
import { group, literal, literalText, redirection, statement, visit } from './nodes.js'

/** Files of the filesystem that the shell is given: what is appended there is output. */
export const OUT_PATH = '/dev/.toolport-out'
export const ERR_PATH = '/dev/.toolport-err'

const OUT = redirection(1, '>>', literal(OUT_PATH))
const ERR = redirection(2, '>>', literal(ERR_PATH))

/** Commands that print nothing, or that a redirection would change. */
const SILENT = new Set(['break', 'continue', 'return', 'exit', ':', 'true', 'false'])
/** What writes past the redirections of a command: options that trace, and names of the script's own streams. */
const UNSTREAMABLE = /\bset\s+[-+]\w*[xv]|\b(?:xtrace|verbose|expand_aliases)\b|\/dev\/(?:stdin|stdout|stderr|fd|tty)|>\(/
const INPUT = new Set<RedirectionNode['operator']>(['<', '<<', '<<-', '<<<'])

/**
 * Makes each command of a script append its output to `OUT_PATH` and `ERR_PATH` when it ends, where the library would collect it all until
 * the end of the script. Loops, branches and groups are entered; a pipeline, a function call and what has redirections of its own are
 * each one command. All of the output or none, or its order would change: a script that writes past its commands' redirections stays as it is.
 */
export function streamOutput(ast: ScriptNode, script: string): void {
  if (UNSTREAMABLE.test(script) || hasOwnStreams(ast)) return
  for (const each of ast.statements) streamStatement(each)
}

/** `exec`, which can redirect the whole script, and `time`, which prints beside the commands. */
function hasOwnStreams(ast: ScriptNode): boolean {
  let found = false
  visit(ast, (node) => {
    if (node.type === 'Pipeline' && (node as PipelineNode).timed) found = true
    if (node.type === 'SimpleCommand' && literalText((node as SimpleCommandNode).name) === 'exec') found = true
  })
  return found
}

function streamStatement({ pipelines }: StatementNode): void {
  for (const { commands, pipeStderr } of pipelines) {
    const last = commands.length - 1
    for (const [stage, command] of commands.entries()) {
      if (last === 0) streamAlone(command)
      else streamUnit(command, stage === last ? [OUT, ERR] : pipeStderr?.[stage] ? [] : [ERR])
    }
  }
}

/** A command whose output goes nowhere but to the script's own. */
function streamAlone(command: CommandNode): void {
  const lists = command.redirections.every(({ operator }) => INPUT.has(operator)) ? listsOf(command) : undefined
  if (!lists) {
    streamUnit(command, [OUT, ERR])
    return
  }
  if (command.type === 'For') streamSubstitutions(command.words)
  if (command.type === 'Case') streamSubstitutions([command.word, ...command.items.map(({ patterns }) => patterns)])
  // A subshell that ends early keeps what its commands had printed: caught by a redirection of its own.
  if (command.type === 'Subshell') prepend(command, [OUT, ERR])
  for (const list of lists) for (const each of list) streamStatement(each)
}

/** The statements that a compound command runs one by one; undefined for any other. */
function listsOf(command: CommandNode): StatementNode[][] | undefined {
  switch (command.type) {
    case 'If':
      return [...command.clauses.flatMap(({ condition, body }) => [condition, body]), command.elseBody ?? []]
    case 'While':
    case 'Until':
      return [command.condition, command.body]
    case 'For':
    case 'CStyleFor':
    case 'Subshell':
    case 'Group':
      return [command.body]
    case 'Case':
      return command.items.map(({ body }) => body)
    default:
      return undefined
  }
}

/** A command as one: its output comes when it ends. */
function streamUnit(command: CommandNode, redirections: readonly RedirectionNode[]): void {
  if (command.type === 'SimpleCommand') streamSubstitutions(command)
  if (mayBeRedirected(command)) prepend(command, redirections)
}

function mayBeRedirected(command: CommandNode): boolean {
  if (command.type !== 'SimpleCommand') return command.type !== 'FunctionDef'
  // Of assignments alone a redirection would make the status 0; with one of their own it is already.
  if (command.name === null) return command.redirections.length > 0
  return !SILENT.has(literalText(command.name) ?? '')
}

/** In front: a redirection of the command's own decides where its output goes, and that it cannot be made is output too. */
function prepend(command: CommandNode, redirections: readonly RedirectionNode[]): void {
  command.redirections = [...redirections, ...command.redirections]
}

/** What a substitution prints on standard error is the script's, before the command itself runs. */
function streamSubstitutions(within: unknown): void {
  for (const { body } of outerSubstitutions(within)) {
    if (!readsFile(body)) body.statements = [statement(group(body.statements, [ERR]))]
  }
}

function* outerSubstitutions(value: unknown): Generator<SubstitutionPart> {
  if (Array.isArray(value)) for (const item of value) yield* outerSubstitutions(item)
  else if (typeof value === 'object' && value !== null) {
    const { type } = value as Node
    if (type === 'CommandSubstitution' || type === 'ProcessSubstitution') yield value as SubstitutionPart
    else for (const key in value) yield* outerSubstitutions((value as Record<string, unknown>)[key])
  }
}

/** `$(<file)` is a form of its own; an empty body is nothing to group. */
function readsFile({ statements }: ScriptNode): boolean {
  const [first] = statements[0]?.pipelines[0]?.commands ?? []
  return first === undefined || (first.type === 'SimpleCommand' && first.name === null && first.assignments.length === 0)
}
