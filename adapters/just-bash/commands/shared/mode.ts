const BITS: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111, X: 0o111, s: 0o6000, t: 0o1000 }
/** Mode bits that a clause with a class of users can change. */
const WHO: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 }
/** Right shift that moves the permissions of a class to the lowest bits, for `g=u`. */
const SHIFT: Readonly<Record<string, number>> = { u: 6, g: 3, o: 0 }

/** Mode bits that a clause without a class of users leaves unchanged. */
const UMASK = 0o022

/** Parses a mode like `chmod`: an octal mode, or a symbolic mode relative to `base`. Returns undefined for an invalid mode. */
export function modeOf(text: string, base = 0): number | undefined {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8)
  let mode = base
  for (const clause of text.split(',')) {
    const found = /^([ugoa]*)((?:[-+=](?:[ugo]|[rwxXst]*))+)$/.exec(clause)
    if (!found) return undefined
    const [, who = '', actions = ''] = found
    const mask = [...(who || 'a')].reduce((bits, one) => bits | (WHO[one] ?? 0), 0)
    for (const [, operator, letters = ''] of actions.matchAll(/([-+=])([ugo]|[rwxXst]*)/g)) {
      const shift = SHIFT[letters]
      const given = shift === undefined ? [...letters].reduce((all, letter) => all | (BITS[letter] ?? 0), 0) : ((mode >> shift) & 7) * 0o111
      const bits = given & mask & (who === '' ? ~UMASK : ~0)
      if (operator === '=') mode = (mode & ~mask) | bits
      else mode = operator === '+' ? mode | bits : mode & ~bits
    }
  }
  return mode
}
