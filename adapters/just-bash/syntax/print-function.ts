import type {
  CaseNode,
  CommandNode,
  CStyleForNode,
  ForNode,
  FunctionDefNode,
  IfNode,
  PipelineNode,
  RedirectionNode,
  SimpleCommandNode,
  StatementNode,
  WordNode,
} from '../library-types.js'
import { statement } from './nodes.js'

/** Returns the output of `declare -f` for one function. */
export const functionText = (node: FunctionDefNode): string => `${definition(node, '')}\n`

/** Returns the value of BASH_COMMAND, or undefined for a command that does not set BASH_COMMAND and triggers no DEBUG trap. */
export function commandLine(node: CommandNode): string | undefined {
  switch (node.type) {
    case 'SimpleCommand':
    case 'ArithmeticCommand':
    case 'ConditionalCommand':
      return node.source ?? ''
    case 'For':
      return forHead(node)
    case 'Case':
      return `case ${sourceOf(node.word)} in `
    default:
      return undefined
  }
}

const STEP = '    '

function definition({ name, body, redirections }: FunctionDefNode, indent: string): string {
  const statements = body.type === 'Group' ? body.body : [statement(body)]
  return `${name} () \n${indent}{ \n${indent}${STEP}${list(statements, indent + STEP)}\n${indent}}${redirected(redirections)}`
}

function list(statements: readonly StatementNode[], indent: string): string {
  let text = ''
  for (const [at, statement] of statements.entries()) {
    const line = statementText(statement, indent)
    const isLast = at === statements.length - 1
    const between = statement.background ? ' ' : line.endsWith('\n') ? `\n${indent}` : `;\n${indent}`
    text += line + (isLast ? '' : between)
  }
  return text
}

/** Formats statements as the body of a loop or a branch. */
function block(statements: readonly StatementNode[], indent: string): string {
  const text = list(statements, indent + STEP)
  return `\n${indent}${STEP}${text}${ended(text, statements)}`
}

const ended = (text: string, statements: readonly StatementNode[]): string =>
  statements.at(-1)?.background || text.endsWith('\n') ? '' : ';'

function statementText({ pipelines, operators, background }: StatementNode, indent: string): string {
  const parts = pipelines.map((pipeline, at) => `${at === 0 ? '' : `${operators[at - 1]} `}${pipelineText(pipeline, indent)}`)
  return parts.join(' ') + (background ? ' &' : '')
}

function pipelineText({ commands, negated, timed, pipeStderr }: PipelineNode, indent: string): string {
  const documents = commands.flatMap(documentsOf).join('')
  const parts = commands.map((command, at) => commandText(command, indent) + (pipeStderr?.[at] ? ' 2>&1' : ''))
  return `${timed ? 'time ' : ''}${negated ? '! ' : ''}${parts.join(' | ')}${documents === '' ? '' : `\n${documents}`}`
}

const documentsOf = ({ redirections }: CommandNode): string[] =>
  redirections.flatMap(({ operator, target }) => {
    if (!('delimiter' in target)) return []
    const { source = '', delimiter } = target
    return [`${operator === '<<-' ? source.replace(/^\t+/gm, '') : source}${delimiter}\n`]
  })

/** Returns the text of a command. `indent`: indentation of all lines except the first. */
export function commandText(node: CommandNode, indent: string): string {
  switch (node.type) {
    case 'SimpleCommand':
      return (node as SimpleCommandNode).source ?? ''
    case 'ArithmeticCommand':
    case 'ConditionalCommand':
      return (node.source ?? '') + redirected(node.redirections)
    case 'FunctionDef':
      return `function ${definition(node, indent)}`
    default:
      return compound(node, indent) + redirected(node.redirections)
  }
}

type Compound = Exclude<CommandNode, SimpleCommandNode | FunctionDefNode | { type: 'ArithmeticCommand' | 'ConditionalCommand' }>

function compound(node: Compound, indent: string): string {
  switch (node.type) {
    case 'If':
      return branches(node, 0, indent)
    case 'For':
      return `${forHead(node)};\n${indent}do${block(node.body, indent)}\n${indent}done`
    case 'CStyleFor':
      return `${countHead(node)}\n${indent}do${block(node.body, indent)}\n${indent}done`
    case 'While':
    case 'Until':
      return `${node.type.toLowerCase()} ${condition(node.condition, indent)} do${block(node.body, indent)}\n${indent}done`
    case 'Case':
      return cases(node, indent)
    case 'Group':
      return `{ \n${indent}${STEP}${list(node.body, indent + STEP)}\n${indent}}`
    default:
      return `( ${list(node.body, indent)} )`
  }
}

function condition(statements: readonly StatementNode[], indent: string): string {
  const text = list(statements, indent)
  return text + ended(text, statements)
}

function branches({ clauses, elseBody }: IfNode, at: number, indent: string): string {
  const clause = clauses[at]
  if (!clause) return ''
  const head = `if ${condition(clause.condition, indent)} then${block(clause.body, indent)}\n${indent}`
  const inner = indent + STEP
  if (at < clauses.length - 1) {
    const others = branches({ type: 'If', clauses, elseBody, redirections: [] }, at + 1, inner)
    return `${head}else\n${inner}${others};\n${indent}fi`
  }
  return `${head}${elseBody ? `else${block(elseBody, indent)}\n${indent}` : ''}fi`
}

const forHead = ({ variable, words }: ForNode): string => `for ${variable} in ${words ? words.map(sourceOf).join(' ') : '"$@"'}`
const countHead = ({ sources = [] }: CStyleForNode): string => `for ((${sources.map((part) => part.trim()).join('; ')}))`

function cases({ word, items }: CaseNode, indent: string): string {
  const inner = indent + STEP
  const texts = items.map(({ patterns, body, terminator = ';;' }) => {
    const statements = body.length === 0 ? '' : `${inner}${STEP}${list(body, inner + STEP)}`
    return `\n${inner}${patterns.map(sourceOf).join(' | ')})\n${statements}\n${inner}${terminator}`
  })
  return `case ${sourceOf(word)} in ${texts.join('')}\n${indent}esac`
}

const sourceOf = ({ source = '' }: WordNode): string => source

function redirected(redirections: readonly RedirectionNode[]): string {
  return redirections
    .map(({ fd, operator, target }) => {
      const close = operator === '>&' || operator === '<&' || operator === '<<' || operator === '<<-'
      const word = 'delimiter' in target ? target.delimiter : sourceOf(target)
      return ` ${fd ?? (operator === '>&' ? 1 : '')}${operator}${close ? '' : ' '}${word}`
    })
    .join('')
}
