export const REDACTED = '[redacted]'

/** Names of fields, headers and variables whose value is a secret. */
const SECRET_NAME =
  /^(?:(?:proxy-)?authorization|auth|(?:set[-_]?)?cookies?|jwt|sessionid|pgpass|database_url|.*(?:api|access|private|secret)[-_]?key|.*[-_]?(?:token|secret|password|passwd|passphrase|credentials?))$/i
const COOKIES_NAME = /^(?:set[-_]?)?cookies?$|^cookie[-_]?jar$/i
/** Attributes that distinguish a cookie object from other objects with a name and a value. */
const COOKIE_ATTRIBUTE = /^(?:httponly|hostonly|samesite|secure|max-?age|expires|domain)$/i

/** Secrets recognisable by their form. `$1` is kept. */
export const SECRET_FORMS: readonly RegExp[] = [
  /(\bBearer\s+)[\w.~+/-]{8,}=*/g,
  /(\bBasic\s+)[\w+/-]{8,}=*/g,
  /([?&](?:[\w-]*key|[\w-]*token|sig|signature|password)=)[^&#\s"]+/gi,
  /(:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/g,
  // `API_TOKEN=...`, `"password": "..."`, `X-Api-Key: ...`, also within a JSON string.
  /((?:(?:api|access|private|secret)[-_]?key|token|secret|password|passwd|passphrase)["'\\]*\s*[=:]\s*["'\\]*)(?=[\w.~+/-]*\d)(?=[\w.~+/-]*[a-z])[\w.~+/-]{8,}=*/gi,
  /()\b(?:sk|pk|rk)-[\w-]{16,}/g,
  /()\b(?:sk|pk|rk|whsec)_(?:(?:live|test)_)?\w{16,}/g,
  /()\b(?:ghp|gho|ghs|ghu|ghr|github_pat|npm|hf)_\w{20,}/g,
  /()\bglpat-[\w-]{16,}/g,
  /()\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /()\bA[KS]IA[0-9A-Z]{16}\b/g,
  /()\bxox[abeprs]-[\w-]{10,}/g,
  /()\bAIza[\w-]{35}/g,
  /()\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
]

type Fields = Readonly<Record<string, unknown>>

/** Whether a value can be redacted everywhere. Plain words cannot, because they may occur in any text. */
export const isTelling = (value: string): boolean => value.length >= 16 || (value.length >= 8 && /[^a-z]/i.test(value))

export const isSecret = (name: string, field: unknown): boolean =>
  (typeof field === 'string' || typeof field === 'number' || Array.isArray(field)) && field !== REDACTED && SECRET_NAME.test(name)

/** Whether a field contains cookies as an array or object. Excludes the JSON Schema of such a field. */
export const isCookies = (name: string, field: unknown): boolean =>
  COOKIES_NAME.test(name) && typeof field === 'object' && field !== null && !('type' in field && !('value' in field))

/** Whether an object has the form `{ name, value }` of a cookie, or of a header or variable whose name is that of a secret. */
export function isNamedSecret(fields: Fields, inCookies: boolean): boolean {
  const name = fields.name ?? fields.key
  if (typeof name !== 'string' || !/^(?:string|number)$/.test(typeof fields.value)) return false
  return inCookies || SECRET_NAME.test(name) || Object.keys(fields).some((field) => COOKIE_ATTRIBUTE.test(field))
}
