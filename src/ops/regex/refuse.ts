import { InputError } from '../../errors/index.js'
import { visibleName } from '../visible-name.js'

const LOOK_AROUND: Readonly<Record<string, string>> = {
  '(?=': 'look-ahead',
  '(?!': 'negative look-ahead',
  '(?<=': 'look-behind',
  '(?<!': 'negative look-behind',
}

const FEED = String.raw`\n|\\(?:n|x0[aA]|x\{0*[aA]\}|012)`
const RETURN = String.raw`\r|\\(?:r|x0[dD]|x\{0*[dD]\}|015)`
/** A line break, alone or in a class that contains nothing else. */
const LINE_BREAK = new RegExp(`${FEED}|\\[(?:${RETURN})*(?:${FEED})(?:${FEED}|${RETURN})*\\]`, 'y')

/**
 * Rejects look-around and back-references, which RE2 omits on purpose, and with `lines` also line breaks. The error suggests an
 * alternative.
 *
 * @throws InputError
 */
export function refuseUnsupported(pattern: string, lines: boolean): void {
  let inClass = false
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]
    LINE_BREAK.lastIndex = i
    if (lines && !inClass && LINE_BREAK.test(pattern)) throw lineBreak(pattern)
    if (char === '\\') {
      i++
      const escaped = pattern[i] ?? ''
      if (escaped === 'Q') {
        const end = pattern.indexOf('\\E', i)
        if (end < 0) return
        i = end + 1
      } else if (!inClass && (/[1-9]/.test(escaped) || (escaped === 'k' && /[<{']/.test(pattern[i + 1] ?? '')))) {
        throw backReference(pattern, `\\${escaped}`)
      }
    } else if (inClass) {
      if (char === ']') inClass = false
    } else if (char === '[') {
      inClass = true
      if (pattern[i + 1] === '^') i++
      // A `]` in first position is a member of the class.
      if (pattern[i + 1] === ']') i++
    } else if (char === '(') {
      refuseGroup(pattern, i)
    }
  }
}

function refuseGroup(pattern: string, at: number): void {
  if (pattern.startsWith('(?P=', at)) throw backReference(pattern, '(?P=')
  for (const [opener, name] of Object.entries(LOOK_AROUND)) {
    if (!pattern.startsWith(opener, at)) continue
    throw refusal(
      pattern,
      `${name} "${opener}" is not supported: match the text itself, then filter the lines found or request lines before and after`,
    )
  }
}

function backReference(pattern: string, found: string): InputError {
  return refusal(pattern, `back-reference "${found}" is not supported: write the repeated text out, or search for its first part`)
}

/** Creates the error for a pattern that cannot match within a single line. */
export function lineBreak(pattern: string): InputError {
  return refusal(pattern, 'it contains a line break, which a single line never has: set multiline to true')
}

/** Creates the error for a pattern, with the pattern and the reason. */
export function refusal(pattern: string, reason: string): InputError {
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}...` : pattern
  return new InputError('invalid_input', `Cannot search for "${visibleName(shown)}": ${reason}`, {
    issues: [{ path: 'pattern', message: reason }],
  })
}
