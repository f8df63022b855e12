import { textInBase64 } from './encodings.js'

export const REDACTED = '[redacted]'

/** Names of fields, headers and variables whose value is a secret. */
const SECRET_NAME =
  /^(?:(?:proxy-)?authorization|auth|(?:set[-_]?)?cookies?|jwt|sessionid|pgpass|database_url|(?:.*[-_])?(?:pass|pwd)|.*(?:api|access|private|secret|auth|account|subscription|signing|encryption)[-_]?key|.*[-_]?(?:token|secret|password|passwd|passphrase|credentials?))$/i
/** Names of secrets that people choose themselves. The value may be any word or number. */
const CHOSEN_NAME = /(?:cookies?|secret|pgpass|password|passwd|passphrase)$/i
const COOKIES_NAME = /^(?:set[-_]?)?cookies?$|^cookie[-_]?jar$/i
/** Attributes that only cookie objects have, besides name and value. */
const COOKIE_ONLY = /^(?:httponly|hostonly|samesite)$/i
/** Attributes of cookies that other objects may have too: a DNS record has a `domain`. An object with two of them counts as a cookie. */
const COOKIE_ATTRIBUTE = /^(?:domain|path|expires|max-?age|secure)$/i

/** Names of secrets in texts. Does not match `pass:` and `PWD=/home`. */
const NAME =
  '(?:(?:api|access|private|secret|auth|account|subscription|signing|encryption)[-_]?key|authorization|token|secret|password|passwd|passphrase|(?<![a-z])(?:pass|pwd)(?![: ]|=[./~]))'
/** Looks ahead at a value: it has a letter and a digit, and is not a variable or a function call. Limited to keep the time linear. */
const VALUE = String.raw`(?![$%<{]|[\w.]*[([])(?=[^\s"'\\]{0,256}?\d)(?=[^\s"'\\]{0,256}?[a-zA-Z])`

/** Patterns of secrets. A value that `isRandom` accepts is redacted in all texts, not only at the match. `$1` is kept. */
export const SURE_FORMS: readonly RegExp[] = [
  /(\bBearer\s+)(?![A-Z]?[a-z]{0,14}\.?(?![\w.~+/=-]))[\w.~+/-]{8,}=*/g,
  /(\bBasic\s+)(?![A-Z]?[a-z]{0,14}(?![\w+/=-]))[\w+/-]{8,}=*/g,
  /(\bauthorization["'\\]*\s*[:=]\s*["'\\]*(?:bearer|basic|token|api-?key)\s+)[\w.~+/-]{8,}=*/gi,
  // `Cookie: a=b; c="d"`, `"Set-Cookie": "a=b; Path=/"`.
  /(\b(?:set-)?cookie["'\\]*[ \t]*:[ \t]*["'\\[]*)[^\s=;,"'\\]{1,256}=(?![$<{])(?:\\*"[\w%&+./:=-]+\\*"|[^\s;"'\\]+)(?:;[ \t]*[^\s=;,"'\\]+(?:=(?:\\*"[\w%&+./:=-]+\\*"|[^;"'\\\r\n]*))?)*/gi,
  /(:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/g,
  new RegExp(String.raw`([?&][\w-]*(?:${NAME}|signature)=)[^&#\s"]+`, 'gi'),
  // `"password": "..."` and `export API_TOKEN='...'`, also as text of JSON.
  new RegExp(String.raw`(${NAME}["'\\]*\s*[=:]\s*(\\{0,8}["']))${VALUE}(?:(?!(?<!\\)\2)\S){8,4096}(?<!\\)(?=\2)`, 'gi'),
  // `API_TOKEN=...` and `X-Api-Key: ...`.
  new RegExp(String.raw`(${NAME.toUpperCase()}=)${VALUE}[^\s"'\\,;&|<>(){}[\]]{8,}`, 'g'),
  new RegExp(String.raw`((?<=-)${NAME}["'\\]*:[ \t]*)${VALUE}[\w.~+/@$!%^*-]{8,}=*`, 'gi'),
]

/** Patterns of secrets whose value is redacted only at the match, because the value may also be a name. `$1` is kept. */
export const FORMS: readonly RegExp[] = [
  /([?&](?:[\w-]*key|sig)=)[^&#\s"]+/gi,
  new RegExp(String.raw`(${NAME}["'\\]*\s*[=:]\s*["'\\]*)${VALUE}[\w.~+/@$!%^*-]{8,}=*`, 'gi'),
  /()\b(?:(?:sk|pk|rk|glpat)-[\w-]{16,}|(?:sk|pk|rk|whsec)_(?:(?:live|test)_)?\w{16,}|(?:ghp|gho|ghs|ghu|ghr|github_pat|npm|hf)_\w{20,})/g,
  /()\b(?:SG\.[\w-]{16,}\.[\w-]{16,}|A[KS]IA[0-9A-Z]{16}\b|xox[abeprs]-[\w-]{10,}|AIza[\w-]{35}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,})/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
]

/** The scheme before the secret in an `Authorization` header. */
export const SCHEME: RegExp = /^(?:bearer|basic|token|api-?key)\s+/i

/** A `name=value` pair of cookies, not their attributes. */
const COOKIE_PAIR = /(?:^|;)\s*(?!(?:expires|path|domain|max-age|samesite|priority)\b)[^\s=;]+="?([^\s;"]+)/gi

/** A secret, its cookies and its password of basic authentication, with and without the punctuation behind them. */
export const secretsWithin = (secret: string): readonly string[] => {
  const cookies = Array.from(secret.matchAll(COOKIE_PAIR), ([, value = '']) => value)
  const all = [secret, ...cookies, ...(textInBase64(secret)?.split(/^[^:]*:/) ?? [])]
  return all.flatMap((one) => [one, ...(/^.*[^.,;:!?'"`)\]}>\\]/s.exec(one) ?? [])])
}

type Fields = Readonly<Record<string, unknown>>

/** Minimum characters of a secret that is redacted everywhere. A shorter value may occur in any text. */
export const LEAST_SECRET = 8

/** Whether a value is redacted everywhere. An ordinary word is not, because it may occur in any text. */
export const isTelling = (value: string): boolean => value.length >= 16 || (value.length >= LEAST_SECRET && /[^a-z]/i.test(value))

/** Whether a text that looks like a secret is redacted everywhere. Numbers, dates, variables, constants, names with dots and paths are not. */
export const isRandom = (value: string): boolean =>
  isTelling(value) &&
  /\d/.test(value) &&
  /[a-z]/i.test(value) &&
  (!value.includes('/') || /[A-Z]/.test(value)) &&
  !/^[$%<{.~]|\s|^\d{4}-\d\d-\d\d|^[A-Z]+(?:_[A-Z]+)+_?\d{0,2}$|^[a-zA-Z]+\.|\.[a-zA-Z]\w{0,4}$/.test(value)

/** Whether a field is a secret, by name and value. The word `the` or the number 7 cannot be a token, but may be a password. */
export function isSecret(name: string, field: unknown): boolean {
  if (Array.isArray(field)) return field.some((item) => isSecret(name, item))
  if (!/^(?:string|number)$/.test(typeof field) || field === REDACTED || !SECRET_NAME.test(name)) return false
  const value = String(field).trim()
  if (/(?:pass|pwd)$/i.test(name) && /^(?:[./~]|[a-z]:)/i.test(value)) return false
  // A relative path: a working directory, or a test that passed. A password with a slash usually has capitals and digits.
  if (/^(?:pass|pwd)$/i.test(name) && /^(?=[^A-Z]+$|\D+$)[\w.-]+(?:\/[\w.-]+)+$/.test(value)) return false
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
