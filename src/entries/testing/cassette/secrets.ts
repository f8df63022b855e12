export const REDACTED = '[redacted]'

/** Names of fields, headers and variables whose value is a secret. */
const SECRET_NAME =
  /^(?:(?:proxy-)?authorization|auth|(?:set[-_]?)?cookies?|jwt|sessionid|pgpass|database_url|.*(?:api|access|private|secret)[-_]?key|.*[-_]?(?:token|secret|password|passwd|passphrase|credentials?))$/i
/** Secret names whose values people choose, so that a value may be any word or number. */
const CHOSEN_NAME = /(?:cookies?|secret|pgpass|password|passwd|passphrase)$/i
const COOKIES_NAME = /^(?:set[-_]?)?cookies?$|^cookie[-_]?jar$/i
/** Attributes that only cookie objects have, besides name and value. */
const COOKIE_ONLY = /^(?:httponly|hostonly|samesite)$/i
/** Attributes that other objects may have too, as a DNS record has a domain. A cookie has several of them. */
const COOKIE_ATTRIBUTE = /^(?:domain|path|expires|max-?age|secure)$/i

/** Secrets that are recognised by their form. `$1` is kept. */
export const SECRET_FORMS: readonly RegExp[] = [
  /(\bBearer\s+)(?![A-Z]?[a-z]{0,14}\.?(?![\w.~+/=-]))[\w.~+/-]{8,}=*/g,
  /(\bBasic\s+)(?![A-Z]?[a-z]{0,14}(?![\w+/=-]))[\w+/-]{8,}=*/g,
  /(\bauthorization["'\\]*\s*[:=]\s*["'\\]*(?:bearer|basic|token|api-?key)\s+)[\w.~+/-]{8,}=*/gi,
  // `Cookie: a=b; c="d"`, `"Set-Cookie": "a=b; Path=/"`.
  /(\b(?:set-)?cookie["'\\]*[ \t]*:[ \t]*["'\\[]*)[^\s=;,"'\\]+=(?![$<{])(?:\\*"[\w%&+./:=-]+\\*"|[^\s;"'\\]+)(?:;[ \t]*[^\s=;,"'\\]+(?:=(?:\\*"[\w%&+./:=-]+\\*"|[^;"'\\\r\n]*))?)*/gi,
  /([?&](?:[\w-]*key|[\w-]*token|sig|signature|password)=)[^&#\s"]+/gi,
  /(:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/g,
  // `API_TOKEN=...`, `"password": "..."`, `X-Api-Key: ...`, also as text of JSON.
  /((?:(?:api|access|private|secret)[-_]?key|authorization|token|secret|password|passwd|passphrase)["'\\]*\s*[=:]\s*["'\\]*)(?=[\w.~+/-]*\d)(?=[\w.~+/-]*[a-z])[\w.~+/-]{8,}=*/gi,
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

/** Minimum characters of a secret that is redacted everywhere. A shorter value may occur in any text. */
export const LEAST_SECRET = 8

/** Whether a value is redacted everywhere. An ordinary word is not, because it may occur in any text. */
export const isTelling = (value: string): boolean => value.length >= 16 || (value.length >= LEAST_SECRET && /[^a-z]/i.test(value))

/** Whether a field is a secret, by name and value. The word `the` or the number 7 cannot be a token, but may be a password. */
export function isSecret(name: string, field: unknown): boolean {
  if (Array.isArray(field)) return field.some((item) => isSecret(name, item))
  if (!/^(?:string|number)$/.test(typeof field) || field === REDACTED || !SECRET_NAME.test(name)) return false
  const value = String(field).trim()
  return CHOSEN_NAME.test(name) || (isTelling(value) && !/^\d{1,15}$/.test(value))
}

/** Whether a field contains cookies as an array or object. Excludes the JSON Schema of such a field. */
export const isCookies = (name: string, field: unknown): boolean =>
  COOKIES_NAME.test(name) && typeof field === 'object' && field !== null && !('type' in field && !('value' in field))

/** Whether an object has the form `{ name, value }` of a cookie, or of a header or variable with a secret's name. */
export function isNamedSecret(fields: Fields, inCookies: boolean): boolean {
  const name = fields.name ?? fields.key
  if (typeof name !== 'string' || !/^(?:string|number)$/.test(typeof fields.value)) return false
  const names = Object.keys(fields)
  const isCookie = names.some((field) => COOKIE_ONLY.test(field)) || names.filter((field) => COOKIE_ATTRIBUTE.test(field)).length > 1
  return inCookies || isCookie || isSecret(name, fields.value)
}

/** Whether a field `token` is a piece of text in a model's answer, next to its probability, instead of a secret. */
export const isToken = (name: string, fields: Fields): boolean =>
  name === 'token' && Object.keys(fields).some((other) => /^log_?prob(?:ability)?$/i.test(other))
