/** Where what `opener` opens at `from` (behind the opener) ends, behind its closer; -1 when it never does. No recursion. */
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
      // Nothing else counts between double quotes.
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

/** Behind the closing backtick; -1 when there is none. */
export function endOfBacktick(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '`') return i + 1
  }
  return -1
}
