import type { RedirectionNode, ScriptNode, SimpleCommandNode, WordNode } from '../library-types.js'
import { literal, literalText, visit } from './nodes.js'

const INPUT = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/(\d+))$/

/** `< /dev/stdin` is `<&0`: that file is what the shell reads; `< /dev/fd/3` is `<&3`. Refuses `exec > >(...)`, whose command would have to run beside the script. */
export function readInputFiles(ast: ScriptNode): void {
  visit(ast, (node) => {
    if (node.type === 'SimpleCommand') refuseProcess(node as SimpleCommandNode)
    if (node.type !== 'Redirection') return
    const redirection = node as RedirectionNode
    const found = redirection.operator === '<' ? INPUT.exec(literalText(redirection.target) ?? '') : null
    if (!found) return
    redirection.operator = '<&'
    redirection.target = literal(found[1] ?? '0')
  })
}

function refuseProcess({ name, args, redirections }: SimpleCommandNode): void {
  if (args.length > 0 || literalText(name) !== 'exec') return
  const open = redirections.find(({ target }) => (target as WordNode).parts?.some(isOutputProcess))
  if (open) throw new Error(`exec ${open.operator} >(...) is not supported here. Put the commands into { ...; } and redirect that`)
}

const isOutputProcess = ({ type, direction }: WordNode['parts'][number] & { readonly direction?: string }): boolean =>
  type === 'ProcessSubstitution' && direction === 'output'
