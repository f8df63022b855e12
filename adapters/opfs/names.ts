/** What `\` is to browsers is a separator; `%` begins an escape; half a surrogate pair would become another character. */
const ALWAYS = /[%\\/]|\p{Surrogate}/gu
/** Also what a disk could fold into another name: case, and anything that has more than one form. */
const WHAT_FOLDS = /[^a-z0-9._ -]/g
const ESCAPE = /%u([0-9a-f]{4})|%([0-9a-f]{2})/g

const hex = (text: string, at: number, digits: number): string => text.charCodeAt(at).toString(16).padStart(digits, '0')

function escapeAll(text: string): string {
  let escaped = ''
  for (let i = 0; i < text.length; i++) escaped += text.charCodeAt(i) < 0x80 ? `%${hex(text, i, 2)}` : `%u${hex(text, i, 4)}`
  return escaped
}

/** Names of a workspace as names that a browser takes, one to one, and back. Most stay as they are. */
export class Names {
  readonly #escaped: RegExp

  /** @param folds the disk takes some names for the same that are not */
  constructor(folds: boolean) {
    this.#escaped = folds ? WHAT_FOLDS : ALWAYS
  }

  encode(name: string): string {
    return name.replace(this.#escaped, escapeAll)
  }

  /** `undefined` for a name that none of a workspace's becomes: somebody else made it. */
  decode(stored: string): string | undefined {
    const name = stored.replace(ESCAPE, (_, wide?: string, narrow?: string) =>
      String.fromCharCode(Number.parseInt(wide ?? narrow ?? '', 16)),
    )
    return this.encode(name) === stored ? name : undefined
  }
}

/** For a directory of its own: never `.` or `..`. */
export function encodeStoreName(name: string): string {
  return /^\.+$/.test(name) ? escapeAll(name) : new Names(true).encode(name)
}
