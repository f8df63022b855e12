/** Copies of one atom are bounded by RE2 itself; more than this for a whole pattern is all the same. */
const MOST = 1e9

/**
 * About how many instructions a pattern has once its repetitions are written out, without compiling it, which takes seconds for the
 * largest ones. Alternatives that begin alike are counted in full.
 */
export function estimateProgramSize(source: string): number {
  const token =
    /\\Q[\s\S]*?(?:\\E|$)|\\[xpP]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]|\{\d+(?:,(\d*))?\}|\(\?[^:)]*[:)]|[\s\S]/g
  const outer: number[] = []
  // Of the group so far, and of its last atom, which a repetition copies.
  let size = 0
  let atom = 0
  for (const [text, upTo] of source.matchAll(token)) {
    if (text === ')' && outer.length > 0) {
      atom = size
      size += outer.pop() ?? 0
    } else if (text.startsWith('(') && !text.endsWith(')')) {
      outer.push(size)
      size = 0
      atom = 0
    } else if (/^\{\d/.test(text) && text.length > 1) {
      const count = Number(upTo || /\d+/.exec(text)?.[0])
      size = Math.min(MOST, size + atom * Math.max(0, count - 1))
      atom = Math.min(MOST, atom * Math.max(1, count))
    } else if (!/^[|?*+)]$/.test(text) && !text.startsWith('(?')) {
      atom = 1
      size += text.startsWith('\\Q') ? text.length : 1
    }
  }
  return outer.reduce((sum, before) => sum + before, size)
}
