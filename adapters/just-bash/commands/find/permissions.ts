import { Failure } from '../shared/failure.js'

const WHO: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 }
const LETTERS: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111, s: 0o6000, t: 0o1000 }

export interface ModeTest {
  readonly matches: (mode: number, isDirectory: boolean) => boolean
  readonly warning?: string
}

/** Parses `-perm`: `644` exactly, `-644` all of these bits, `/644` any of them. @throws {Failure} for an invalid mode */
export function permissionTest(text: string): ModeTest {
  const kind = text[0] === '-' || text[0] === '/' ? text[0] : ''
  const spec = text.slice(kind.length)
  const [file, folder] = [modeIn(spec, false), modeIn(spec, true)]
  if (file === undefined || folder === undefined) throw new Failure(`invalid mode '${text}'`)
  const bitsOf = (isDirectory: boolean): number => (isDirectory ? folder : file)
  if (kind === '') return { matches: (mode, isDirectory) => mode === bitsOf(isDirectory) }
  if (kind === '-') return { matches: (mode, isDirectory) => (mode & bitsOf(isDirectory)) === bitsOf(isDirectory) }
  const matches: ModeTest['matches'] = (mode, isDirectory) => bitsOf(isDirectory) === 0 || (mode & bitsOf(isDirectory)) !== 0
  if (file !== 0 || folder !== 0) return { matches }
  return {
    matches,
    warning:
      `you have specified a mode pattern ${text} (which is equivalent to /000). The meaning of -perm /000 has now been changed to be ` +
      'consistent with -perm -000; that is, while it used to match no files, it now matches all files.',
  }
}

/** Parses an octal mode, or a symbolic mode that starts from no permissions. Returns undefined for an invalid mode. */
function modeIn(spec: string, isDirectory: boolean): number | undefined {
  if (/^[0-7]+$/.test(spec)) {
    const mode = Number.parseInt(spec, 8)
    return mode <= 0o7777 ? mode : undefined
  }
  let mode = 0
  for (const clause of spec.split(',')) {
    const found = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)$/.exec(clause)
    if (!found) return undefined
    const mask = [...(found[1] || 'a')].reduce((bits, who) => bits | (WHO[who] as number), 0)
    for (const [, operator, letters = ''] of (found[2] as string).matchAll(/([-+=])([rwxXst]+|[ugo])?/g))
      mode = changed(mode, operator as string, bitsOf(letters, mode, isDirectory) & mask, mask)
  }
  return mode
}

function changed(mode: number, operator: string, bits: number, mask: number): number {
  if (operator === '=') return (mode & ~mask) | bits
  return operator === '+' ? mode | bits : mode & ~bits
}

function bitsOf(letters: string, mode: number, isDirectory: boolean): number {
  const shift = { u: 6, g: 3, o: 0 }[letters]
  // Copy the permissions of another class, as in `g=u`.
  if (shift !== undefined) return ((mode >> shift) & 7) * 0o111
  return [...letters].reduce((bits, letter) => {
    if (letter === 'X') return isDirectory || (mode & 0o111) !== 0 ? bits | 0o111 : bits
    return bits | (LETTERS[letter] as number)
  }, 0)
}
