import type { JsonValue } from '../../../types/tool.js'

const REDACTED = '[redacted]'

/** Names of fields, headers and variables that hold a secret. */
const SECRET_NAME =
  /^(?:(?:proxy-)?authorization|auth|(?:set-)?cookie|jwt|sessionid|pgpass|database_url|.*(?:api|access|private|secret)[-_]?key|.*[-_]?(?:token|secret|password|passwd|passphrase|credentials?))$/i

/** Whether a value can be redacted everywhere: a plain word is too likely to occur in ordinary text. */
const isTelling = (value: string): boolean => value.length >= 16 || (value.length >= 8 && /[^a-z]/i.test(value))

const isSecret = (name: string, field: unknown): boolean =>
  (typeof field === 'string' || typeof field === 'number' || Array.isArray(field)) && field !== REDACTED && SECRET_NAME.test(name)

/** Secrets by their format, anywhere in a text. The replacement keeps `$1`. */
const SECRETS: readonly RegExp[] = [
  /(\bBearer\s+)[\w.~+/-]{8,}=*/g,
  /(\bBasic\s+)[\w+/-]{8,}=*/g,
  /([?&](?:[\w-]*key|[\w-]*token|sig|signature|password)=)[^&#\s"]+/gi,
  /(:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/g,
  // `API_TOKEN=...`, `"password": "..."`, `X-Api-Key: ...`, also inside JSON strings.
  /([\w-]*(?:(?:api|access|private|secret)[-_]?key|token|secret|password|passwd|passphrase)["'\\]*\s*[=:]\s*["'\\]*)(?=[\w.~+/-]*\d)(?=[\w.~+/-]*[a-z])[\w.~+/-]{8,}=*/gi,
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

/** Ids that providers and clients generate at random. */
const IDS =
  /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:chatcmpl|msg|toolu|srvtoolu|resp|fc|rs|call|req|run)[-_](?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{12,}|id_\d{4,})\b/g

/** Prepares values for a cassette: removes secrets, and replaces each random id by a number in order of first appearance. */
export class Cleaner {
  readonly #own: readonly RegExp[]
  readonly #known = new Set<string>()
  readonly #ids = new Map<string, string>()
  #lastId = 0

  /** `redact`: secrets as literal strings or patterns. */
  constructor(redact: readonly (string | RegExp)[]) {
    this.#own = redact.filter((secret) => secret !== '').flatMap(patternsOf)
  }

  clean(value: unknown): JsonValue {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.clean(item))
    // Numbers as JSON stores them, because a replay compares them with parsed JSON.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue
    const fields = Object.entries(value).filter(([, field]) => field !== undefined && typeof field !== 'function')
    // Redact the value of such a field everywhere in later entries.
    for (const [name, field] of fields) if (isSecret(name, field)) this.#remember(field)
    return Object.fromEntries(fields.map(([name, field]) => [this.#redacted(name), isSecret(name, field) ? REDACTED : this.clean(field)]))
  }

  #remember(field: unknown): void {
    for (const secret of Array.isArray(field) ? field : [field]) {
      if (typeof secret !== 'string' || !isTelling(secret)) continue
      this.#known.add(secret).add(escaped(secret))
    }
    // Longest first: a secret may start with another secret.
    const sorted = [...this.#known].sort((a, b) => b.length - a.length)
    this.#known.clear()
    for (const secret of sorted) this.#known.add(secret)
  }

  text(text: string): string {
    return this.#redacted(text).replace(IDS, (id) => this.#idOf(id))
  }

  #redacted(text: string): string {
    let cleaned = text
    for (const secret of this.#known) cleaned = cleaned.replaceAll(secret, REDACTED)
    for (const secret of SECRETS) cleaned = cleaned.replace(secret, (_, kept: string) => kept + REDACTED)
    for (const secret of this.#own) cleaned = cleaned.replace(secret, REDACTED)
    return cleaned
  }

  #idOf(id: string): string {
    const known = this.#ids.get(id)
    if (known !== undefined) return known
    const written = /^id_(\d{4,})$/.exec(id)?.[1]
    this.#lastId = written === undefined ? this.#lastId + 1 : Math.max(this.#lastId, Number(written))
    const counted = written === undefined ? `id_${String(this.#lastId).padStart(4, '0')}` : id
    this.#ids.set(id, counted)
    return counted
  }
}

/** The text with JSON escapes. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Patterns for a literal secret, plain and with JSON escapes; or the caller's own pattern. */
function patternsOf(secret: string | RegExp): readonly RegExp[] {
  if (typeof secret !== 'string') return [new RegExp(secret.source, [...new Set(`${secret.flags.replace('y', '')}g`)].join(''))]
  return [...new Set([secret, escaped(secret)])].map((text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'g'))
}
