import { only } from '../char-set.js'
import type { AltNode } from './ast.js'

/** The longest text that every match holds, by its characters of one spelling; undefined if none is certain. */
export function requiredText({ options }: AltNode): string | undefined {
  const [seq, ...others] = options
  if (!seq || others.length > 0) return undefined
  let best = ''
  let current = ''
  for (const { node, min, max } of seq) {
    const code = node.kind === 'char' && min > 0 ? only(node.set) : undefined
    if (node.kind === 'edge') continue
    if (code !== undefined) current += String.fromCodePoint(code)
    if (current.length > best.length) best = current
    // Behind a repeated character the text goes on, but not right behind the first one.
    if (code === undefined || max > 1) current = ''
  }
  return best === '' ? undefined : best
}
