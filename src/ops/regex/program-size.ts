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

/** Microseconds, about, that compiling takes for a class by name, and for each character whose other cases are looked up. */
const CLASS_COST = 100
const FOLDED_CLASS_COST = 300
const FOLD_COST = 0.15
/** No other cases behind it. */
const LAST_FOLDED = 0x1e943

/** About how many microseconds the classes of a pattern take to compile: those by name, and, where case does not count, long ranges. */
export function estimateClassCost(source: string, ignoreCase: boolean): number {
  const folds = ignoreCase || /\(\?[a-zA-Z]*i/.test(source)
  const named = source.match(/\\[pP]/g)?.length ?? 0
  if (!folds) return named * CLASS_COST
  let folded = 0
  for (const [text] of source.matchAll(/\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]/g)) folded += foldedIn(text)
  return named * FOLDED_CLASS_COST + folded * FOLD_COST
}

function foldedIn(text: string): number {
  let count = 0
  const range = /(\\x\{[^}]*\}|\\x..|\\[0-7]{1,3}|\\?.)-(\\x\{[^}]*\}|\\x..|\\[0-7]{1,3}|\\?.)/gsu
  for (const [, from = '', to = ''] of text.matchAll(range)) count += Math.max(0, Math.min(LAST_FOLDED, codeOf(to)) - codeOf(from))
  return count
}

function codeOf(atom: string): number {
  const [, hex, octal] = /^\\(?:x\{?([0-9a-f]+)|([0-7]+))/i.exec(atom) ?? []
  if (hex !== undefined) return Number.parseInt(hex, 16)
  return octal === undefined ? (atom.codePointAt(atom.length > 1 && atom.startsWith('\\') ? 1 : 0) ?? 0) : Number.parseInt(octal, 8)
}
