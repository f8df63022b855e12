/**
 * Returns the index after the closer of a nested construct, or -1 if the construct is not closed. `from` is the index after its opener. Not
 * recursive, so deep nesting is safe.
 */
export function endOfNested(text: string, from: number, closer: ')' | '}'): number {
  const stack: string[] = [closer]
  let i = from
  while (i < text.length) {
    const char = text[i] as string
    const top = stack[stack.length - 1]
    if (char === '\\') {
      i += 2
      continue
    }
    if (char === '`') {
      i = endOfBacktick(text, i + 1)
      if (i < 0) return -1
      continue
    }
    i++
    if (char === '$' && (text[i] === '(' || text[i] === '{')) {
      stack.push(text[i] === '(' ? ')' : '}')
      i++
    } else if (char === top) {
      stack.pop()
      if (stack.length === 0) return i
    } else if (top === '"') {
      // Inside double quotes, other quotes and closers have no meaning.
    } else if (char === '"') {
      stack.push('"')
    } else if (char === "'") {
      i = text.indexOf("'", i) + 1
      if (i === 0) return -1
    } else if (char === '(' && top === ')') {
      stack.push(')')
    }
  }
  return -1
}

/** Returns the index after the closing backtick; -1 if there is none. */
export function endOfBacktick(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '`') return i + 1
  }
  return -1
}
