import type { Node, RedirectionNode, SimpleCommandNode } from '#just-bash'
import { literal, literalText, redirection } from './nodes.js'

/** Descriptors that a script hardly uses; one that stands in the text is passed over. */
const FIRST_DESCRIPTOR = 200

export function freeDescriptor(script: string): number {
  for (let fd = FIRST_DESCRIPTOR; ; fd++) if (!script.includes(String(fd))) return fd
}

/**
 * `>W` becomes `200>W >&200 200>&-`: where the file cannot be opened, the library rejects for the standard streams and ends the script,
 * and fails the command for any other descriptor, as bash does.
 */
export function openSafely(node: Node, fd: number): void {
  if (!('redirections' in node)) return
  const target = node as SimpleCommandNode
  if (target.redirections.some(opens))
    target.redirections = target.redirections.flatMap((each) => (opens(each) ? rewritten(each, fd) : [each]))
}

function opens({ operator, fd, fdVariable, target }: RedirectionNode): boolean {
  if (fdVariable !== undefined) return false
  if (literalText(target)?.startsWith('/dev/')) return false
  switch (operator) {
    case '>':
    case '>>':
    case '>|':
      return fd === null || fd < 3
    case '&>':
    case '&>>':
      return true
    case '>&':
      return fd === null && isFileName(literalText(target))
    default:
      return false
  }
}

/** `>&` takes a descriptor (`2`, `2-`, `-`) or a name. What is only known when it runs is left as it is. */
function isFileName(target: string | undefined): boolean {
  return target !== undefined && !/^(\d*-?)$/.test(target)
}

function rewritten({ operator, fd, target }: RedirectionNode, through: number): RedirectionNode[] {
  if (target.type === 'HereDoc') return []
  const both = operator === '&>' || operator === '&>>' || operator === '>&'
  const open = operator === '&>' || operator === '>&' ? '>' : operator === '&>>' ? '>>' : operator
  const source = literal(String(through))
  return [
    redirection(through, open, target),
    redirection(both ? 1 : (fd ?? 1), '>&', source),
    ...(both ? [redirection(2, '>&', source)] : []),
    redirection(through, '>&', literal('-')),
  ]
}
