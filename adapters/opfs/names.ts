/**
 * Characters that are always escaped: some browsers treat `\` as a separator, `%` begins an escape, and a lone surrogate would become a
 * different character.
 */
const ALWAYS = /[%\\/]|\p{Surrogate}/gu
/**
 * Characters that are escaped on a disk that treats some different names as equal: upper case, and characters with several Unicode forms.
 */
const WHAT_FOLDS = /[^a-z0-9._ -]/g
const ESCAPE = /%u([0-9a-f]{4})|%([0-9a-f]{2})/g

const hex = (text: string, at: number, digits: number): string => text.charCodeAt(at).toString(16).padStart(digits, '0')

function escapeAll(text: string): string {
  let escaped = ''
  for (let i = 0; i < text.length; i++) escaped += text.charCodeAt(i) < 0x80 ? `%${hex(text, i, 2)}` : `%u${hex(text, i, 4)}`
  return escaped
}

/** Maps each workspace name to a name that browsers accept, and back. Most names stay unchanged. */
export class Names {
  readonly #escaped: RegExp

  /** @param folds whether the disk treats some different names as equal */
  constructor(folds: boolean) {
    this.#escaped = folds ? WHAT_FOLDS : ALWAYS
  }

  encode(name: string): string {
    return name.replace(this.#escaped, escapeAll)
  }

  /** Returns the workspace name for a stored name, or undefined for a name that `encode` never returns, which another program created. */
  decode(stored: string): string | undefined {
    const name = stored.replace(ESCAPE, (_, wide?: string, narrow?: string) =>
      String.fromCharCode(Number.parseInt(wide ?? narrow ?? '', 16)),
    )
    return this.encode(name) === stored ? name : undefined
  }
}

/** Returns a directory name for a storage name. The directory name is never `.` or `..`. */
export function encodeStoreName(name: string): string {
  return /^\.+$/.test(name) ? escapeAll(name) : new Names(true).encode(name)
}
