import type { BlockNode, CommandNode, Node, RedirectionNode, StatementNode, WordNode, WordPart } from '../library-types.js'

export const literal = (value: string): WordNode => word({ type: 'Literal', value })

const word = (part: WordPart): WordNode => ({ type: 'Word', parts: [part] })

/** Wraps a command in a statement. */
export const statement = (command: CommandNode): StatementNode => ({
  type: 'Statement',
  pipelines: [{ type: 'Pipeline', commands: [command], negated: false }],
  operators: [],
  background: false,
})

export const group = (body: StatementNode[], redirections: RedirectionNode[] = []): BlockNode => ({ type: 'Group', body, redirections })

export const redirection = (fd: number, operator: RedirectionNode['operator'], target: WordNode): RedirectionNode => ({
  type: 'Redirection',
  fd,
  operator,
  target,
})

/** Returns the text of a word that is plain text, or undefined for a word that is quoted or expanded. */
export function literalText(node: Node | null): string | undefined {
  if (node?.type !== 'Word') return undefined
  const { parts } = node as WordNode
  if (!parts.every((part) => part.type === 'Literal')) return undefined
  return parts.map((part) => ('value' in part ? part.value : '')).join('')
}

/** Visits every node at or below `value`, innermost first. Does not visit nodes that the callback inserts. */
export function visit(value: unknown, each: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, each)
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      const child = (value as Record<string, unknown>)[key]
      if (typeof child === 'object') visit(child, each)
    }
    if ('type' in value) each(value as Node)
  }
}
