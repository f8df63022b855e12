const BITS: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111 }
const WHO: Readonly<Record<string, number>> = { u: 0o700, g: 0o070, o: 0o007, a: 0o777 }

/** What a clause that names nobody leaves alone. */
const UMASK = 0o022

/** A mode as `chmod` reads it, octal or by letters over `base`. Undefined for what is none. */
export function modeOf(text: string, base = 0): number | undefined {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8)
  let mode = base
  for (const clause of text.split(',')) {
    const found = /^([ugoa]*)([-+=])([rwxX]*)$/.exec(clause)
    if (!found) return undefined
    const [, who = '', operator, letters = ''] = found
    const mask = [...(who || 'a')].reduce((bits, one) => bits | (WHO[one] ?? 0), 0)
    const bits = [...letters].reduce((all, letter) => all | (BITS[letter.toLowerCase()] ?? 0), 0) & mask & (who === '' ? ~UMASK : ~0)
    if (operator === '=') mode = (mode & ~mask) | bits
    else mode = operator === '+' ? mode | bits : mode & ~bits
  }
  return mode
}
