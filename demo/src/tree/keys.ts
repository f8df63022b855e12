import type { TreeRow } from './model.js'

export type TreeAction =
  | { readonly type: 'focus'; readonly index: number }
  | { readonly type: 'open' | 'expand' | 'collapse' | 'expand-siblings'; readonly index: number }

const TYPE_AHEAD_MS = 700

/** The meaning of a key at row `index`, after the ARIA tree pattern. Undefined: not handled. */
export function createTreeKeys(): (
  event: KeyboardEvent,
  rows: readonly TreeRow[],
  index: number,
  open: ReadonlySet<string>,
  page: number,
) => TreeAction | undefined {
  let typed = ''
  let typedAt = 0

  function find(letter: string, time: number, rows: readonly TreeRow[], index: number): TreeAction | undefined {
    typed = time - typedAt > TYPE_AHEAD_MS ? letter : typed + letter
    typedAt = time
    // Repeating a letter cycles through the names that start with it.
    const repeated = [...typed].every((other) => other === letter)
    const wanted = repeated ? letter : typed
    const from = repeated ? index + 1 : index
    for (let step = 0; step < rows.length; step += 1) {
      const at = (from + step) % rows.length
      if (rows[at]?.node.name.toLowerCase().startsWith(wanted)) return { type: 'focus', index: at }
    }
    return undefined
  }

  return (event, rows, index, open, page) => {
    const row = rows[index]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return undefined
    const { node } = row
    const last = rows.length - 1
    switch (event.key) {
      case 'ArrowDown':
        return { type: 'focus', index: Math.min(index + 1, last) }
      case 'ArrowUp':
        return { type: 'focus', index: Math.max(index - 1, 0) }
      case 'PageDown':
        return { type: 'focus', index: Math.min(index + page, last) }
      case 'PageUp':
        return { type: 'focus', index: Math.max(index - page, 0) }
      case 'Home':
        return { type: 'focus', index: 0 }
      case 'End':
        return { type: 'focus', index: last }
      case 'ArrowRight':
        if (node.kind !== 'dir') return { type: 'focus', index }
        return open.has(node.path) ? { type: 'focus', index: node.children.length ? index + 1 : index } : { type: 'expand', index }
      case 'ArrowLeft':
        if (node.kind === 'dir' && open.has(node.path)) return { type: 'collapse', index }
        return {
          type: 'focus',
          index: Math.max(
            0,
            rows.findIndex((other) => other.node === node.parent),
          ),
        }
      case 'Enter':
      case ' ':
        return { type: 'open', index }
      case '*':
        return { type: 'expand-siblings', index }
    }
    return event.key.length === 1 ? find(event.key.toLowerCase(), event.timeStamp, rows, index) : undefined
  }
}
