import type { CommandNode, RedirectionNode, ScriptNode, SimpleCommandNode, WordNode } from '../library-types.js'
import { literal, literalText, visit } from './nodes.js'

const INPUT = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/(\d+))$/

/** Converts `< /dev/stdin` to `<&0`, and `< /dev/fd/3` to `<&3`, because these paths mean the descriptors of the shell. */
export function readInputFiles(ast: ScriptNode): void {
  visit(ast, (node) => {
    if (node.type !== 'Redirection') return
    const redirection = node as RedirectionNode
    const found = redirection.operator === '<' ? INPUT.exec(literalText(redirection.target) ?? '') : null
    if (!found) return
    redirection.operator = '<&'
    redirection.target = literal(found[1] ?? '0')
  })
}

/** Whether a command is `exec > >(...)`, whose process ends with the shell. */
export function opensProcess(node: CommandNode): boolean {
  if (node.type !== 'SimpleCommand') return false
  const { name, args, redirections } = node as SimpleCommandNode
  return (
    redirections.length > 0 &&
    args.length === 0 &&
    literalText(name) === 'exec' &&
    redirections.some(({ target }) => (target as WordNode).parts?.some(isOutputProcess))
  )
}

const isOutputProcess = ({ type, direction }: WordNode['parts'][number] & { readonly direction?: string }): boolean =>
  type === 'ProcessSubstitution' && direction === 'output'
