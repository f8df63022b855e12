import type {
  CommandNode,
  Node,
  PipelineNode,
  RedirectionNode,
  ScriptNode,
  SimpleCommandNode,
  StatementNode,
  SubstitutionPart,
} from '../library-types.js'
import { group, literal, literalText, redirection, statement, visit } from './nodes.js'

/** Paths in the shell's file system. Content that is appended to these paths is output of the script. */
export interface OutputFiles {
  readonly out: string
  readonly err: string
}

/** @param random a number in [0, 1), so that no script can guess the paths */
export function outputFiles(random: number): OutputFiles {
  const key = String(random).slice(2)
  return { out: `/dev/.out-${key}`, err: `/dev/.err-${key}` }
}

/** Commands that print nothing, or whose effect a redirection would change. */
const SILENT = new Set(['break', 'continue', 'return', 'exit', ':', 'true', 'false'])
const OWN_STREAMS = /\b(?:exec|time)\b/
/** Constructs that bypass a command's redirections: tracing options, and names of the script's own streams. */
const UNSTREAMABLE = /\bset\s+[-+]\w*[xv]|\b(?:xtrace|verbose|expand_aliases)\b|\/dev\/(?:stdin|stdout|stderr|fd|tty)|>\(/
const INPUT = new Set<RedirectionNode['operator']>(['<', '<<', '<<-', '<<<'])

/**
 * Makes each command of a script append its output to the files when the command ends. Otherwise, the library would collect all output
 * until the end of the script. Also processes the commands inside loops, branches and groups. A pipeline, a function call and a command
 * with redirections each count as one command. A script that bypasses redirections of its commands stays unchanged as a whole, to keep the
 * order of the output.
 */
export function streamOutput(ast: ScriptNode, script: string, { out, err }: OutputFiles): void {
  if (UNSTREAMABLE.test(script) || (OWN_STREAMS.test(script) && hasOwnStreams(ast))) return
  const streams = { out: redirection(1, '>>', literal(out)), err: redirection(2, '>>', literal(err)) }
  for (const each of ast.statements) streamStatement(each, streams)
}

interface Streams {
  readonly out: RedirectionNode
  readonly err: RedirectionNode
}

/** Whether the script uses `exec`, which can redirect the whole script, or `time`, which prints in addition to its command. */
function hasOwnStreams(ast: ScriptNode): boolean {
  let found = false
  visit(ast, (node) => {
    if (node.type === 'Pipeline' && (node as PipelineNode).timed) found = true
    if (node.type === 'SimpleCommand' && literalText((node as SimpleCommandNode).name) === 'exec') found = true
  })
  return found
}

function streamStatement({ pipelines }: StatementNode, streams: Streams): void {
  for (const { commands, pipeStderr } of pipelines) {
    const last = commands.length - 1
    for (const [stage, command] of commands.entries()) {
      if (last === 0) streamAlone(command, streams)
      else streamUnit(command, streams, stage === last ? [streams.out, streams.err] : pipeStderr?.[stage] ? [] : [streams.err])
    }
  }
}

/** Streams a command whose output goes only to the script's own streams. */
function streamAlone(command: CommandNode, streams: Streams): void {
  const both = [streams.out, streams.err]
  const lists = command.redirections.every(({ operator }) => INPUT.has(operator)) ? listsOf(command) : undefined
  if (!lists) {
    streamUnit(command, streams, both)
    return
  }
  if (command.type === 'For') streamSubstitutions(command.words, streams)
  if (command.type === 'Case') streamSubstitutions([command.word, ...command.items.map(({ patterns }) => patterns)], streams)
  // Redirect the subshell itself too, so that its output is kept if the subshell ends early.
  if (command.type === 'Subshell') prepend(command, both)
  for (const list of lists) for (const each of list) streamStatement(each, streams)
}

/** Returns the statement lists that a compound command runs one by one, or undefined for any other command. */
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

/** Streams a command as a unit: its output arrives when it ends. */
function streamUnit(command: CommandNode, streams: Streams, redirections: readonly RedirectionNode[]): void {
  if (command.type === 'SimpleCommand') streamSubstitutions(command, streams)
  if (mayBeRedirected(command)) prepend(command, redirections)
}

function mayBeRedirected(command: CommandNode): boolean {
  if (command.type !== 'SimpleCommand') return command.type !== 'FunctionDef'
  // A redirection would set the status of a plain assignment to 0, so stream only an assignment that already has redirections.
  if (command.name === null) return command.redirections.length > 0
  return !SILENT.has(literalText(command.name) ?? '')
}

/** Prepends redirections. The command's own redirections still decide the target. Their errors become output of the script too. */
function prepend(command: CommandNode, redirections: readonly RedirectionNode[]): void {
  command.redirections = [...redirections, ...command.redirections]
}

/** Streams standard error of substitutions. It is output of the script and appears before the command itself runs. */
function streamSubstitutions(within: unknown, { err }: Streams): void {
  for (const { body } of outerSubstitutions(within)) {
    if (!readsFile(body)) body.statements = [statement(group(body.statements, [err]))]
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

/** Whether the body of a substitution is `$(<file)` or empty. */
function readsFile({ statements }: ScriptNode): boolean {
  const [first] = statements[0]?.pipelines[0]?.commands ?? []
  return first === undefined || (first.type === 'SimpleCommand' && first.name === null && first.assignments.length === 0)
}
